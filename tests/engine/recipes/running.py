"""Recipes over small Arrow tables, in a real engine over real Parquet files."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from tabchat.engine.recipes import run_recipe
from tabchat.engine.recipes.request import Request
from tabchat.engine.result.result import Result
from tabchat.engine.table import Table
from tabchat.engine.types import Engine
from tests.engine.tables import open_engine, store


@dataclass
class Bench:
    """An engine and a folder to put tables in."""

    engine: Engine
    folder: Path

    def table(self, columns: Mapping[str, Any] | pa.Table, name: str = "t") -> Table:
        rows = columns if isinstance(columns, pa.Table) else pa.table(dict(columns))
        return store(self.engine, self.folder, rows, name)  # type: ignore[arg-type] # DuckDB's, in every test

    def run(
        self,
        recipe: str,
        columns: Mapping[str, Any] | pa.Table | Table,
        /,
        *,
        second: Table | None = None,
        **given: Any,
    ) -> Result:
        table = columns if not isinstance(columns, (dict, pa.Table)) else self.table(columns)
        arguments = {
            "from" if name == "before" else "to" if name == "after" else name: value
            for name, value in given.items()
        }
        return run_recipe(
            recipe,
            Request(engine=self.engine, table=table, arguments=arguments, children=second),  # type: ignore[arg-type] # a table by now
        )


def rows_of(result: Result) -> list[dict[str, Any]]:
    """Return every row by column."""
    return [dict(zip(result.frame.columns, row, strict=True)) for row in result.frame.rows()]


@contextmanager
def open_bench() -> Iterator[Bench]:
    """Open an engine over a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        engine = open_engine(Path(folder))
        try:
            yield Bench(engine, Path(folder))
        finally:
            engine.close()
