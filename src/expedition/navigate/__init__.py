"""Getting there: planning costs, global planners, distance fields, and local collision avoidance."""
