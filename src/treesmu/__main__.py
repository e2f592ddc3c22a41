"""``python -m treesmu`` runs the command line."""

import sys

try:
    from .cli import main
except KeyboardInterrupt:  # main handles it once it is there
    print("treesmu: interrupted", file=sys.stderr)
    sys.exit(130)
main()
