"""Formulas in words and signs, as expressions of the plan language: `price times quantity`, `year of order date`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts import ColumnFacts
    from tabchat.planner.edits.request import Request, Span

_LONGEST_NAME: Final = 6
"""Words of a column's name in a formula."""
_SIGNS: Final = {"plus": "+", "minus": "-", "times": "*", "over": "/"}
_ON_DATES: Final = frozenset({"year", "month", "quarter", "week", "day", "hour", "monthname", "dayname"})
_ON_TEXTS: Final = frozenset({"upper", "lower", "trim", "length"})
_TEXTUAL: Final = frozenset({"upper", "lower", "trim", "monthname", "dayname"})


def formulas(request: Request, span: Span) -> tuple[str, ...]:
    """Return what a stretch can mean as a formula with a column in it; nothing when it is none."""
    columns, found = request.facts.columns, dict[str, None]()
    for parts in _Words(request, span[1]).sums(span[0]):
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

    from tabchat.engine.expressions import ExpressionError, call_name, doubled_equals, parse_expression
    from tabchat.engine.functions import find_function

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


class _Words:
    """Writes words as what they stand for in a formula; how its signs bind is the language's own matter."""

    def __init__(self, request: Request, end: int) -> None:
        self.request = request
        self.end = end

    def sums(self, start: int, *, alone: bool = True) -> Iterator[tuple[str, ...]]:
        """Yield operands with signs between, up to the end; one alone may be no number."""
        for operand, kind, place in self._operands(start):
            if place == self.end and (alone or kind.is_numeric):
                yield (operand,)
            elif place < self.end and kind.is_numeric:
                for name, after in self.request.families(place, "sign"):
                    for rest in self.sums(after, alone=False) if after < self.end else ():
                        yield (operand, _SIGNS[name], *rest)

    def _operands(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        start = self.request.trimmed((start, self.end))[0]
        token = self.request.tokens[start]
        if token.kind is TokenKind.SIGN and token.norm == "(":
            for end in range(start + 2, self.end):
                if self.request.tokens[end].norm == ")":
                    for inner in _Words(self.request, end).sums(start + 1, alone=False):
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
        whole = self.request.starts(after or start + 1, "percent_of")
        share = write.number(float(Decimal(str(value)) / 100))
        for operand, kind, end in self._operands(whole) if whole is not None and whole < self.end else ():
            if kind.is_numeric:
                yield f"({operand} * {share})", kind, end

    def _calls(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        for name, after in self.request.families(start, "fn"):
            place = self.request.starts(after, "of") or after
            simple = name in _ON_DATES | _ON_TEXTS
            makes = ColumnKind.TEXT if name in _TEXTUAL else ColumnKind.NUMBER
            for operand, kind, end in (
                () if place >= self.end else self._columns(place) if simple else self._operands(place)
            ):
                if _suits(name, kind):
                    yield write.call(name, operand), makes, end

    def _pairs(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        """Read `the difference between revenue and cost`."""
        for name, after in self.request.families(start, "two"):
            for left, one, place in self._operands(after) if after < self.end else ():
                joint = self.request.starts(place, "and", "to")
                for right, other, end in (
                    self._operands(joint) if joint is not None and joint < self.end else ()
                ):
                    if one.is_numeric and other.is_numeric:
                        yield f"({left} {_SIGNS[name]} {right})", ColumnKind.NUMBER, end

    def _columns(self, start: int) -> Iterator[tuple[str, ColumnKind, int]]:
        for end in range(min(self.end, start + _LONGEST_NAME), start, -1):
            found = self.request.columns_of((start, end))
            if found:
                yield from ((write.name(column.name), column.kind, end) for column in found)
                return


def _suits(name: str, kind: ColumnKind) -> bool:
    """Tell whether a function takes such an operand."""
    if name in _ON_TEXTS:
        return kind is ColumnKind.TEXT
    return kind.is_temporal if name in _ON_DATES else kind.is_numeric
