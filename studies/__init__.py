"""Scientific reproductions: each runs by one command, `python -m studies NAME`, and leaves tables and figures here."""
