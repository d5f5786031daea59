"""What the facts of a table cost: while a version is built, and when they are read back.

    python benchmarks/facts.py [--rows 1000000] [--repeat 3] [--columns 400]

Prints the time to build the version of a CSV of ten columns with and without its facts (medians, and their ratio),
the time to gather the facts of a wide table of long text columns, and the time to read facts that were kept.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.facts import TableFacts, facts_of
from tabchat.engine.facts.asking import keep_facts
from tabchat.engine.facts.kept import read_facts
from tabchat.engine.reader import TableCache, loading, open_table
from tabchat.engine.table import ReadOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.table import Table

DISTINCT = 100_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure what facts of tables cost.")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--columns", type=int, default=400, help="text columns of the wide table")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        _build(Path(folder), asked.rows, asked.repeat)
        _wide(Path(folder), asked.columns, asked.repeat)


def _build(folder: Path, rows: int, repeat: int) -> None:
    source = folder / "orders.csv"
    duckdb.sql(
        f"""COPY (
            SELECT i AS order_id, DATE '2020-01-01' + (i * 1500 // {rows})::INT AS order_date,
                   TIMESTAMP '2020-01-01' + INTERVAL (i * 40) SECOND AS paid_at,
                   ['North', 'South', 'East', 'West', 'Centre'][1 + (hash(i) % 5)::INT] AS region,
                   'city ' || (hash(i + 4) % 800) AS city, 'customer ' || (hash(i + 7) % 50000) AS customer,
                   'order ' || hash(i) AS reference, (hash(i + 1) % 40)::INT AS quantity,
                   round((hash(i + 2) % 10000000) / 100.0, 2) AS revenue, (hash(i + 9) % 20) = 0 AS returned
            FROM range(1, {rows} + 1) t(i)) TO '{source}' (HEADER)"""
    )
    gather = loading.gather_facts

    def nothing(*_: object, name: str, path: str) -> TableFacts:
        del path
        return TableFacts(name=name, row_count=None, columns=())

    # In turn, so that a noisy machine troubles both alike.
    times: dict[str, list[tuple[float, float]]] = {"without": [], "with": []}
    for number in range(repeat):
        for way, gathered in (("without", nothing), ("with", gather)):
            loading.gather_facts = gathered
            cache = TableCache(folder / f"{way}{number}", max_bytes=1 << 40)
            times[way].append(_measured(lambda cache=cache: _open(source, cache)))
            cache.clear()
    loading.gather_facts = gather
    print(f"{rows:,} rows of 10 columns ({source.stat().st_size / 1e6:.0f} MB of CSV)")
    for place, kind in enumerate(("wall time", "processor time")):
        without, found = (statistics.median(taken[place] for taken in times[way]) for way in times)
        print(
            f"  build, {kind:<15}{without * 1000:8.0f} ms without, {found * 1000:8.0f} ms with facts", end=""
        )
        print(f"   ratio {found / without:.3f}")


def _wide(folder: Path, columns: int, repeat: int) -> None:
    source = folder / "wide.parquet"
    cells = ", ".join(f"'text {n} of ' || ((i * {n * 2 + 1}) % {DISTINCT}) AS c{n}" for n in range(columns))
    duckdb.sql(f"COPY (SELECT {cells} FROM range({DISTINCT}) t(i)) TO '{source}'")
    cache = TableCache(folder / "cache", max_bytes=1 << 40)
    table = _open(source, cache)
    engine = DuckDBEngine(spill=folder / "spill", folders=[cache.directory])
    gathering, _ = _measured(lambda: facts_of(engine, table))
    keep_facts(cache, table.version, facts_of(engine, table))
    kept = cache.facts(table.version)
    if kept is None:
        raise SystemExit("The facts of the wide table were not kept.")
    reading = [_measured(lambda: read_facts(kept, table))[0] for _ in range(max(repeat, 5))]
    print(f"{columns} text columns of {DISTINCT:,} distinct texts")
    print(f"  gather              {gathering * 1000:8.0f} ms")
    print(f"  kept                {len(kept):8,} bytes")
    print(f"  read back           {statistics.median(reading) * 1000:8.1f} ms")
    engine.close()
    cache.clear()


def _open(source: Path, cache: TableCache) -> Table:
    return open_table(source, options=ReadOptions(), cache=cache)


def _measured(run: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that passed, and those that the processors worked for this process."""
    start, worked = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - worked


if __name__ == "__main__":
    main()
