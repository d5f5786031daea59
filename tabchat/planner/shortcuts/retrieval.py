"""Which shortcuts a question is like, by the cosine of its vector with those of the catalogue's utterances."""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
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
        path = self._index_path(texts)
        if path is not None and (found := _read_index(path, len(texts))) is not None:
            return found
        vectors = [unit(vector) for vector in self.options.embed(texts)]
        if path is not None:
            _write_index(path, vectors)
        return vectors

    def _index_path(self, texts: Sequence[str]) -> Path | None:
        if self.options.index_folder is None:
            return None
        key = json.dumps([_VERSION, self.options.embedding_name, list(texts)], ensure_ascii=False)
        return self.options.index_folder / f"{hashlib.blake2b(key.encode(), digest_size=16).hexdigest()}.json"


def _listed(shortcuts: Sequence[Shortcut], language: str) -> list[tuple[Shortcut, Utterance]]:
    return [
        (shortcut, utterance) for shortcut in shortcuts for utterance in shortcut.utterances.get(language, ())
    ]


def _read_index(path: Path, count: int) -> list[tuple[float, ...]] | None:
    """Return the vectors of a file, or nothing when it is not there or not whole."""
    try:
        rows = json.loads(path.read_text(encoding="ascii"))
        found = [unit([float(value) for value in row]) for row in rows]
    except (OSError, ValueError, TypeError):
        return None
    return found if len(found) == count else None


def _write_index(path: Path, vectors: Sequence[Sequence[float]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="ascii") as file:
        json.dump([[round(value, 7) for value in vector] for vector in vectors], file, separators=(",", ":"))
    Path(name).replace(path)
