"""Edits of cells: fill what is missing, replace, set, compute anew, in the rows that the request names."""

from __future__ import annotations

import itertools
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.operations import is_worded, listed, names_of, propose
from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.values import Scalar, formulas, new_cell, old_cells
from tabchat.planner.plan import expressions as write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.edits.operations import Build, Proposal
    from tabchat.planner.edits.request import Found, Request
    from tabchat.planner.links import TableColumn
    from tabchat.values import JsonValue

_MOST_DECIMALS: Final = 12
_ON_NUMBERS: Final = frozenset({"mean", "median", "zero", "ceil", "floor"})
"""Methods and functions that only columns of numbers have."""


def _within(
    request: Request,
    found: Found,
    subject: TableColumn,
    arguments: Mapping[str, JsonValue],
    template: str,
    *parts: str,
) -> Iterator[Proposal]:
    """Yield an edit of cells, in the rows that the request names if it names any."""
    slot = next((name for name in ("where", "whose") if name in found), None)
    if slot is None:
        yield propose(request, arguments, template, *parts)
        return
    span = request.span(found, slot)
    opened = slot == "whose" or request.starts(span[0], "where", "scope") is not None
    for rows in rows_meant(request, span, subject=subject) if opened else ():
        made = {**arguments, "where": rows.where}
        yield propose(request, made, f"{template}_where", *parts, rows.said, sure=rows.sure)


def _fill(request: Request, found: Found, method: str) -> Iterator[Proposal]:
    span = request.trimmed(request.span(found, "filler")) if "filler" in found else (0, 0)
    if not method and request.quoted(span) is None:
        method = request.family(span, "method") or ""
    for columns in request.column_lists(request.span(found, "columns")):
        fields: dict[str, JsonValue] = {"operation": "fill_missing", "columns": names_of(columns)}
        if method:
            _check_numbers(method, columns)
            fields["method"], said = method, request.words.readings[f"method_{method}"]
        else:
            values = {json.dumps(new_cell(request, span, column)): column for column in columns}
            value = new_cell(request, span, columns[0]) if len(values) == 1 else ()
            if not value or value[0] is None:
                continue
            fields["value"], said = value[0], _shown(value[0], "")
        yield from _within(request, found, columns[0], fields, "fill_missing", listed(columns), said)


def _check_numbers(method: str, columns: Sequence[TableColumn]) -> None:
    wrong = [column for column in columns if method in _ON_NUMBERS and not column.kind.is_numeric]
    if wrong:
        hint = "Fill it with a text, or with the most common value." if method in {"mean", "median"} else None
        raise Unfit(f"{listed(wrong)} does not hold numbers", hint)


def _replace(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    spans = [request.span(found, slot) for slot in ("cell", "cell2") if slot in found]
    missing = [request.starts(request.trimmed(span, "values")[0], "missing", "missing_in") for span in spans]
    if any(missing):
        return
    for column in request.columns_of(request.span(found, "column")) if "column" in found else (None,):
        olds = [old_cells(request, span, column) for span in spans]
        for chosen in itertools.product(*olds):
            if len({owner.place for owner, _ in chosen}) == 1:
                yield from _replaced(request, found, chosen[0][0], [old for _, old in chosen])


def _replaced(
    request: Request, found: Found, column: TableColumn, olds: Sequence[Scalar]
) -> Iterator[Proposal]:
    spans = [request.span(found, slot) for slot in ("new", "new2") if slot in found]
    news = [new_cell(request, span, column, before=old) for span, old in zip(spans, olds, strict=True)]
    nothing = request.words.readings["nothing"]
    for made in itertools.product(*news):
        pairs = list(zip(olds, made, strict=True))
        if len(set(olds)) == len(olds) and all(old != new for old, new in pairs):
            said = ", ".join(f"{_shown(old, nothing)} → {_shown(new, nothing)}" for old, new in pairs)
            arguments: dict[str, JsonValue] = {
                "operation": "replace_values",
                "column": column.name,
                "values": [{"from": old, "to": new} for old, new in pairs],
            }
            yield propose(request, arguments, "replace_values", column.name, said)


def _shown(value: Scalar, nothing: str) -> str:
    return nothing if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def _update(
    request: Request, found: Found, subject: TableColumn, texts: Mapping[str, str]
) -> Iterator[Proposal]:
    said = ", ".join(f"{name} = {text}" for name, text in texts.items())
    arguments: dict[str, JsonValue] = {"operation": "update", "set": {**texts}}
    yield from _within(request, found, subject, arguments, "update", said)


def _set(request: Request, found: Found, bare: str) -> Iterator[Proposal]:
    """Read `set price to 100`; `bare`, without a preposition, a text takes quotation marks or tells which rows."""
    span = request.span(found, "value")
    number, quoted = request.number(span) is not None, request.quoted(span) is not None
    plain = quoted or ("where" in found and span[1] - span[0] == 1)
    moved = "where" in found and request.span(found, "where") < span
    if moved and request.starts(request.span(found, "where")[0], "from") is not None:
        # `from new to open` exchanges cells.
        return
    if is_worded(request, request.trimmed(span)) and not quoted:
        return
    for column in request.columns_of(request.span(found, "column")):
        if (
            bare
            and not (number and column.kind.is_numeric)
            and not (plain and column.kind is ColumnKind.TEXT)
        ):
            continue
        cells = ["null" if cell is None else write.literal(cell) for cell in new_cell(request, span, column)]
        made = [text for text in formulas(request, span) if text != write.name(column.name)]
        for text in cells or ([] if bare else made):
            yield from _update(request, found, column, {column.name: text})


def _scale(request: Request, found: Found, sign: str) -> Iterator[Proposal]:
    """Read `price * 1.1` for ten percent more, `price + 5` for five more."""
    span = request.trimmed(request.span(found, "amount"))
    number = request.number(span)
    for column in _numeric(request, found):
        name = write.name(column.name)
        if number is None:
            made = formulas(request, span)
            texts = [f"{name} {sign} {f'({text})' if ' ' in text else text}" for text in made]
        elif number.percent:
            share = Decimal(str(number.value)) / 100 * (1 if sign == "+" else -1)
            texts = [f"{name} * {write.number(float(1 + share))}"] if sign in "+-" else []
        else:
            texts = [f"{name} {sign} {write.number(number.value)}"]
        for text in texts:
            yield from _update(request, found, column, {column.name: text})


def _numeric(request: Request, found: Found) -> list[TableColumn]:
    columns = request.columns_of(request.span(found, "column"))
    numeric = [column for column in columns if column.kind.is_numeric]
    if columns and not numeric:
        raise Unfit(f"{columns[0].name} does not hold numbers", "Read it as a number first.")
    return numeric


def _round(request: Request, found: Found, _: str) -> Iterator[Proposal]:
    number = request.number(request.trimmed(request.span(found, "digits"))) if "digits" in found else None
    digits = number.value if number is not None else 0
    if ("digits" in found and number is None) or not 0 <= digits <= _MOST_DECIMALS or digits % 1:
        return
    for column in _numeric(request, found):
        told = (write.number(digits),) if digits else ()
        text = write.call("round", write.name(column.name), *told)
        yield from _update(request, found, column, {column.name: text})


def _compute(request: Request, found: Found, function: str) -> Iterator[Proposal]:
    for columns in request.column_lists(request.span(found, "column")):
        _check_numbers(function, columns)
        if function not in _ON_NUMBERS and any(column.kind is not ColumnKind.TEXT for column in columns):
            raise Unfit(f"{listed(columns)} does not hold text")
        texts = {column.name: write.call(function, write.name(column.name)) for column in columns}
        yield from _update(request, found, columns[0], texts)


BUILDERS: Final[Mapping[str, Build]] = {
    "fill": _fill,
    "replace": _replace,
    "set": _set,
    "scale": _scale,
    "round": _round,
    "compute": _compute,
}
"""The same as in `operations.py`."""
