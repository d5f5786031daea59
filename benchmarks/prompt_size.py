"""How many tokens a question costs: the first request, the result of a grouped query of 12 rows, and everything until the
answer to a one-query question.

    python benchmarks/prompt_size.py [--rows 1000 100000 10000000] [--columns 9 50 400]

Tokens are counted with litellm for GPT-4o. `of 1e3` compares with the smallest table of the same width;
`look` is how long the table was looked at before its first prompt. Tables are written once into
benchmarks/.data; the largest takes some minutes and 100 MB.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
DATA = Path(__file__).parent / ".data" / "prompt"

sys.path.insert(0, str(ROOT))

from tabchat.engine.profile.sketch import sketch_table  # noqa: E402
from tests.chat.prompt.sizes import counter, measure, opened, write_table  # noqa: E402 - found by the path above


def table_path(rows: int, columns: int) -> Path:
    path = DATA / f"measures_{rows}_{columns}.parquet"
    if not path.exists():
        DATA.mkdir(parents=True, exist_ok=True)
        write_table(path, rows, columns)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 100_000, 10_000_000])
    parser.add_argument("--columns", type=int, nargs="+", default=[9, 50, 400])
    arguments = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="tabchat-prompt-"))
    model = counter(scratch)
    print(
        f"{'columns':>7} {'rows':>11} {'first':>7} {'of 1e3':>7} {'grouped':>7} {'whole':>7} {'of 1e3':>7} {'look':>8}"
    )
    try:
        for columns in arguments.columns:
            base = None
            for rows in arguments.rows:
                path = table_path(rows, columns)
                with opened(path, scratch / "spill") as workspace:
                    (table,) = workspace.tables.values()
                    started = time.perf_counter()
                    sketch_table(workspace.engine, table)
                    look = time.perf_counter() - started
                    sizes = measure(workspace, model)
                base = base or sizes
                print(
                    f"{columns:>7} {rows:>11,} {sizes.first:>7,} {sizes.first / base.first:>7.1%}"
                    f" {sizes.grouped:>7,} {sizes.whole:>7,} {sizes.whole / base.whole:>7.1%} {look:>6.2f} s"
                )
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
