"""What the rows of a table are called: the words of its file's name, and of the columns that number its things."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.source.naming import named_part
from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD: Final = r"[^\W\d_]+(?:['’ʼ][^\W\d_]+)*|\d+|#|№"
_CAMEL: Final = r"(?<=[^\W\d_A-ZА-ЯЁІЇЄҐ])(?=[A-ZА-ЯЁІЇЄҐ])|(?<=[A-ZА-Я])(?=[A-ZА-Я][a-zа-я])"
_FORMATS: Final = frozenset(
    {".gz", ".zst", ".bz2", ".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx"}
)
_ABOUT_FILES: Final = word_set(
    """
    all backup clean cleaned copy csv data dataset db demo dump example export file final full input list
    log new old out output raw report sample sheet small stdin stream tab table test tmp train v wide дані
    данные таблиця таблица список звіт отчет файл тест копія копия
    """
)
"""Words of a file's name that are about the file, not about its rows."""
_KEYS: Final = frozenset(
    {
        *("id", "ids", "no", "nr", "num", "number", "code", "key", "uuid", "guid", "ref", "#", "№", "serial"),
        *("номер", "код", "ид", "ід", "айді", "ключ", "артикул"),
    }
)
"""Words of a header that say that the column identifies what its other words name."""
_IRREGULAR: Final = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "staff": "staff",
}
_SAME: Final = frozenset(
    {"news", "series", "species", "gas", "bus", "lens", "campus", "status", "bonus", "basis"}
)
_ADJECTIVES: Final = (
    *("ий", "ій", "ый", "ой", "ые", "ие", "ая", "яя", "ое", "ее"),
    *("ські", "зькі", "цькі", "льні", "ого", "их", "ых"),
)
# No particles: `walk_in_customers` are customers.
_PREPOSITIONS: Final = word_set(
    "at by for from of per with в від во для до з за зі из із на о об от по про с со у"
)
_SEVERAL: Final = ("и", "ы", "і", "ї", "я", "е")
"""Endings of Ukrainian and Russian nouns in the plural, or of a deed, where they open a name."""
_SHORTEST: Final = 3


def folded_words(text: str) -> tuple[str, ...]:
    """Split a header or a file's name into words folded for comparison: `flight_no` → flight, no."""
    return tuple(folded(word) for word in re.findall(_WORD, re.sub(_CAMEL, " ", text)))


def row_nouns(source: str, keys: Iterable[str]) -> tuple[str, ...]:
    """Return folded nouns, in the singular, for a row: from the name of its file, and the headers of its keys.

    `keys` are the columns whose cells tell every two rows apart.
    """
    words = folded_words(_stem(source))
    # What stands behind a preposition says where or of what: `sales_by_region`, `квартири_на_продаж`.
    parts = [list(part) for of, part in groupby(words, _PREPOSITIONS.__contains__) if not of]
    named = next((nouns for part in parts if (nouns := list(filter(_is_noun, part)))), [])
    headed = [_head(folded_words(key)) for key in keys]
    found = [*_heads(named), *(word for word in headed if word)]
    return tuple(dict.fromkeys(singular(word) for word in found))


def _heads(named: list[str]) -> list[str]:
    """Return what the words of a name are about: the last of `online_sales`, in Cyrillic the first of `аварії_водогону`."""
    first = next((word for word in named if not word.isascii() and not word.endswith(_ADJECTIVES)), "")
    behind = named[named.index(first) + 1 :] if first else []
    if first.endswith("і") and behind and behind[0].endswith(_SEVERAL):
        # `народні_пісні` as well as `пісні_війни`: which of them is the adjective no ending tells.
        return [behind[0], first]
    if first.endswith(_SEVERAL):
        return [first]
    # `гнізда` are several, `библиотека` is one; of `журнал відвідувань`, rows are the visits.
    return [first, *named[-1:]] if first.endswith("а") else named[-1:]


def singular(word: str) -> str:
    """Return an English plural's singular; a word of another ending as it is."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.isascii() or len(word) <= _SHORTEST or word in _SAME or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y" if word != "movies" else "movie"
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word.removesuffix("s")


def _stem(source: str) -> str:
    path = PurePath(named_part(source))
    while path.suffix.casefold() in _FORMATS:
        path = path.with_suffix("")
    return path.name


def _head(words: tuple[str, ...]) -> str | None:
    """Return what a key column identifies: `flight` of `flight_no`; nothing for a bare `id`."""
    rest = [word for word in words if word not in _KEYS and _is_noun(word)]
    return rest[-1] if rest and len(rest) < len(words) else None


def _is_noun(word: str) -> bool:
    return len(word) >= _SHORTEST and not word[0].isdigit() and word not in _ABOUT_FILES


def folded(word: str) -> str:
    """Return a word as it is compared: NFKC, case folded, ё as е, one kind of apostrophe."""
    return (
        unicodedata.normalize("NFKC", word).casefold().replace("ё", "е").replace("’", "'").replace("ʼ", "'")
    )
