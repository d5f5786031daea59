"""Which shortcuts a question is like, by the cosine of its vector with those of the catalogue's utterances."""

from __future__ import annotations

import hashlib
import heapq
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.planner.shortcuts.slots import SLOT
from tabchat.planner.shortcuts.vectors import cosine, hashed, product, unit
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.shortcuts.options import ShortcutOptions
    from tabchat.planner.shortcuts.shortcut import Shortcut, Utterance
    from tabchat.planner.shortcuts.vectors import Sparse

_VERSION: Final = "1"
KEPT: Final = 20
"""Catalogues whose vectors are worth keeping: one for each model, language and file of the person's own."""


@record
class Candidate:
    """A shortcut that a question is like."""

    shortcut: Shortcut
    score: float
    """Cosine of the question with the likest of them, from -1 to 1."""


@dataclass
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
