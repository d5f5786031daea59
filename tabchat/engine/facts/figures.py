"""Columns whose cells are figures with notes (`116.8 m (383 ft)`, `1,234[b]`, `$2.8bn`), read as the numbers they are.

A column is read so only when each of its texts is one figure in the same unit and the same currency, or a word
for one that is not known. A range, a bound (`<0.5`), an ordinal or a second figure in brackets leave it a text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.nouns import folded
from tabchat.engine.facts.records import Figures
from tabchat.engine.reader.text.numbers import PHONE
from tabchat.engine.reader.text.vocabulary import CURRENCIES, DIGIT_SPACES, NOTE_MARKS, NULL_WORDS
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

_LAST_OF_MARKS: Final = frozenset("]*†‡§")
_FEWEST: Final = 3
"""Different figures that are no accident."""
_UNKNOWN: Final = NULL_WORDS | frozenset(
    "tba tbd tbc nd n.d. n/k dnf dns dsq dq wd lod <lod <loq bdl pending tr trace withheld".split()  # noqa: SIM905 - reads as the list it is
)
"""Cells for a figure that is not known."""
_AMOUNTS: Final = frozenset(
    "free none nil zero no half dozen безкоштовно безплатно бесплатно нуль ноль немає нет".split()  # noqa: SIM905 - reads as the list it is
)
"""Words that may be a figure."""
_MANY: Final = 10
"""Different figures beside which one word is a remark."""
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})
_MONEY: Final = "|".join(re.escape(sign) for sign in sorted(CURRENCIES, key=len, reverse=True))
_SCALE: Final = "trillion|billion|million|thousand|bn|mln|mn|трлн|млрд|млн|тис|тыс"
_ABOUT_WORDS: Final = "c|ca|circa|approx|est|about|around|бл|около|близько"
_ABOUT: Final = rf"(?:~|≈|(?:{_ABOUT_WORDS})\.?\s)\s*"
_NUMBERS: Final = {
    ".": rf"(?:[1-9]\d{{0,2}}(?:[,'’{DIGIT_SPACES}]\d{{3}})+|0|[1-9]\d*)(?:\.\d+)?",
    ",": rf"(?:[1-9]\d{{0,2}}(?:[.'’{DIGIT_SPACES}]\d{{3}})+|0|[1-9]\d*)(?:,\d+)?",
}
_UNIT: Final = (
    r"/\s?\d{1,3}|[°º]\s?[^\W\d_]?|[%‰″'\"]|[^\W\d_]+\d?(?:[/·][^\W\d_]+\d?)?(?:\s(?!per\b)[^\W\d_]{1,6}\d?)?"
)
_NOTES: Final = r"(?:\s*(?:\[[^\[\]]*\]|\((?P<more>[^()]*)\)|[*†‡§#^]+|±\s?[\d.,]+))*"
_FRACTION: Final = re.compile("[¼-¾⅐-⅞]")
_FACTORS: Final = {
    "trillion": 1e12, "трлн": 1e12, "billion": 1e9, "bn": 1e9, "b": 1e9, "млрд": 1e9,
    "million": 1e6, "mln": 1e6, "mn": 1e6, "m": 1e6, "млн": 1e6, "thousand": 1e3, "тис": 1e3, "тыс": 1e3, "k": 1e3,
}  # fmt: skip
_DIGIT: Final = re.compile("[0-9]")
_WORD: Final = re.compile(r"[^\W\d_]+")
_LEADS: Final = frozenset(_WORD.findall(f"{_ABOUT_WORDS} {' '.join(CURRENCIES)}".lower()))
"""Words before a figure."""
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*((?:\[[^\[\]]*\])*)\s*$")
"""What a header says in brackets at its end."""


@record
class _Cell:
    value: float
    unit: str
    money: str | None
    scaled: bool
    whole: bool
    doubled: bool


def figures_of(texts: Sequence[str], header: str) -> Figures | None:
    """Return how the texts of a column are read, when all of them are figures of one kind."""
    written = [text.strip() for text in texts if text.strip().casefold() not in _UNKNOWN]
    if any(map(PHONE.fullmatch, written)):
        return None
    for decimal in (".", ","):
        cells, others = _read(written, decimal)
        if _are_remarks(others, len(cells)) and _alike(cells, header):
            return _summed_up(cells, decimal)
    return None


def is_marked(text: str) -> bool:
    """Tell whether a text ends with the mark of a footnote."""
    return text[-1:] in _LAST_OF_MARKS and re.search(NOTE_MARKS, text) is not None


def _read(texts: Sequence[str], decimal: str) -> tuple[list[_Cell], list[str]]:
    """Return the figures and the other texts, as far as the second of those: no column of figures holds two."""
    cells: list[_Cell] = []
    others: list[str] = []
    for text in texts:
        cell = _cell(text, decimal)
        if cell is not None:
            cells.append(cell)
        else:
            others.append(text)
            if len(others) > 1:
                break
    return cells, others


def _are_remarks(texts: Sequence[str], figures: int) -> bool:
    """Tell whether the cells that are no figures are a rare word for one that is not there: `void`, `classified`."""
    if not texts:
        return True
    return len(texts) == 1 and figures >= _MANY and texts[0].isalpha() and texts[0].casefold() not in _AMOUNTS


def _alike(cells: Sequence[_Cell], header: str) -> bool:
    """Tell whether figures are of one kind: their units and currencies are the same."""
    if len({cell.value for cell in cells}) < _FEWEST or len({cell.money for cell in cells}) > 1:
        return False
    if any(cell.doubled for cell in cells) and _IN_BRACKETS.search(header) is None:
        return False
    first = cells[0].unit
    return all(_same_unit(first, cell.unit) for cell in cells)


def _same_unit(one: str, other: str) -> bool:
    """Tell whether two units are one, in any number: `episode`, `episodes`; `година`, `годин`."""
    if one == other or one.rstrip("s") == other.rstrip("s"):
        return True
    return min(len(one), len(other)) > _FEWEST and one[:4] == other[:4]


def _summed_up(cells: Sequence[_Cell], decimal: str) -> Figures:
    values = {cell.value for cell in cells}
    return Figures(
        decimal=decimal,
        scaled=any(cell.scaled for cell in cells),
        whole=all(cell.whole for cell in cells),
        unit=cells[0].money or cells[0].unit or None,
        low=min(values),
        high=max(values),
        distinct=len(values),
        doubled=any(cell.doubled for cell in cells),
    )


@lru_cache
def _pattern(decimal: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?:{_ABOUT})?(?P<minus>[-−])?\+?\s?(?P<money>{_MONEY})?\s?(?P<number>{_NUMBERS[decimal]})"
        rf"(?:\s?(?P<letter>[kmb])(?![^\W\d_])|\s*(?P<scale>{_SCALE})(?![^\W\d_])\.?)?"
        rf"(?:\s?(?P<unit>{_UNIT})\.?)?{_NOTES}",
        re.IGNORECASE,
    )


def _begins_as_figure(text: str) -> bool:
    """Tell whether a text may be a figure by what stands before its first digit: the pattern takes long to compile."""
    digit = _DIGIT.search(text)
    # Only of words in ASCII it is certain what letters they are equal to.
    return digit is not None and all(
        word.lower() in _LEADS or not word.isascii() for word in _WORD.findall(text[: digit.start()])
    )


def _cell(text: str, decimal: str) -> _Cell | None:
    if not _begins_as_figure(text):
        return None
    match = _pattern(decimal).fullmatch(text.strip())
    if match is None or _FRACTION.search(text):
        return None
    unit, letter = folded(match["unit"] or ""), match["letter"]
    if unit in _ORDINALS:
        return None
    money = match["money"] or (match["unit"] if match["unit"] in CURRENCIES else None)
    if letter is not None and match["money"] is None:
        if not text[match.start("letter") - 1].isspace():
            # `45k` and `3m` may be thousands and millions, or units.
            return None
        unit, letter = f"{folded(letter)}{' ' if unit else ''}{unit}", None
    factor = _FACTORS[folded(letter or match["scale"])] if letter or match["scale"] else 1.0
    digits = re.sub(rf"['’{DIGIT_SPACES}{',' if decimal == '.' else '.'}]", "", match["number"])
    value = float(digits.replace(",", ".")) * factor * (-1 if match["minus"] else 1)
    more = (match["more"] or "").strip()
    return _Cell(
        value=value,
        unit="" if money is not None else unit,
        money=CURRENCIES.get(money, money) if money is not None else None,
        scaled=factor != 1,
        whole=value.is_integer() and digits.isdigit(),
        doubled=bool(more) and re.fullmatch(r"[+−-]?[\d.,\s%]+", more) is not None,
    )
