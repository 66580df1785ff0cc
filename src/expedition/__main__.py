"""`python -m expedition` is the `expedition` command."""

from expedition.cli import main

main()
