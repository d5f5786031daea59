"""Which columns a question is about, when there are too many to tell of all."""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.chat.prompt.texts import data

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.sketch import TableSketch
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column

_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+")
_HUMP: Final = re.compile(r"(?<=[a-zа-яєіїґ])(?=[A-ZА-ЯЄІЇҐ])")
_KEY_WORDS: Final = frozenset({"id", "key", "code", "name", "no", "number"})

_SAME_START: Final = 0.7
"""Words that share so much of the shorter one from the start are forms of one word."""
_LEAST_STEM: Final = 4
_TYPO: Final = 79.0
"""Least similarity, of 100, of a word that was mistyped."""
_SYNONYM: Final = 0.7
_VALUE: Final = 3.0
"""Weight of a word that is a value of the column."""
_TIME: Final = 100.0
"""The time column is always told of."""
_KEY: Final = 0.5


def tokens(text: str) -> list[str]:
    """Split a name or a text into words and numbers, in lower case."""
    return [token.casefold() for token in _TOKEN.findall(_HUMP.sub(" ", text))]


class Ranking:
    """How near the columns of tables are to one question."""

    def __init__(self, question: str) -> None:
        self._question = question

    @cached_property
    def _words(self) -> tuple[str, ...]:
        stopwords = self._lexicon["stopwords"]
        return tuple(dict.fromkeys(word for word in tokens(self._question) if word not in stopwords))

    @cached_property
    def _lexicon(self) -> Mapping[str, Sequence[Sequence[str]]]:
        return data("synonyms")

    @cached_property
    def _synonyms(self) -> tuple[str, ...]:
        """Stems of the words that mean the same as a word of the question."""
        found = [
            stem
            for group in self._lexicon["groups"]
            if any(word.startswith(str(stem)) for stem in group for word in self._words)
            for stem in group
        ]
        return tuple(dict.fromkeys(found))

    def names(self, value: str) -> bool:
        """Return whether the question names `value`, or a word of it."""
        return any(likeness(word, token) >= _SAME_START for token in tokens(value) for word in self._words)

    def order(self, table: Table, sketch: TableSketch | None) -> list[Column]:
        """Return the columns of `table`, nearest to the question first; equals in file order."""
        own = {column.name: tokens(column.name) for column in table.schema}
        known = Counter(token for found in own.values() for token in set(found))
        rarity = {token: math.log(1 + len(own) / count) for token, count in known.items()}

        def score(column: Column) -> float:
            near = sum(self._nearness(token) * rarity[token] for token in set(own[column.name]))
            values = sketch.columns[column.name].values if sketch is not None else ()
            near += _VALUE * any(self.names(value) for value in values)
            near += _TIME * (column.name == table.time_column)
            return near + _KEY * (not _KEY_WORDS.isdisjoint(own[column.name]))

        return sorted(table.schema, key=lambda column: -score(column))

    def _nearness(self, token: str) -> float:
        direct = max((likeness(word, token) for word in self._words), default=0.0)
        meant = any(token.startswith(stem) for stem in self._synonyms)
        return max(direct, _SYNONYM if meant else 0.0)


def likeness(word: str, token: str) -> float:
    """Return 0 to 1: 1 for the same word, less for another form of it or a typo, 0 for another word."""
    if word == token:
        return 1.0
    shorter = min(len(word), len(token))
    if shorter < _LEAST_STEM or word.isdigit() or token.isdigit():
        return 0.0
    common = next((index for index, (a, b) in enumerate(zip(word, token, strict=False)) if a != b), shorter)
    if common >= max(_LEAST_STEM, math.ceil(_SAME_START * shorter)):
        return _SAME_START + (1 - _SAME_START) * common / max(len(word), len(token))
    from rapidfuzz import fuzz

    alike = fuzz.ratio(word, token, score_cutoff=_TYPO)
    return alike / 100
