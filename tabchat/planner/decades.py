"""Ten years said as one: `the 1990s`, `90s`, `1990-х`, and decades as groups."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.nodes import Period
from tabchat.planner.senses import Sense, SenseKind
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.nodes import Match
    from tabchat.planner.tokens import Token

FAMILY: Final = "decade."
"""Concepts of single decades; behind the point stands the first year."""
_CENTURY: Final = 1900
"""The century of a decade that is said in two digits, as far as that is beyond doubt."""
_SURE: Final = range(30, 100, 10)


def decade_at(tokens: Sequence[Token], start: int, lexicons: Sequence[Lexicon]) -> tuple[int, Sense] | None:
    """Return (tokens, sense) of a decade that begins at a token."""
    endings = frozenset().union(*(lexicon.decades for lexicon in lexicons))
    token = tokens[start]
    digits = "".join(sign for sign in token.norm if sign.isdigit())
    length = 1
    if token.kind is TokenKind.NUMBER and token.text == digits:
        after = tokens[start + 1] if start + 1 < len(tokens) else None
        if after is None or not after.glued or after.norm not in endings:
            return None
        length = 2
    elif token.kind is not TokenKind.WORD or token.norm.removeprefix(digits) not in endings:
        return None
    year = _first_year(digits)
    if year is None:
        return None
    return length, Sense(kind=SenseKind.CONCEPT, concepts=frozenset({f"{FAMILY}{year}"}))


def _first_year(digits: str) -> int | None:
    if len(digits) == 4 and digits.endswith("0"):  # noqa: PLR2004 - a year has four digits
        return int(digits)
    return _CENTURY + int(digits) if len(digits) == 2 and int(digits) in _SURE else None  # noqa: PLR2004


def decade_of(match: Match) -> Period | None:
    """Return the ten years of a node."""
    sense = match["part"].sense
    year = sense.family(FAMILY) if sense is not None else None
    if year is None:
        return None
    first = int(year)
    return Period(
        text=f"{first}–{first + 9}",
        start=dt.date(first, 1, 1),
        end=dt.date(first + 9, 12, 31),
        level="decade",
    )


def decade_formula(column: ColumnFacts) -> str:
    """Write the first year of the decade that a cell of a column of dates or years lies in."""
    name = write.name(column.name)
    year = write.call("year", name) if column.kind.is_temporal else name
    return write.call("floor", write.call("bucket", year, "10"))
