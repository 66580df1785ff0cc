"""From a store to what a reader takes away: statistics, figures, tables and one page."""
