"""Calls of plan functions: which argument meets which parameter, and what the result is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions import Bound
from tabchat.engine.functions.templates import double
from tabchat.engine.plan.kinds import common_kind
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.functions import Function, Parameter

_LONGEST: Final = 1_000_000
"""Rows that a moving window or an offset may span."""
_MOST_DIGITS: Final = 30


def literal(node: exp.Expr) -> Bound:
    """Return a written value as itself."""
    if isinstance(node, exp.Null):
        return Bound(sql=exp.Null(), kind=None)
    if isinstance(node, exp.Boolean):
        return Bound(sql=node.copy(), kind=ColumnKind.BOOLEAN)
    if node.args.get("is_string"):
        return Bound(sql=node.copy(), kind=ColumnKind.TEXT, literal=str(node.this))
    text = str(node.this)
    if text.isdigit():
        return Bound(sql=node.copy(), kind=ColumnKind.INTEGER, literal=int(text))
    return Bound(sql=double(float(text)), kind=ColumnKind.NUMBER, literal=float(text))


def parsed_default(text: str) -> int | str:
    """Return the value that a signature gives as a default."""
    return int(text) if text.lstrip("-").isdigit() else text


def placed(found: Function, nodes: list[exp.Expr]) -> list[tuple[str, Parameter, exp.Expr | None]]:
    """Pair arguments with parameters; a leading number skips a column that has a default, as in rsi(14)."""
    parameters = list(found.parameters)
    waiting: list[exp.Expr | None] = list(nodes)
    skippable = len(parameters) > 1 and parameters[0].default is not None and parameters[1].accepts == "count"
    if skippable and waiting and isinstance(waiting[0], exp.Literal):
        waiting.insert(0, None)
    placed: list[tuple[str, Parameter, exp.Expr | None]] = []
    for parameter in parameters:
        if parameter.rest:
            placed += [(f"{parameter.name}{index}", parameter, node) for index, node in enumerate(waiting)]
            break
        placed.append((parameter.name, parameter, waiting.pop(0) if waiting else None))
    return placed


def fits(accepts: str, value: Bound) -> bool:
    """Tell whether a value is the literal that a parameter asks for."""
    given = value.literal
    match accepts:
        case "word":
            return isinstance(given, str)
        case "count":
            return isinstance(given, int) and 1 <= given <= _LONGEST
        case "whole":
            return isinstance(given, int | float) and given == int(given) and abs(given) <= _MOST_DIGITS
        case "fraction":
            return isinstance(given, int | float) and 0 <= given <= 1
        case _:
            return isinstance(given, int | float)


def result_kind(found: Function, arguments: dict[str, Bound]) -> ColumnKind | None:
    """Return the kind of a call's result; raises `ExpressionError` when its values share none."""
    return common_kind(_values(found, arguments)) if found.returns == "same" else ColumnKind(found.returns)


def _values(found: Function, arguments: dict[str, Bound]) -> list[Bound]:
    """Return the arguments that the result is made of: no conditions, no literals that only shape the query."""
    names = {item.name for item in found.parameters if item.accepts in {"any", "number", "orderable"}}
    return [value for key, value in arguments.items() if key.rstrip("0123456789") in names]


def result(found: Function, arguments: dict[str, Bound], sql: exp.Expr, kind: ColumnKind | None) -> Bound:
    """Return the meaning of a call that was built as `sql`."""
    values = _values(found, arguments)
    labels = {value.label for value in values} if found.picks else {found.label}
    units = {value.unit for value in values} if found.unit == "same" else {found.unit}
    return Bound(
        sql=sql,
        kind=kind,
        finite=found.finite and all(value.finite for value in arguments.values()),
        label=labels.pop() if len(labels) == 1 else None,
        unit=units.pop() if len(units) == 1 else None,
    )
