"""Cells in edit requests: what is there already, and what is to be put in its place."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.nearest import nearest
from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.edits.request import Unfit
from tabchat.planner.headers import INFLECTED
from tabchat.planner.tokens import TokenKind, fold, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.cells import ValueMatch
    from tabchat.planner.edits.patterns import Span
    from tabchat.planner.edits.request import Request

Scalar: TypeAlias = "bool | int | float | str | None"

_LONGEST_TEXT: Final = 3
"""Words of a text that stands without quotation marks."""
_STRUCTURE: Final = (
    "where",
    "column",
    "row",
    "equals_only",
    "and",
    "pronoun",
    "missing_in",
    "values",
    "method",
)
"""Classes that hold a request together; a text of several words has none of them unless it is quoted."""


def shown(value: Scalar, nothing: str) -> str:
    """Return a cell as it is read back."""
    return nothing if value is None else f'"{value}"' if isinstance(value, str) else str(value)


def literal(value: Scalar) -> str:
    """Write a cell as an expression."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return write.number(value)
        case str():
            return write.text(value)


def new_cell(
    request: Request, span: Span, column: ColumnFacts, *, before: str | None = None
) -> tuple[Scalar, ...]:
    """Return what a stretch can mean as a new cell of `column`, or nothing; `before` is the cell that it replaces."""
    span = request.trimmed(span, "values")
    quoted = request.quoted(span)
    if quoted is None and request.is_class(span, "nothing"):
        return (None,)
    match column.kind:
        case ColumnKind.TEXT:
            return _new_text(request, span, column, before)
        case ColumnKind.BOOLEAN:
            flags = [flag for flag in (True, False) if request.is_class(span, str(flag).casefold())]
            return tuple(flags)
        case ColumnKind.INTEGER | ColumnKind.NUMBER | ColumnKind.DATE | ColumnKind.DATETIME:
            return _figure(request, span, column)
        case _:
            return ()


def _figure(request: Request, span: Span, column: ColumnFacts) -> tuple[Scalar, ...]:
    """Return the number or the date that a stretch is."""
    quoted = request.quoted(span)
    tokens = tokenize(quoted) if quoted is not None else request.tokens[slice(*span)]
    token = tokens[0] if len(tokens) == 1 else None
    spelt = request.number(span) if quoted is None else None
    if spelt is not None and column.kind.is_numeric and token is not None and token.kind is TokenKind.WORD:
        return _new_number(request, spelt, column, percent=False)
    if token is not None and column.kind.is_numeric and token.kind is TokenKind.NUMBER:
        return _new_number(request, token.number or 0.0, column, percent=token.percent)
    if token is not None and column.kind.is_temporal and isinstance(token.date, dt.date):
        return (token.date.isoformat(),)
    return ()


def _new_number(request: Request, number: float, column: ColumnFacts, *, percent: bool) -> tuple[Scalar, ...]:
    if percent and column.unit != "%":
        _, high = request.scene.table.extremes(column)
        if not isinstance(high, int | float) or abs(high) > 1:
            raise Unfit(f"is a percentage of {column.name} meant, or the number itself?")
        number = round(number / 100, 12)
    return (int(number) if float(number).is_integer() else number,)


def _new_text(request: Request, span: Span, column: ColumnFacts, before: str | None) -> tuple[Scalar, ...]:
    quoted = request.quoted(span)
    if quoted is not None:
        return (quoted,)
    if not _is_plain(request, span) or any(cost <= INFLECTED for cost, _ in request.rated_columns(span)):
        # The name of a column stands for its cells; as a text it takes quotation marks.
        return ()
    typed = request.text(span)
    known = [value for value, _ in listed_cells(request, span, column)]
    if len(set(known)) == 1 and known[0] != before and _may_mean(request, typed, known[0]):
        return (known[0],)
    return (typed,)


def _may_mean(request: Request, typed: str, known: str) -> bool:
    """Tell whether a word that was typed without quotes is a cell that is there in another form.

    Case is meant when there is any; an English word has no cases that a request would put it in.
    """
    if fold(typed) == fold(known):
        return typed == known or typed == typed.lower()
    return request.words.language != "en"


def _is_plain(request: Request, span: Span) -> bool:
    """Tell whether a stretch can be a text without quotation marks."""
    length = span[1] - span[0]
    if length == 1:
        token = request.tokens[span[0]]
        return token.kind is not TokenKind.SIGN and not request.is_class(span, "pronoun", "column", "row")
    typed = request.text(span)
    if len(typed.split()) > _LONGEST_TEXT:
        return False
    glued = len(typed.split()) == 1
    for place in range(span[0], span[1]):
        token = request.tokens[place]
        if token.kind is TokenKind.QUOTED or (token.kind is TokenKind.SIGN and not glued):
            return False
        if (
            not glued
            and request.starts(place, *_STRUCTURE, "to", "in", "from", "with", "by", "scope") is not None
        ):
            return False
        if not glued and (request.families(place, "method") or request.families(place, "type")):
            return False
    return True


def listed_cells(
    request: Request, span: Span, column: ColumnFacts | None
) -> Iterator[tuple[str, ColumnFacts]]:
    """Yield the cells that a stretch names without quotation marks."""
    for match in request.linker.cells().find(request.typed, span[0]):
        owned = column is None or match.column.index == column.index
        if match.length == span[1] - span[0] and owned and _is_form(request, span, match):
            yield match.value, match.column
    typed = request.text(span).strip().casefold()
    for index, cell in request.scene.table.find_texts((typed,)):
        if column is None or column.index == index:
            yield cell, request.scene.table.columns[index]


def _is_form(request: Request, span: Span, match: ValueMatch) -> bool:
    """Tell whether a cell was named as it is or in another case, and not misspelt.

    A doubled letter passes for a form of some words; English words have no cases.
    """
    typed = fold(request.text(span))
    doubled = {one + two for one, two in itertools.pairwise(typed) if one == two}
    return not match.inflected or (
        request.words.language != "en" and all(pair in fold(match.value) for pair in doubled)
    )


def old_cells(request: Request, span: Span, column: ColumnFacts | None) -> list[tuple[ColumnFacts, Scalar]]:
    """Return the cells that a stretch names, in one column or in any.

    Raises `Unfit` with the nearest cells when the column is known and has none like it.
    """
    span = request.trimmed(span, "values")
    if column is not None and column.kind is not ColumnKind.TEXT:
        return [(column, value) for value in new_cell(request, span, column) if value is not None]
    quoted = request.quoted(span)
    if quoted is None and not _is_plain(request, span):
        return []
    typed = request.text(span)
    found = list(
        _quoted_cells(request, typed, column) if quoted is not None else listed_cells(request, span, column)
    )
    same = [pair for pair in found if pair[0] == typed]
    cells: list[tuple[ColumnFacts, Scalar]] = list(
        {(owner.index, value): (owner, value) for value, owner in same or found}.values()
    )
    if not cells and column is None and quoted is None:
        token = request.tokens[span[0]]
        if token.kind is TokenKind.NUMBER:
            raise Unfit(
                f"which column has the {typed} that is meant?", "Name it: replace -1 with 0 in price."
            )
    if not cells:
        raise Unfit(*_no_cell(request, typed, column))
    return cells


def _quoted_cells(
    request: Request, typed: str, column: ColumnFacts | None
) -> Iterator[tuple[str, ColumnFacts]]:
    table = request.scene.table
    for index, values in table.values().items():
        if column is None or column.index == index:
            yield from ((value, table.columns[index]) for value in values if fold(value) == fold(typed))
    for index, cell in table.find_texts((typed.strip().casefold(),)):
        if column is None or column.index == index:
            yield cell, table.columns[index]


def _no_cell(request: Request, typed: str, column: ColumnFacts | None) -> tuple[str, str | None]:
    listed = request.scene.table.values()
    where = f"in {column.name}" if column is not None else "in the table"
    known = [
        value
        for index, values in listed.items()
        if column is None or column.index == index
        for value in values
    ]
    near = nearest(typed, known)
    hint = f"The nearest: {', '.join(near)}." if near else None
    return f"there is no cell “{typed}” {where}", hint
