"""Reading a request to change a table: one reading becomes a tool call, none or several a refusal."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.messages import ToolCall
from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits import columns, filling, rows, updates
from tabchat.planner.edits.heads import heads_of
from tabchat.planner.edits.patterns import matches
from tabchat.planner.edits.request import Request, Unfit, build_lattice
from tabchat.planner.edits.slips import mended
from tabchat.planner.fragments import Wording
from tabchat.planner.lexicon import Languages, shipped_languages
from tabchat.planner.linker import build_linker
from tabchat.planner.literal import joined
from tabchat.planner.router import LONGEST_QUESTION, scene_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.edits.heads import Head
    from tabchat.planner.edits.proposals import Proposal
    from tabchat.planner.linker import Linker
    from tabchat.planner.tokens import Token

_PATTERNS: Final = (*rows.PATTERNS, *columns.PATTERNS, *filling.PATTERNS, *updates.PATTERNS)
_HINT: Final = (
    "Say it like: delete rows where price < 0 · drop column notes · rename a to b · add column total = price * 2"
    " · set price to 10 where … · fill missing price with the median · replace 'a' with 'b' in city."
)


@record
class EditReading:
    """What an edit request asks for."""

    call: ToolCall
    """Of `edit_table`, `undo` or `redo`."""
    interpretation: str
    """One line, in the language of the request."""


@dataclass
class EditReader:
    """Reads edit requests about one version of a table; what it learns of the table is kept."""

    table: PlannerTable
    languages: Languages = field(default_factory=shipped_languages)
    _linkers: dict[tuple[str, ...], Linker] = field(default_factory=dict)
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
            raise NotUnderstoodError(
                f"The request is longer than {LONGEST_QUESTION} characters.",
                hint="Ask for one edit at a time.",
            )
        for head in heads:
            if head.command is not None:
                return _command(head, head.command)
        return self._edit(question, heads)

    def _edit(self, question: str, heads: tuple[Head, ...]) -> EditReading:
        linker = self._linker(self.languages.of(question))
        spelled = (replace(head, tokens=joined(head.tokens, self.table, question)) for head in heads)
        heads = self._likeliest(tuple(spelled))
        reasons: list[Unfit] = []
        readings: dict[str, tuple[float, EditReading]] = {}
        for repaired in (False, True):
            for head in heads:
                tokens = head.tokens
                if repaired:
                    corrected = mended(tokens, head.words, linker, question)
                    if corrected is None:
                        continue
                    tokens = corrected
                request = self._request(question, tokens, head, linker)
                for proposal in proposals(request, reasons):
                    known = (proposal.cost, self._reading(proposal, head))
                    readings.setdefault(proposal.identity, known)
            if readings:
                break
        return self._only(question, heads, [reading for _, reading in readings.values()], reasons, linker)

    def _likeliest(self, heads: tuple[Head, ...]) -> tuple[Head, ...]:
        """Put the language that knows most of the words first, in doubt that of the headers."""
        written = self.languages.of(" ".join(column.name for column in self.table.columns))

        def rank(head: Head) -> tuple[int, bool]:
            known = sum(
                any(True for _ in head.words.found(head.tokens, place)) for place in range(len(head.tokens))
            )
            return known, head.words.language == written[0]

        return tuple(sorted(heads, key=rank, reverse=True))

    def _request(self, question: str, tokens: tuple[Token, ...], head: Head, linker: Linker) -> Request:
        templates = self.languages.load(head.words.language).read_as
        names = frozenset(column.name for column in self.table.columns)
        return Request(
            question=question,
            tokens=tokens,
            typed=head.tokens,
            words=head.words,
            lattice=build_lattice(tokens, head.words),
            linker=linker,
            scene=scene_of(self.table, linker),
            say=Wording(templates=templates, columns=names).said if templates else str,
        )

    def _only(
        self,
        question: str,
        heads: tuple[Head, ...],
        readings: list[EditReading],
        reasons: list[Unfit],
        linker: Linker,
    ) -> EditReading:
        if len(readings) == 1:
            return readings[0]
        if readings:
            self._offered.update({reading.interpretation: reading for reading in readings})
            raise NotUnderstoodError(
                "The edit has several readings with different results.",
                hint="Name the column, or put names and values in quotation marks.",
                readings=tuple(reading.interpretation for reading in readings),
            )
        if reasons:
            reason = reasons[0]
            raise NotUnderstoodError(f"The edit cannot be read: {reason.message}.", hint=reason.hint or _HINT)
        unknown = _unknown(heads, linker, question)
        if unknown:
            listed = ", ".join(f"“{word}”" for word in unknown)
            raise NotUnderstoodError(f"Not understood: {listed}.", hint=_HINT, words=unknown)
        raise NotUnderstoodError("The words are known, but not which edit they ask for together.", hint=_HINT)

    def _reading(self, proposal: Proposal, head: Head) -> EditReading:
        said = head.words.readings[proposal.template].format(*proposal.parts)
        return EditReading(
            call=ToolCall(
                id="edit-1", name="edit_table", arguments={"table": self.table.name, **proposal.arguments}
            ),
            interpretation=head.words.readings["edit"].format(said),
        )

    def _linker(self, languages: tuple[str, ...]) -> Linker:
        if languages not in self._linkers:
            lexicons = [self.languages.load(language) for language in languages]
            others = self.languages.of(" ".join(column.name for column in self.table.columns))
            written = [self.languages.load(language) for language in others if language not in languages]
            self._linkers[languages] = build_linker(self.table, lexicons, [*lexicons, *written])
        return self._linkers[languages]


def read_edit(
    question: str, *, table: PlannerTable, languages: Languages | None = None
) -> EditReading | None:
    """Read one request about a table; None when it is no edit. Raises `NotUnderstoodError`."""
    return EditReader(table=table, languages=languages or shipped_languages()).read(question)


def proposals(request: Request, reasons: list[Unfit]) -> Iterator[Proposal]:
    """Yield every reading of a request; why others hold not is added to `reasons`."""
    for pattern, build in _PATTERNS:
        if not request.is_headed(pattern.partition(" ")[0]):
            continue
        for found in matches(pattern, request.lattice):
            try:
                yield from build(request, found)
            except Unfit as reason:
                reasons.append(reason)


def _command(head: Head, command: str) -> EditReading:
    return EditReading(
        call=ToolCall(id="edit-1", name=command, arguments={}),
        interpretation=head.words.readings["edit"].format(head.words.readings[command]),
    )


def _unknown(heads: tuple[Head, ...], linker: Linker, question: str) -> tuple[str, ...]:
    """Return the words that neither a request nor the table knows."""
    found: dict[str, None] = {}
    for head in heads:
        linked = linker.link(head.tokens, question)
        known = {
            place
            for start in range(len(head.tokens))
            for _, end in head.words.found(head.tokens, start)
            for place in range(start, end)
        }
        for item in linked.items:
            if item.unknown and not known & set(range(item.start, item.end)):
                found[item.text] = None
    return tuple(found)
