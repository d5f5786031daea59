"""The summary of a result: all that a model learns of it, computed in the engine and bounded in size.

A `Summary` holds exact values; its JSON and its text round floats to four decimals, or to four significant digits below
one. The text never passes 1,000 characters, whatever the result.
"""

from __future__ import annotations

from dataclasses import field
from decimal import Decimal
from math import isfinite
from operator import itemgetter
from typing import TYPE_CHECKING, Final, assert_never

from tabchat.engine.cells import cell_text, joined, quoted, rounded
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import HELPER_PREFIX, ColumnKind
from tabchat.record import later, made_later, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Column, JsonValue, Row, Value

_STATS_AT_ONCE: Final = 200
_POSITION: Final = "__position__"


def ends(frame: Frame, shown: Sequence[Column]) -> tuple[Mapping[str, Value], Mapping[str, Value]]:
    """Return the shown columns of the first row, and of the last row when there is more than one."""
    if not shown or frame.row_count == 0:
        return {}, {}
    if frame.is_few:
        rows = frame.few
        return (
            _cells(frame, shown, rows[0]) if rows else {},
            _cells(frame, shown, rows[-1]) if len(rows) > 1 else {},
        )
    from sqlglot import exp

    names = [column.name for column in shown]
    query = exp.select(*map(_column, names)).from_(frame.query.subquery("frame")).limit(1)
    first: list[Row] = frame.engine.rows(query)
    last = frame.engine.rows(query.offset(frame.row_count - 1)) if frame.row_count > 1 else []
    low, high = (dict(zip(names, rows[0], strict=True)) if rows else {} for rows in (first, last))
    return low, high


def extreme(
    frame: Frame, shown: Sequence[Column], ranked: Column, *, desc: bool
) -> Mapping[str, Value] | None:
    """Return the first row, in the frame's order, that has the smallest or largest value of `ranked`."""
    if frame.is_few and ranked.kind.is_numeric:
        return _extreme_of_few(frame, shown, ranked, desc=desc)
    from sqlglot import exp

    names = [column.name for column in shown]
    numbered = exp.select("*", exp.alias_(exp.Window(this=exp.RowNumber()), _POSITION, quoted=True))
    inner = numbered.from_(frame.query.subquery("frame"))
    value = _finite(ranked)
    query = (
        exp.select(*map(_column, names))
        .from_(inner.subquery("numbered"))
        .where(exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null())))
        .order_by(exp.Ordered(this=value, desc=desc), exp.Ordered(this=_column(_POSITION)))
        .limit(1)
    )
    rows = frame.engine.rows(query)
    return dict(zip(names, rows[0], strict=True)) if rows else None


def _extreme_of_few(
    frame: Frame, shown: Sequence[Column], ranked: Column, *, desc: bool
) -> Mapping[str, Value] | None:
    place = frame.columns.index(ranked.name)
    values = [(value, row) for row in frame.few if (value := number(row[place])) is not None]
    finite = [(value, row) for value, row in values if not isinstance(value, float) or isfinite(value)]
    # Both give the first of several that are alike.
    found = (max if desc else min)(finite, key=itemgetter(0), default=None)
    return _cells(frame, shown, found[1]) if found is not None else None


def _cells(frame: Frame, shown: Sequence[Column], row: Row) -> dict[str, Value]:
    # Of two columns of one name the first is meant, as in SQL.
    by_name = dict(reversed([*zip(frame.columns, row, strict=False)]))
    return {column.name: by_name[column.name] for column in shown}


def statistics(frame: Frame, columns: Sequence[Column]) -> Mapping[str, Row]:
    """Return column → smallest, largest and mean value, over its finite values; nothing of a frame without rows."""
    names = [column.name for column in columns] if frame.row_count else []
    known = frame.held.stats if frame.held is not None else {}
    if all(name in known for name in names):
        return {name: known[name] for name in names}
    return _aggregated(frame, columns)


def _aggregated(frame: Frame, columns: Sequence[Column]) -> dict[str, Row]:
    """Aggregate `columns`, some at a time so that a very wide frame stays within one query's limits."""
    from sqlglot import exp

    found: dict[str, Row] = {}
    for start in range(0, len(columns), _STATS_AT_ONCE):
        some = columns[start : start + _STATS_AT_ONCE]
        values = [_finite(column) for column in some]
        aggregates = [call(this=value.copy()) for value in values for call in (exp.Min, exp.Max, exp.Avg)]
        (cells,) = frame.engine.rows(exp.select(*aggregates).from_(frame.query.subquery("frame")))
        found |= {column.name: cells[3 * place : 3 * place + 3] for place, column in enumerate(some)}
    return found


def number(value: Value) -> int | float | Decimal | None:
    """Return a value that is a number, and nothing for another."""
    return value if isinstance(value, (int, float, Decimal)) else None


def _finite(column: Column) -> exp.Expr:
    """Return the column, without NaN and infinities where its type has them."""
    from sqlglot import exp

    if column.kind is not ColumnKind.NUMBER or column.sql_type.startswith("DECIMAL"):
        return _column(column.name)
    finite = exp.Anonymous(this="isfinite", expressions=[_column(column.name)])
    return exp.Case(ifs=[exp.If(this=finite, true=_column(column.name))])


def _column(name: str) -> exp.Column:
    from sqlglot import exp

    return exp.column(name, quoted=True)


TEXT_LIMIT: Final = 1_000
"""Characters that the text of a summary may have."""

_HEAD_LIMIT: Final = 200
_ROW_LIMIT: Final = 240
_LABEL: Final = len("\n  first: ")


@record
class ColumnStats:
    """Exact statistics of one numeric column, over its finite values; none of them when there is no value."""

    min: int | float | Decimal | None
    max: int | float | Decimal | None
    mean: float | None

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{min, max, mean}`, rounded."""
        return {"min": rounded(self.min), "max": rounded(self.max), "mean": rounded(self.mean)}

    def to_text(self) -> str:
        """Return `min=…, max=…, mean=…`."""
        values = (("min", self.min), ("max", self.max), ("mean", self.mean))
        return ", ".join(f"{name}={cell_text(value)}" for name, value in values)


@record
class Summary:
    """What is told of a result; values are exact, and rounded only on the way out."""

    kind: ResultKind
    rows: int
    """Rows of the result's frame."""
    columns: tuple[str, ...] = ()
    stats: Mapping[str, ColumnStats] = made_later(default_factory=dict)
    """Column → statistics; of a table's focus columns, and of a grouped result's values."""
    first: Mapping[str, Value] = field(default_factory=dict)
    """Date, time and focus columns of the first row; of a grouped result, and of an only row, all of it."""
    last: Mapping[str, Value] = field(default_factory=dict)
    """The same of the last row; empty when there is only one."""
    by: tuple[str, ...] = ()
    min_row: Mapping[str, Value] | None = None
    """The group with the smallest value; none when no group has a value."""
    max_row: Mapping[str, Value] | None = None
    value: Value = None
    values: Mapping[str, Value] = field(default_factory=dict)
    rows_scanned: int | None = None
    """Rows that were aggregated; unknown for SQL that is not one plain aggregate."""

    @property
    def is_empty(self) -> bool:
        """True when there was nothing to show or to aggregate."""
        match self.kind:
            case ResultKind.TABLE | ResultKind.GROUPED:
                return self.rows == 0
            case ResultKind.SCALAR | ResultKind.DICT:
                return self.rows_scanned == 0
            case _:
                assert_never(self.kind)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the structured form; `no_data` and `record_count` are added to an empty result."""
        empty: dict[str, JsonValue] = {"no_data": True, "record_count": 0} if self.is_empty else {}
        return {"type": self.kind.value} | self._fields() | empty

    def to_text(self) -> str:
        """Return the text form, at most 1,000 characters."""
        match self.kind:
            case ResultKind.SCALAR:
                return f"Result: {cell_text(self.value)}{self._scanned()}"
            case ResultKind.DICT:
                return f"Result: {joined(_pairs(self.values), TEXT_LIMIT - 20, 'values')}"
            case ResultKind.TABLE:
                return self._table_text()
            case ResultKind.GROUPED:
                return self._grouped_text()
            case _:
                assert_never(self.kind)

    def _fields(self) -> dict[str, JsonValue]:
        match self.kind:
            case ResultKind.SCALAR:
                return {"value": rounded(self.value), "rows_scanned": self.rows_scanned}
            case ResultKind.DICT:
                return {"values": _rounded_row(self.values), "rows_scanned": self.rows_scanned}
            case ResultKind.TABLE:
                return self._table_fields()
            case ResultKind.GROUPED:
                ends = {"min_row": self.min_row, "max_row": self.max_row}
                rows = {name: None if row is None else _rounded_row(row) for name, row in ends.items()}
                return self._table_fields() | {"by": list(self.by)} | rows
            case _:
                assert_never(self.kind)

    def _table_fields(self) -> dict[str, JsonValue]:
        fields: dict[str, JsonValue] = {
            "rows": self.rows,
            "columns": list(self.columns),
            "stats": {name: stats.to_json() for name, stats in self.stats.items()},
        }
        if self.rows:
            fields["first"] = _rounded_row(self.first)
        if self.rows > 1:
            fields["last"] = _rounded_row(self.last)
        return fields

    def _scanned(self) -> str:
        return f" (from {self.rows_scanned} rows)" if self.rows_scanned is not None else ""

    def _table_text(self) -> str:
        if self.rows == 0:
            return "Result: no rows"
        head = f"Result: {self.rows} rows"
        if self.rows == 1:
            return f"{head}\n{_row_line('first', self.first, TEXT_LIMIT - len(head) - _LABEL)}"
        ends = [_row_line("first", self.first), _row_line("last", self.last)]
        tail = [line for line in ends if line]
        used = sum(len(line) + 1 for line in (head, *tail))
        return "\n".join((head, *self._stats_lines(TEXT_LIMIT - used), *tail))

    def _stats_lines(self, room: int) -> list[str]:
        lines = [f"  {quoted(name)}: {stats.to_text()}" for name, stats in self.stats.items()]
        kept: list[str] = []
        for line in lines:
            left_out = len(lines) - len(kept) - 1
            more = f"  … +{left_out} more columns" if left_out else ""
            if len(line) + len(more) + 2 > room:
                return [*kept, f"  … +{left_out + 1} more columns"]
            room -= len(line) + 1
            kept.append(line)
        return kept

    def _grouped_text(self) -> str:
        keys = joined(map(quoted, self.by), _HEAD_LIMIT, "columns")
        ends = (("min", self.min_row), ("max", self.max_row))
        lines = [_row_line(name, row) for name, row in ends if row]
        return "\n".join((f"Result: {self.rows} groups by {keys}", *lines))


def summarise(result: Result) -> Summary:
    """Compute the summary of `result` in its engine; rows are never fetched beyond the few that it shows."""
    frame = result.frame
    match result.kind:
        case ResultKind.SCALAR | ResultKind.DICT:
            return Summary(
                kind=result.kind,
                rows=frame.row_count,
                columns=frame.columns,
                value=result.value,
                values=result.values,
                rows_scanned=result.source_row_count,
            )
        case ResultKind.TABLE:
            return _table(result)
        case ResultKind.GROUPED:
            return _grouped(result)
        case _:
            assert_never(result.kind)


def _table(result: Result) -> Summary:
    frame = result.frame
    shown = [column for column in _visible(frame) if _is_shown(column, result)]
    shown.sort(key=lambda column: column.name in result.focus)
    first, last = ends(frame, _visible(frame) if frame.row_count == 1 else shown)
    return Summary(
        kind=result.kind,
        rows=frame.row_count,
        columns=_names(_visible(frame)),
        stats=_stats(frame, shown),
        first=first,
        last=last,
    )


def _grouped(result: Result) -> Summary:
    frame = result.frame
    visible = _visible(frame)
    values = [column for column in visible if column.name not in result.group_by]
    first, last = ends(frame, visible)
    ranked = _ranked(result, values)
    low, high = (extreme(frame, visible, ranked, desc=desc) if ranked else None for desc in (False, True))
    return Summary(
        kind=result.kind,
        rows=frame.row_count,
        columns=_names(visible),
        # The text of groups does not have them.
        stats=later(lambda: _stats(frame, values)),
        first=first,
        last=last,
        by=result.group_by,
        min_row=low,
        max_row=high,
    )


def _stats(frame: Frame, columns: Iterable[Column]) -> dict[str, ColumnStats]:
    return {
        name: ColumnStats(min=low, max=high, mean=None if mean is None else float(mean))
        for name, cells in statistics(frame, [column for column in columns if column.kind.is_numeric]).items()
        for low, high, mean in [map(number, cells)]
    }


def _ranked(result: Result, values: Sequence[Column]) -> Column | None:
    """Return the column whose extremes are told: the charted one, else the first number, else the first value."""
    charted = result.chart.value if result.chart else None
    return min(values, key=lambda column: (column.name != charted, not column.kind.is_numeric), default=None)


def _visible(frame: Frame) -> list[Column]:
    return [column for column in frame.schema if not column.name.startswith(HELPER_PREFIX)]


def _names(columns: Iterable[Column]) -> tuple[str, ...]:
    return tuple(column.name for column in columns)


def _is_shown(column: Column, result: Result) -> bool:
    return column.kind.is_temporal or column.kind is ColumnKind.TIME or column.name in result.focus


def _pairs(row: Mapping[str, Value]) -> list[str]:
    return [f"{quoted(name)}={cell_text(value)}" for name, value in row.items()]


def _row_line(label: str, row: Mapping[str, Value], limit: int = _ROW_LIMIT) -> str:
    return f"  {label}: {joined(_pairs(row), limit, 'columns')}" if row else ""


def _rounded_row(row: Mapping[str, Value]) -> dict[str, JsonValue]:
    return {name: rounded(value) for name, value in row.items()}
