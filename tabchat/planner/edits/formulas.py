"""Formulas in words and signs, as expressions of the plan language: `price times quantity`, `year of order date`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.tokens import TokenKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.patterns import Span
    from tabchat.planner.edits.request import Request

_LONGEST_NAME: Final = 6
"""Words of a column's name in a formula."""
_DEEPEST: Final = 12
_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_SIGNS: Final = {"plus": ("+", _SUM), "minus": ("-", _SUM), "times": ("*", _PRODUCT), "over": ("/", _PRODUCT)}
_ON_DATES: Final = frozenset({"year", "month", "quarter", "week", "day", "hour", "monthname", "dayname"})
_ON_TEXTS: Final = frozenset({"upper", "lower", "trim", "length"})


@record
class Formula:
    """An expression, or a part of one."""

    text: str
    level: int = _ATOM
    """How tightly its outermost operator binds."""
    numeric: bool = True
    named: bool = False
    """True when a column or a function is in it."""

    def within(self, level: int) -> str:
        """Write it as an operand of an operator that binds so tightly."""
        return self.text if self.level >= level else f"({self.text})"


def formulas(request: Request, span: Span) -> tuple[Formula, ...]:
    """Return what a stretch can mean as a formula; nothing when it is none."""
    found = {
        formula.text: formula for formula, end in _Reader(request, span[1]).sums(span[0], 0) if end == span[1]
    }
    if len(found) == 1:
        return tuple(found.values())
    text = request.question[request.tokens[span[0]].start : request.tokens[span[1] - 1].end]
    written = written_expression(text, request.scene.table.columns)
    if written is not None:
        return (Formula(text=written, named=True, numeric=False),)
    return tuple(found.values())


def written_expression(text: str, columns: Sequence[ColumnFacts], *, condition: bool = False) -> str | None:
    """Return `text` when it is an expression over columns of exactly these names; for a condition, a lone `=` is one."""
    from sqlglot import exp

    from tabchat.engine.expressions import (
        ExpressionError,
        call_name,
        doubled_equals,
        parse_expression,
    )
    from tabchat.engine.functions import find_function

    said = doubled_equals(text) if condition else text
    try:
        parsed = parse_expression(said)
    except ExpressionError:
        return None
    names = {column.name for column in columns}
    tree = parsed.tree
    found = [column.name for column in tree.find_all(exp.Column)]
    calls = [name for node in tree.find_all(exp.Anonymous) if (name := call_name(node)) is not None]
    known = all(name in names for name in found) and all(find_function(name) is not None for name in calls)
    bare = isinstance(tree, exp.Column | exp.Literal | exp.Boolean | exp.Null)
    # `name is 'Smith'` is no expression, though it parses as one.
    known = known and all(isinstance(node.expression, exp.Null) for node in tree.find_all(exp.Is))
    if not known or parsed.alias is not None or not (found or calls) or (condition and bare):
        return None
    return said


class _Reader:
    """Reads sums of products of operands, in every way that the words allow."""

    def __init__(self, request: Request, end: int) -> None:
        self.request = request
        self.end = end

    def sums(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        yield from self._chain(start, depth, _SUM)

    def _chain(self, start: int, depth: int, level: int) -> Iterator[tuple[Formula, int]]:
        if depth > _DEEPEST:
            return
        operands = self._operand if level == _PRODUCT else self._products
        for first, end in operands(start, depth):
            yield from self._more(first, end, depth, level)

    def _products(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        yield from self._chain(start, depth, _PRODUCT)

    def _more(self, left: Formula, place: int, depth: int, level: int) -> Iterator[tuple[Formula, int]]:
        yield left, place
        if place >= self.end or depth > _DEEPEST:
            return
        operands = self._operand if level == _PRODUCT else self._products
        for name, after in self.request.lattice.families.get(("sign", place), ()):
            sign, binds = _SIGNS[name]
            if binds != level or after >= self.end or not left.numeric:
                continue
            for right, end in operands(after, depth + 1):
                if not right.numeric:
                    continue
                # What stands on the right of - and / is one thing.
                inner = level + 1 if sign in "-/" else level
                text = f"{left.within(level)} {sign} {right.within(inner)}"
                made = Formula(text=text, level=level, named=left.named or right.named)
                yield from self._more(made, end, depth + 1, level)

    def _operand(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        if depth > _DEEPEST:
            return
        start = self.request.trimmed((start, self.end))[0]
        token = self.request.tokens[start]
        if token.norm == "(" and token.kind is TokenKind.SIGN:
            for inner, end in self.sums(start + 1, depth + 1):
                if end < self.end and self.request.tokens[end].norm == ")":
                    yield Formula(text=inner.text, level=inner.level, named=inner.named), end + 1
        if token.kind is TokenKind.NUMBER and token.number is not None:
            yield from self._number(start, depth)
        yield from self._calls(start, depth)
        yield from self._pairs(start, depth)
        yield from self._columns(start)

    def _number(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        token = self.request.tokens[start]
        value, end = token.number or 0.0, start + 1
        percent = self.request.starts(end, "percent") if end < self.end else None
        if not token.percent and percent is None:
            yield Formula(text=write.number(value)), end
            return
        end = percent or end
        share = float(Decimal(str(value)) / 100)
        after = self.request.starts(end, "percent_of") if end < self.end else None
        if after is None or after >= self.end:
            return
        for whole, stop in self._operand(after, depth + 1):
            if whole.numeric:
                text = f"{whole.within(_PRODUCT)} * {write.number(share)}"
                yield Formula(text=text, level=_PRODUCT, named=whole.named), stop

    def _calls(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        for name, after in self.request.lattice.families.get(("fn", start), ()):
            place = after
            if place < self.end:
                place = self.request.starts(place, "of") or place
            if place >= self.end:
                continue
            wanted = (
                self._columns(place) if name in _ON_DATES | _ON_TEXTS else self._operand(place, depth + 1)
            )
            for inner, end in wanted:
                if self._suits(name, inner):
                    numeric = name not in {"upper", "lower", "trim", "monthname", "dayname"}
                    yield Formula(text=write.call(name, inner.text), named=True, numeric=numeric), end

    def _suits(self, name: str, inner: Formula) -> bool:
        if name not in _ON_DATES | _ON_TEXTS:
            return inner.numeric
        kinds = {write.name(column.name): column.kind for column in self.request.scene.table.columns}
        kind = kinds.get(inner.text)
        if name in _ON_TEXTS:
            return kind is ColumnKind.TEXT
        return kind is not None and kind.is_temporal

    def _pairs(self, start: int, depth: int) -> Iterator[tuple[Formula, int]]:
        """Read `the difference between revenue and cost`."""
        for name, after in self.request.lattice.families.get(("two", start), ()):
            if after >= self.end:
                continue
            sign, level = _SIGNS[name]
            for left, place in self._operand(after, depth + 1):
                joint = self.request.starts(place, "and", "to") if place < self.end else None
                if joint is None or joint >= self.end or not left.numeric:
                    continue
                for right, end in self._operand(joint, depth + 1):
                    if right.numeric:
                        inner = level + 1 if sign in "-/" else level
                        text = f"{left.within(level)} {sign} {right.within(inner)}"
                        yield Formula(text=text, level=level, named=True), end

    def _columns(self, start: int) -> Iterator[tuple[Formula, int]]:
        for end in range(min(self.end, start + _LONGEST_NAME), start, -1):
            found = self.request.columns((start, end))
            if found:
                for column in found:
                    numeric = column.kind.is_numeric
                    yield Formula(text=write.name(column.name), named=True, numeric=numeric), end
                return
