"""Studies: many missions each, and what they show. `python -m studies` runs them; results lie in `studies/results`."""
