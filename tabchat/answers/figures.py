"""Figures with the cells that they were made from, and their arithmetic."""

from __future__ import annotations

import ast
import datetime as dt
import operator
from dataclasses import replace
from decimal import Decimal, DecimalException, localcontext
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.engine.result.aggregation import is_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.answers.receipts import CitedCell
    from tabchat.engine.result.lookup import Line
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
    """The one column that it is of."""
    is_cell: bool = False
    is_label: bool = False
    """True for what names a row: its digits are no quantity."""
    scale: float = 1.0
    """What constants multiplied the data by: 100 for a percentage, 1e-6 for millions."""
    is_share: bool = False
    """True for a quotient of two values of one column."""
    constants: tuple[Number, ...] = ()
    """Numbers that the expression itself holds."""


def number_of(figure: Figure) -> Number:
    """Return the value of a figure that is computed with; raises `EvaluationError` when it is no number."""
    value = figure.value
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)) or not is_value(value):
        raise EvaluationError("computes with something that is no number", names_data=True)
    return value


def computed(op: ast.operator, left: Figure, right: Figure) -> Figure:
    """Return the outcome of an operator; raises `EvaluationError`."""
    made = merged((left, right), _value(op, left, right))
    return replace(made, scale=_scale(op, left, right), is_share=_is_share(op, left, right))


def merged(figures: Sequence[Figure], value: Value) -> Figure:
    """Return a figure of `value` with the cells of all of `figures`."""
    columns = {figure.column for figure in figures if figure.cells}
    cells: list[CitedCell] = []
    for figure in figures:
        cells += [cell for cell in figure.cells if cell not in cells]
    return Figure(
        value=value,
        cells=tuple(cells),
        lines=tuple(line for figure in figures for line in figure.lines),
        column=columns.pop() if len(columns) == 1 else None,
        constants=tuple(constant for figure in figures for constant in figure.constants),
    )


def _value(op: ast.operator, left: Figure, right: Figure) -> Value:
    work = _ARITHMETIC.get(type(op))
    if work is None:
        raise EvaluationError("may hold only + - * / **")
    if isinstance(left.value, dt.date) and isinstance(right.value, dt.date) and work is operator.sub:
        return left.value.toordinal() - right.value.toordinal()
    low, high = _alike([number_of(left), number_of(right)])
    if work is operator.pow:
        bits = low.bit_length() if isinstance(low, int) else 1
        if abs(high) > _HIGHEST_POWER or bits * int(abs(high)) > _MOST_BITS:
            raise EvaluationError("raises to too high a power")
    try:
        with localcontext(prec=_PRECISION):
            value: object = work(low, high)
    except (ArithmeticError, ValueError, DecimalException) as error:
        raise EvaluationError("divides by zero or has no value", names_data=True) from error
    if not isinstance(value, (int, float, Decimal)) or not is_value(value):
        raise EvaluationError("has no value", names_data=True)
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        raise EvaluationError("is too large", names_data=True)
    return value


def _alike(values: Sequence[Number]) -> list[Any]:
    """Return exact decimals as floats where they meet floats."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, Decimal) else value for value in values]
    return list(values)


def _scale(op: ast.operator, left: Figure, right: Figure) -> float:
    """Return what the constants of an expression multiply the data by."""
    if isinstance(op, ast.Mult) and not (left.cells and right.cells):
        factors = [float(number_of(side)) if not side.cells else side.scale for side in (left, right)]
        return factors[0] * factors[1]
    if isinstance(op, ast.Div) and left.cells and number_of(right):
        return left.scale / (right.scale if right.cells else float(number_of(right)))
    return left.scale if left.cells else right.scale


def _is_share(op: ast.operator, left: Figure, right: Figure) -> bool:
    """Return whether a quotient has no unit: its sides are values of one column."""
    if isinstance(op, ast.Div) and left.cells and right.cells:
        return left.column is not None and left.column == right.column
    return all(side.is_share or not side.cells for side in (left, right))
