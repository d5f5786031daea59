"""A store in a folder of its own, an engine that can read it, and a small result to keep."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.result.result import Frame, ResultKind, ResultMetadata
from tabchat.store import DataStore, DiskStore, ResultRecipe, StoredResult, TableRef
from tests.sql import parsed

DAY = 24 * 3600.0


def recipe(sql: str, version: str = "v1") -> ResultRecipe:
    table = TableRef(name="sales", source="/data/sales.csv", version=version)
    return ResultRecipe(kind="sql", tables=(table,), plan=None, sql=sql)


@dataclass(frozen=True)
class Bench:
    """One folder with a store and an engine."""

    root: Path
    engine: DuckDBEngine

    def store(self, *, max_bytes: int = 10**9, ttl: float = 30 * DAY, owner: str = "me") -> DiskStore:
        return DiskStore(
            self.root / "results", secret_path=self.root / "own" / owner, max_bytes=max_bytes, ttl=ttl
        )

    def frame(self, sql: str) -> Frame:
        query = parsed(sql)
        rows = self.engine.rows(query)
        return Frame(engine=self.engine, query=query, schema=self.engine.schema(query), row_count=len(rows))

    def entry(self, store: DataStore, sql: str, *, created_at: float = 1_700_000_000.0) -> StoredResult:
        frame = self.frame(sql)
        return StoredResult(
            key=store.key_for(recipe(sql)),
            recipe=recipe(sql),
            title=None,
            question="which?",
            created_at=created_at,
            kind=ResultKind.TABLE,
            schema=frame.schema,
            row_count=frame.row_count,
            source_row_count=None,
            value=None,
            values={},
            chart=None,
            group_by=(),
            focus=(),
            summary="Result: 1 rows",
            metadata=ResultMetadata(rows=frame.row_count),
            sql=sql,
        )

    def keep(self, store: DataStore, sql: str, *, created_at: float = 1_700_000_000.0) -> str:
        return store.put(self.entry(store, sql, created_at=created_at), self.frame(sql)).key


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    engine = DuckDBEngine(spill=tmp_path / "spill", folders=[tmp_path / "results"], limits=Limits(threads=1))
    yield Bench(tmp_path, engine)
    engine.close()


@pytest.fixture
def store(bench: Bench) -> Iterator[DiskStore]:
    kept = bench.store()
    yield kept
    kept.close()
