"""``python -m treesmu`` runs the command line."""

from .cli import main

main()
