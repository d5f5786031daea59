"""Which shortcuts a question is like, by the cosine of its vector with those of the catalogue's utterances.

The default vectors hold hashed character n-grams (3 to 5 signs, words padded with a space, case folded, NFKC). They are
sparse mappings and not arrays: importing numpy takes 110 to 170 ms, while all vectors of one language's catalogue and the
exact products with a question take about 15 ms without it.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import math
import unicodedata
from collections.abc import Mapping
from dataclasses import field
from operator import mul
from typing import TYPE_CHECKING, Final, TypeAlias
from zlib import crc32

from tabchat.planner.shortcuts.slots import SLOT
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.shortcuts.catalogue import Shortcut, Utterance
    from tabchat.planner.shortcuts.options import ShortcutOptions

SIZES: Final = (3, 4, 5)
"""Signs of an n-gram."""
DIMENSIONS: Final = 1 << 20

Sparse: TypeAlias = Mapping[int, float]
"""Dimension → value, where it is not zero."""


def hashed(text: str) -> Sparse:
    """Return the unit vector of the character n-grams of `text`; the empty vector for a text without letters.

    Each n-gram falls on one of `DIMENSIONS` by its CRC-32, whose highest bit is the sign, so that collisions
    cancel out on average (feature hashing: Weinberger et al. 2009). The same in every process and on every machine.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    found: dict[int, float] = {}
    for word in folded.split():
        padded = f" {word} "
        for size in SIZES:
            for start in range(max(1, len(padded) - size + 1)):
                digest = crc32(padded[start : start + size].encode())
                place = digest % DIMENSIONS
                found[place] = found.get(place, 0.0) + (-1.0 if digest >> 31 else 1.0)
    length = math.sqrt(math.fsum(value * value for value in found.values()))
    return {place: value / length for place, value in found.items() if value} if length else {}


def cosine(one: Sparse, other: Sparse) -> float:
    """Return the inner product of two unit vectors."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return math.fsum(value * long[place] for place, value in short.items() if place in long)


def unit(values: Sequence[float]) -> tuple[float, ...]:
    """Return `values` at length 1; raises `ValueError` for a vector that has no direction."""
    length = math.sqrt(math.fsum(value * value for value in values))
    if not 0 < length < math.inf:
        message = "a vector without a direction"
        raise ValueError(message)
    return tuple(value / length for value in values)


def product(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the inner product of two vectors of the same length."""
    return math.fsum(map(mul, one, other))


_VERSION: Final = "1"
KEPT: Final = 20
"""Catalogues whose vectors are worth keeping: one for each model, language and file of the person's own."""


@record
class Candidate:
    """A shortcut that a question is like."""

    shortcut: Shortcut
    score: float
    """Cosine of the question with the likest of them, from -1 to 1."""


@mutable
class Retrieval:
    """The catalogue's vectors, made when they are first needed."""

    shortcuts: Sequence[Shortcut]
    options: ShortcutOptions
    _sparse: dict[str, list[tuple[Shortcut, Utterance, Sparse]]] = field(default_factory=dict)
    _dense: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)

    def candidates(self, question: str, words: str, languages: Sequence[str]) -> list[Candidate]:
        """Return up to `top_k` shortcuts above the threshold, the likest first.

        `words` are those of the question without what fills slots, which the n-grams are taken of; an embedding
        model gets the question itself. Raises what the embedding model raises.
        """
        scores: dict[str, float] = {}
        for name, score in self._scores(question, words, languages):
            scores[name] = max(score, scores.get(name, -1.0))
        likest = heapq.nsmallest(self.options.top_k, scores.items(), key=lambda pair: (-pair[1], pair[0]))
        by_id = {shortcut.id: shortcut for shortcut in self.shortcuts}
        return [
            Candidate(shortcut=by_id[name], score=score)
            for name, score in likest
            if score >= self.options.threshold
        ]

    def _scores(self, question: str, words: str, languages: Sequence[str]) -> list[tuple[str, float]]:
        if self.options.embed is None:
            asked = hashed(words)
            return [
                (shortcut.id, cosine(asked, vector))
                for language in languages
                for shortcut, _, vector in self._of_language(language)
            ]
        found: list[tuple[str, float]] = []
        wanted = [entry for language in languages for entry in _listed(self.shortcuts, language)]
        known = [vector for language in languages for vector in self._embedded(language)]
        (sent,) = self.options.embed([question])
        for (shortcut, _), vector in zip(wanted, known, strict=True):
            if len(vector) == len(sent):
                found.append((shortcut.id, product(unit(sent), vector)))
        return found

    def _of_language(self, language: str) -> list[tuple[Shortcut, Utterance, Sparse]]:
        if language not in self._sparse:
            self._sparse[language] = [
                (shortcut, utterance, hashed(utterance.words))
                for shortcut, utterance in _listed(self.shortcuts, language)
            ]
        return self._sparse[language]

    def _embedded(self, language: str) -> list[tuple[float, ...]]:
        if language not in self._dense:
            texts = [SLOT.sub(r"\1", utterance.text) for _, utterance in _listed(self.shortcuts, language)]
            self._dense[language] = self._kept(texts) if texts else []
        return self._dense[language]

    def _kept(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Return the vectors of `texts`, from the index on disk when it has them."""
        if self.options.embed is None:
            return []
        folder, name = self.options.index_folder, self._index_name(texts)
        if folder is not None and (found := _vectors(folder.read(name), len(texts))) is not None:
            return found
        vectors = [unit(vector) for vector in self.options.embed(texts)]
        if folder is not None:
            rows = [[round(value, 7) for value in vector] for vector in vectors]
            folder.write(name, json.dumps(rows, separators=(",", ":")))
        return vectors

    def _index_name(self, texts: Sequence[str]) -> str:
        key = json.dumps([_VERSION, self.options.embedding_name, list(texts)], ensure_ascii=False)
        return hashlib.blake2b(key.encode(), digest_size=16).hexdigest()


def _listed(shortcuts: Sequence[Shortcut], language: str) -> list[tuple[Shortcut, Utterance]]:
    return [
        (shortcut, utterance) for shortcut in shortcuts for utterance in shortcut.utterances.get(language, ())
    ]


def _vectors(text: str | None, count: int) -> list[tuple[float, ...]] | None:
    """Return the vectors of a kept text, or nothing when there is none or it is not whole."""
    try:
        rows = json.loads(text or "")
        found = [unit([float(value) for value in row]) for row in rows]
    except (ValueError, TypeError):
        return None
    return found if len(found) == count else None
