"""How fast the viewer opens a large Parquet file, and what scrolling to its end costs in memory.

    python benchmarks/viewer.py [--rows 10000000] [--folder FOLDER]

Opening is a process of its own from its start to the first screen, in a pseudo-terminal; beside it stands a process
that imports duckdb and fetches the first 100 rows of the same file. Each is run five times, in turns; the median
counts. Memory is the resident set after the first screen, and after pages were fetched on the way to the end.
"""

from __future__ import annotations

import argparse
import os
import pty
import select
import statistics
import subprocess
import sys
import time
from pathlib import Path

import duckdb

ROUNDS = 5
PAGES = 2_000
FETCH = "import duckdb, sys; duckdb.execute(f\"SELECT * FROM read_parquet('{sys.argv[1]}') LIMIT 100\").fetchall()"
MIB = 1024 * 1024


def make(path: Path, rows: int) -> None:
    duckdb.execute(
        f"""COPY (SELECT i AS id, 'customer ' || (hash(i) % 100000)::VARCHAR AS customer,
        (hash(i * 3) % 100000) / 100.0 AS revenue, DATE '2015-01-01' + (i // 3000)::INT AS day,
        (hash(i * 11) % 50)::INT AS quantity, md5(i::VARCHAR) AS note FROM range({rows}) t(i))
        TO '{path}' (FORMAT parquet)"""
    )


def seconds_to_fetch(path: Path) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", FETCH, str(path)], check=True)
    return time.perf_counter() - started


def seconds_to_open(path: Path, environment: dict[str, str]) -> float:
    """Return the seconds from the start of the process to the last line of its first screen."""
    started = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        os.execve(  # noqa: S606 - an argument list, no shell
            sys.executable,
            [sys.executable, "-m", "tabchat", "view", str(path)],
            environment | {"TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"},
        )
    seen = b""
    while b"? help" not in seen:
        select.select([terminal], [], [])
        seen += os.read(terminal, 65536)
    taken = time.perf_counter() - started
    os.write(terminal, b"q")
    os.waitpid(process, 0)
    os.close(terminal)
    return taken


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def scroll(path: Path) -> None:
    from tabchat.config import load_settings
    from tabchat.session import Session
    from tabchat.viewer.drawing import Size
    from tabchat.viewer.opening import table_sheet
    from tabchat.viewer.viewer import Viewer

    with Session.open([path], settings=load_settings(), direct="parquet") as session:
        viewer = Viewer.of(table_sheet(session))
        viewer.load()
        viewer.draw(Size(width=200, height=50))
        last = viewer.sheet.state.row_count - 1
        print(f"resident after the first screen: {resident():,.0f} MiB")
        slowest = 0.0
        for page in range(1, PAGES + 1):
            started = time.perf_counter()
            viewer.to_row(last * page // PAGES)
            viewer.load()
            viewer.draw(Size(width=200, height=50))
            slowest = max(slowest, time.perf_counter() - started)
            if page * 10 % PAGES == 0:
                row = viewer.sheet.state.row + 1
                print(f"  row {row:>12,}: {resident():,.0f} MiB, slowest page {slowest * 1000:,.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--folder", type=Path, default=Path("/var/tmp/tabchat-viewer"))  # noqa: S108 - big files
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    path = options.folder / f"rows-{options.rows}.parquet"
    if not path.exists():
        make(path, options.rows)
    kept = {"XDG_CACHE_HOME": str(options.folder / "cache"), "XDG_DATA_HOME": str(options.folder / "data")}
    os.environ.update(kept)
    fetches, opens = [], []
    for _ in range(ROUNDS):
        fetches.append(seconds_to_fetch(path))
        opens.append(seconds_to_open(path, dict(os.environ)))
    fetched, opened = statistics.median(fetches), statistics.median(opens)
    print(f"{path.name}: {path.stat().st_size / MIB:,.0f} MiB")
    print(f"duckdb, first 100 rows: {fetched:.3f} s ({min(fetches):.3f} to {max(fetches):.3f})")
    print(f"tabchat view, first screen: {opened:.3f} s ({min(opens):.3f} to {max(opens):.3f})")
    print(f"ratio: {opened / fetched:.2f}")
    scroll(path)


if __name__ == "__main__":
    main()
