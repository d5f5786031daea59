"""A Parquet file read where it lies: tabchat beside the `duckdb` module, in one run.

    python benchmarks/lake.py [--rows 10000000] [--repeat 3] [--parts 1]

Prints wall time and peak memory of each task for both, as medians and as ratios, and what tabchat leaves on disk.
Every contender runs in a process of its own, in turn, `repeat` times, so that a noisy machine troubles both alike.
tabchat's first question starts from an empty cache each time; the second comes after what the first leaves running
has ended. With `--parts`, the rows lie in a folder of so many files.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from running import DATA, TABCHAT, Measure, at_home, compile_package, run, wait_for_background

QUESTION = "total revenue by region"
ROWS = """
    SELECT i AS order_id,
           DATE '2020-01-01' + (i % 1500)::INT AS order_date,
           ['North', 'South', 'East', 'West', 'Centre'][1 + (hash(i) % 5)::INT] AS region,
           'customer ' || (hash(i + 7) % 50000) AS customer,
           (hash(i + 1) % 40)::INT AS quantity,
           round((hash(i + 2) % 100000) / 100.0, 2)::DOUBLE AS price,
           round((hash(i + 5) % 10000000) / 100.0, 2)::DOUBLE AS revenue,
           (hash(i + 9) % 20) = 0 AS returned
    FROM range({low}, {high}) t(i)
"""
BARE = {
    "ask": "SELECT region, sum(revenue) FROM '{source}' GROUP BY region ORDER BY region",
    "profile": "SUMMARIZE FROM '{source}'",
    "export": "COPY (FROM '{source}' WHERE region = 'North') TO '{home}/bare.parquet'",
}


def make(rows: int, parts: int) -> Path:
    """Write the table once: 8 columns, about 22 bytes a row, the same rows every time."""
    import duckdb

    folder = DATA / f"lake_{rows}_{parts}"
    if not folder.exists():
        part = folder.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for number in range(parts):
            sql = ROWS.format(low=rows * number // parts, high=rows * (number + 1) // parts)
            duckdb.sql(f"COPY ({sql}) TO '{part}/orders-{number:05}.parquet'")
        part.rename(folder)
    return folder if parts > 1 else folder / "orders-00000.parquet"


def one_round(source: Path, measures: dict[str, list[Measure]]) -> int:
    """Measure each task once; return the bytes that tabchat left in its caches."""
    home = Path(tempfile.mkdtemp(prefix="bench-", dir=DATA))
    env = at_home(home)
    named = f"{source}/*.parquet" if source.is_dir() else source

    def tabchat(*arguments: str) -> Measure:
        return run([*TABCHAT, *arguments], env)

    def bare(task: str) -> Measure:
        sql = BARE[task].format(source=named, home=home)
        return run([sys.executable, "-c", f'import duckdb; print(duckdb.sql("""{sql}"""))'], env)

    try:
        measures["duckdb ask"].append(bare("ask"))
        measures["tabchat first ask"].append(tabchat("ask", str(source), QUESTION))
        wait_for_background(home)
        measures["tabchat second ask"].append(tabchat("ask", str(source), QUESTION))
        measures["duckdb profile"].append(bare("profile"))
        measures["tabchat profile"].append(tabchat("profile", str(source)))
        measures["duckdb export"].append(bare("export"))
        plan = {"where": "region == 'North'", "select": "sum(revenue)"}
        tabchat("query", str(source), json.dumps(plan))
        target = str(home / "ours.parquet")
        measures["tabchat export"].append(tabchat("export", "_", "--source", "-o", target))
        kept = home / "cache"
        return sum(path.stat().st_size for path in kept.rglob("*") if path.is_file())
    finally:
        wait_for_background(home)
        shutil.rmtree(home)


def main() -> None:
    """Measure, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--parts", type=int, default=1)
    options = parser.parse_args()
    compile_package()
    source = make(options.rows, options.parts)
    files = list(source.iterdir()) if source.is_dir() else [source]
    names = [*(f"{who} {task}" for task in BARE for who in ("duckdb", "tabchat"))]
    names[1:2] = ["tabchat first ask", "tabchat second ask"]
    measures: dict[str, list[Measure]] = {name: [] for name in names}
    # The page cache is warm for both, where it holds them; a process of its own, whose memory is nobody's peak.
    subprocess.run(["cat", *files], stdout=subprocess.DEVNULL, check=True)
    left = max(one_round(source, measures) for _ in range(options.repeat))
    size = sum(file.stat().st_size for file in files)
    print(f"{options.rows:,} rows in {len(files)} file(s), {size / 1e6:.0f} MB, median of {options.repeat}")
    print(f"left in the caches: {left / 1e6:.2f} MB")
    print(f"{'':22}{'wall':>9}{'ratio':>8}{'peak':>10}{'ratio':>8}")
    for name in names:
        base = measures[f"duckdb {name.rpartition(' ')[2]}"]
        seconds = statistics.median(item.seconds for item in measures[name])
        peak = statistics.median(item.megabytes for item in measures[name])
        wall_ratio = seconds / statistics.median(item.seconds for item in base)
        peak_ratio = peak / statistics.median(item.megabytes for item in base)
        print(f"{name:22}{seconds:7.2f} s{wall_ratio:8.2f}{peak:7.0f} MB{peak_ratio:8.2f}")


if __name__ == "__main__":
    main()
