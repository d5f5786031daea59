"""From a text to its claims."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tabchat.chat.claims.context import in_context
from tabchat.chat.claims.dates import read_date, read_time
from tabchat.chat.claims.found import Found, FoundDate, FoundNumber
from tabchat.chat.claims.identifiers import ends_name, identifier_end, is_list_number, name_end
from tabchat.chat.claims.masking import hide
from tabchat.chat.claims.numbers import read_number
from tabchat.chat.claims.pairs import paired
from tabchat.chat.claims.records import NumberKind, WrittenClaim, WrittenDate, WrittenNumber
from tabchat.chat.claims.sentences import lay_out
from tabchat.chat.claims.tokens import tokenize
from tabchat.chat.claims.worded import read_worded
from tabchat.chat.claims.worded_dates import read_date_with_day_first, read_date_with_word_first

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from tabchat.chat.claims.sentences import Layout
    from tabchat.chat.claims.tokens import Tokens

_Key: TypeAlias = tuple[object, ...]


def extract_claims(text: str, *, question: str = "", names: Collection[str] = ()) -> tuple[WrittenClaim, ...]:
    """Return the figures and dates that `text` asserts, in order, none overlapping another.

    `question` is what the person asked: figures quoted from it are told apart.
    `names` are column names: digits within them are no figures.
    """
    tokens = tokenize(hide(text, names))
    found, whole = paired(tokens, [_described(tokens, item) for item in _read(tokens)])
    if not found:
        return ()
    layout = lay_out(tokens, found, whole)
    asked = _asked(question, names) if question else frozenset()
    return tuple(_written(text, item, layout, asked) for item in found)


def _read(tokens: Tokens) -> Iterator[Found]:
    """Yield what the tokens assert, from left to right; each token is taken once."""
    decimal_comma = _writes_cyrillic(tokens)
    counted = at = 0
    while at < len(tokens):
        kind = tokens.kind(at)
        item: Found | None = None
        passed: int | None = None
        if kind == "digits" and is_list_number(tokens, at, counted):
            counted, passed = int(tokens.text(at)), at
        elif kind == "digits":
            item, passed = _read_digits(tokens, at, decimal_comma=decimal_comma)
        elif kind == "word":
            item = read_date_with_word_first(tokens, at) or read_worded(tokens, at)
        if item and not _tells_format(item):
            yield item
        at = max(at, item.last if item else at, passed or at) + 1


def _read_digits(tokens: Tokens, at: int, *, decimal_comma: bool) -> tuple[Found | None, int | None]:
    """Return the claim that begins with the digits `at`, or the last token of what is no claim."""
    if ends_name(tokens, at):
        return None, name_end(tokens, at)
    item: Found | None = read_date(tokens, at) or read_date_with_day_first(tokens, at)
    if item is not None:
        return item, None
    name = identifier_end(tokens, at)
    if name is not None:
        return None, name
    item = read_time(tokens, at) or read_number(tokens, at, decimal_comma=decimal_comma)
    return item, None if item else name_end(tokens, at)


def _tells_format(item: Found) -> bool:
    """Tell whether the figure is about the writing of figures: `rounded to 2 decimal places`."""
    return isinstance(item, FoundNumber) and item.unit == "format"


def _writes_cyrillic(tokens: Tokens) -> bool:
    """Tell whether most words are Ukrainian or Russian: they begin decimals with a comma."""
    words = [word for word, kind in zip(tokens.words, tokens.kinds, strict=True) if kind == "word"]
    return sum(word[0] > "\u0400" for word in words) * 2 > len(words)


def _described(tokens: Tokens, item: Found) -> Found:
    return in_context(tokens, item) if isinstance(item, FoundNumber) else item


def _asked(question: str, names: Collection[str]) -> frozenset[_Key]:
    claims = extract_claims(question, names=names)
    return frozenset(key for claim in claims for key in _keys(claim))


def _keys(claim: WrittenClaim) -> tuple[_Key, ...]:
    """Return what must be the same for a figure to be quoted: value, and whether it is a percentage."""
    if isinstance(claim, WrittenDate):
        return tuple((*period, claim.has_year) for period in claim.readings)
    shares = claim.kind in {NumberKind.PERCENT, NumberKind.POINTS, NumberKind.RATIO, NumberKind.TIME}
    return tuple((value, claim.kind if shares else None) for value, _ in claim.readings)


def _written(text: str, item: Found, layout: Layout, asked: frozenset[_Key]) -> WrittenClaim:
    claim = _number(text, item, layout) if isinstance(item, FoundNumber) else _date(text, item, layout)
    quoted = any(key in asked for key in _keys(claim)[:1])
    return replace(claim, from_question=True) if quoted else claim


def _number(text: str, item: FoundNumber, layout: Layout) -> WrittenNumber:
    start, end = item.span
    value, tolerance = item.readings[0]
    return WrittenNumber(
        text=text[start:end],
        start=start,
        end=end,
        value=value,
        tolerance=tolerance,
        readings=item.readings,
        kind=item.kind,
        unit=item.unit,
        direction=item.direction,
        bound=item.bound,
        is_approximate=item.is_approximate,
        is_range_end=item.is_range_end,
        sentence=layout.sentence_at(start),
        clause=layout.clause_at(start),
    )


def _date(text: str, item: FoundDate, layout: Layout) -> WrittenDate:
    start, end = item.span
    first, last = item.readings[0]
    return WrittenDate(
        text=text[start:end],
        start=start,
        end=end,
        first=first,
        last=last,
        readings=item.readings,
        at=item.at,
        has_year=item.has_year,
        sentence=layout.sentence_at(start),
        clause=layout.clause_at(start),
    )
