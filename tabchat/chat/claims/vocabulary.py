"""The words of the three languages that say what a figure means; the lists are in `words/*.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.chat.claims.tokens import Tokens

LANGUAGES: Final = ("en", "uk", "ru")
_LONGEST_STEM: Final = 16
_HEAD: Final = 2
"""No stem is shorter, so words that begin otherwise need no search."""


@record
class Hit:
    """A phrase found among the tokens: its first and last token, and what it stands for."""

    first: int
    last: int
    value: str


class Phrases:
    """Phrases with a value each, found at a token in time that does not depend on the text."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self._by_last: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, value in entries:
            words = tuple(phrase.split())
            self._by_first.setdefault(words[0], []).append((words, value))
            self._by_last.setdefault(words[-1], []).append((words[::-1], value))
        for index in (self._by_first, self._by_last):
            for known in index.values():
                known.sort(key=lambda entry: -len(entry[0]))
        stems = [word for word in (*self._by_first, *self._by_last) if word.endswith("*")]
        self._stem_heads = frozenset(stem[:_HEAD] for stem in stems)

    def starting(self, tokens: Tokens, at: int | None) -> Hit | None:
        """Return the longest phrase whose first word is the token `at`."""
        if at is None:
            return None
        for words, value in self._candidates(self._by_first, tokens.words[at]):
            last = _follow(words, tokens, at, forward=True)
            if last is not None:
                return Hit(first=at, last=last, value=value)
        return None

    def ending(self, tokens: Tokens, at: int | None) -> Hit | None:
        """Return the longest phrase whose last word is the token `at`."""
        if at is None:
            return None
        for words, value in self._candidates(self._by_last, tokens.words[at]):
            first = _follow(words, tokens, at, forward=False)
            if first is not None:
                return Hit(first=first, last=at, value=value)
        return None

    def holds(self, word: str) -> bool:
        """Tell whether `word` alone is one of the phrases."""
        return any(len(words) == 1 for words, _ in self._candidates(self._by_first, word))

    def _candidates(
        self, index: Mapping[str, list[tuple[tuple[str, ...], str]]], word: str
    ) -> Sequence[tuple[tuple[str, ...], str]]:
        exact = index.get(word, ())
        if word[:_HEAD] not in self._stem_heads:
            return exact
        longest = min(len(word), _LONGEST_STEM)
        by_stem = [
            entry for size in range(longest, _HEAD - 1, -1) for entry in index.get(word[:size] + "*", ())
        ]
        return sorted([*exact, *by_stem], key=lambda entry: -len(entry[0])) if by_stem else exact


def _follow(words: tuple[str, ...], tokens: Tokens, at: int, *, forward: bool) -> int | None:
    """Return the token that the phrase ends with, going from `at` in the one direction."""
    for pattern in words[1:]:
        step = tokens.linked(at) if forward else tokens.linked_back(at)
        if step is None or not _fits(pattern, tokens.words[step]):
            return None
        at = step
    return at


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern.endswith("*") else word == pattern


class Vocabulary:
    """The lists of all three languages together: no word of one means something else in another."""

    def __init__(self, tables: Iterable[Mapping[str, Mapping[str, str]]]) -> None:
        lists: dict[str, list[tuple[str, str]]] = {}
        for table in tables:
            for section, entries in table.items():
                for key, phrases in entries.items():
                    found = [(phrase.strip(), key) for phrase in phrases.split(",") if phrase.strip()]
                    lists.setdefault(section, []).extend(found)
                    lists.setdefault(f"{section}.{key}", []).extend(found)
        self._lists = {name: Phrases(entries) for name, entries in lists.items()}

    def __getitem__(self, name: str) -> Phrases:
        """Return a list by `section.key`, or by `section` with the keys for values."""
        return self._lists[name]


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary, read once."""
    folder = files(__package__).joinpath("words")
    texts = (folder.joinpath(f"{language}.toml").read_text(encoding="utf-8") for language in LANGUAGES)
    return Vocabulary(tomllib.loads(text) for text in texts)
