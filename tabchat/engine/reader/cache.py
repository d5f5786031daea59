"""Parsed tables on disk: a Parquet file, a JSON file and what is known of the rows for each version, bounded.

The least recently used go first. The JSON file is written last and makes the entry exist. A version that any
process has open holds a shared lock and is never evicted.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.connection import translated
from tabchat.engine.table import LoadNote, LoadReport, ReadOptions, Table
from tabchat.engine.types import ROW, Column, ColumnKind
from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.types import JsonValue, Schema

_FORMAT: Final = 1
_WORK: Final = ".work-"
_STALE_SECONDS: Final = 24 * 3600
_MAGIC: Final = b"PAR1"


@record
class CacheInfo:
    """What the cache of tables holds; sizes in bytes."""

    directory: Path
    entries: int
    size: int
    limit: int


@record
class Loaded:
    """A table that was just written to a Parquet file."""

    parquet: Path
    schema: Schema
    row_count: int
    report: LoadReport
    edits: tuple[Mapping[str, JsonValue], ...] = ()
    """Edits that led here from the file; the Parquet file of an edited version has a column of row numbers."""
    last_row: int | None = None
    """The greatest row number that was ever given, where edits led here."""


class TableCache:
    """Table versions in `directory`, at most `max_bytes` of them besides those in use."""

    def __init__(self, directory: Path, max_bytes: int) -> None:
        self.directory = directory
        self.max_bytes = max_bytes
        self._locks: dict[str, int] = {}

    def load(self, version: str, *, name: str) -> Table | None:
        """Return a kept table under `name`, or None when it is absent or damaged."""
        parquet, description = self._paths(version)
        if not description.exists():
            return None
        self._hold(version)
        try:
            facts = json.loads(description.read_text(encoding="utf-8"))
            intact = facts["format"] == _FORMAT and _is_whole(parquet, facts["size"])
            table = _table(facts, version, name, parquet) if intact else None
        except (OSError, ValueError, KeyError, TypeError):
            table = None
        if table is None:
            self.release(version)
            return None
        with contextlib.suppress(OSError):
            os.utime(description)
        return table

    def store(self, version: str, loaded: Loaded, *, name: str, source: Path, options: ReadOptions) -> Table:
        """Keep a table that was just written, and make room for it."""
        parquet, description = self._paths(version)
        facts = {
            "format": _FORMAT,
            "size": loaded.parquet.stat().st_size,
            "source": os.fspath(source),
            "schema": [[c.name, c.kind.value, c.sql_type, c.unit] for c in loaded.schema],
            "row_count": loaded.row_count,
            "report": loaded.report.to_json(),
            "options": options.to_json(),
            "edits": [dict(edit) for edit in loaded.edits],
            "last_row": loaded.last_row,
        }
        draft = loaded.parquet.with_suffix(".json")
        with translated():
            draft.write_text(json.dumps(facts), encoding="utf-8")
            self._hold(version)
            # What was known of an earlier file of that version may not be true of this one.
            self._facts(version).unlink(missing_ok=True)
            loaded.parquet.replace(parquet)
            draft.replace(description)
        self._evict(keep=version)
        return _table(facts, version, name, parquet)

    def keep_facts(self, version: str, facts: bytes) -> None:
        """Keep what is known of a version that is open here beside it; raises `OSError`."""
        if version not in self._locks:
            return
        with self.workspace() as folder:
            draft = folder / "facts"
            draft.write_bytes(facts)
            draft.replace(self._facts(version))

    def facts(self, version: str) -> bytes | None:
        """Return what was kept of a version; None when there is nothing to read."""
        try:
            return self._facts(version).read_bytes()
        except OSError:
            return None

    def discard(self, version: str) -> None:
        """Let go of a version that nobody came to want, and remove it unless some process has it open."""
        self.release(version)
        self._remove(version)

    @contextlib.contextmanager
    def workspace(self) -> Iterator[Path]:
        """Give a private folder on the same disk, removed afterwards whatever happens."""
        self._prepare()
        folder = Path(tempfile.mkdtemp(prefix=_WORK, dir=self.directory))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def close(self) -> None:
        """Let go of the versions in use; from now on they may be evicted."""
        for version in list(self._locks):
            self.release(version)

    def info(self) -> CacheInfo:
        """Count what is kept."""
        sizes = [self._size(version) for version in self._versions()]
        return CacheInfo(directory=self.directory, entries=len(sizes), size=sum(sizes), limit=self.max_bytes)

    def check(self) -> tuple[str, ...]:
        """Read every kept table and return a sentence for each that is damaged."""
        import duckdb

        problems = []
        for version in self._versions():
            parquet, description = self._paths(version)
            try:
                facts = json.loads(description.read_text(encoding="utf-8"))
                _verify(facts, version, parquet)
            except (OSError, ValueError, KeyError, TypeError, duckdb.Error) as error:
                problems.append(f"Table version {version} is damaged: {error}")
        return tuple(problems)

    def clear(self) -> int:
        """Remove every kept table that nobody else has open; return how many."""
        self.close()
        return sum(self._remove(version) for version in self._versions())

    def _paths(self, version: str) -> tuple[Path, Path]:
        return self.directory / f"{version}.parquet", self.directory / f"{version}.json"

    def _facts(self, version: str) -> Path:
        return self.directory / f"{version}.facts"

    def _size(self, version: str) -> int:
        return _size(self._paths(version)[0]) + _size(self._facts(version))

    def _versions(self) -> list[str]:
        """Return the kept versions, least recently used first."""
        found = [(path.stat().st_mtime, path.stem) for path in self.directory.glob("*.json")]
        return [version for _, version in sorted(found)]

    def _prepare(self) -> None:
        try:
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.directory.chmod(0o700)
        except OSError as error:
            message = f"The cache folder {self.directory} cannot be used: {error.strerror}."
            raise InputError(message, hint="Set TABCHAT_CACHE_DIR to a folder you can write to.") from error

    def _evict(self, *, keep: str) -> None:
        self._sweep()
        versions = self._versions()
        total = sum(map(self._size, versions))
        for version in versions:
            if total <= self.max_bytes:
                return
            size = self._size(version)
            if version != keep and version not in self._locks and self._remove(version):
                total -= size

    def _sweep(self) -> None:
        """Remove what processes that were killed left behind."""
        for folder in self.directory.glob(f"{_WORK}*"):
            with contextlib.suppress(OSError):
                if time.time() - folder.stat().st_mtime > _STALE_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)

    def _remove(self, version: str) -> bool:
        """Remove an entry unless some process has it open."""
        lock = os.open(self.directory / f"{version}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        else:
            parquet, description = self._paths(version)
            for path in (description, parquet, self._facts(version), self.directory / f"{version}.lock"):
                path.unlink(missing_ok=True)
            return True
        finally:
            os.close(lock)

    def _hold(self, version: str) -> None:
        if version in self._locks:
            return
        lock = os.open(self.directory / f"{version}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_SH)
        self._locks[version] = lock

    def release(self, version: str) -> None:
        """Let go of a version: from now on it may be evicted."""
        if (lock := self._locks.pop(version, None)) is not None:
            os.close(lock)


def stored_scan(parquet: Path, names: Sequence[str]) -> exp.Select:
    """Return the query over a stored version: the row number, then the visible columns."""
    number = exp.Add(this=exp.column("file_row_number"), expression=exp.Literal.number(1))
    columns = [nodes.named(number, ROW), *map(nodes.column, names)]
    source = nodes.table_function(
        "read_parquet", str(parquet), {"file_row_number": exp.true(), "hive_partitioning": exp.false()}
    )
    return exp.Select(expressions=columns).from_(source)


def numbered_scan(parquet: Path, names: Sequence[str]) -> exp.Select:
    """Return the query over an edited version, whose rows bring the numbers that they have in their file."""
    source = nodes.table_function("read_parquet", str(parquet), {"hive_partitioning": exp.false()})
    return exp.Select(expressions=[nodes.column(ROW), *map(nodes.column, names)]).from_(source)


def _is_whole(parquet: Path, size: int) -> bool:
    with parquet.open("rb") as file:
        if os.fstat(file.fileno()).st_size != size or file.read(4) != _MAGIC:
            return False
        file.seek(-4, os.SEEK_END)
        return file.read(4) == _MAGIC


def _verify(facts: dict[str, Any], version: str, parquet: Path) -> None:
    """Raise when a kept table is not what its description says."""
    import duckdb

    if not _is_whole(parquet, facts["size"]):
        raise ValueError("its size or signature is wrong")
    table = _table(facts, version, "checked", parquet)
    # Every column is read, so that damage anywhere in the file shows.
    counts = [nodes.call("count", nodes.column(column.name)) for column in table.schema]
    query = exp.Select(expressions=[exp.Count(this=exp.Star()), *counts]).from_(table.scan.subquery("kept"))
    with duckdb.connect(":memory:") as connection:
        found = connection.execute(query.sql("duckdb", identify=True)).fetchone()
    if found is None or found[0] != facts["row_count"]:
        raise ValueError("its row count is wrong")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _table(facts: dict[str, Any], version: str, name: str, parquet: Path) -> Table:
    schema = tuple(
        Column(name=column, kind=ColumnKind(kind), sql_type=sql_type, unit=unit)
        for column, kind, sql_type, unit in facts["schema"]
    )
    report = dict(facts["report"])
    notes = tuple(LoadNote(**{**note, "rows": tuple(note["rows"])}) for note in report.pop("notes"))
    edits = tuple(facts.get("edits", ()))
    scan = numbered_scan if edits else stored_scan
    return Table(
        name=name,
        version=version,
        source=Path(facts["source"]),
        scan=scan(parquet, [column.name for column in schema]),
        stored=True,
        schema=schema,
        row_count=facts["row_count"],
        report=LoadReport(**report, notes=notes),
        options=ReadOptions.from_json(facts["options"]),
        edits=edits,
        last_row=facts.get("last_row"),
    )
