"""Cells in edit requests: what is there already, and what is to be put in its place."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.request import Unfit
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.words.token import TokenKind, fold, tokenize

if TYPE_CHECKING:
    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import Link, TableColumn

Scalar = bool | int | float | str | None
_LONGEST_TEXT: Final = 3
"""Words of a text that stands without quotation marks."""
_STRUCTURE: Final = (
    *("where", "column", "row", "equals_only", "and", "pronoun", "missing_in", "values", "method"),
    *("to", "in", "from", "with", "by", "scope"),
)
"""Classes that hold a request together; a text of several words has none of them unless it is quoted."""
_OTHERS: Final = frozenset({"cell.part", "cell.alias", "cell.outdone", "cell.several"})
"""How a link says a cell by other words than its own."""


def new_cell(
    request: Request, span: Span, column: TableColumn, *, before: Scalar = None
) -> tuple[Scalar, ...]:
    """Return what a stretch can mean as a new cell of `column`, or nothing; `before` is the cell that it replaces."""
    span = request.trimmed(span, "values")
    if request.quoted(span) is None and request.is_class(span, "nothing"):
        return (None,)
    if column.kind is ColumnKind.TEXT:
        return _new_text(request, span, column, before)
    if column.kind is ColumnKind.BOOLEAN:
        return tuple(flag for flag in (True, False) if request.is_class(span, str(flag).casefold()))
    if column.kind.is_numeric:
        return _new_number(request, span, column)
    if column.kind in {ColumnKind.DATE, ColumnKind.DATETIME}:
        typed = tokenize(request.text(span))
        return (typed[0].date.isoformat(),) if len(typed) == 1 and typed[0].date is not None else ()
    return ()


def _new_number(request: Request, span: Span, column: TableColumn) -> tuple[Scalar, ...]:
    quoted = request.quoted(span)
    if quoted is not None:
        typed = tokenize(quoted)
        number = typed[0].number if len(typed) == 1 else None
        return () if number is None else (_plain(number),)
    quantity = request.number(span)
    if quantity is None or (quantity.unit is not None and not column.takes(quantity)):
        return ()
    if not quantity.percent or column.facts.unit == "%":
        return (_plain(quantity.value),)
    if not is_share(column):
        raise Unfit(f"is a percentage of {column.name} meant, or the number itself?")
    return (_plain(float(Decimal(str(quantity.value)) / 100)),)


def is_share(column: TableColumn) -> bool:
    """Tell whether the numbers of a column are parts of one, so that 10% of them is 0.1."""
    high = column.facts.high
    return column.facts.unit != "%" and isinstance(high, int | float) and abs(high) <= 1


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number


def _new_text(request: Request, span: Span, column: TableColumn, before: Scalar) -> tuple[Scalar, ...]:
    quoted = request.quoted(span)
    if quoted is not None:
        return (quoted,)
    if not is_plain(request, span) or request.is_own_name(span):
        # The name of a column stands for its cells; as a text it takes quotation marks.
        return ()
    typed = request.text(span)
    known = {cell for owner, cell in listed_cells(request, span) if owner.place == column.place}
    cell = known.pop() if len(known) == 1 else before
    return (cell,) if cell != before and _may_mean(request, typed, str(cell)) else (typed,)


def _may_mean(request: Request, typed: str, known: str) -> bool:
    """Tell whether a word that was typed without quotes is a cell that is there in another form.

    Case is meant when there is any; an English word has no cases that a request would put it in.
    """
    if fold(typed) == fold(known):
        return typed in {known, typed.lower()}
    return request.words.language != "en"


def is_plain(request: Request, span: Span) -> bool:
    """Tell whether a stretch can be a text without quotation marks."""
    typed, tokens = request.text(span), request.tokens[slice(*span)]
    if len(tokens) == 1:
        return tokens[0].kind is not TokenKind.SIGN and not request.is_class(span, "pronoun", "column", "row")
    if len(typed.split()) > _LONGEST_TEXT or any(token.kind is TokenKind.QUOTED for token in tokens):
        return False
    if len(typed.split()) == 1:
        return True
    return not any(
        request.tokens[place].kind is TokenKind.SIGN
        or request.starts(place, *_STRUCTURE) is not None
        or request.families(place, "method")
        or request.families(place, "type")
        for place in range(*span)
    )


def listed_cells(request: Request, span: Span) -> list[tuple[TableColumn, str]]:
    """Return the cells that a stretch names without quotation marks, in any column."""
    typed = fold(request.text(span))
    found = [
        (request.columns[link.column], text)
        for link in request.links(span, LinkKind.CELL)
        for text in link.texts
        if fold(text) == typed or _is_form(request, typed, text, link)
    ]
    return found or _same(request, typed)


def _same(request: Request, typed: str) -> list[tuple[TableColumn, str]]:
    """Return the cells that are written like a folded text."""
    return [
        (column, text) for column in request.columns for text in column.facts.texts if fold(text) == typed
    ]


def _is_form(request: Request, typed: str, text: str, link: Link) -> bool:
    """Tell whether a cell was named in another case, and not misspelt or by another name; English has no cases."""
    if request.words.language == "en" or request.is_misspelt(link):
        return False
    doubled = {one + two for one, two in itertools.pairwise(typed) if one == two}
    return all(pair in fold(text) for pair in doubled) and not _OTHERS & dict(link.features).keys()


def old_cells(request: Request, span: Span, column: TableColumn | None) -> list[tuple[TableColumn, Scalar]]:
    """Return the cells that a stretch names, in one column or in any.

    Raises `Unfit` with the nearest cells when the table has none like it.
    """
    span = request.trimmed(span, "values")
    if column is not None and column.kind is not ColumnKind.TEXT:
        return [(column, value) for value in new_cell(request, span, column) if value is not None]
    quoted = request.quoted(span)
    if quoted is None and not is_plain(request, span):
        return []
    typed = request.text(span)
    found = listed_cells(request, span) if quoted is None else _same(request, fold(typed))
    owned = [(owner, cell) for owner, cell in found if column is None or owner.place == column.place]
    same = [(owner, cell) for owner, cell in owned if cell == typed]
    cells: list[tuple[TableColumn, Scalar]] = list(
        {(owner.place, cell): (owner, cell) for owner, cell in same or owned}.values()
    )
    if not cells and column is not None and not column.facts.complete:
        # Its cells are too many to be listed: whether this is one of them shows when the edit is made.
        return [(column, typed)]
    if not cells and column is None and quoted is None and request.tokens[span[0]].kind is TokenKind.NUMBER:
        raise Unfit(f"which column has the {typed} that is meant?", "Name it: replace -1 with 0 in price.")
    if not cells:
        raise _no_cell(request, typed, column)
    return cells


def _no_cell(request: Request, typed: str, column: TableColumn | None) -> Unfit:
    where = f"in {column.name}" if column is not None else "in the table"
    known = [text for owner in request.columns if column in {None, owner} for text in owner.facts.texts]
    near = nearest(typed, known)
    return Unfit(f"there is no cell “{typed}” {where}", f"The nearest: {', '.join(near)}." if near else None)
