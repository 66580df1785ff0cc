"""Setting missions up on the page: what may be named, drafts of missions, and the processes that carry them out."""
