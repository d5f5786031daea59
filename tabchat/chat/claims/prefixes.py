"""What stands before the digits of a figure and belongs to it: sign and currency."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.chat.claims.tokens import Tokens

SYMBOLS: Final = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "₴": "UAH",
    "₽": "RUB",
    "¥": "JPY",
    "₹": "INR",
    "₺": "TRY",
}
_MINUS: Final = frozenset("-−–‑")
_SIGNS: Final = _MINUS | {"+"}


@record
class Prefix:
    """Sign and currency before the digits."""

    first: int
    negative: bool = False
    currency: str | None = None


def read_prefix(tokens: Tokens, at: int) -> Prefix:
    """Return what stands before the digits `at`; a sign must not join two figures or words."""
    first = at
    negative = False
    currency: str | None = None
    for _ in range(2):
        code, start = _currency_before(tokens, first) if currency is None else (None, first)
        if code:
            currency, first = code, start
        sign = tokens.text(first - 1)
        if sign in _SIGNS and _is_sign(tokens, first - 1):
            negative, first = sign in _MINUS, first - 1
    return Prefix(first=first, negative=negative, currency=currency)


def _currency_before(tokens: Tokens, at: int) -> tuple[str | None, int]:
    symbol = at - 2 if tokens.kind(at - 1) == "gap" else at - 1
    code = SYMBOLS.get(tokens.text(symbol))
    if code:
        letters = symbol - 1 if tokens.text(symbol - 1) in {"us", "a", "c"} else symbol
        return code, letters
    glued = symbol == at - 1
    if tokens.kind(symbol) == "word" and (glued or tokens.written(symbol).isupper()):
        hit = vocabulary()["currencies"].ending(tokens, symbol)
        if hit:
            return hit.value, hit.first
    return None, at


def _is_sign(tokens: Tokens, at: int) -> bool:
    before = tokens.kind(at - 1)
    if before in {"word", "digits", "hole"} or tokens.text(at - 1) in {")", "]", "%", "-", "–"}:
        return False
    # In `10 - 20` and `5 −3` the sign stands between two figures: there it is a dash only when spaced.
    return tokens.kind(at + 1) != "gap"
