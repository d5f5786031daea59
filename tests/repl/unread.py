"""A program that writes more than a terminal keeps unread, with the modes held that it has while lines are drawn.

python -m tests.repl.unread
"""

from __future__ import annotations

import signal
import sys
import time
from typing import Final

from tabchat.render.terminal.region import TypingModes

BLOCK: Final = "." * 4_000
BLOCKS: Final = 4


def main() -> None:
    """Write the blocks, wait for Ctrl-C, give the terminal back."""
    stopped: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: stopped.append(number))
    modes = TypingModes(sys.stderr.fileno())
    modes.hold()
    sys.stderr.write("began\n")
    for _ in range(BLOCKS):
        sys.stderr.write(f"{BLOCK}\n")
    while not stopped:
        time.sleep(0.01)
    modes.release()
    sys.stderr.write("ended\n")


if __name__ == "__main__":
    main()
