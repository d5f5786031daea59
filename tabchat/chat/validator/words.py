"""Words of a text with their places, and whether two words can be forms of one."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD: Final = re.compile(r"[^\W_]+(?:['’ʼ`´][^\W\d_]+)*")
_APOSTROPHES: Final = str.maketrans("’ʼ`´ё", "''''е")
_LATIN_ENDINGS: Final = ("'s", "s", "es", "ies", "y")
_SLAVIC_ENDINGS: Final = tuple(
    sorted(
        (
            *(
                [
                    "а",
                    "у",
                    "ы",
                    "и",
                    "е",
                    "о",
                    "ю",
                    "я",
                    "й",
                    "ь",
                    "і",
                    "ї",
                    "є",
                    "ам",
                    "ям",
                    "ах",
                    "ях",
                    "ами",
                    "ями",
                    "ом",
                    "ем",
                    "ой",
                    "ей",
                    "ою",
                    "ею",
                    "ов",
                    "ев",
                    "ів",
                    "їв",
                    "ий",
                    "ый",
                    "ій",
                    "ого",
                    "его",
                ]
            ),
            *(
                [
                    "ому",
                    "ему",
                    "ым",
                    "им",
                    "ых",
                    "их",
                    "ыми",
                    "ими",
                    "ім",
                    "їм",
                    "ая",
                    "яя",
                    "ую",
                    "юю",
                    "ое",
                    "ее",
                    "ые",
                    "ие",
                    "ия",
                    "ии",
                    "ию",
                    "ие",
                    "ией",
                    "иям",
                    "иях",
                    "иями",
                    "ії",
                    "ію",
                ]
            ),
            *(
                [
                    "ові",
                    "еві",
                    "єві",
                    "ої",
                    "ій",
                    "єю",
                    "ьої",
                    "ьому",
                    "ім",
                    "іми",
                    "їх",
                    "ям",
                    "ем",
                    "єм",
                    "ьою",
                    "ью",
                    "ею",
                    "ови",
                    "еви'",
                ]
            ),
        ),
        key=len,
        reverse=True,
    )
)
_ALTERNATIONS: Final = (
    ("ів", "ов"), ("ів", "ев"), ("їв", "єв"), ("їв", "оєв"), ("ок", "к"), ("ек", "к"), ("ець", "ц"), ("ец", "ц"),
    ("ень", "н"), ("ел", "л"), ("ол", "л"), ("іл", "ол"), ("ір", "ор"), ("ід", "од"), ("іг", "ог"), ("іст", "ост"),
    ("к", "ц"), ("г", "з"), ("х", "с"), ("іт", "от"), ("ін", "он"), ("із", "оз"), ("ьк", "ьц"),
)  # fmt: skip
_MIN_STEM: Final = 3


@record
class Word:
    """One word of a text, folded: lower case, plain apostrophes."""

    text: str
    start: int
    end: int


def word_from(words: Sequence[Word], place: int) -> int:
    """Return the index of the first word that begins at `place` or behind it; their number when none does."""
    return bisect_left(words, place, key=_start)


def _start(word: Word) -> int:
    return word.start


def words_of(text: str, offset: int = 0) -> list[Word]:
    """Split `text` into words; places count from `offset`."""
    return [
        Word(text=fold(match.group()), start=match.start() + offset, end=match.end() + offset)
        for match in _WORD.finditer(text)
    ]


def fold(text: str) -> str:
    """Return `text` in lower case with plain apostrophes."""
    return text.casefold().translate(_APOSTROPHES)


def alike(said: str, name: str) -> bool:
    """Tell whether the folded word `said` can be a form of the folded word `name`."""
    if said == name:
        return True
    if len(said) < _MIN_STEM or said[0] != name[:1] or said[:2] != name[:2]:
        return False
    if said.isascii() or name.isascii():
        return bool(_latin_stems(said) & _latin_stems(name))
    return bool(_stems(said) & _stems(name))


@lru_cache(maxsize=4096)
def _latin_stems(word: str) -> frozenset[str]:
    stems = {word}
    for ending in _LATIN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            stems.add(word.removesuffix(ending))
            if ending == "ies":
                stems.add(word.removesuffix("ies") + "y")
    return frozenset(stems - {""}) if word[-1:] != "y" else frozenset({word})


@lru_cache(maxsize=4096)
def _stems(word: str) -> frozenset[str]:
    if len(word) <= _MIN_STEM or not word.replace("'", "").isalpha():
        return frozenset({word})
    found = {word}
    for ending in _SLAVIC_ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _MIN_STEM:
            found.add(stem)
    for stem in tuple(found):
        for one, other in _ALTERNATIONS:
            if stem.endswith(one) and len(stem) > len(one) + 1:
                found.add(stem.removesuffix(one) + other)
    return frozenset(found)
