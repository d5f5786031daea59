"""A question or a header as words, numbers, dates and signs, each with its place in the text."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from enum import StrEnum
from typing import Final

from tabchat.record import record


class TokenKind(StrEnum):
    """What a word looks like, before anything is known of the table."""

    WORD = "word"
    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    QUOTED = "quoted"
    SIGN = "sign"


@record
class Word:
    """One word, number or sign of a question."""

    text: str
    """As it was typed."""
    norm: str
    """Folded for comparison: case, ё, apostrophes, accents of width."""
    kind: TokenKind
    start: int
    end: int
    number: float | None = None
    """Value of a number, its magnitude suffix (`2.5k`) applied; an `int` where a float would not be exact."""
    date: dt.date | None = None
    ordinal: bool = False
    """True for a number in digits with the ending of an ordinal: `3rd`."""
    percent: bool = False
    """True when `%` follows the number."""
    glued: bool = False
    """True when nothing but a hyphen stands between this word and the one before."""
    capital: bool = False
    """True when it was typed with a capital letter that does not open a sentence."""
    spellings: tuple[str, ...] = ()
    """What it may have been meant to be, best first, where nothing knows the word."""


_ISO_DATE: Final = r"\d{4}-\d{1,2}-\d{1,2}(?!\d)"
_DOT_DATE: Final = r"\d{1,2}\.\d{1,2}\.\d{4}(?!\d)"
_SLASH_DATE: Final = r"\d{4}/\d{1,2}/\d{1,2}(?!\d)"
_NUMBER: Final = r"(?:\d{1,3}(?:\.\d{3})+(?=,\d+(?!\d*\.))|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?![\d])|\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:[.,]\d+)?"
_ENERGY: Final = r"(?:[кКмМгГ]?[вВ][тТ]|[kKmMgG]?[wW])[*·⋅](?:год|ч|h)(?!\w)"
"""A unit of two with a sign between them, which is one word: `кВт*ч`."""
_TIMES: Final = "*·⋅"
_POWER: Final = re.compile(rf"(?<![^\W_])(?:{_ENERGY}|[kMG]Wh?(?![^\W_])|[кМГ]Вт(?![^\W_]))")
"""Units that are no words in camel case."""
_SPLIT: Final = re.compile(
    rf"""
    (?P<time>(?<![\d:])\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?![\d:]))
    | (?P<date>{_ISO_DATE}|{_DOT_DATE}|{_SLASH_DATE})
    | (?P<dotted>[^\W_]*\d(?:\.\d+){{2,}}(?!\w))
    | (?P<quoted>"[^"]+"|«[^»]+»|“[^”]+”|‘[^’]+’|(?<!\w)'[^']+'(?!\w)|`[^`]+`)
    | [$€£₴₽]?(?P<number>{_NUMBER})(?P<scale>[kKmMкКмМ](?![^\W\d_]))?(?P<ordinal>st|nd|rd|th|-(?:[йяем]|ої|ій|[гмтш][аеоу]|тє|тя|ого|ому|ый|ий|ая|ое)(?!\w))?(?P<percent>\s?%)?(?!\w)
    | (?P<word>{_ENERGY}|[^\W_]+(?:['’ʼ`][^\W\d_]+)*|№)
    | (?P<sign><=|>=|!=|<>|==|[<>=%$€£₴₽,;:?!()+/*&\#|°–—-])
    """,
    re.VERBOSE,
)
_EXACT_DIGITS: Final = 15
"""Digits of which every whole number is exact as a float."""
_MOST_DIGITS: Final = 38
"""Digits of the longest whole number that a cell can hold."""
_SCALES: Final = {"k": 1000, "к": 1000, "m": 1_000_000, "м": 1_000_000}
# `pH` is one word.
_CAMEL: Final = re.compile(
    r"(?<=[^\W\d_A-ZА-ЯЁІЇЄҐ])(?!(?<=(?<![^\W_])p)H(?![^\W_]))(?=[A-ZА-ЯЁІЇЄҐ])|(?<=[A-ZА-Я])(?=[A-ZА-Я][a-zа-я])"
)
_PARTED: Final = re.compile(
    r"(?<![^\W_])(?:(кол|кіл|kol|kil)[ _-](во|сть|ть|vo|st)|([а-яіїєґ]{1,5})-(т?во|с?ть|то|ра|н|ня))(?![^\W_])",
    re.IGNORECASE,
)
"""An abbreviation of one word that keeps its last letters, in two parts: `кол-во`, `к-сть`, `т-ра`."""
_HEADER_WORD: Final = re.compile(r"[^\W_]+(?:['’ʼ][^\W\d_]+)*|%|#|№")
_NOTE: Final = re.compile(
    r"(?<=\S)\s*\[(?:[^\W\d_]|\d{1,2}|(?:note|nb|n|прим\.?|сноска)\s?\d{1,2})\]|\((?:s|es)\)", re.IGNORECASE
)
"""A footnote mark behind a word of a header, and the ending of a plural that it leaves open: `Nominee(s)[a]`."""
_INNER_APOSTROPHE: Final = r"(?<=[а-яіїєґ])'(?=[єїюя])"
_HYPHENS: Final = "-–—"
_OPENING: Final = " \t\n\"'«“‘(¿"
"""What may stand before the first word of a sentence."""
_NEAR: Final = 8
"""Characters before a word among which the end of a sentence is looked for."""
_SENTENCE_ENDS: Final = (*".?!:;", "")


def fold(text: str) -> str:
    """Return `text` as it is compared: NFKC, case folded, ё as е, one kind of apostrophe, single spaces.

    The apostrophe inside a Ukrainian word (`здоров'я`), which many leave out, is left out.
    """
    if text.isascii():
        # Most phrases of a lexicon: nothing in them has another form.
        return text.lower() if text.isalnum() else " ".join(text.lower().replace("`", "'").split())
    # NFKC makes letters of the sign, which would be one word with the number behind it.
    folded = unicodedata.normalize("NFKC", text.replace("№", "№ ")).casefold().replace("ё", "е")
    for mark in ("’", "ʼ", "`"):
        folded = folded.replace(mark, "'")
    return " ".join(without_apostrophe(folded).split())


def without_apostrophe(folded: str) -> str:
    """Leave out the apostrophes inside Ukrainian words of a case-folded text."""
    return re.sub(_INNER_APOSTROPHE, "", folded) if "'" in folded else folded


def header_words(name: str) -> tuple[str, ...]:
    """Split a header into folded words: `Unit_price`, `unitPrice` and `UNIT PRICE` give the same two."""
    name = _PARTED.sub(r"\1\2\3\4", name)
    plain = _POWER.sub(lambda unit: _as_one(unit[0]).casefold(), _NOTE.sub("", name).replace("US$", "USD"))
    return tuple(fold(word) for word in _HEADER_WORD.findall(_CAMEL.sub(" ", plain)))


def tokenize(text: str) -> tuple[Word, ...]:
    """Split a question into words; punctuation that means nothing (`?`, `.`) is left out."""
    words: list[Word] = []
    for match in _SPLIT.finditer(text):
        word = _word(match, text, words[-1] if words else None)
        if word is not None:
            words.append(word)
    return tuple(words)


def _word(match: re.Match[str], text: str, before: Word | None) -> Word | None:
    start, end = match.span()
    shown = match.group()
    glued = before is not None and text[before.end : start] in _HYPHENS and before.end < start
    if match["number"]:
        return _number(match, glued=glued, negative=_is_minus(text, start))
    norm, kind, date = shown, TokenKind.SIGN, None
    if match["date"]:
        date = _date(shown)
        kind = TokenKind.DATE if date else TokenKind.WORD
    elif match["time"]:
        kind = TokenKind.TIME
    elif match["quoted"]:
        shown = shown[1:-1]
        norm, kind = fold(shown), TokenKind.QUOTED
    elif match["word"] or match["dotted"]:
        norm, kind = fold(_as_one(shown)), TokenKind.WORD
    elif shown in "?!:;" or (shown in _HYPHENS and _joins(text, start, end)):
        return None
    opens = text[max(0, start - _NEAR) : start].rstrip(_OPENING)[-1:] in _SENTENCE_ENDS
    return Word(
        text=shown,
        norm=norm,
        kind=kind,
        start=start,
        end=end,
        date=date,
        glued=glued and kind in {TokenKind.WORD, TokenKind.DATE},
        capital=kind is TokenKind.WORD and shown[0].isupper() and not opens,
    )


def _as_one(word: str) -> str:
    """Return a word without the sign between two units."""
    return "".join(letter for letter in word if letter not in _TIMES)


def _joins(text: str, start: int, end: int) -> bool:
    """Tell whether a hyphen only ties two words together, or is the sign of a number."""
    before, after = text[start - 1 : start], text[end : end + 1]
    ties = before.isalnum() and after.isalnum() and not (before.isdigit() and after.isdigit())
    return ties or (after.isdigit() and not before.isalnum())


def _is_minus(text: str, start: int) -> bool:
    sign, before = text[start - 1 : start], text[start - 2 : start - 1] if start > 1 else ""
    return sign in {"-", "−"} and not before.isalnum()


def _number(match: re.Match[str], *, glued: bool, negative: bool) -> Word:
    digits = match["number"]
    value = parse_number(digits) * _SCALES.get((match["scale"] or "").casefold(), 1)
    return Word(
        text=match.group().strip(),
        norm=digits,
        kind=TokenKind.NUMBER,
        start=match.start(),
        end=match.end(),
        number=-value if negative else value,
        ordinal=match["ordinal"] is not None,
        percent=match["percent"] is not None,
        glued=glued and not negative,
    )


def parse_number(text: str) -> float:
    """Read a plain number in either convention: `1,234.5`, `1 234,5`, `1.234,5`, `2,5`; a long whole one is an `int`."""
    compact = re.sub(r"[ \u00a0\u202f]|\.(?=[\d.]*,)", "", text)
    thousands = re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", compact)
    written = compact.replace(",", "" if thousands else ".")
    # A float would make another number of `9007199254740993`, which names a row where it is an id.
    long = written.isdecimal() and _EXACT_DIGITS < len(written) <= _MOST_DIGITS
    return int(written) if long else float(written)


def _date(text: str) -> dt.date | None:
    parts = [int(part) for part in re.split(r"[-./]", text)]
    year, month, day = parts if parts[0] > 31 else parts[::-1]  # noqa: PLR2004 - no day has more than two digits
    try:
        return dt.date(year, month, day)
    except ValueError:
        return None
