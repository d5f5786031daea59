"""Large text files: tabchat beside the `duckdb` module, polars and pandas, in one run.

    python benchmarks/scale [--rows 100000 1000000 10000000] [--repeat 3] [--only orders] [--report]
    python benchmarks/scale --within 2GB --rows 100000000

Writes benchmarks/.data/scale.json, to which every run adds, and from it benchmarks/REPORT.md with its picture; `--report`
measures nothing. Each contender runs in a process of its own, in turn, so that whatever else the machine does meets all
of them alike. `--within` prints what one large file takes under a bound of memory, and needs 30 GB of disk for 100 million rows. Ratios are of processor time, user and system, which on a machine with other work tells more than the clock.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from bounded import print_bounded
from files import MAKES, remove
from measures import Row, measure_file
from report import write_report
from rivals import measure_rivals
from running import DATA, compile_package

KEPT = DATA / "scale.json"


def main() -> None:
    """Measure, keep the figures, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[100_000, 1_000_000, 10_000_000])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", help="files of this make alone, and `rivals`")
    parser.add_argument("--report", action="store_true", help="write the report of what was measured before")
    parser.add_argument(
        "--within", metavar="SIZE", help="only print what `orders` takes under this memory_limit"
    )
    given = parser.parse_args()
    compile_package()
    if given.within:
        for rows in given.rows:
            print_bounded(MAKES[0], rows, given.within)
            remove(rows)
        return
    wanted = given.only or [*(make.name for make in MAKES), "rivals"]
    for rows in [] if given.report else given.rows:
        for make in MAKES:
            if make.name in wanted:
                keep(measure_file(make, rows, given.repeat))
        remove(rows)
    if "rivals" in wanted and not given.report:
        keep(measure_rivals(given.repeat))
    write_report(kept())


def kept() -> list[Row]:
    """Return what was measured so far."""
    return [Row(**row) for row in json.loads(KEPT.read_text())] if KEPT.exists() else []


def keep(found: list[Row]) -> None:
    """Add figures, in the place of older ones of the same."""
    named = {(row.file, row.rows, row.task, row.who): row for row in (*kept(), *found)}
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps([asdict(row) for row in named.values()], indent=1))


if __name__ == "__main__":
    main()
