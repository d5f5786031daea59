"""One of a crowd, as a process of its own: asks three times about the tables of a folder, and prints what it is told.

python -m tests.faults.asker FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import tabchat


def main() -> None:
    folder = Path(sys.argv[1])
    with tabchat.open_table(folder / "orders.csv") as orders, tabchat.open_table(folder / "new.csv") as new:
        for _ in range(3):
            regions = orders.ask("total amount by region").frame
            assert regions is not None
            told = (regions.row_count, orders.ask("total amount").value, new.ask("how many rows").value)
            sys.stdout.write(" ".join(map(str, told)) + "\n")


if __name__ == "__main__":
    main()
