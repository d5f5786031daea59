"""What missing cells are filled with: a value, a figure of the whole column, or the nearest cell that is there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.edits.values import scalar
from tabchat.engine.functions import Bound
from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.advice import quoted
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.types import ROW, ColumnKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.compile.layers import Layers
    from tabchat.engine.edits.operations import FillMissing
    from tabchat.engine.types import Column, Row, Value

Statistics: TypeAlias = Mapping[str, tuple[int, "Value"]]
"""Column → how many cells are there, and their mean or median where that is what is asked for."""

_NUMERIC_ONLY: Final = frozenset({"mean", "median", "zero"})
_FIGURES: Final = {"mean": "AVG(:x)", "median": "MEDIAN(:x)"}
_PICKED: Final = {"mode": "MODE(:x ORDER BY :x)", "min": "MIN(:x)", "max": "MAX(:x)"}
_NEAREST: Final = {
    "previous": "LAST_VALUE(:x IGNORE NULLS) OVER (ORDER BY :row ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
    "next": "FIRST_VALUE(:x IGNORE NULLS) OVER (ORDER BY :row ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)",
}


def statistics_query(edit: FillMissing, columns: Sequence[Column], relation: str) -> exp.Select | None:
    """Return the query for the figures that the method of `edit` needs, two for each column; None for none."""
    if edit.method not in {*_FIGURES, *_PICKED}:
        return None
    cells: list[exp.Expr] = []
    for column in columns:
        x = _present(column)
        cells.append(fill("COUNT(:x)", x=x))
        figure = _FIGURES.get(edit.method) if column.kind.is_numeric else None
        cells.append(fill(figure, x=x) if figure is not None else exp.Null())
    return exp.select(*cells).from_(exp.table_(relation, quoted=True))


def read_statistics(columns: Sequence[Column], row: Row) -> Statistics:
    """Return the figures of `statistics_query` by column."""
    return {
        column.name: (int(row[2 * index]), row[2 * index + 1])  # type: ignore[arg-type] # a count
        for index, column in enumerate(columns)
    }


def filled(edit: FillMissing, column: Column, layers: Layers, statistics: Statistics) -> Bound:
    """Return what the missing cells of `column` become; raises `ExpressionError` for a method that it has not."""
    method = edit.method
    if method is None:
        return scalar(edit.value)
    name = quoted(column.name)
    if method in _NUMERIC_ONLY and not column.kind.is_numeric:
        hint = "Use value, mode, min, max, previous or next."
        raise ExpressionError(f"Column {name} holds no numbers: there is no {method} of it.", hint)
    if method == "zero":
        return scalar(0)
    if method in _NEAREST:
        return _nearest(column, layers, method)
    if column.kind is ColumnKind.OTHER:
        raise ExpressionError(f"Column {name} holds nested values.", "Use previous or next.")
    count, figure = statistics.get(column.name, (1, 0))
    if not count:
        raise ExpressionError(f"Column {name} has no cell to take the {method} of.", "Give a value.")
    if method in _FIGURES:
        return _number(column, figure)
    rows = exp.select(fill(_PICKED[method], x=_present(column))).from_(
        exp.table_(layers.current, quoted=True)
    )
    return Bound(sql=rows.subquery(), kind=column.kind, sql_type=column.sql_type, unit=column.unit)


def _number(column: Column, figure: Value) -> Bound:
    """Return a figure, as a whole number where the column holds such and it is one."""
    number = float(figure)  # type: ignore[arg-type] # a mean or a median of numbers
    whole = column.kind is ColumnKind.INTEGER and number.is_integer()
    return scalar(int(number) if whole else number)


def _present(column: Column) -> exp.Expr:
    """Return the cells of a column that count: of doubles, NaN is none."""
    x = exp.column(column.name, quoted=True)
    return fill("CASE WHEN NOT ISNAN(:x) THEN :x END", x=x) if column.sql_type in {"DOUBLE", "FLOAT"} else x


def _nearest(column: Column, layers: Layers, method: str) -> Bound:
    window = fill(_NEAREST[method], x=exp.column(column.name, quoted=True), row=exp.column(ROW, quoted=True))
    return Bound(sql=layers.keep(method, window), kind=column.kind, sql_type=column.sql_type)
