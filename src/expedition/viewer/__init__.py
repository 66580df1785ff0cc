"""The page in the browser: watching missions live and again, setting them up, and drawing terrains."""
