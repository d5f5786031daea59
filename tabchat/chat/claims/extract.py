"""From a text to its claims."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tabchat.chat.claims.found import Found, FoundNumber
from tabchat.chat.claims.masking import hide
from tabchat.chat.claims.pairs import paired
from tabchat.chat.claims.reading import read_all
from tabchat.chat.claims.records import NumberKind, WrittenClaim, WrittenDate, WrittenNumber
from tabchat.chat.claims.sentences import lay_out
from tabchat.chat.claims.tables import find_tables
from tabchat.chat.claims.tokens import tokenize

if TYPE_CHECKING:
    from collections.abc import Collection

    from tabchat.chat.claims.found import FoundDate
    from tabchat.chat.claims.sentences import Layout
    from tabchat.chat.claims.tables import Tables

_Key: TypeAlias = tuple[object, ...]


def extract_claims(text: str, *, question: str = "", names: Collection[str] = ()) -> tuple[WrittenClaim, ...]:
    """Return the figures and dates that `text` asserts, in order, none overlapping another.

    `question` is what the person asked: figures quoted from it are told apart.
    `names` are column names: digits within them are no figures.
    """
    tokens = tokenize(hide(text, names))
    tables = find_tables(tokens.source)
    found, whole = paired(tokens, tuple(read_all(tokens, tables)))
    if not found:
        return ()
    layout = lay_out(tokens, found, whole)
    asked = _asked(question, names)
    return tuple(_quoted(_written(text, item, layout, tables), asked) for item in found)


def _asked(question: str, names: Collection[str]) -> frozenset[_Key]:
    claims = extract_claims(question, names=names) if question else ()
    return frozenset(key for claim in claims for key in _keys(claim))


def _quoted(claim: WrittenClaim, asked: frozenset[_Key]) -> WrittenClaim:
    return replace(claim, from_question=True) if _keys(claim)[0] in asked else claim


def _keys(claim: WrittenClaim) -> tuple[_Key, ...]:
    """Return what must be the same for a figure to be quoted: its value, and whether it is a share."""
    if isinstance(claim, WrittenDate):
        return tuple((*period, claim.has_year) for period in claim.readings)
    shares = claim.kind in {NumberKind.PERCENT, NumberKind.POINTS, NumberKind.RATIO, NumberKind.TIME}
    return tuple((value, claim.kind if shares else None) for value, _ in claim.readings)


def _written(text: str, item: Found, layout: Layout, tables: Tables) -> WrittenClaim:
    if isinstance(item, FoundNumber):
        return _number(text, item, layout, tables)
    return _date(text, item, layout, tables)


def _number(text: str, item: FoundNumber, layout: Layout, tables: Tables) -> WrittenNumber:
    start, end = item.span
    value, tolerance = item.readings[0]
    heading = tables.heading_at(start)
    if item.kind is NumberKind.NUMBER and item.unit is None and "%" in (heading or ""):
        item = replace(item, kind=NumberKind.PERCENT, unit="%")
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
        heading=heading,
    )


def _date(text: str, item: FoundDate, layout: Layout, tables: Tables) -> WrittenDate:
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
        heading=tables.heading_at(start),
    )
