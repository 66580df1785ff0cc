"""Parts of the strategy `role-based`: who reports to whom, where they meet, and how they swap posts."""
