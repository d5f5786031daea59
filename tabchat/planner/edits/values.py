"""Values in edit requests: cells that are there, what is put in their place, formulas in words and signs."""

from __future__ import annotations

import itertools
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.engine.types import ColumnKind
from tabchat.planner.edits.request import OWN, Unfit
from tabchat.planner.edits.typed import is_plain, shown
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.words.token import TokenKind, fold, header_words, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts import ColumnFacts
    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import Link, TableColumn

Scalar = bool | int | float | str | None
_OTHERS: Final = frozenset({"cell.part", "cell.alias", "cell.outdone", "cell.several"})
"""How a link says a cell by other words than its own."""
_LONGEST_NAME: Final = 6
"""Words of a column's name in a formula."""
_SIGNS: Final = {"plus": "+", "minus": "-", "times": "*", "over": "/"}
_ON_DATES: Final = frozenset({"year", "month", "quarter", "week", "day", "hour", "monthname", "dayname"})
_ON_TEXTS: Final = frozenset({"upper", "lower", "trim", "length"})
_TEXTUAL: Final = frozenset({"upper", "lower", "trim", "monthname", "dayname"})


def new_cell(
    request: Request, span: Span, column: TableColumn, *, before: Scalar = None
) -> tuple[Scalar, ...]:
    """Return what a stretch can mean as a new cell of `column`, or nothing; `before` is the cell that it replaces."""
    whole, inner = request.is_whole(span), request.trimmed(span, "values")
    nothing = request.quoted(span) is None and request.is_class(span, "nothing")
    if whole and (nothing or (column.kind is not ColumnKind.TEXT and request.quoted(inner) == "")):
        return (None,)
    if column.kind is ColumnKind.TEXT:
        return _new_text(request, span, column, before)
    # Only a text can be anything that is typed; around other cells, articles say nothing.
    return _new_figure(request, inner, column) if whole else ()


def _new_figure(request: Request, span: Span, column: TableColumn) -> tuple[Scalar, ...]:
    if column.flag:
        said = tuple(flag for flag in (True, False) if request.is_class(span, str(flag).casefold()))
        if said or column.kind is ColumnKind.BOOLEAN:
            return said if column.yes_no is None else tuple(map(int, said))
    if column.kind.is_numeric:
        number = _new_number(request, span, column)
        return () if number is None else (int(number) if float(number).is_integer() else number,)
    typed = tokenize(request.text(span))
    dated = column.kind in {ColumnKind.DATE, ColumnKind.DATETIME} and len(typed) == 1
    return (typed[0].date.isoformat(),) if dated and typed[0].date is not None else ()


def _new_number(request: Request, span: Span, column: TableColumn) -> float | None:
    quoted = request.quoted(span)
    if quoted is not None:
        typed = tokenize(quoted)
        return typed[0].number if len(typed) == 1 else None
    quantity = request.number(span)
    if quantity is None or (quantity.unit is not None and not column.takes(quantity)):
        return None
    if not quantity.percent or column.facts.unit == "%":
        return quantity.value
    if not is_share(column):
        raise Unfit(f"is a percentage of {column.name} meant, or the number itself?")
    return float(Decimal(str(quantity.value)) / 100)


def is_share(column: TableColumn) -> bool:
    """Tell whether the numbers of a column are parts of one, so that 10% of them is 0.1."""
    high = column.facts.high
    return column.facts.unit != "%" and isinstance(high, int | float) and abs(high) <= 1


def _new_text(request: Request, span: Span, column: TableColumn, before: Scalar) -> tuple[Scalar, ...]:
    inner = request.trimmed(span, "values")
    quoted = request.quoted(inner)
    if quoted is not None:
        return (quoted,) if request.is_whole(inner) else ()
    whole = request.is_whole(span)
    if not is_plain(request, span) or (whole and _is_header(request, span)):
        # The name of a column stands for its cells; as a text it takes quotation marks.
        return ()
    typed = request.typed(span)
    cell = _known_cell(request, span, column) if whole else None
    if cell is None and inner != span and (known := _known_cell(request, inner, column)) is not None:
        # `the Closed` may be meant, or the cell `Closed`.
        return (typed, known)
    # A capital letter is meant where there is any.
    other = cell is not None and fold(typed) == fold(cell) and typed != typed.lower()
    return (typed,) if cell is None or cell == before or other else (cell,)


def _is_header(request: Request, span: Span) -> bool:
    """Tell whether a stretch can only be a column; `named` may be a text although a header is `name`."""
    own = [column for cost, column in request.rated_columns(span) if cost <= OWN]
    words = header_words(request.text(request.trimmed(span, "column")))
    return bool(own) and (not request.text(span).isascii() or any(column.words == words for column in own))


def _known_cell(request: Request, span: Span, column: TableColumn) -> str | None:
    """Return the one cell of a column that a stretch names."""
    known = {cell for owner, cell in listed_cells(request, span) if owner.place == column.place}
    return known.pop() if len(known) == 1 else None


def no_cell(request: Request, span: Span, column: TableColumn) -> Unfit:
    """Return why what was typed in the place of a new cell is none."""
    hints = {
        ColumnKind.TEXT: f'Put a text in quotation marks: set {column.name} to "…".',
        ColumnKind.BOOLEAN: "Write true or false.",
        ColumnKind.DATE: "Write a date as 2024-12-31.",
        ColumnKind.DATETIME: "Write a date as 2024-12-31.",
    }
    hint = hints.get(column.kind, "Write a number in digits, or a formula over columns.")
    return Unfit(f"“{shown(request, span)}” is no clear value for {column.name}", hint)


def listed_cells(request: Request, span: Span) -> list[tuple[TableColumn, str]]:
    """Return the cells that a stretch names without quotation marks, in any column."""
    typed = fold(request.text(span))
    found = [
        (request.columns[link.column], text)
        for link in request.links(span, LinkKind.CELL)
        for text in link.texts
        # What cells list is no cell.
        if link.name != "part"
        if fold(text) == typed or _is_form(request, typed, text, link)
    ]
    return found or same_cells(request, typed)


def same_cells(request: Request, typed: str) -> list[tuple[TableColumn, str]]:
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
    found = listed_cells(request, span) if quoted is None else same_cells(request, fold(typed))
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
    owners = request.columns if column is None else (column,)
    known = [text for owner in owners for text in owner.facts.texts]
    near = nearest(typed, known)
    return Unfit(f"there is no cell “{typed}” {where}", f"The nearest: {', '.join(near)}." if near else None)


def formulas(request: Request, span: Span) -> tuple[str, ...]:
    """Return what a stretch can mean as a formula with a column in it; nothing when it is none."""
    columns, found = request.facts.columns, dict[str, None]()
    for parts in _Formula(request, span[1]).sums(span[0]):
        # What stands in brackets alone needs none.
        text = parts[0][1:-1] if len(parts) == 1 and parts[0][0] == "(" else " ".join(parts)
        written = written_expression(text, columns)
        found |= {written: None} if written is not None else {}
    if len(found) == 1:
        return tuple(found)
    written = written_expression(
        request.question[request.tokens[span[0]].start : request.tokens[span[1] - 1].end], columns
    )
    return (written,) if written is not None else tuple(found)


def written_expression(text: str, columns: Sequence[ColumnFacts], *, condition: bool = False) -> str | None:
    """Return `text` when it is an expression over columns of exactly these names; for a condition, a lone `=` is one."""
    from sqlglot import exp

    from tabchat.engine.functions import find_function
    from tabchat.engine.plan.expressions import ExpressionError, call_name, doubled_equals, parse_expression

    for token in reversed(tokenize(text)):
        if token.date is not None:  # it is no subtraction
            text = f"{text[: token.start]}{write.literal(token.date)}{text[token.end :]}"
    said = doubled_equals(text) if condition else text
    try:
        parsed = parse_expression(said)
    except ExpressionError:
        return None
    tree, names = parsed.tree, {column.name for column in columns}
    found = [column.name for column in tree.find_all(exp.Column)]
    calls = [name for node in tree.find_all(exp.Anonymous) if (name := call_name(node)) is not None]
    known = all(name in names for name in found) and all(find_function(name) is not None for name in calls)
    # `name is 'Smith'` is no expression, though it parses as one.
    known = known and all(isinstance(node.expression, exp.Null) for node in tree.find_all(exp.Is))
    bare = condition and isinstance(tree, exp.Column | exp.Literal | exp.Boolean | exp.Null)
    return said if known and parsed.alias is None and (found or calls) and not bare else None


class _Formula:
    """Writes words as what they stand for in a formula; how its signs bind is the language's own matter.

    Operands are (text, kind, where the words end); none begins where the formula ends.
    """

    def __init__(self, request: Request, end: int) -> None:
        self.request = request
        self.end = end

    def sums(self, start: int, *, alone: bool = True) -> Iterator[tuple[str, ...]]:
        """Yield operands with signs between, up to the end; one alone may be no number."""
        for operand, kind, place in self._operands(start):
            if place == self.end and (alone or kind.is_numeric):
                yield (operand,)
            for name, after in self.request.families(place, "sign") if kind.is_numeric else ():
                for rest in self.sums(after, alone=False):
                    yield (operand, _SIGNS[name], *rest)

    def _operands(self, place: int | None) -> Iterator[tuple[str, ColumnKind, int]]:
        if place is None or place >= self.end:
            return
        start = self.request.trimmed((place, self.end))[0]
        token = self.request.tokens[start]
        if token.kind is TokenKind.SIGN and token.norm == "(":
            for end in range(start + 2, self.end):
                if self.request.tokens[end].norm == ")":
                    for inner in _Formula(self.request, end).sums(start + 1, alone=False):
                        yield f"({' '.join(inner)})", ColumnKind.NUMBER, end + 1
        if token.kind is TokenKind.NUMBER and token.number is not None:
            yield from self._number(start, token.number)
        yield from self._calls(start)
        yield from self._pairs(start)
        yield from self._columns(start)

    def _number(self, start: int, value: float) -> Iterator[tuple[str, ColumnKind, int]]:
        after = self.request.starts(start + 1, "percent")
        if not self.request.tokens[start].percent and after is None:
            yield write.number(value), ColumnKind.NUMBER, start + 1
            return
        share = write.number(float(Decimal(str(value)) / 100))
        for operand, kind, end in self._operands(self.request.starts(after or start + 1, "percent_of")):
            if kind.is_numeric:
                yield f"({operand} * {share})", kind, end

    def _calls(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        for name, after in self.request.families(start, "fn"):
            makes = ColumnKind.TEXT if name in _TEXTUAL else ColumnKind.NUMBER
            for operand, kind, end in self._operands(self.request.starts(after, "of") or after):
                number = kind.is_temporal if name in _ON_DATES else kind.is_numeric
                if kind is ColumnKind.TEXT if name in _ON_TEXTS else number:
                    yield write.call(name, operand), makes, end

    def _pairs(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        """Read `the difference between revenue and cost`."""
        for name, after in self.request.families(start, "two"):
            for left, one, place in self._operands(after):
                for right, other, end in self._operands(self.request.starts(place, "and", "to")):
                    if one.is_numeric and other.is_numeric:
                        yield f"({left} {_SIGNS[name]} {right})", ColumnKind.NUMBER, end

    def _columns(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        for end in range(min(self.end, start + _LONGEST_NAME), start, -1):
            found = self.request.columns_of((start, end))
            if found:
                yield from ((write.name(column.name), column.kind, end) for column in found)
                return
