"""Edits of cells: fill what is missing, replace, set, compute anew, in the rows that the request names."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.operations import is_worded, listed, names_of, propose
from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.values import Scalar, formulas, new_cell, old_cells
from tabchat.planner.plan import expressions as write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.edits.operations import Build, Proposal
    from tabchat.planner.edits.request import Fit
    from tabchat.planner.links import TableColumn

_MOST_DECIMALS: Final = 12
_ON_NUMBERS: Final = frozenset({"mean", "median", "zero", "ceil", "floor"})
"""Methods and functions that only columns of numbers have."""


def _within(fit: Fit, subject: TableColumn, operation: str, *parts: str, **fields: Any) -> Iterator[Proposal]:
    """Yield an edit of cells, in the rows that the request names if it names any."""
    slot = next((name for name in ("where", "whose") if name in fit.slots), None)
    if slot is None:
        yield propose(fit.request, operation, *parts, **fields)
        return
    span = fit.slots[slot]
    opened = slot == "whose" or fit.request.starts(span[0], "where", "scope") is not None
    for rows in rows_meant(fit.request, span, subject=subject) if opened else ():
        made = {**fields, "where": rows.where}
        yield propose(fit.request, operation, *parts, rows.said, form="_where", sure=rows.sure, **made)


def _fill(fit: Fit, method: str) -> Iterator[Proposal]:
    request = fit.request
    span = fit.trimmed("filler") if "filler" in fit.slots else (0, 0)
    if not method and request.quoted(span) is None:
        method = request.family(span, "method") or ""
    filler: dict[str, Scalar]
    for columns in fit.column_lists():
        if method:
            _check_numbers(method, columns)
            filler, said = {"method": method}, request.words.readings[f"method_{method}"]
        else:
            cells = {new_cell(request, span, column) for column in columns}
            value = cells.pop()[:1] if len(cells) == 1 else ()
            if not value or value[0] is None:
                continue
            filler, said = {"value": value[0]}, _shown(value[0], "")
        fields = {"columns": names_of(columns), **filler}
        yield from _within(fit, columns[0], "fill_missing", listed(columns), said, **fields)


def _check_numbers(method: str, columns: Sequence[TableColumn]) -> None:
    wrong = [column for column in columns if method in _ON_NUMBERS and not column.kind.is_numeric]
    if wrong:
        hint = "Fill it with a text, or with the most common value." if method in {"mean", "median"} else None
        raise Unfit(f"{listed(wrong)} does not hold numbers", hint)


def _replace(fit: Fit, _: str) -> Iterator[Proposal]:
    request, spans = fit.request, [fit.slots[slot] for slot in ("cell", "cell2") if slot in fit.slots]
    missing = [request.starts(request.trimmed(span, "values")[0], "missing", "missing_in") for span in spans]
    if any(missing):
        return
    for column in fit.columns() if "column" in fit.slots else (None,):
        for chosen in itertools.product(*(old_cells(request, span, column) for span in spans)):
            if len({owner.place for owner, _ in chosen}) == 1:
                yield from _replaced(fit, chosen[0][0], [old for _, old in chosen])


def _replaced(fit: Fit, column: TableColumn, olds: Sequence[Scalar]) -> Iterator[Proposal]:
    spans = [fit.slots[slot] for slot in ("new", "new2") if slot in fit.slots]
    news = [new_cell(fit.request, span, column, before=old) for span, old in zip(spans, olds, strict=True)]
    nothing = fit.request.words.readings["nothing"]
    for made in itertools.product(*news):
        pairs = list(zip(olds, made, strict=True))
        if len(set(olds)) == len(olds) and all(old != new for old, new in pairs):
            said = ", ".join(f"{_shown(old, nothing)} → {_shown(new, nothing)}" for old, new in pairs)
            values = [{"from": old, "to": new} for old, new in pairs]
            yield propose(fit.request, "replace_values", column.name, said, column=column.name, values=values)


def _shown(value: Scalar, nothing: str) -> str:
    return nothing if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def _update(fit: Fit, texts: Mapping[str, str], subject: TableColumn) -> Iterator[Proposal]:
    said = ", ".join(f"{name} = {text}" for name, text in texts.items())
    yield from _within(fit, subject, "update", said, set={**texts})


def _set(fit: Fit, bare: str) -> Iterator[Proposal]:
    """Read `set price to 100`; `bare`, without a preposition, a text takes quotation marks or tells which rows."""
    request, span = fit.request, fit.slots["value"]
    number, quoted = request.number(span) is not None, request.quoted(span) is not None
    where = fit.slots.get("where")
    if where is not None and where < span and request.starts(where[0], "from") is not None:
        # `from new to open` exchanges cells.
        return
    if is_worded(request, request.trimmed(span)) and not quoted:
        return
    plain = quoted or (where is not None and span[1] - span[0] == 1)
    for column in fit.columns():
        fits = (number and column.kind.is_numeric) or (plain and column.kind is ColumnKind.TEXT)
        if bare and not fits:
            continue
        cells = ["null" if cell is None else write.literal(cell) for cell in new_cell(request, span, column)]
        made = [text for text in formulas(request, span) if text != write.name(column.name)]
        for text in cells or ([] if bare else made):
            yield from _update(fit, {column.name: text}, column)


def _scale(fit: Fit, sign: str) -> Iterator[Proposal]:
    """Read `price * 1.1` for ten percent more, `price + 5` for five more."""
    span = fit.trimmed("amount")
    number = fit.request.number(span)
    for column in _numeric(fit):
        name = write.name(column.name)
        if number is None:
            made = formulas(fit.request, span)
            texts = [f"{name} {sign} {f'({text})' if ' ' in text else text}" for text in made]
        elif number.percent:
            share = Decimal(str(number.value)) / 100 * (1 if sign == "+" else -1)
            texts = [f"{name} * {write.number(float(1 + share))}"] if sign in "+-" else []
        else:
            texts = [f"{name} {sign} {write.number(number.value)}"]
        for text in texts:
            yield from _update(fit, {column.name: text}, column)


def _numeric(fit: Fit) -> list[TableColumn]:
    columns = fit.columns()
    numeric = [column for column in columns if column.kind.is_numeric]
    if columns and not numeric:
        raise Unfit(f"{columns[0].name} does not hold numbers", "Read it as a number first.")
    return numeric


def _round(fit: Fit, _: str) -> Iterator[Proposal]:
    number = fit.request.number(fit.trimmed("digits")) if "digits" in fit.slots else None
    digits = number.value if number is not None else 0
    if ("digits" in fit.slots and number is None) or not 0 <= digits <= _MOST_DECIMALS or digits % 1:
        return
    told = (write.number(digits),) if digits else ()
    for column in _numeric(fit):
        yield from _update(fit, {column.name: write.call("round", write.name(column.name), *told)}, column)


def _compute(fit: Fit, function: str) -> Iterator[Proposal]:
    for columns in fit.column_lists("column"):
        _check_numbers(function, columns)
        if function not in _ON_NUMBERS and any(column.kind is not ColumnKind.TEXT for column in columns):
            raise Unfit(f"{listed(columns)} does not hold text")
        texts = {column.name: write.call(function, write.name(column.name)) for column in columns}
        yield from _update(fit, texts, columns[0])


BUILDERS: Final[Mapping[str, Build]] = {
    "fill": _fill,
    "replace": _replace,
    "set": _set,
    "scale": _scale,
    "round": _round,
    "compute": _compute,
}
"""The same as in `operations.py`."""
