"""What an expression over results is made of: figures with their cells, columns, rows; and the arithmetic of figures."""

from __future__ import annotations

import ast
import datetime as dt
import operator
from dataclasses import field, replace
from decimal import Decimal, DecimalException, localcontext
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.answers.results import Span, is_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.answers.receipts import CitedCell
    from tabchat.answers.results import Line, ResultCells
    from tabchat.engine.types import Column, Value

_MOST_BITS: Final = 2_048
"""Bits of a whole number on the way: far beyond any figure, and quick to compute with."""
_HIGHEST_POWER: Final = 64
_PRECISION: Final = 50

_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[..., object]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}

Number: TypeAlias = "int | float | Decimal"


class EvaluationError(Exception):
    """An expression has no value; the words are for the model that wrote it."""

    def __init__(self, message: str, *, names_data: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.names_data = names_data
        """Whether the words tell something of the cells, which not every model may know."""


@record
class Figure:
    """A value with the cells that it was made from."""

    value: Value
    cells: tuple[CitedCell, ...] = ()
    lines: tuple[tuple[int, Line], ...] = ()
    """Number of the result and row of every single cell among them."""
    column: Column | None = None
    """The column of a cell, or of a value over one column."""
    is_cell: bool = False
    is_label: bool = False
    """True for what names a row: its digits are no quantity."""
    scale: float = 1.0
    """What constants multiplied the data by: 100 for a percentage, 1e-6 for millions."""
    is_share: bool = False
    """True for a quotient of two values of one column."""
    constants: tuple[Number, ...] = ()
    """Numbers that the expression itself holds."""


@record
class ColumnOf:
    """A column of a result, or some rows of it; nothing is fetched for it."""

    cells: ResultCells
    column: Column
    span: Span = field(default_factory=Span)


@record
class LinesOf:
    """Rows that a label, a position or an extreme names; several only where they share an extreme."""

    cells: ResultCells
    lines: tuple[Line, ...]


Operand: TypeAlias = "Figure | ColumnOf | LinesOf | ResultCells"


def plain_number(figure: Figure) -> Number:
    value = figure.value
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        raise EvaluationError("computes with something that is no number", names_data=True)
    return value


def computed(op: ast.operator, left: Figure, right: Figure) -> Figure:
    """Return the outcome of an operator; raises `EvaluationError`."""
    return replace(
        merged((left, right), _value_of(op, left, right)),
        scale=_scale(op, left, right),
        is_share=_is_share(op, left, right),
    )


def _value_of(op: ast.operator, left: Figure, right: Figure) -> Value:
    work = _ARITHMETIC.get(type(op))
    if work is None:
        raise EvaluationError("may hold only + - * / **")
    low, high = left.value, right.value
    if isinstance(low, dt.date) or isinstance(high, dt.date):
        return _days_between(op, low, high)
    low, high = plain_number(left), plain_number(right)
    if isinstance(low, Decimal) and isinstance(high, float):
        low = float(low)
    elif isinstance(low, float) and isinstance(high, Decimal):
        high = float(high)
    if isinstance(op, ast.Div) and high == 0:
        raise EvaluationError("divides by zero", names_data=True)
    if isinstance(op, ast.Pow):
        _check_power(low, high)
    try:
        with localcontext(prec=_PRECISION):
            value = work(low, high)
    except (ArithmeticError, ValueError, DecimalException) as error:
        raise EvaluationError("has no value", names_data=True) from error
    if isinstance(value, complex) or not isinstance(value, (int, float, Decimal)):
        raise EvaluationError("has no real value", names_data=True)
    if not is_value(value) or (isinstance(value, int) and value.bit_length() > _MOST_BITS):
        raise EvaluationError("is too large", names_data=True)
    return value


def _check_power(base: Number, exponent: Number) -> None:
    if not (base == base and exponent == exponent) or abs(exponent) > 64:  # noqa: PLR0124, PLR2004 - NaN; years
        raise EvaluationError("raises to too high a power")
    if isinstance(base, int) and isinstance(exponent, int) and base.bit_length() * abs(exponent) > _MOST_BITS:
        raise EvaluationError("is too large")


def _days_between(op: ast.operator, low: Value, high: Value) -> int:
    if not isinstance(op, ast.Sub) or not isinstance(low, dt.date) or not isinstance(high, dt.date):
        raise EvaluationError("dates can only be subtracted from each other, which gives days")
    days = [value.date() if isinstance(value, dt.datetime) else value for value in (low, high)]
    return (days[0] - days[1]).days


def over_values(name: str, figures: Sequence[Figure]) -> Value:
    values = [plain_number(figure) for figure in figures]
    if any(isinstance(value, float) for value in values):
        values = [float(value) for value in values]
    ordered = sorted(values)
    match name:
        case "count":
            return len(values)
        case "min":
            return ordered[0]
        case "max":
            return ordered[-1]
        case "median":
            middle = ordered[(len(ordered) - 1) // 2 : len(ordered) // 2 + 1]
            return middle[0] if len(middle) == 1 else sum(middle) / 2
        case _:
            total = sum(values)
            return total / len(values) if name == "mean" else total


def merged(figures: Sequence[Figure], value: Value) -> Figure:
    """Return a figure of `value` with the cells of all of `figures`."""
    columns = {figure.column for figure in figures if figure.column is not None}
    cells: list[CitedCell] = []
    for figure in figures:
        cells += [cell for cell in figure.cells if cell not in cells]
    return Figure(
        value=value,
        cells=tuple(cells),
        lines=tuple(line for figure in figures for line in figure.lines),
        column=next(iter(columns)) if len(columns) == 1 else None,
        constants=tuple(constant for figure in figures for constant in figure.constants),
    )


def _scale(op: ast.operator, left: Figure, right: Figure) -> float:
    """Return what the constants of an expression multiply the data by."""
    typed = next((side for side in (right, left) if not side.cells), None)
    if typed is not None and isinstance(op, (ast.Mult, ast.Div)) and typed.value:
        other = left if typed is right else right
        factor = float(plain_number(typed))
        if isinstance(op, ast.Mult):
            return other.scale * factor
        return other.scale / factor if typed is right else 1.0
    if isinstance(op, ast.Div) and right.scale:
        return left.scale / right.scale
    return left.scale if left.cells else right.scale


def _is_share(op: ast.operator, left: Figure, right: Figure) -> bool:
    """Return whether a quotient has no unit: its sides are values of one column."""
    if isinstance(op, ast.Div):
        return left.column is not None and left.column == right.column
    typed = [side for side in (left, right) if not side.cells]
    return any(side.is_share for side in (left, right)) and (
        bool(typed) or (left.is_share and right.is_share)
    )
