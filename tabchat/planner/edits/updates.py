"""Edits that compute cells anew: set, raise, round, trim, change the case."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.edits.cells import literal, new_cell
from tabchat.planner.edits.conditions import rows_meant
from tabchat.planner.edits.formulas import formulas
from tabchat.planner.edits.proposals import Proposal
from tabchat.planner.edits.request import Unfit
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.patterns import Found
    from tabchat.planner.edits.request import Request
    from tabchat.values import JsonValue

_MOST_DECIMALS: Final = 12


def _updates(
    request: Request, found: Found, formulas_of: Mapping[str, str], subject: ColumnFacts
) -> Iterator[Proposal]:
    """Yield the update of columns, in the rows that the request names if it names any."""
    arguments: dict[str, JsonValue] = {"operation": "update", "set": dict(formulas_of)}
    said = ", ".join(f"{name} = {formula}" for name, formula in formulas_of.items())
    if "where" not in found:
        yield Proposal(arguments=arguments, template="update", parts=(said,))
        return
    span = request.span(found, "where")
    if request.starts(span[0], "where", "scope") is None:
        return
    for rows in rows_meant(request, span, subject=subject):
        yield Proposal(
            arguments={**arguments, "where": rows.where},
            template="update_where",
            parts=(said, request.joined(rows.read_as)),
        )


def _set(request: Request, found: Found) -> Iterator[Proposal]:
    span = request.span(found, "value")
    bare = request.trimmed(span)
    worded = request.family(bare, "type") is not None or request.is_class(bare, "case", "upper", "lowered")
    if worded and request.quoted(span) is None:
        return
    moved = "where" in found and request.span(found, "where") < span
    if moved and request.starts(request.span(found, "where")[0], "from") is not None:
        # `from new to open` exchanges cells.
        return
    for column in request.columns(request.span(found, "column")):
        cells = new_cell(request, span, column)
        for cell in cells:
            yield from _updates(request, found, {column.name: literal(cell)}, column)
        for formula in formulas(request, span) if not cells else ():
            if formula.named and formula.text != write.name(column.name):
                yield from _updates(request, found, {column.name: formula.text}, column)


def _set_number(request: Request, found: Found) -> Iterator[Proposal]:
    """Read `set the price 100`, where a preposition may be missing."""
    span = request.span(found, "number")
    if span[1] - span[0] != 1 or request.tokens[span[0]].kind is not TokenKind.NUMBER:
        return
    for column in request.columns(request.span(found, "column")):
        for cell in new_cell(request, span, column) if column.kind.is_numeric else ():
            yield from _updates(request, found, {column.name: literal(cell)}, column)


def _scale(sign: str) -> Callable[[Request, Found], Iterator[Proposal]]:
    def build(request: Request, found: Found) -> Iterator[Proposal]:
        span = request.trimmed(request.span(found, "amount"))
        for column in _numeric(request, found):
            for text in _changed(request, span, column, sign):
                yield from _updates(request, found, {column.name: text}, column)

    return build


def _changed(request: Request, span: tuple[int, int], column: ColumnFacts, sign: str) -> Iterator[str]:
    """Yield `price * 1.1` for ten percent more, `price + 5` for five more."""
    name, token = write.name(column.name), request.tokens[span[0]]
    worded = span[1] - span[0] > 1 and request.is_class((span[0] + 1, span[1]), "percent")
    if token.kind is TokenKind.NUMBER and token.number is not None and (span[1] - span[0] == 1 or worded):
        if not (token.percent or worded):
            yield f"{name} {sign} {write.number(token.number)}"
        elif sign in "+-":
            share = Decimal(str(token.number)) / 100
            yield f"{name} * {write.number(float(1 + share if sign == '+' else 1 - share))}"
        return
    for formula in formulas(request, span):
        if formula.named and formula.numeric:
            yield f"{name} {sign} {formula.within(3)}"


def _numeric(request: Request, found: Found) -> Iterator[ColumnFacts]:
    columns = request.columns(request.span(found, "column"))
    numeric = [column for column in columns if column.kind.is_numeric]
    if columns and not numeric:
        raise Unfit(f"{columns[0].name} does not hold numbers", "Read it as a number first.")
    yield from numeric


def _round(request: Request, found: Found) -> Iterator[Proposal]:
    digits = 0
    if "digits" in found:
        span = request.trimmed(request.span(found, "digits"))
        number = request.number(span)
        if number is None or not 0 <= number <= _MOST_DECIMALS or number % 1:
            return
        digits = int(number)
    for column in _numeric(request, found):
        name = write.name(column.name)
        text = write.call("round", name, str(digits)) if digits else write.call("round", name)
        yield from _updates(request, found, {column.name: text}, column)


def _call(function: str, *, numeric: bool) -> Callable[[Request, Found], Iterator[Proposal]]:
    def build(request: Request, found: Found) -> Iterator[Proposal]:
        for columns in request.column_lists(request.span(found, "column")):
            for column in columns:
                if numeric != column.kind.is_numeric or (not numeric and column.kind is not ColumnKind.TEXT):
                    raise Unfit(f"{column.name} does not hold {'numbers' if numeric else 'text'}")
            formulas_of = {column.name: write.call(function, write.name(column.name)) for column in columns}
            yield from _updates(request, found, formulas_of, columns[0])

    return build


_upper, _lower, _trim = (_call(name, numeric=False) for name in ("upper", "lower", "trim"))
_ceil, _floor = (_call(name, numeric=True) for name in ("ceil", "floor"))


def _with_where(
    *patterns: tuple[str, Callable[[Request, Found], Iterator[Proposal]]],
) -> tuple[tuple[str, Callable[[Request, Found], Iterator[Proposal]]], ...]:
    """Let every pattern end in a condition."""
    return tuple(
        (text, build) for pattern, build in patterns for text in (pattern, pattern + " and? {where}")
    )


PATTERNS: Final[tuple[tuple[str, Callable[[Request, Found], Iterator[Proposal]]], ...]] = (
    *_with_where(
        ("set values? column? {column} to|equals_only {value}", _set),
        ("set values? column? {column} {number}", _set_number),
        ("raise values? column? {column} by_amount {amount}", _scale("+")),
        ("raise values? column? {column} by_times {amount} times", _scale("*")),
        ("lower values? column? {column} by_times {amount} times", _scale("/")),
        ("lower values? column? {column} by_amount {amount}", _scale("-")),
        ("multiply values? column? {column} by|by_amount {amount}", _scale("*")),
        ("divide values? column? {column} by|by_amount {amount}", _scale("/")),
        ("plus {amount} to column? {column}", _scale("+")),
        ("subtract {amount} from column? {column}", _scale("-")),
        ("round column? {column}", _round),
        ("round column? {column} to {digits} decimals?", _round),
        ("round column? {column} to? whole", _round),
        ("round column? {column} up", _ceil),
        ("round column? {column} down", _floor),
        ("roundup column? {column}", _ceil),
        ("rounddown column? {column}", _floor),
        ("uppercase column? {column}", _upper),
        ("lowercase column? {column}", _lower),
        ("convert values? column? {column} to? upper", _upper),
        ("convert values? column? {column} to? lowered", _lower),
        ("trim values? column? {column}", _trim),
        ("trim spaces in|from column? {column}", _trim),
        ("delete edge_spaces in|from column? {column}", _trim),
    ),
    ("set values? column? {column} {where} to|equals_only {value}", _set),
)
