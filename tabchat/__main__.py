"""The entry point: `tabchat` and `python -m tabchat`."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    from tabchat.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
