"""What it costs to run SQL in a process of its own, and how far each bomb overruns its limits.

    python -m benchmarks.bounded_sql [cost|bombs]

The costs are those of the same queries on the same database, in this process and in the other; the bombs are
those of the tests, each with its time and the peak of both processes' memory, above what they held before.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Self

from benchmarks.running import seconds
from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.bounded.worker import HEADROOM
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql.query import run_sql
from tabchat.engine.table import ReadOptions
from tabchat.errors import TabchatError
from tests.attacks.sql_bombs import BOMBS
from tests.seals import SEAL
from tests.sql import parsed

if TYPE_CHECKING:
    from tabchat.engine.table import Table

SECONDS = 2.0
LIMIT = 500_000_000
REPEATS = 20
SMALL = "SELECT n % 10 AS k, count(*), avg(n) FROM t GROUP BY 1"
MILLION = "SELECT i, i * 1.5 AS x, 'row ' || i AS name, DATE '2020-01-01' + (i % 1000)::INT AS d FROM range(1000000) AS r(i)"


def opened(root: Path) -> tuple[BoundedDuckDBEngine, dict[str, Table]]:
    source = root / "t.csv"
    source.write_text("n,name\n" + "".join(f"{n},name {n}\n" for n in range(1000)), encoding="utf-8")
    cache = TableCache(root / "tables", max_bytes=10**9, seal=SEAL)
    table = open_table(source, options=ReadOptions(), cache=cache)
    engine = BoundedDuckDBEngine(
        spill=root / "spill", folders=(root / "tables",), limits=Limits(memory=LIMIT)
    )
    engine.attach("t", table.scan)
    return engine, {"t": table}


def cost(root: Path) -> None:
    engine, tables = opened(root)
    written = engine.for_sql()
    print(f"{'':34}{'here':>12}{'bounded':>12}")
    first = seconds(lambda: run_sql(engine, tables, SMALL, written=written))
    starts = []
    for _ in range(5):
        engine.processes.close()
        starts.append(seconds(lambda: run_sql(engine, tables, SMALL, written=written)))
    here = statistics.median(seconds(lambda: run_sql(engine, tables, SMALL)) for _ in range(REPEATS))
    there = statistics.median(
        seconds(lambda: run_sql(engine, tables, SMALL, written=written)) for _ in range(REPEATS)
    )
    print(f"{'first query, libraries included':34}{'':12}{first * 1000:9.0f} ms")
    print(f"{'first query of another process':34}{'':12}{statistics.median(starts) * 1000:9.0f} ms")
    print(f"{'small query, median of 20':34}{here * 1000:9.1f} ms{there * 1000:9.1f} ms")
    million = parsed(MILLION)
    for name, count in (
        ("1M rows as Arrow", lambda held: sum(batch.num_rows for batch in held.execute(million))),
        ("1M rows as Python values", lambda held: sum(map(len, held.stream(million)))),
        ("1M rows kept", lambda held: held.materialise(million)),
    ):
        here, there = (min(seconds(partial(count, held)) for _ in range(3)) for held in (engine, written))
        print(f"{name:34}{here * 1000:9.0f} ms{there * 1000:9.0f} ms")
    engine.close()


def resident(pid: int | str) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0
    return pages * 4096


class Peaks:
    """The most memory that this process and its query processes held together, above what they began with."""

    def __init__(self, engine: BoundedDuckDBEngine) -> None:
        self._engine = engine
        self._ended = threading.Event()
        self._base = 0
        self.most = 0

    def __enter__(self) -> Self:
        self._base = self._held()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def _held(self) -> int:
        return resident("self") + sum(map(resident, self._engine.processes.pids))

    def _watch(self) -> None:
        while not self._ended.wait(0.005):
            self.most = max(self.most, self._held() - self._base)


def bombs(root: Path) -> None:
    engine, tables = opened(root)
    worst_time, worst_memory = 0.0, 0
    for name, sql in BOMBS.items():
        run_sql(engine, tables, "SELECT 1", written=engine.for_sql())
        ending = "ended by itself"
        with Peaks(engine) as peaks:
            started = time.perf_counter()
            try:
                run_sql(engine, tables, sql, written=engine.for_sql(SECONDS))
            except TabchatError as error:
                ending = error.message
            took = time.perf_counter() - started
        worst_time, worst_memory = max(worst_time, took), max(worst_memory, peaks.most)
        print(f"{name:22}{took:7.2f} s{peaks.most / 1e6:9.0f} MB  {ending[:70]}", flush=True)
    engine.close()
    print(
        f"worst: {worst_time / SECONDS:.2f} of {SECONDS:g} s, {worst_memory / 1e6:.0f} MB of {LIMIT / 1e6:.0f}"
    )
    print(f"(limit and headroom together: {(LIMIT + HEADROOM) / 1e6:.0f} MB)")


def main() -> None:
    parts = {"cost": cost, "bombs": bombs}
    for name in sys.argv[1:] or parts:
        with tempfile.TemporaryDirectory() as folder:
            parts[name](Path(folder))


if __name__ == "__main__":
    main()
