"""`python -m expedition.cli` is the `expedition` command."""

from expedition.cli import main

main()
