"""A group-by on a 10-million-row CSV: tabchat beside DuckDB, pandas and polars, in one run.

    python benchmarks/large.py [--rows 10000000] [--repeat 3]

Prints wall time and peak memory of each contender, as medians and as ratios to
the `duckdb` module's. Every contender runs in a process of its own, in turn,
`repeat` times, so that a noisy machine troubles all of them alike. tabchat's
first question starts from an empty cache each time; the second waits for the
cached version that the first one leaves behind.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / ".data"
QUESTION = "total revenue by region"
BARE = {
    "duckdb": "import duckdb; print(duckdb.sql("
    "\"SELECT region, sum(revenue) FROM read_csv('{path}') GROUP BY region ORDER BY region\").fetchall())",
    "pandas": "import pandas; print(pandas.read_csv('{path}').groupby('region')['revenue'].sum())",
    "polars": "import polars as pl; print(pl.scan_csv('{path}').group_by('region')"
    ".agg(pl.col('revenue').sum()).collect())",
}


@dataclass(frozen=True)
class Measure:
    seconds: float
    megabytes: float


def make_csv(rows: int) -> Path:
    """Write the table once: 9 columns, about 70 bytes a row, the same bytes every time."""
    import duckdb

    path = DATA / f"orders_{rows}.csv"
    if not path.exists():
        DATA.mkdir(exist_ok=True)
        part = path.with_suffix(".part")
        duckdb.sql(
            f"""COPY (
                SELECT i AS order_id,
                       DATE '2020-01-01' + (i % 1500)::INT AS order_date,
                       ['North', 'South', 'East', 'West', 'Centre'][1 + (hash(i) % 5)::INT] AS region,
                       'customer ' || (hash(i + 7) % 50000) AS customer,
                       ['online', 'store', 'partner'][1 + (hash(i + 3) % 3)::INT] AS channel,
                       (hash(i + 1) % 40)::INT AS quantity,
                       round((hash(i + 2) % 100000) / 100.0, 2) AS price,
                       round((hash(i + 5) % 10000000) / 100.0, 2) AS revenue,
                       (hash(i + 9) % 20) = 0 AS returned
                FROM range({rows}) t(i)
            ) TO '{part}' (HEADER)"""
        )
        part.rename(path)
    return path


def run(command: list[str], env: dict[str, str]) -> Measure:
    """Run a command to its end; its own peak memory comes from the kernel's account of it."""
    started = time.perf_counter()
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"failed with {process.returncode}: {command}")
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return Measure(seconds, usage.ru_maxrss / unit)


def wait_for_version(cache: Path, seconds: float = 120.0) -> None:
    """Wait until the cached version of the table is complete."""
    until = time.monotonic() + seconds
    while not list((cache / "tabchat" / "tables").glob("*.json")):
        if time.monotonic() > until:
            sys.exit("no cached version appeared")
        time.sleep(0.2)
    time.sleep(1.0)


def one_round(path: Path, measures: dict[str, list[Measure]]) -> None:
    home = Path(tempfile.mkdtemp(prefix="bench-"))
    env = dict(os.environ, XDG_CACHE_HOME=str(home / "cache"), XDG_DATA_HOME=str(home / "data"))
    ask = [sys.executable, "-m", "tabchat", "ask", str(path), QUESTION]
    try:
        for name, code in BARE.items():
            measures[name].append(run([sys.executable, "-c", code.format(path=path)], env))
        measures["tabchat, first ask"].append(run(ask, env))
        wait_for_version(home / "cache")
        measures["tabchat, second ask"].append(run(ask, env))
    finally:
        shutil.rmtree(home)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    path = make_csv(options.rows)
    names = [*BARE, "tabchat, first ask", "tabchat, second ask"]
    measures: dict[str, list[Measure]] = {name: [] for name in names}
    # The page cache is warm for all.
    run([sys.executable, "-c", f"open({str(path)!r}, 'rb').read()"], dict(os.environ))
    for _ in range(options.repeat):
        one_round(path, measures)
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB, median of {options.repeat}")
    print(f"{'':22}{'wall':>9}{'ratio':>8}{'peak':>10}{'ratio':>8}")
    base = measures["duckdb"]
    for name in names:
        seconds = statistics.median(item.seconds for item in measures[name])
        peak = statistics.median(item.megabytes for item in measures[name])
        wall_ratio = seconds / statistics.median(item.seconds for item in base)
        peak_ratio = peak / statistics.median(item.megabytes for item in base)
        print(f"{name:22}{seconds:7.2f} s{wall_ratio:8.2f}{peak:7.0f} MB{peak_ratio:8.2f}")


if __name__ == "__main__":
    main()
