"""Files that are read where they lie, written and then changed behind the session's back."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
from pyarrow import ipc

from tabchat.record import record

ROWS: Final = (
    "SELECT i AS n, ['a', 'b', 'c'][1 + i % 3] AS letter, i * 1.5 AS x FROM range({low}, {high}) t(i)"
)


@record
class Kind:
    """A format whose files are read where they lie."""

    name: str
    write: Callable[[Path, int, int], Path]
    """Writes the rows from one number to another to a file."""
    rewrite: Callable[[Path], None]
    """Puts other rows in the place of the 300 that there are, as if nothing had happened."""


def write_parquet(path: Path, low: int = 0, high: int = 300, sql: str = ROWS) -> Path:
    """Write rows to a Parquet file; its name is quoted, as it may hold anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "written"
        duckdb.execute(
            f"COPY ({sql.format(low=low, high=high)}) TO '{plain}' (FORMAT parquet, ROW_GROUP_SIZE 10000)"
        )
        shutil.move(plain, path)
    return path


def rewrite_parquet(path: Path) -> None:
    """Put another table of the same size in a file's place."""
    before = path.stat()
    write_parquet(path, 1000, 1300)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def write_arrow(path: Path, low: int = 0, high: int = 300, batch: int | None = None) -> Path:
    """Write rows to an Arrow file, in batches of 50 unless they are many: each costs as much as hundreds of rows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = range(low, high)
    table = pa.table(
        {
            "n": pa.array(numbers),
            "letter": pa.array(["abc"[n % 3] for n in numbers]),
            "x": pa.array([n * 1.5 for n in numbers]),
        }
    )
    with ipc.new_file(path, table.schema) as out:
        out.write_table(table, max_chunksize=batch or max(50, len(numbers) // 400))
    return path


def rewrite_arrow(path: Path) -> None:
    """Put other rows of the same size into the same file."""
    before = path.stat()
    other = write_arrow(path.with_name("other.bin"), 1000, 1300)
    with path.open("r+b") as file:
        file.write(other.read_bytes())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


PARQUET: Final = Kind(name="parquet", write=write_parquet, rewrite=rewrite_parquet)
ARROW: Final = Kind(name="arrow", write=write_arrow, rewrite=rewrite_arrow)


def rewrite(kind: Kind, path: Path) -> None:
    kind.rewrite(path)


def swap(kind: Kind, path: Path) -> None:
    """Let a link stand where the file was."""
    other = kind.write(path.with_name("other.bin"), 5, 305)
    path.unlink()
    path.symlink_to(other)


def cut(_kind: Kind, path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def remove(_kind: Kind, path: Path) -> None:
    path.unlink()
