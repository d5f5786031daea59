"""What words tell of a figure — its role, a comparison, a whole — read from one data file for each language."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.validator.words import fold, words_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.chat.validator.words import Word

_FOLDER: Final = Path(__file__).parent / "lexicon"
_LANGUAGES: Final = ("en", "uk", "ru")
_LONGEST: Final = 4

Pattern: TypeAlias = tuple[str, ...]
"""Folded words; one that ends in `*` is a stem."""


@record
class Sighting:
    """A phrase of the lexicon in a text."""

    name: str
    start: int
    end: int
    word: int
    """Index of its first word."""
    length: int
    """How many words it has."""


@record
class Phrases:
    """Named phrases, found in a text the longest first."""

    by_head: Mapping[str, tuple[tuple[Pattern, str], ...]]
    """First two letters of the first word → (pattern, name)."""

    def find(self, words: Sequence[Word], at: int) -> list[Sighting]:
        """Return every phrase that begins at word `at`, the longest first."""
        near = self.by_head.get(words[at].text[:2], ())
        found = [
            Sighting(
                name=name,
                start=words[at].start,
                end=words[at + len(pattern) - 1].end,
                word=at,
                length=len(pattern),
            )
            for pattern, name in near
            if _matches(pattern, words, at)
        ]
        return sorted(found, key=lambda item: -item.length)

    def names(self, text: str) -> frozenset[str]:
        """Return the names of all phrases in `text`."""
        words = words_of(text)
        return frozenset(item.name for at in range(len(words)) for item in self.find(words, at))


@record
class Lexicon:
    """The phrases of all languages together: figures are checked alike in each of them."""

    roles: Phrases
    cues: Phrases
    separators: Phrases
    labels: Phrases
    """`null`, `true`, `false`, `weekday.0` (Monday) … `month.1` … `quarter.1` …"""
    nouns: Phrases
    plain: frozenset[str]
    """Folded words that may begin with a capital letter without naming anything."""


@cache
def shipped_lexicon() -> Lexicon:
    """Return the lexicon that comes with the package."""
    data = [tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")) for name in _LANGUAGES]
    return Lexicon(
        roles=_phrases((name, listed) for each in data for name, listed in each["role"].items()),
        cues=_phrases((name, listed) for each in data for name, listed in each["cue"].items()),
        separators=_phrases(("separator", each["separator"]["words"]) for each in data),
        labels=_phrases(pair for each in data for pair in _label_entries(each["label"])),
        nouns=_phrases((name, listed) for each in data for name, listed in each["noun"].items()),
        plain=frozenset(fold(word) for each in data for word in each["plain"]["words"].split(", ")),
    )


def _label_entries(section: Mapping[str, str | Sequence[str]]) -> Iterable[tuple[str, str]]:
    for name, listed in section.items():
        if isinstance(listed, str):
            yield name, listed
            continue
        first = 0 if name == "weekdays" else 1
        for number, words in enumerate(listed, start=first):
            yield f"{name[:-1]}.{number}", words


def _phrases(entries: Iterable[tuple[str, str]]) -> Phrases:
    by_head: dict[str, list[tuple[Pattern, str]]] = {}
    for name, listed in entries:
        for phrase in listed.split(","):
            pattern = tuple(fold(phrase).split())
            if pattern:
                by_head.setdefault(pattern[0][:2].rstrip("*"), []).append((pattern, name))
    return Phrases(by_head={head: tuple(dict.fromkeys(found)) for head, found in by_head.items()})


def _matches(pattern: Pattern, words: Sequence[Word], at: int) -> bool:
    if at + len(pattern) > len(words):
        return False
    return all(_is(part, words[at + index].text) for index, part in enumerate(pattern))


def _is(part: str, word: str) -> bool:
    return word.startswith(part[:-1]) if part.endswith("*") else part in {word, word.removesuffix("'s")}
