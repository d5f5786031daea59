"""Tables for plans: stored rows, a real engine, and the facts that reading them would have gathered."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tabchat.engine.facts.records import ColumnFacts, TableFacts
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import plan_of
from tests.engine.tables import open_engine, read_example, store

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan import PlannedCall

FIGURES = {"height": "."}
"""Text columns of the tests that hold figures with notes → their decimal mark."""


def facts_of(table: Table, rows: pa.Table, *, exact: bool = True) -> TableFacts:
    return TableFacts(
        name=table.name,
        row_count=rows.num_rows,
        columns=tuple(
            _column(column.name, column.kind, column.unit, rows.column(column.name).to_pylist(), exact)
            for column in table.schema
        ),
        row_nouns=("order",),
        exact=exact,
    )


def _column(name: str, kind: ColumnKind, unit: str | None, cells: list[Any], exact: bool) -> ColumnFacts:
    filled = [cell for cell in cells if cell is not None]
    texts = tuple(dict.fromkeys(filled)) if kind is ColumnKind.TEXT else ()
    numbers = [cell for cell in filled if isinstance(cell, int | float)]
    whole = bool(numbers) and all(float(cell).is_integer() for cell in numbers)
    return ColumnFacts(
        name=name,
        kind=kind,
        unit=unit,
        filled=len(filled),
        distinct=len(set(filled)),
        exact=exact,
        low=min(filled, default=None),
        high=max(filled, default=None),
        texts=texts,
        counts=tuple(filled.count(text) for text in texts) if len(texts) < 100 else (),
        figures=FIGURES.get(name) if kind is ColumnKind.TEXT else None,
        integral=whole,
        years=whole and "year" in name.casefold(),
        unique=len(set(filled)) == len(cells),
    )


class Workbench:
    """One engine, the tables attached to it, and what is known of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.engine = open_engine(folder)
        self._tables: dict[str, tuple[Table, TableFacts, pa.Table]] = {}

    def add(self, rows: pa.Table, name: str = "t", *, exact: bool = True) -> TableFacts:
        table = store(self.engine, self._folder, rows, name)
        self._tables[name] = (table, facts_of(table, rows, exact=exact), rows)
        return self._tables[name][1]

    def facts(self, name: str) -> TableFacts:
        if name not in self._tables:
            self.add(read_example(f"{name}.csv"), name)
        return self._tables[name][1]

    def rows(self, name: str) -> pa.Table:
        self.facts(name)
        return self._tables[name][2]

    def table(self, name: str) -> Table:
        return self._tables[name][0]

    def run(self, call: PlannedCall) -> Result:
        fields = dict(call.arguments)
        if call.tool == "run_sql":
            from tabchat.engine.sql.query import read_sql, run_checked

            return run_checked(self.engine, read_sql(str(fields["sql"]), {"t": self.table("t")}))
        table = self.table(str(fields.pop("table")))
        return run_plan(self.engine, table, parse_plan(fields))

    def ask(self, name: str, intent: Intent) -> list[dict[str, Any]]:
        result = self.run(plan_of(intent, self.facts(name)))
        return [dict(zip(result.frame.columns, row, strict=True)) for row in result.frame.rows()]

    def close(self) -> None:
        self.engine.close()


def plain(value: Any) -> Any:
    """Return a cell as it is compared: numbers to nine digits, midnight as its day."""
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return float(f"{float(value):.9g}") + 0.0
    if isinstance(value, dt.datetime) and value.time() == dt.time():
        return value.date()
    return value
