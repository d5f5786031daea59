"""Reading a request to change a table: one sure reading becomes a tool call, others are offered, none is a refusal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import ToolCall
from tabchat.errors import NotUnderstoodError, OfferedReading
from tabchat.planner.edits import operations, updates
from tabchat.planner.edits.heads import heads_of
from tabchat.planner.edits.patterns import fits
from tabchat.planner.edits.request import Request, Unfit, rules
from tabchat.planner.interpretation import LONGEST_QUESTION
from tabchat.planner.links import link, vocabulary_of
from tabchat.planner.links.lattice import LinkKind, Skip
from tabchat.planner.words import TokenKind, read_sentence, shipped_languages
from tabchat.planner.words.spelling import nearest_word
from tabchat.planner.words.token import fold
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.edits.heads import Head
    from tabchat.planner.edits.operations import Proposal
    from tabchat.planner.links import Lattice, Vocabulary
    from tabchat.planner.words import Languages, Word

_HINT: Final = (
    "Say it like: delete rows where price < 0 · drop column notes · rename a to b · add column total = price * 2"
    " · set price to 10 where … · fill missing price with the median · replace 'a' with 'b' in city."
)
_SHORTEST: Final = 4
"""Letters of a misspelt word of requests."""
_MOST_OFFERED: Final = 3
_BUILDERS: Final = {**operations.BUILDERS, **updates.BUILDERS}


@record
class EditReading:
    """What an edit request asks for."""

    call: ToolCall
    """Of `edit_table`, `undo` or `redo`."""
    interpretation: str
    """One line, in the language of the request."""


@dataclass
class EditReader:
    """Reads requests about one version of a table, from its facts alone; what it learns is kept."""

    facts: TableFacts
    languages: Languages = field(default_factory=shipped_languages)
    context: UserContext | None = None
    """The person's own words for columns and cells."""
    _vocabularies: dict[tuple[str, ...], Vocabulary] = field(default_factory=dict)
    _offered: dict[str, EditReading] = field(default_factory=dict)

    def read(self, question: str) -> EditReading | None:
        """Return the one reading of a request; None when it is no edit.

        Raises `NotUnderstoodError` that names the words that are not understood, or lists the readings; a listed
        reading, asked word by word, is read as itself.
        """
        if question in self._offered:
            return self._offered[question]
        heads = heads_of(question)
        if not heads:
            return None
        if len(question) > LONGEST_QUESTION:
            message = f"The request is longer than {LONGEST_QUESTION} characters."
            raise NotUnderstoodError(message, hint="Ask for one edit at a time.")
        for head in heads:
            if head.command is not None:
                said = head.words.readings[head.command]
                return _reading(ToolCall(id="edit-1", name=head.command, arguments={}), said, head)
        return self._edit(question, heads)

    def _edit(self, question: str, heads: tuple[Head, ...]) -> EditReading:
        languages = self.languages.of(question)
        lattice = self._linked(question, languages)
        spelt = (replace(head, tokens=self._with_names(head.tokens, question)) for head in heads)
        heads = tuple(sorted(spelt, key=self._likelihood, reverse=True))
        reasons: list[Unfit] = []
        found: dict[str, tuple[Proposal, EditReading]] = {}
        linked = partial(self._linked, names=languages)
        for repaired in (False, True):
            for head in heads:
                tokens = self._mended(head, lattice) if repaired else head.tokens
                request = Request(question, tokens, head.words, lattice, linked)
                for proposal in _proposals(request, reasons) if tokens else ():
                    arguments = {"table": self.facts.name, **proposal.arguments}
                    call = ToolCall(id="edit-1", name="edit_table", arguments=arguments)
                    found.setdefault(proposal.identity, (proposal, _reading(call, proposal.said, head)))
            if any(proposal.sure for proposal, _ in found.values()):
                break
        sure = [reading for proposal, reading in found.values() if proposal.sure]
        if len(sure) == 1:
            return sure[0]
        raise self._refusal([reading for _, reading in found.values()], reasons, heads, lattice)

    def _with_names(self, tokens: tuple[Word, ...], question: str) -> tuple[Word, ...]:
        """Join the words behind the verb that spell a header as the file does: `a_2`, `col_1`, whatever `a` means."""
        names = {fold(column.name) for column in self.facts.columns}
        row, place = list(tokens[:1]), 1
        while place < len(tokens):
            texts = (
                (end, question[tokens[place].start : tokens[end].end])
                for end in range(place + 1, len(tokens))
            )
            end, text = next(((end, text) for end, text in texts if fold(text) in names), (place, ""))
            token = tokens[place]
            name = replace(token, text=text, norm=fold(text), kind=TokenKind.WORD, end=tokens[end].end)
            row.append(name if text else token)
            place = end + 1
        return tuple(row)

    def _likelihood(self, head: Head) -> tuple[int, bool]:
        """Return how many words of a request its language knows, and whether the headers are in it."""
        places = range(len(head.tokens))
        known = sum(any(True for _ in head.words.found(head.tokens, place)) for place in places)
        return known, head.words.language == self._written[0]

    @property
    def _written(self) -> tuple[str, ...]:
        return self.languages.of(" ".join(column.name for column in self.facts.columns))

    def _linked(self, text: str, names: tuple[str, ...]) -> Lattice:
        """Link the words of a text in some languages to the table."""
        lexicons = [self.languages.load(name) for name in names]
        if names not in self._vocabularies:
            self._vocabularies[names] = vocabulary_of(self.facts, self.languages, lexicons, self.context)
        vocabulary = self._vocabularies[names]
        # A part of a request is in the language of the whole, whatever its letters alone would tell.
        narrowed = replace(self.languages, letters={name: self.languages.letters[name] for name in names})
        sentence = read_sentence(
            text,
            lexicons=narrowed,
            known=vocabulary.known,
            prefer=next((name for name in self._written if name in names), None),
        )
        return link(sentence, vocabulary, lexicons)

    def _mended(self, head: Head, lattice: Lattice) -> tuple[Word, ...]:
        """Return the words of a request with those that nothing knows put right; nothing when there are none."""
        inflection = self.languages.load(head.words.language).inflection
        tokens = list(head.tokens)
        for place, token in enumerate(tokens):
            if self._is_unknown(token, lattice) and not any(True for _ in head.words.found(tokens, place)):
                near = nearest_word(token.norm, head.words.listed("vocabulary"), inflection)
                tokens[place] = replace(token, norm=near) if near is not None else token
        return tuple(tokens) if tuple(tokens) != head.tokens else ()

    def _is_unknown(self, token: Word, lattice: Lattice) -> bool:
        if token.kind is not TokenKind.WORD or len(token.norm) < _SHORTEST:
            return False
        return not (
            lattice.vocabulary.known(token.norm)
            or any(lexicon.has_word(token.norm) for lexicon in lattice.lexicons)
            or any(self.languages.is_word(token.norm, name) for name in lattice.sentence.languages)
        )

    def _refusal(
        self, readings: list[EditReading], reasons: list[Unfit], heads: tuple[Head, ...], lattice: Lattice
    ) -> NotUnderstoodError:
        if readings:
            self._offered.update({reading.interpretation: reading for reading in readings})
            offered = tuple(
                OfferedReading(
                    n=place,
                    interpretation=reading.interpretation,
                    confidence=round(1 / len(readings), 3),
                    plan=reading.call.arguments,
                )
                for place, reading in enumerate(readings[:_MOST_OFFERED], start=1)
            )
            hint = "Name the column, or put names and values in quotation marks."
            message = "It is not certain which edit is meant."
            return NotUnderstoodError(message, hint=hint, readings=offered)
        if reasons:
            reason = reasons[0]
            end = "" if reason.message.endswith("?") else "."
            return NotUnderstoodError(
                f"The edit cannot be read: {reason.message}{end}", hint=reason.hint or _HINT
            )
        unknown, idle = _unknown(heads, lattice)
        if unknown:
            return NotUnderstoodError(f"Not understood: {_listed(unknown)}.", hint=_HINT, words=unknown)
        message = "The words are known, but not which edit they ask for together"
        verb = "names" if len(idle) == 1 else "name"
        message += f": {_listed(idle)} {verb} nothing of the table." if idle else "."
        return NotUnderstoodError(message, hint=_HINT, words=idle)


def _listed(words: tuple[str, ...]) -> str:
    return ", ".join(f"“{word}”" for word in words)


def _reading(call: ToolCall, said: str, head: Head) -> EditReading:
    return EditReading(call=call, interpretation=head.words.readings["edit"].format(said))


def _proposals(request: Request, reasons: list[Unfit]) -> Iterator[Proposal]:
    """Yield every reading of a request; why others hold not is added to `reasons`."""
    for name, patterns in rules()["patterns"].items():
        builder, _, told = name.partition(":")
        for fit in (fit for pattern in patterns for fit in fits(request, pattern)):
            try:
                yield from _BUILDERS[builder](fit, told)
            except Unfit as reason:
                reasons.append(reason)


def _unknown(heads: tuple[Head, ...], lattice: Lattice) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that neither a request nor the table knows, and those that are words but name nothing of it."""
    known = {
        token.start
        for head in heads
        for start in range(len(head.tokens))
        for _, end in head.words.found(head.tokens, start)
        for token in head.tokens[start:end]
    }
    lost = {Skip.UNKNOWN, Skip.NAME, Skip.VERB}
    places = [place for place, word in enumerate(lattice.sentence.words) if word.start not in known]
    strange = [
        place
        for place in places
        if not lattice.at(place, LinkKind.ROWS)
        and (
            lattice.skips[place] in lost or lattice.concepts(place, "scale.plain.", "scale.most.", "outlier")
        )
    ]
    idle = [
        place for place in places if lattice.skips[place] in {Skip.CONCEPT, Skip.ROW} and place not in strange
    ]
    unknown, words = (
        tuple(lattice.sentence.words[place].text for place in found) for found in (strange, idle)
    )
    return unknown, words
