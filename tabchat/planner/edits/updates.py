"""Edits of cells: fill what is missing, replace, set, compute anew, in the rows that the request names."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.meant import RowsMeant, meant
from tabchat.planner.edits.operations import is_worded, listed, names_of, numbers_of, propose
from tabchat.planner.edits.request import STRUCTURE, Unfit
from tabchat.planner.edits.values import Scalar, formulas, new_cell, no_cell, old_cells
from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.plan import expressions as write

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.edits.operations import Build, Proposal
    from tabchat.planner.edits.patterns import Fit
    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import TableColumn

_MOST_DECIMALS: Final = 12
_OPENERS: Final = ("where", "scope", "beyond")
"""Classes of words that say which rows."""
_ON_NUMBERS: Final = frozenset({"mean", "median", "zero", "ceil", "floor"})
"""Methods and functions that only columns of numbers have."""


def _within(
    fit: Fit, subject: TableColumn, operation: str, *parts: str, both: RowsMeant | None = None, **fields: Any
) -> Iterator[Proposal]:
    """Yield an edit of cells, in the rows that the request names if it names any, and of those in `both` conditions."""
    slot = next((name for name in ("where", "whose") if name in fit.slots), None)
    if slot is None:
        yield propose(fit.request, operation, *parts, **fields)
        return
    span = fit.slots[slot]
    opened = slot == "whose" or fit.request.starts(span[0], *_OPENERS) is not None
    for rows in rows_meant(fit.request, span, subject=subject) if opened else ():
        found = [rows] if both is None else [both, rows]
        where = write.joined([one.where for one in found])
        said = fit.request.words.readings["and"].join(one.said for one in found)
        made = {**fields, "where": where, "sure": rows.sure and fields.get("sure", True)}
        yield propose(fit.request, operation, *parts, said, form="_where", **made)


def _fill(fit: Fit, method: str) -> Iterator[Proposal]:
    request = fit.request
    if not method and request.is_whole(fit.slots["filler"]):
        span = fit.trimmed("filler")
        method = (request.quoted(span) is None and request.family(span, "method")) or ""
    for columns in fit.column_lists() if "columns" in fit.slots else _gapped(fit, method):
        if method:
            _check_numbers(method, columns)
            said, fields = request.words.readings[f"method_{method}"], {"method": method}
            yield from _filled(fit, columns, said, **fields)
            continue
        cells = {new_cell(request, fit.slots["filler"], column) for column in columns}
        parted = columns[0].kind is not ColumnKind.TEXT or "columns" not in fit.slots or _is_filled_with(fit)
        for value in cells.pop() if len(cells) == 1 and parted else ():
            if value is not None:
                yield from _filled(fit, columns, _shown(value, ""), value=value)


def _gapped(fit: Fit, method: str) -> list[tuple[TableColumn, ...]]:
    """Return the columns with missing cells that a value, or a method, can fill, where no column is named."""
    facts, span = fit.request.facts, fit.slots["filler"]
    if not facts.exact or facts.row_count is None:
        hint = "Name them: fill missing price with 0."
        raise Unfit("which columns have missing cells shows when all rows are read", hint)
    numeric = method in _ON_NUMBERS or (not method and fit.request.number(span) is not None)
    fitting = tuple(
        one
        for one in fit.request.columns
        if one.facts.formula is None and one.facts.filled is not None and one.facts.filled < facts.row_count
        if (one.kind.is_numeric if numeric else bool(method) or one.kind is ColumnKind.TEXT)
        if method or new_cell(fit.request, span, one)
    )
    return [fitting] if fitting else []


def _is_filled_with(fit: Fit) -> bool:
    """Tell whether a text begins behind the first word that can open it: one may be a noun, too, as in Russian."""
    request, span = fit.request, fit.slots["columns"]
    begun = any(request.starts(place, "with") is not None for place in range(span[0] + 1, span[1]))
    return not begun and _is_parted(fit, "filler")


def _filled(fit: Fit, columns: Sequence[TableColumn], said: str, **filler: Scalar) -> Iterator[Proposal]:
    # Where no column is named, whoever asks sees which they are.
    fields: dict[str, Any] = {"columns": names_of(columns), "sure": "columns" in fit.slots, **filler}
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
    if "where" in fit.slots:
        yield from _exchanged(fit)
        return
    for column in fit.columns() if "column" in fit.slots else (None,):
        for chosen in itertools.product(*(old_cells(request, span, column) for span in spans)):
            if len({owner.place for owner, _ in chosen}) == 1:
                yield from _replaced(fit, chosen[0][0], [old for _, old in chosen])


def _exchanged(fit: Fit) -> Iterator[Proposal]:
    """Read `replace ok with fine in note where …`: in the rows of both conditions."""
    cells = (pair for column in fit.columns() for pair in old_cells(fit.request, fit.slots["cell"], column))
    for owner, old in cells:
        values = () if old is None else (old,)
        both = meant(fit.request, [Condition(column=owner.name, operator=Operator.EQ, values=values)], [])
        for new in new_cell(fit.request, fit.slots["new"], owner, before=old) if values else ():
            text = "null" if new is None else write.literal(new)
            yield from _within(
                fit, owner, "update", f"{owner.name} = {text}", both=both, set={owner.name: text}
            )


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
    parted, early = _is_parted(fit, "value"), where is not None and where < span
    if where is not None and early and (not parted or request.starts(where[0], "from") is not None):
        # `from new to open` exchanges cells.
        return
    owner = range(*fit.slots["whose"]) if "whose" in fit.slots else ()
    if any(request.starts(place, *STRUCTURE, "missing") is not None for place in owner):
        # `Set missing price to 0` fills; of `price to 5 where price` nobody is the owner.
        return
    if is_worded(request, request.trimmed(span)) and not quoted:
        return
    plain = quoted or (
        where is not None and span[1] - span[0] == 1 and request.starts(span[0], *STRUCTURE) is None
    )
    unclear: list[TableColumn] = []
    for column in fit.columns():
        fits = (number and column.kind.is_numeric) or (plain and column.kind is ColumnKind.TEXT)
        if (bare and not fits) or (column.kind is ColumnKind.TEXT and not parted):
            continue
        cells = ["null" if cell is None else write.literal(cell) for cell in new_cell(request, span, column)]
        whole = request.is_whole(span) and not bare
        made = [text for text in formulas(request, span) if text != write.name(column.name)] if whole else []
        for text in [*cells, *made]:
            yield from _update(fit, {column.name: text}, column)
        unclear += [] if cells or made else [column]
    if unclear and not bare and _is_apart(request, span, where):
        raise no_cell(request, span, unclear[0])


def _is_apart(request: Request, span: Span, where: Span | None) -> bool:
    """Tell whether a value is all that stands before a condition, or there is none."""
    opened = where is None or request.starts(where[0], "where") is not None
    return opened and all(request.starts(place, "where") is None for place in range(*span))


def _is_parted(fit: Fit, slot: str) -> bool:
    """Tell whether a text ends where the condition opens: of `A for the where …` the first words may be a text."""
    request, where = fit.request, fit.slots.get("where")
    if where is None or request.quoted(fit.slots[slot]) is not None:
        return True
    start = request.starts(where[0], *_OPENERS) or where[0]
    later = (place for place in range(start, where[1]) if request.starts(place, "where") is not None)
    end = next(later, None)
    rows = request.trimmed((start, end), "row") if end is not None and end > start else (start, start)
    named = rows[0] < rows[1] and any(request.links(rows, kind) for kind in (LinkKind.ROWS, LinkKind.CELL))
    return end is None or named or (end > start + 1 and request.starts(end - 1, "and") is not None)


def _empty(fit: Fit, what: str) -> Iterator[Proposal]:
    """Say that no value, or no name, stands where one is asked for."""
    where = fit.slots.get("where")
    if fit.columns() and (where is None or fit.request.starts(where[0], "where") is not None):
        hint = f'Write it in quotation marks: set {fit.columns()[0].name} to "…".'
        raise Unfit(f"there is no new {what}", hint if what == "value" else "Write it: rename a to b.")
    yield from ()


def _scale(fit: Fit, sign: str) -> Iterator[Proposal]:
    """Read `price * 1.1` for ten percent more, `price + 5` for five more."""
    span = fit.trimmed("amount")
    number = fit.request.number(span)
    if number is None:
        made = formulas(fit.request, span)
        behind = [f"{sign} {f'({text})' if ' ' in text else text}" for text in made]
    elif number.percent:
        share = Decimal(str(number.value)) / 100 * (1 if sign == "+" else -1)
        behind = [f"* {write.number(float(1 + share))}"] if sign in "+-" else []
    else:
        behind = [f"{sign} {write.number(number.value)}"]
    for columns, text in itertools.product(_numeric(fit), behind):
        yield from _update(fit, {one.name: f"{write.name(one.name)} {text}" for one in columns}, columns[0])


def _numeric(fit: Fit) -> list[tuple[TableColumn, ...]]:
    lists = fit.column_lists("column")
    numeric = [columns for columns in lists if all(column.kind.is_numeric for column in columns)]
    if lists and not numeric:
        wrong = next(column for column in lists[0] if not column.kind.is_numeric)
        raise Unfit(f"{wrong.name} does not hold numbers", numbers_of(fit.request, wrong))
    return numeric


def _round(fit: Fit, _: str) -> Iterator[Proposal]:
    number = fit.request.number(fit.trimmed("digits")) if "digits" in fit.slots else None
    digits = number.value if number is not None else 0
    if ("digits" in fit.slots and number is None) or not 0 <= digits <= _MOST_DECIMALS or digits % 1:
        return
    told = (write.number(digits),) if digits else ()
    for columns in _numeric(fit):
        texts = {one.name: write.call("round", write.name(one.name), *told) for one in columns}
        yield from _update(fit, texts, columns[0])


def _compute(fit: Fit, function: str) -> Iterator[Proposal]:
    for columns in fit.column_lists("column"):
        _check_numbers(function, columns)
        if function not in _ON_NUMBERS and any(column.kind is not ColumnKind.TEXT for column in columns):
            raise Unfit(f"{listed(columns)} does not hold text")
        texts = {column.name: write.call(function, write.name(column.name)) for column in columns}
        yield from _update(fit, texts, columns[0])


BUILDERS: Final[Mapping[str, Build]] = {
    "empty": _empty,
    "fill": _fill,
    "replace": _replace,
    "set": _set,
    "scale": _scale,
    "round": _round,
    "compute": _compute,
}
"""The same as in `operations.py`."""
