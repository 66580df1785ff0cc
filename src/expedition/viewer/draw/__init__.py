"""What the server does for the page on which terrains are drawn: it opens, checks and keeps them."""
