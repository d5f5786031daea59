"""Tables read the way a session reads them, whose facts can be gathered by fetching or by measuring."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.facts import TableFacts, facts_of, gather
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions, Table
from tests.seals import SEAL


@dataclass(frozen=True)
class Reader:
    """Reads texts into a cache of its own, over a locked engine."""

    folder: Path
    cache: TableCache
    engine: DuckDBEngine

    def write(self, content: str, name: str = "orders.csv") -> Path:
        path = self.folder / name
        path.write_text(content, encoding="utf-8")
        return path

    def open(self, content: str, name: str = "orders.csv", *, direct: bool = False) -> Table:
        path = self.write(content, name)
        return open_table(path, options=ReadOptions(), cache=self.cache, direct=direct)

    def facts(self, table: Table) -> TableFacts:
        return facts_of(self.engine, table, self.cache)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    cache = TableCache(tmp_path / "tables", max_bytes=1 << 30, seal=SEAL)
    engine = DuckDBEngine(
        spill=tmp_path / "spill",
        folders=[tmp_path / "tables"],
        files=[tmp_path / "orders.csv"],
        limits=Limits(threads=1),
    )
    yield Reader(folder=tmp_path, cache=cache, engine=engine)
    engine.close()
    cache.close()


@pytest.fixture(params=["fetched", "measured"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Let facts be gathered in one of the two ways, whatever the size of the table."""
    monkeypatch.setattr(gather, "is_short", lambda _: request.param == "fetched")
    return str(request.param)
