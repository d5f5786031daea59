"""What follows the digits of a figure and belongs to it: scale word, percent sign, currency, unit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.prefixes import SYMBOLS
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.chat.claims.tokens import Tokens
    from tabchat.chat.claims.vocabulary import Hit

_PERCENT: Final = frozenset("%٪％")
_PER_MILLE: Final = "‰"
_TIMES: Final = frozenset({"x", "х", "×"})
_GLUED_SCALES: Final = frozenset({"m", "b", "t", "k", "mm"})
_LETTERS: Final = 2
_SPACED_UNITS: Final = frozenset(
    {"kg", "km", "ms", "cm", "mm", "kw", "mw", "gw", "kb", "mb", "gb", "tb", "ft", "hr", "mi"}
)
_BASIS_SHIFT: Final = -2
_POINT_WORDS: Final = frozenset({"points", "point", "pp"})


@record
class Suffix:
    """Scale word, percent sign, currency or unit after the digits."""

    last: int
    """Last token that belongs to the figure's text."""
    unit_last: int
    """Last token of a counted or measured noun; the same as `last` when there is none."""
    scale: int = 0
    """Power of ten of the scale word."""
    scale_unsure: bool = False
    """The scale letter may also be a unit: `5m`."""
    shift: int = 0
    """Power of ten that the unit brings in: basis points are hundredths of points."""
    kind: NumberKind = NumberKind.NUMBER
    unit: str | None = None


def read_suffix(tokens: Tokens, first: int, last: int, *, money: str | None, whole: bool) -> Suffix:
    """Return what follows the figure of the tokens `first` to `last`; `whole` when it has no decimals."""
    last = _past_case_ending(tokens, last)
    scale, last, unsure = _scale_after(tokens, last, money=money is not None)
    plain = Suffix(last=last, unit_last=last, scale=scale, scale_unsure=unsure)
    if money is not None:
        return _with(plain, last=_code_after(tokens, last, money), kind=NumberKind.MONEY, unit=money)
    return (
        _percent_after(tokens, plain)
        or _currency_after(tokens, plain)
        or (None if scale else _ordinal_after(tokens, plain, whole=whole))
        or _unit_after(tokens, first, plain, whole=whole)
        or plain
    )


def _past_case_ending(tokens: Tokens, last: int) -> int:
    """Return the last token of a cardinal with the ending of its case: `3-х`, `5-ти`."""
    if tokens.text(last + 1) not in {"-", "‑"} or tokens.kind(last + 2) != "word":
        return last
    return last + 2 if vocabulary()["cardinal_hints.endings"].holds(tokens.text(last + 2)) else last


def _with(
    suffix: Suffix,
    *,
    last: int,
    kind: NumberKind,
    unit: str | None,
    shift: int = 0,
    unit_last: int | None = None,
) -> Suffix:
    return Suffix(
        last=last,
        unit_last=last if unit_last is None else unit_last,
        scale=suffix.scale,
        scale_unsure=False,
        shift=shift,
        kind=kind,
        unit=unit,
    )


def _scale_after(tokens: Tokens, last: int, *, money: bool) -> tuple[int, int, bool]:
    """Return the power of ten of the scale word after `last`, its last token, and whether it is unsure."""
    hit = vocabulary()["scales"].starting(tokens, _word_after(tokens, last))
    if hit is None:
        return 0, last, False
    word = tokens.text(hit.first)
    glued = hit.first == last + 1
    squared = len(tokens.written(hit.first)) > len(word)
    if word in _GLUED_SCALES and (squared or not (glued or money)):
        return 0, last, False
    if word in {"t", "mm", "b"} and not money and tokens.written(hit.first).islower():
        return 0, last, False
    unsure = word == "m" and tokens.written(hit.first).islower() and not money
    return int(hit.value), hit.last, unsure


def _word_after(tokens: Tokens, last: int) -> int | None:
    """Return the word after a figure: glued, spaced, hyphenated, or after the dot of an abbreviation."""
    found = tokens.after(last, over="-‑\\")
    if tokens.kind(found) != "word" and tokens.kind(last) == "word" and tokens.text(last + 1) == ".":
        found = tokens.after(last + 1)
    return found if tokens.kind(found) == "word" else None


def _code_after(tokens: Tokens, last: int, money: str) -> int:
    """Take in a currency that is named twice: `$5 million USD`."""
    hit = vocabulary()["currencies"].starting(tokens, _word_after(tokens, last))
    return hit.last if hit and hit.value == money else last


def _percent_after(tokens: Tokens, plain: Suffix) -> Suffix | None:
    sign = tokens.after(plain.last, over="\\")
    if tokens.text(sign) in _PERCENT:
        word = _word_after(tokens, sign)
        if word is not None and tokens.text(word) in _POINT_WORDS:
            return _with(plain, last=word, kind=NumberKind.POINTS, unit="pp")
        return _with(plain, last=_reach(tokens, plain.last, sign), kind=NumberKind.PERCENT, unit="%")
    if tokens.text(sign) == _PER_MILLE:
        return _with(plain, last=sign, kind=NumberKind.PERCENT, unit="%", shift=-1)
    hit = vocabulary()["percent"].starting(tokens, _word_after(tokens, plain.last))
    if hit is None:
        return None
    last = _with_dot(tokens, hit)
    if hit.value == "percent":
        return _with(plain, last=last, kind=NumberKind.PERCENT, unit="%")
    shift = _BASIS_SHIFT if hit.value == "basis" else 0
    return _with(plain, last=last, kind=NumberKind.POINTS, unit="pp", shift=shift)


def _reach(tokens: Tokens, last: int, sign: int) -> int:
    """Keep the figure's text inside its emphasis: `**12**%` is `12` with a percent sign after it."""
    inside = all(tokens.kind(between) != "markup" for between in range(last + 1, sign))
    return sign if inside else last


def _with_dot(tokens: Tokens, hit: Hit) -> int:
    """Take in the last dot of `п.п.`."""
    dotted = hit.last > hit.first and tokens.text(hit.first + 1) == "."
    return hit.last + 1 if dotted and tokens.text(hit.last + 1) == "." else hit.last


def _currency_after(tokens: Tokens, plain: Suffix) -> Suffix | None:
    sign = tokens.after(plain.last, over="." if plain.scale else "")
    code = SYMBOLS.get(tokens.text(sign))
    if code and tokens.kind(sign + 1) != "digits":
        return _with(plain, last=_reach(tokens, plain.last, sign), kind=NumberKind.MONEY, unit=code)
    hit = vocabulary()["currencies"].starting(tokens, _word_after(tokens, plain.last))
    if hit:
        return _with(plain, last=hit.last, kind=NumberKind.MONEY, unit=hit.value)
    return None


def _ordinal_after(tokens: Tokens, plain: Suffix, *, whole: bool) -> Suffix | None:
    if not whole:
        return None
    hyphen = tokens.text(plain.last + 1) in {"-", "‑"}
    at = plain.last + 2 if hyphen else plain.last + 1
    if tokens.kind(at) != "word" or not vocabulary()["ordinal_hints.suffixes"].holds(tokens.text(at)):
        return None
    if not hyphen and not tokens.text(at).isascii() and len(tokens.text(at)) == 1:
        return None
    return _with(plain, last=at, kind=NumberKind.ORDINAL, unit=None)


def _unit_after(tokens: Tokens, first: int, plain: Suffix, *, whole: bool) -> Suffix | None:
    if tokens.text(plain.last + 1) in _TIMES and tokens.kind(plain.last + 2) != "digits":
        return _with(plain, last=plain.last + 1, kind=NumberKind.RATIO, unit=None)
    if tokens.text(tokens.after(plain.last)) == "°":
        sign = tokens.after(plain.last)
        return _with(plain, last=plain.last, kind=NumberKind.NUMBER, unit="degree", unit_last=sign)
    word = _word_after(tokens, plain.last)
    fold = vocabulary()["ratio_hints.fold"].starting(tokens, word)
    if fold:
        return _with(plain, last=fold.last, kind=NumberKind.RATIO, unit=None)
    counted = vocabulary()["counts"].starting(tokens, word) if whole else None
    if counted:
        return _with(
            plain, last=plain.last, kind=NumberKind.COUNT, unit=counted.value, unit_last=counted.last
        )
    return _measure_after(tokens, first, plain, word)


def _measure_after(tokens: Tokens, first: int, plain: Suffix, word: int | None) -> Suffix | None:
    hit = vocabulary()["units"].starting(tokens, word)
    if hit is None or word is None:
        return None
    text = tokens.text(hit.first)
    loose = word > plain.last + 1
    if loose and (text == "с" or (len(text) <= _LETTERS and text.isascii() and text not in _SPACED_UNITS)):
        return None
    if len(text) == 1 and text.isascii() and tokens.written(hit.first).isupper() and text != "w":
        return None  # `3D` and `5G` are names
    if hit.value == "time" and _is_multiple(tokens, first, hit):
        return _with(plain, last=hit.last, kind=NumberKind.RATIO, unit=None)
    return _with(plain, last=plain.last, kind=NumberKind.NUMBER, unit=hit.value, unit_last=hit.last)


def _is_multiple(tokens: Tokens, first: int, times: Hit) -> bool:
    """Tell `3 times as many`, `у 3 рази` from `3 times`."""
    words = vocabulary()
    before = tokens.last_word(first)
    if before is not None and words["ratio_hints.in_times"].holds(tokens.text(before)):
        return True
    after = tokens.next_word(times.last)
    if after is not None and words["ratio_hints.as_much"].holds(tokens.text(after)):
        return True
    return after is not None and (
        words["around.up_after"].holds(tokens.text(after))
        or words["around.down_after"].holds(tokens.text(after))
    )
