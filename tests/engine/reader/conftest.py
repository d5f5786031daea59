"""Reading a file the way a session does, and looking at the rows through a locked engine."""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import LoadNote, ReadOptions, Table
from tabchat.engine.types import Row
from tests.seals import SEAL


@dataclass(frozen=True)
class Reading:
    """A table and a look at its rows."""

    table: Table
    rows: list[Row]
    """Visible columns only."""
    numbers: list[int]
    """Row numbers."""

    @property
    def types(self) -> dict[str, str]:
        return {column.name: column.sql_type for column in self.table.schema}

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.table.schema]

    @property
    def units(self) -> dict[str, str | None]:
        return {column.name: column.unit for column in self.table.schema if column.unit}

    def column(self, name: str) -> list[Any]:
        return [row[self.names.index(name)] for row in self.rows]

    def notes(self, action: str, column: str | None = None) -> list[LoadNote]:
        return [n for n in self.table.report.notes if n.action == action and column in {None, n.column}]


@dataclass(frozen=True)
class Reader:
    """Reads files into a cache of its own."""

    folder: Path
    cache: TableCache
    engine: DuckDBEngine | None = None
    """One that may read what is stored in the cache, for many tests; none if each look is to have its own."""

    def write(self, content: str | bytes, name: str = "table.csv", encoding: str = "utf-8") -> Path:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    def open(self, path: Path, **options: Any) -> Reading:
        table = open_table(path, options=ReadOptions(**options), cache=self.cache)
        return self.look(table)

    def look(self, table: Table) -> Reading:
        found = self._rows(table)
        numbers = [number for number, *_ in found if isinstance(number, int)]
        return Reading(table=table, rows=[row[1:] for row in found], numbers=numbers)

    def _rows(self, table: Table) -> list[Row]:
        if self.engine is not None and table.stored and table.files is None:
            self.engine.attach(table.name, table.scan)
            return self.engine.rows(table.scan)
        files = [] if table.stored else [table.source]
        if table.files is not None:
            files = [Path(file.path) for file in table.files.files]
        own = DuckDBEngine(
            spill=self.folder / "spill", folders=[self.cache.directory], files=files, limits=Limits(threads=1)
        )
        with contextlib.closing(own):
            own.attach(table.name, table.scan, table.files)
            return own.rows(table.scan)

    def text(self, content: str | bytes, name: str = "table.csv", **options: Any) -> Reading:
        return self.open(self.write(content, name), **options)


@pytest.fixture(scope="package")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    """Return one engine for the caches of all tests here: it may read their folders, and views are replaced."""
    spill = tmp_path_factory.mktemp("reading") / "spill"
    with contextlib.closing(
        DuckDBEngine(spill=spill, folders=[tmp_path_factory.getbasetemp()], limits=Limits(threads=1))
    ) as made:
        yield made


@pytest.fixture
def reader(tmp_path: Path, engine: DuckDBEngine) -> Iterator[Reader]:
    folder = tmp_path / "files"
    folder.mkdir()
    cache = TableCache(tmp_path / "cache", max_bytes=1 << 30, seal=SEAL)
    yield Reader(folder=folder, cache=cache, engine=engine)
    cache.close()
