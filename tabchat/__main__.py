"""The entry point: `tabchat` and `python -m tabchat`."""

from __future__ import annotations

import gc
import os
import sys

# Start-up makes a few hundred thousand objects that all stay: looking for garbage among them every 700
# objects would cost a tenth of the time to the first answer.
_GC_THRESHOLD = 100_000


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(_GC_THRESHOLD, 20, 20)
    from tabchat.cli import run

    code = run(sys.argv[1:])
    # The session is closed and the streams are flushed: taking the interpreter apart object by object
    # would keep the person's shell waiting for another tenth of the run.
    os._exit(code)


if __name__ == "__main__":
    main()
