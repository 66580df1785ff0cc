"""The page of a report: one HTML file with everything in it, readable without a net and without a script."""
