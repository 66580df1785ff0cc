"""The tables of a report: what is in them, and how they are written as CSV, Parquet and LaTeX."""
