"""What a query gives back: a frame that stays in the engine, and the few values a person asked for."""

from __future__ import annotations

from copy import copy
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal

from tabchat.engine.types import MOST_ROWS
from tabchat.record import made_later, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    import pyarrow as pa
    from sqlglot import exp

    from tabchat.engine.types import Engine, JsonValue, Row, Schema, Value


CHUNK_ROWS: Final = 10_000
"""Rows that are held at once while a frame is streamed as Python values."""
FEW_ROWS: Final = 50
"""Rows of a frame that is fetched once as a whole: a summary, a preview and a table on the screen all look at it."""


class ResultKind(StrEnum):
    """The shape of a result (see the table in the plan module)."""

    TABLE = "table"
    SCALAR = "scalar"
    DICT = "dict"
    GROUPED = "grouped"


@record
class Held:
    """The rows of a small frame as values, and what the engine says of its columns of numbers."""

    rows: Sequence[Row]
    stats: Mapping[str, Row] = field(default_factory=dict)
    """Column → least value, greatest value and mean; of those that the summary describes."""
    by: str
    """The program that computed them."""


@record
class Frame:
    """Rows that live in an engine: a query over an immutable relation, with its schema and exact count.

    Nothing is fetched until someone looks or exports.
    """

    engine: Engine
    query: exp.Query = made_later()
    schema: Schema
    row_count: int
    held: Held | None = field(init=False, default=None, compare=False, repr=False)
    """All of the rows, where they are at hand: neither the query nor the engine is needed for them."""

    def holding(self, held: Held) -> Frame:
        """Return the frame with its rows at hand; one that `replace` makes of it, for another query, is without them."""
        other = copy(self)
        other.__dict__["held"] = held
        return other

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in display order."""
        return tuple(column.name for column in self.schema)

    def rows(self, limit: int | None = None, offset: int = 0) -> list[Row]:
        """Return rows `offset … offset+limit` as Python values."""
        if self.is_few:
            return self.few[offset : None if limit is None else offset + limit]
        from sqlglot import exp

        query = self.query
        if limit is not None or offset:
            query = exp.select("*").from_(query.subquery("frame"))
            query = query.limit(min(limit, MOST_ROWS)) if limit is not None else query
            query = query.offset(offset) if offset else query
        return self.engine.rows(query)

    @property
    def is_few(self) -> bool:
        """Whether all of the rows are fetched at once."""
        return self.held is not None or 0 <= self.row_count <= FEW_ROWS

    @cached_property
    def few(self) -> list[Row]:
        """All of the rows; for a frame that `is_few`."""
        return self.engine.rows(self.query) if self.held is None else list(self.held.rows)

    def chunks(self, size: int = CHUNK_ROWS) -> Iterator[list[Row]]:
        """Yield every row as Python values, at most `size` at a time."""
        if self.held is None:
            return self.engine.stream(self.query, size)
        return iter([self.few[place : place + size] for place in range(0, len(self.few), size)])

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Stream every row as Arrow record batches."""
        return self.engine.execute(self.query)

    def to_arrow(self) -> pa.Table:
        """Return the whole frame as one Arrow table."""
        import pyarrow as pa

        return pa.Table.from_batches(list(self.batches()))

    def to_pandas(self) -> pd.DataFrame:
        """Return the whole frame as a pandas DataFrame."""
        frame: pd.DataFrame = self.to_arrow().to_pandas()
        return frame

    def __repr__(self) -> str:
        return f"<Frame: {self.row_count:,} rows, {len(self.schema)} columns>"


@record
class Chart:
    """How a result is drawn: a label column against a value column."""

    category: str
    value: str
    kind: Literal["bars", "pareto", "control"] = "bars"
    """Bars; bars with a cumulative share; points between control limits."""
    line: str | None = None
    """Column of the cumulative share, or of the rules that a point breaks."""

    def to_json(self) -> dict[str, str]:
        """Return `{category, value}`, and for a chart of another kind than bars also `kind` and `line`."""
        more = {"kind": self.kind, "line": self.line or ""} if self.kind != "bars" else {}
        return {"category": self.category, "value": self.value, **more}


@record
class ResultMetadata:
    """Facts about how a result came to be."""

    rows: int
    """Rows of the frame."""
    session: str | None = None
    """Time-of-day window that was applied."""
    timeframe: str | None = None
    """Period of the resampling (`from` in JSON)."""
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """Rules that were applied, such as the dates that `last_month` stood for."""
    cell_names: tuple[str, ...] = ()
    """Columns or keys that code named after what may be cells; a model is told them only as it is told cells."""
    used_rows: int | None = None
    """Rows behind an aggregation that had a value where it read one; nothing where it is no plan's."""
    groups: int | None = None
    """Groups of an aggregation, those that `having` or `limit` leave out among them."""
    cuts_ties: bool = False
    """Whether `limit` leaves out a row that is equal to the last one in all that the rows are sorted by."""
    shares_places: bool = False
    """Whether equal rows stand up to the first place that is kept where some were passed over: then it could be another's."""
    alone: int | None = None
    """Rows of the result that stand for no more than one row of the source each; nothing where that is not known."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{rows, session, from, warnings, notes}`, and the other facts where there is something to say."""
        named: dict[str, JsonValue] = {"cell_names": list(self.cell_names)} if self.cell_names else {}
        if self.used_rows is not None:
            named["used_rows"] = self.used_rows
        if self.groups is not None:
            named["groups"] = self.groups
        if self.cuts_ties:
            named["cuts_ties"] = True
        if self.shares_places:
            named["shares_places"] = True
        if self.alone is not None:
            named["alone"] = self.alone
        return {
            "rows": self.rows,
            "session": self.session,
            "from": self.timeframe,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
            **named,
        }


@record
class Result:
    """The outcome of a plan or of SQL."""

    kind: ResultKind
    frame: Frame
    value: Value = None
    """The one value of a scalar result."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """Name → value of a dict result."""
    source: Frame | None = made_later(default=None)
    """Rows after `where`, before aggregation; a query, not a copy."""
    source_row_count: int | None = None
    chart: Chart | None = None
    group_by: tuple[str, ...] = ()
    """Group key columns of a grouped result."""
    focus: tuple[str, ...] = ()
    """Columns that the summary of a table describes (computed and sorted ones)."""
    metadata: ResultMetadata
    plan: Mapping[str, JsonValue] | None = None
    """Canonical JSON of the plan, when the result came from one."""
    sql: str
    """The query as SQL text, for the person to read and reuse."""
