"""A question that the grammar does not read, met by an intent of the catalogue: the same words, in any order."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tabchat.errors import NotUnderstoodError
from tabchat.planner.inflection import merged
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import RIVAL_WINDOW
from tabchat.planner.senses import SenseKind
from tabchat.planner.shortcuts.catalogue import load_intents
from tabchat.planner.shortcuts.matching import Asked, agreements, wording_of
from tabchat.planner.shortcuts.retrieval import Retrieval
from tabchat.planner.shortcuts.templates import fill_plan
from tabchat.planner.tokens import tokenize
from tabchat.planner.typos import corrected
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Languages, Lexicon
    from tabchat.planner.linker import Linked
    from tabchat.planner.plans import Draft
    from tabchat.planner.scene import Scene
    from tabchat.planner.shortcuts.intents import Utterance
    from tabchat.planner.shortcuts.matching import Wording
    from tabchat.planner.shortcuts.options import ShortcutOptions
    from tabchat.planner.shortcuts.retrieval import Candidate
    from tabchat.planner.tokens import Token

_LOG: Final = logging.getLogger("tabchat.planner")
_SLOTTED: Final = (SenseKind.COLUMN, SenseKind.VALUE, SenseKind.NUMBER, SenseKind.DATE, SenseKind.QUOTED)


@record
class Question:
    """A question as the grammar left it."""

    text: str
    tokens: tuple[Token, ...]
    linked: Linked
    scene: Scene
    lexicons: tuple[Lexicon, ...]
    ask: Callable[[str, str], Draft]
    """Reads a question in a language by the grammar alone; raises `NotUnderstoodError`."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the question can be in."""
        return tuple(lexicon.language for lexicon in self.lexicons)


@record
class _Found:
    candidate: Candidate
    draft: Draft
    cost: float


@dataclass
class Shortcuts:
    """The catalogue, ready to be searched."""

    retrieval: Retrieval
    _vocabularies: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    """Languages → the words of their utterances."""
    _wordings: dict[tuple[str, tuple[str, ...]], Wording] = field(default_factory=dict)
    """(utterance, languages) → its phrases."""

    @classmethod
    def over(cls, options: ShortcutOptions, languages: Languages) -> Shortcuts:
        """Read the catalogue; raises `UsageError` when the person's own file is wrong."""
        return cls(Retrieval(intents=load_intents(options.catalogue, languages), options=options))

    def find(self, question: Question) -> Draft | None:
        """Return the plan of the one intent that says what the question says, or nothing.

        Raises `NotUnderstoodError` with the readings when several intents say so with different plans, and what
        the embedding model raises.
        """
        if any(sense.has("refuse.edit") for item in question.linked.items for sense in item.senses):
            return None
        asked = self._asked(question)
        candidates = self.retrieval.candidates(
            question.text, _words(asked, self._vocabulary(question.languages)), question.languages
        )
        found = [hit for candidate in candidates for hit in self._hits(candidate, asked, question)]
        _log(candidates, found)
        return _only(found, self.retrieval.options.margin)

    def _hits(self, candidate: Candidate, asked: Asked, question: Question) -> Iterator[_Found]:
        intent = candidate.intent
        for utterance in candidate.utterances:
            for agreement in agreements(asked, self._wording(utterance, question)):
                try:
                    if intent.plan is not None:
                        draft = fill_plan(
                            intent, intent.plan, agreement.fillings, agreement.clauses, question.scene
                        )
                    elif agreement.clauses.conditions or agreement.clauses.periods:
                        continue
                    else:
                        draft = question.ask(intent.asks or "", intent.asks_language)
                except (Unreadable, NotUnderstoodError) as reason:
                    _LOG.debug("shortcut %s does not fit: %s", intent.id, reason)
                    continue
                yield _Found(candidate=candidate, draft=draft, cost=agreement.cost)

    def _asked(self, question: Question) -> Asked:
        inflection = merged(lexicon.inflection for lexicon in question.lexicons)
        return Asked(
            tokens=self._corrected(question, inflection),
            items=question.linked.items,
            lexicons=question.lexicons,
            inflection=inflection,
            scene=question.scene,
            nonadditive=frozenset().union(*(lexicon.nonadditive for lexicon in question.lexicons)),
        )

    def _wording(self, utterance: Utterance, question: Question) -> Wording:
        key = (utterance.text, question.languages)
        if key not in self._wordings:
            self._wordings[key] = wording_of(utterance, question.lexicons)
        return self._wordings[key]

    def _vocabulary(self, languages: tuple[str, ...]) -> frozenset[str]:
        if languages not in self._vocabularies:
            self._vocabularies[languages] = frozenset(
                token.norm
                for intent in self.retrieval.intents
                for language in languages
                for utterance in intent.utterances.get(language, ())
                for token in tokenize(utterance.words)
            )
        return self._vocabularies[languages]

    def _corrected(self, question: Question, inflection: Inflection) -> tuple[Token, ...]:
        """Read misspelt words as what the linker took them for, or else as words of the catalogue."""
        vocabulary = self._vocabulary(question.languages)
        known = frozenset().union(*(inflection.stems(word) for word in vocabulary))
        changes = dict(question.linked.corrections)
        tokens = [
            replace(token, norm=changes[token.text])
            if token.text in changes and not inflection.stems(token.norm) & known
            else token
            for token in question.tokens
        ]
        unknown = [
            item.start
            for item in question.linked.items
            if item.unknown and not inflection.stems(tokens[item.start].norm) & known
        ]
        return corrected(tokens, unknown, vocabulary, inflection, question.languages)[0]


def _words(asked: Asked, vocabulary: frozenset[str]) -> str:
    """Return the words of a question without columns, values, numbers and dates that no utterance has."""
    kept: list[str] = []
    for item in asked.items:
        words = [token.norm for token in asked.tokens[item.start : item.end]]
        slotted = any(sense.kind in _SLOTTED for sense in item.senses)
        if not slotted or all(word in vocabulary for word in words):
            kept += words
    return " ".join(kept)


def _only(found: Sequence[_Found], margin: float) -> Draft | None:
    """Return the one plan of the best hits; raises `NotUnderstoodError` when they differ."""
    if not found:
        return None
    best = max(hit.candidate.score for hit in found)
    near = [hit for hit in found if hit.candidate.score >= best - margin]
    cheapest = min(hit.cost for hit in near)
    drafts: dict[str, Draft] = {}
    for hit in near:
        if hit.cost <= cheapest + RIVAL_WINDOW:
            identity = json.dumps([hit.draft.tool, hit.draft.arguments], sort_keys=True, ensure_ascii=False)
            drafts.setdefault(identity, hit.draft)
    if len(drafts) == 1:
        return next(iter(drafts.values()))
    raise NotUnderstoodError(
        "The question has several readings with different results.",
        hint="Name the column or the function that you mean.",
        readings=tuple(draft.interpretation for draft in drafts.values()),
    )


def _log(candidates: Sequence[Candidate], found: Sequence[_Found]) -> None:
    """Say whether a shortcut was found, for whoever listens to the logger."""
    best = max((hit.candidate for hit in found), key=lambda candidate: candidate.score, default=None)
    shown = best or (candidates[0] if candidates else None)
    fields = {
        "shortcut": "hit" if best else "miss",
        "intent": shown.intent.id if shown else None,
        "score": round(shown.score, 4) if shown else None,
    }
    _LOG.info("shortcut %(shortcut)s: %(intent)s, score %(score)s", fields, extra=fields)
