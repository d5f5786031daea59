"""A question and a profile of tables with very many columns: two checkouts of tabchat side by side, in one run.

    python benchmarks/wide.py [--beside /path/to/another/checkout] [--repeat 3]

Prints the median of processor time and of peak memory for each command. The first
question reads the file, the others find its version in the cache.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from pathlib import Path

from running import DATA, TABCHAT, at_home, run

HERE = Path(__file__).parent.parent
SHAPES = ((5000, 1), (5000, 200), (400, 20_000))
COMMANDS = (
    ("first question", ("ask", "{path}", "total c399")),
    ("second question", ("ask", "{path}", "total c395")),
    ("number of rows", ("ask", "{path}", "how many rows?")),
    ("profile", ("profile", "{path}")),
)


def make_csv(columns: int, rows: int) -> Path:
    """Write the table once: whole numbers, fractions, words and dates in turn."""
    path = DATA / f"wide_{columns}x{rows}.csv"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("w", encoding="utf-8") as out:
            out.write(",".join(f"c{column}" for column in range(columns)) + "\n")
            for row in range(rows):
                out.write(",".join(cell(column, row) for column in range(columns)) + "\n")
        part.rename(path)
    return path


def cell(column: int, row: int) -> str:
    mixed = (column * 7919 + row * 104_729) % 100_003
    match column % 4:
        case 0:
            return ("red", "green", "blue")[mixed % 3]
        case 1:
            return f"{mixed / 100:.2f}"
        case 2:
            return f"2024-{1 + mixed % 12:02}-{1 + mixed % 28:02}"
        case _:
            return str(mixed)


def measured(tree: Path, home: Path, arguments: list[str]) -> tuple[float, float]:
    """Return the seconds of processor time and the megabytes that a command took."""
    measure = run([*TABCHAT, *arguments], at_home(home, PYTHONPATH=str(tree)))
    return measure.processor, measure.megabytes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--beside", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    trees = [HERE, *([options.beside] if options.beside else [])]
    for columns, rows in SHAPES:
        path = make_csv(columns, rows)
        taken: dict[tuple[str, Path], list[tuple[float, float]]] = {}
        for _ in range(options.repeat):
            for tree in trees:
                home = Path(tempfile.mkdtemp(prefix="bench-"))
                for name, command in COMMANDS:
                    arguments = [part.format(path=path) for part in command]
                    taken.setdefault((name, tree), []).append(measured(tree, home, arguments))
                shutil.rmtree(home)
        print(f"{columns:,} columns × {rows:,} rows, {path.stat().st_size / 1e6:.1f} MB")
        for name, _ in COMMANDS:
            medians = [tuple(map(statistics.median, zip(*taken[name, tree], strict=True))) for tree in trees]
            print(f"  {name:18}" + "".join(f"{seconds:8.2f} s{peak:7.0f} MB" for seconds, peak in medians))


if __name__ == "__main__":
    main()
