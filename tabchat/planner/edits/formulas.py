"""Formulas in words and signs, as expressions of the plan language: `price times quantity`, `year of order date`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.words.token import TokenKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts import ColumnFacts
    from tabchat.planner.edits.request import Request, Span

_LONGEST_NAME: Final = 6
"""Words of a column's name in a formula."""
_DEEPEST: Final = 12
_SUM, _PRODUCT, _ATOM = 1, 2, 4
_SIGNS: Final = {"plus": ("+", _SUM), "minus": ("-", _SUM), "times": ("*", _PRODUCT), "over": ("/", _PRODUCT)}
_ON_DATES: Final = frozenset({"year", "month", "quarter", "week", "day", "hour", "monthname", "dayname"})
_ON_TEXTS: Final = frozenset({"upper", "lower", "trim", "length"})
_TEXTUAL: Final = frozenset({"upper", "lower", "trim", "monthname", "dayname"})


@record
class Formula:
    """An expression, or a part of one."""

    text: str
    level: int = _ATOM
    """How tightly its outermost operator binds."""
    kind: ColumnKind = ColumnKind.NUMBER
    named: bool = False
    """True when a column or a function is in it."""

    @property
    def numeric(self) -> bool:
        """Whether it can be computed with."""
        return self.kind.is_numeric

    def within(self, level: int) -> str:
        """Write it as an operand of an operator that binds so tightly."""
        return self.text if self.level >= level else f"({self.text})"


def formulas(request: Request, span: Span) -> tuple[Formula, ...]:
    """Return what a stretch can mean as a formula; nothing when it is none."""
    read = _Reader(request, span[1]).chain(span[0], 0, _SUM)
    found = {formula.text: formula for formula, end in read if end == span[1]}
    if len(found) != 1:
        text = request.question[request.tokens[span[0]].start : request.tokens[span[1] - 1].end]
        written = written_expression(text, request.facts.columns)
        if written is not None:
            return (Formula(text=written, named=True, kind=ColumnKind.OTHER),)
    return tuple(found.values())


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


def call_part(part: str, column: ColumnFacts) -> str:
    """Write a part of a date."""
    return write.call(part, write.name(column.name))


class _Reader:
    """Reads sums of products of operands, in every way that the words allow."""

    def __init__(self, request: Request, end: int) -> None:
        self.request = request
        self.end = end

    def chain(self, start: int, depth: int, level: int) -> Iterator[tuple[Formula, int]]:
        """Yield (formula, end) of sums, or of products, that begin at a token."""
        if depth <= _DEEPEST:
            for first, end in self._part(start, depth, level):
                yield from self._more(first, end, depth, level)

    def _part(self, start: int, depth: int, level: int) -> Iterator[tuple[Formula, int]]:
        yield from self._operand(start, depth) if level == _PRODUCT else self.chain(start, depth, _PRODUCT)

    def _more(self, left: Formula, place: int, depth: int, level: int) -> Iterator[tuple[Formula, int]]:
        yield left, place
        if place >= self.end or depth > _DEEPEST or not left.numeric:
            return
        for name, after in self.request.families(place, "sign"):
            if _SIGNS[name][1] == level and after < self.end:
                for right, end in self._part(after, depth + 1, level):
                    if right.numeric:
                        yield from self._more(_joined(left, name, right), end, depth + 1, level)

    def _operand(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        if depth > _DEEPEST:
            return
        start = self.request.trimmed((start, self.end))[0]
        token = self.request.tokens[start]
        if token.norm == "(" and token.kind is TokenKind.SIGN and start + 1 < self.end:
            for inner, end in self.chain(start + 1, depth + 1, _SUM):
                if end < self.end and self.request.tokens[end].norm == ")":
                    yield inner, end + 1
        if token.kind is TokenKind.NUMBER and token.number is not None:
            yield from self._number(start, depth)
        yield from self._calls(start, depth)
        yield from self._pairs(start, depth)
        yield from self._columns(start)

    def _number(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        token, end = self.request.tokens[start], start + 1
        percent = self.request.starts(end, "percent") if end < self.end else None
        if not token.percent and percent is None:
            yield Formula(text=write.number(token.number or 0.0)), end
            return
        after = self.request.starts(percent or end, "percent_of") if (percent or end) < self.end else None
        share = write.number(float(Decimal(str(token.number)) / 100))
        for whole, stop in self._operand(after, depth + 1) if after is not None and after < self.end else ():
            if whole.numeric:
                text = f"{whole.within(_PRODUCT)} * {share}"
                yield Formula(text=text, level=_PRODUCT, named=whole.named), stop

    def _calls(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        for name, after in self.request.families(start, "fn"):
            place = (self.request.starts(after, "of") or after) if after < self.end else after
            if place >= self.end:
                continue
            simple = name in _ON_DATES | _ON_TEXTS
            for inner, end in self._columns(place) if simple else self._operand(place, depth + 1):
                if _suits(name, inner.kind):
                    kind = ColumnKind.TEXT if name in _TEXTUAL else ColumnKind.NUMBER
                    yield Formula(text=write.call(name, inner.text), named=True, kind=kind), end

    def _pairs(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        """Read `the difference between revenue and cost`."""
        for name, after in self.request.families(start, "two"):
            for left, place in self._operand(after, depth + 1) if after < self.end else ():
                joint = self.request.starts(place, "and", "to") if place < self.end else None
                if joint is None or joint >= self.end or not left.numeric:
                    continue
                for right, end in self._operand(joint, depth + 1):
                    if right.numeric:
                        yield _joined(left, name, right), end

    def _columns(self, start: int) -> Iterator[tuple[Formula, int]]:
        for end in range(min(self.end, start + _LONGEST_NAME), start, -1):
            found = self.request.columns_of((start, end))
            if found:
                for column in found:
                    yield Formula(text=write.name(column.name), named=True, kind=column.kind), end
                return


def _joined(left: Formula, name: str, right: Formula) -> Formula:
    """Write two operands with a sign between; what stands on the right of - and / is one thing."""
    sign, level = _SIGNS[name]
    text = f"{left.within(level)} {sign} {right.within(level + 1 if sign in '-/' else level)}"
    return Formula(text=text, level=level, named=left.named or right.named)


def _suits(name: str, kind: ColumnKind) -> bool:
    """Tell whether a function takes such an operand."""
    if name in _ON_TEXTS:
        return kind is ColumnKind.TEXT
    return kind.is_temporal if name in _ON_DATES else kind.is_numeric
