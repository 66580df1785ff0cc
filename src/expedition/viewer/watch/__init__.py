"""What a page that watches a mission is told: a log, questions about it, and answers as frames of bytes."""
