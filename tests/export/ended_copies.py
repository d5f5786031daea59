"""A program that stops Parquet exports at many moments, and lets others fail midway; it ends once each of them has."""

from __future__ import annotations

import random
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.errors import InterruptedByUserError, QueryFailedError
from tabchat.export import export_frame
from tests.export.frames import frame_of
from tests.sql import parsed

if TYPE_CHECKING:
    from tabchat.engine.result.result import Frame

PASSES = 30
ROWS = 3_000_000
_LONGEST_WAIT = 0.2
_AGAIN = 0.02


def stop_export(engine: DuckDBEngine, frame: Frame, path: Path, wait: float) -> None:
    """Begin an export and stop it after `wait` seconds."""
    ended = threading.Event()

    def stop() -> None:
        again = wait
        while not ended.wait(again):
            engine.cancel()
            again = _AGAIN

    stopping = threading.Thread(target=stop)
    stopping.start()
    try:
        export_frame(frame, path)
    except InterruptedByUserError:
        assert list(path.parent.iterdir()) == []
    else:
        path.unlink()
    finally:
        ended.set()
        stopping.join()


def fail_copy(engine: DuckDBEngine, path: Path, row: int) -> None:
    """Write a version whose cell in one row is no number."""
    cell = f"CASE WHEN i = {row} THEN 'x' ELSE i::VARCHAR END::BIGINT"
    try:
        engine.write_parquet(
            parsed(f"SELECT i, 'a text ' || i AS t, {cell} AS n FROM range({ROWS}) AS t(i)"), path
        )
    except QueryFailedError:
        assert list(path.parent.iterdir()) == []
    else:
        raise AssertionError(row)


def main(folder: Path) -> None:
    """Do it in `folder`."""
    out, own = folder / "out", folder / "own"
    out.mkdir()
    own.mkdir()
    engine = DuckDBEngine(spill=folder / "spill", folders=(own,), limits=Limits(threads=2))
    rows = engine.materialise(parsed(f"SELECT i, 'a text ' || i AS t FROM range({ROWS}) AS t(i)"))
    frame = frame_of(engine, rows.sql("duckdb"))
    moments = random.Random(7)  # noqa: S311 - moments, no secrets
    for _ in range(PASSES):
        stop_export(engine, frame, out / "all.parquet", moments.uniform(0, _LONGEST_WAIT))
        fail_copy(engine, own / "version.parquet", moments.randrange(ROWS // 10, ROWS // 3))
    engine.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
