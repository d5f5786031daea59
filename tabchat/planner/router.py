"""The offline planner: a model that answers with plans when it accounts for every word, and refuses otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Self

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import Reply
from tabchat.errors import LacksDetailError, NotUnderstoodError
from tabchat.planner.catalog import EngineTable
from tabchat.planner.edits.heads import refuse_edit
from tabchat.planner.follow_words import listen
from tabchat.planner.lacking import reason_of
from tabchat.planner.lexicon import Languages, shipped_languages
from tabchat.planner.linker import build_linker
from tabchat.planner.noted import plain_read, with_notes
from tabchat.planner.phrasing import phrase
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import read
from tabchat.planner.rules import worded
from tabchat.planner.scene import Scene
from tabchat.planner.shortcuts.options import ShortcutOptions
from tabchat.planner.tokens import tokenize
from tabchat.planner.wording import in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.chat.turn.model import ModelRequest, Piece
    from tabchat.engine.result import Result
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine
    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.changes import FollowUp
    from tabchat.planner.context import UserContext
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.linker import Linked, Linker
    from tabchat.planner.plans import Draft
    from tabchat.planner.shortcuts.shortcuts import Shortcuts
    from tabchat.planner.tokens import Token
    from tabchat.sealed import SealedFolder

LONGEST_QUESTION: Final = 600
"""Characters; a longer text is not one question."""


@dataclass
class OfflinePlanner:
    """Answers common questions exactly, by rules, or says which words it did not understand."""

    tables: Mapping[str, PlannerTable]
    results: Callable[[str], Result]
    """Data key → the result that a tool call gave, for the sentence."""
    name: str = "rules"
    planner: Literal["rules", "llm"] = "rules"
    languages: Languages = field(default_factory=shipped_languages)
    shortcuts: ShortcutOptions = field(default_factory=ShortcutOptions)
    warnings: tuple[str, ...] = ()
    """What is wrong with the person's own words; said with every answer."""
    _shortcuts: Shortcuts | None = None
    _linkers: dict[tuple[str, tuple[str, ...]], Linker] = field(default_factory=dict)
    _drafts: dict[str, Draft] = field(default_factory=dict)
    _read: dict[str, PlannerTable] = field(default_factory=dict)
    """Table → the same with its notes read, once a question asked for it."""
    _offered: dict[str, dict[str, Draft]] = field(default_factory=dict)
    """Table → readings that were listed, as they were worded, with their plans: the words say all of the plan."""

    @classmethod
    def for_tables(
        cls,
        engine: Engine,
        tables: Mapping[str, Table],
        *,
        results: Callable[[str], Result],
        shortcuts: ShortcutOptions | None = None,
        folder: SealedFolder | None = None,
        context: UserContext | None = None,
    ) -> Self:
        """Make a planner over an engine's tables.

        Value indexes are kept in `folder`; `context` holds the person's own words.
        """
        names = [column.name for table in tables.values() for column in table.schema]
        return cls(
            tables={
                name: EngineTable(engine=engine, table=table, folder=folder, context=context)
                for name, table in tables.items()
            },
            results=results,
            shortcuts=shortcuts or ShortcutOptions(),
            warnings=context.warnings(names) if context is not None else (),
        )

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Yield the tool call that answers the question, or the sentence about its result.

        Raises `NotUnderstoodError` that names the words that are not accounted for, or lists the readings.
        """
        last = request.messages[-1]
        if isinstance(last, ToolMessage):
            yield self._phrase(last)
            return
        if not isinstance(last, UserMessage):
            raise NotUnderstoodError("There is no question to answer.")
        draft = self.plan(last.text, request.table, request.messages[:-1])
        call = ToolCall(id=f"rules-{len(self._drafts) + 1}", name=draft.tool, arguments=draft.arguments)
        self._drafts[call.id] = draft
        yield Reply(tool_calls=(call,), interpretation=draft.interpretation, warnings=self.warnings)

    def plan(self, question: str, table: str | None = None, earlier: Sequence[Message] = ()) -> Draft:
        """Return the one reading of `question` after the messages of `earlier`; raises `NotUnderstoodError`."""
        target = self._table(table)
        chosen = self._offered.get(target.name, {}).get(question)
        if chosen is not None:
            return chosen
        if len(question) > LONGEST_QUESTION:
            raise NotUnderstoodError(
                f"The question is longer than {LONGEST_QUESTION} characters.", hint="Ask one thing at a time."
            )
        refuse_edit(question)
        tokens = tokenize(question)
        lexicons = [self.languages.load(language) for language in self.languages.of(question)]
        linker = self._linker(target, lexicons)
        linked = linker.link(tokens, question)
        scene = scene_of(target, linker)
        alone: Draft | NotUnderstoodError
        try:
            alone = self._alone(question, linked, scene, lexicons)
        except NotUnderstoodError as refusal:
            alone = refusal
        heard = listen(tokens, lexicons)
        if (
            isinstance(alone, NotUnderstoodError)
            or heard.begins
            or alone.shape == "preview"
            or "bare" in alone.details
        ):
            from tabchat.planner.changes import FollowUp
            from tabchat.planner.follow_ups import previous_of, settled

            rest = linked if len(heard.tokens) == len(tokens) else linker.link(heard.tokens, question)
            asked = FollowUp(heard=heard, linked=rest, scene=scene, nonadditive=_nonadditive(lexicons))
            offered: dict[str, Draft] = {}
            try:
                alone = settled(alone, asked, previous_of(earlier), offered)
            finally:
                answered = self._language(tokens, lexicons, target)
                self._offered.setdefault(target.name, {}).update(
                    {
                        text: worded(_noted(draft, target), answered, self.languages)
                        for text, draft in offered.items()
                    }
                )
        answered = self._language(tokens, lexicons, target)
        said = in_words(_noted(alone, target), self.languages.load(answered).read_as, target)
        return worded(said, answered, self.languages)

    def heard(self, text: str, table: str | None = None) -> FollowUp:
        """Return a few words about a table, taken apart."""
        from tabchat.planner.changes import FollowUp
        from tabchat.planner.follow_words import Heard

        target = self._table(table)
        lexicons = [self.languages.load(language) for language in self.languages.of(text)]
        linker, tokens = self._linker(target, lexicons), tokenize(text)
        return FollowUp(
            heard=Heard(tokens=tokens, marks=frozenset({"start"})),
            linked=linker.link(tokens, text),
            scene=scene_of(target, linker),
            nonadditive=_nonadditive(lexicons),
        )

    def _alone(self, question: str, linked: Linked, scene: Scene, lexicons: Sequence[Lexicon]) -> Draft:
        """Return what a question means by itself."""
        try:
            return _only_reading(linked, scene, lexicons)
        except NotUnderstoodError as refusal:
            found = None if refusal.readings else self._shortcut(question, linked, scene, lexicons)
            if found is None:
                raise
            return found

    def _shortcut(self, text: str, linked: Linked, scene: Scene, lexicons: Sequence[Lexicon]) -> Draft | None:
        """Return the plan of a common question that the grammar does not read; it is searched only then."""
        from tabchat.planner.shortcuts.shortcuts import Question, Shortcuts

        if self._shortcuts is None:
            self._shortcuts = Shortcuts.over(self.shortcuts, self.languages)
        return self._shortcuts.find(
            Question(
                text=text,
                tokens=tokenize(text),
                linked=linked,
                scene=scene,
                lexicons=tuple(lexicons),
                ask=lambda asked, language: self._ask(asked, language, scene),
            )
        )

    def _ask(self, question: str, language: str, scene: Scene) -> Draft:
        """Read a question of the catalogue, by the grammar alone."""
        if language not in self.languages.letters:
            raise NotUnderstoodError(f"There is no language {language!r} to read “{question}” in.")
        lexicons = [self.languages.load(language)]
        linker = self._linker(scene.table, lexicons)
        linked = linker.link(tokenize(question), question)
        return _only_reading(linked, scene_of(scene.table, linker), lexicons)

    def _language(self, tokens: Sequence[Token], lexicons: Sequence[Lexicon], table: PlannerTable) -> str:
        """Return the language to answer in: the one that knows most words, in doubt that of the headers."""
        if len(lexicons) == 1:
            return lexicons[0].language
        found = [sum(bool(lexicon.find((token.norm,))) for token in tokens) for lexicon in lexicons]
        able = [lexicon for lexicon, count in zip(lexicons, found, strict=True) if count == max(found)]
        if len(able) == 1:
            return able[0].language
        from tabchat.planner.known_words import is_known

        headers = self.languages.of(" ".join(column.name for column in table.columns))
        return max(
            able,
            key=lambda lexicon: (
                sum(
                    is_known(lexicon.inflection.base(token.norm), lexicon.language) or False
                    for token in tokens
                ),
                lexicon.language == headers[0],
            ),
        ).language

    def _phrase(self, message: ToolMessage) -> Reply:
        draft, key = self._drafts.get(message.call.id), message.envelope.data_key
        if draft is None or key is None or not message.envelope.ok:
            return Reply(text=message.envelope.summary)
        name = str(message.call.arguments.get("table"))
        table = self._view(name) if name in self.tables else None
        words = self.languages.load(draft.language).phrasing
        sentence = phrase(draft, self.results(key), words, key, table)
        return Reply(text=sentence.text, receipts=sentence.receipts)

    def _table(self, name: str | None) -> PlannerTable:
        if name is not None and name in self.tables:
            return self._view(name)
        if len(self.tables) == 1:
            return self._view(next(iter(self.tables)))
        raise NotUnderstoodError(
            "Which table is the question about?", hint=f"Open tables: {', '.join(self.tables)}."
        )

    def _view(self, name: str) -> PlannerTable:
        if name not in self._read:
            self._read[name] = with_notes(self.tables[name])
        return self._read[name]

    def _linker(self, table: PlannerTable, lexicons: Sequence[Lexicon]) -> Linker:
        key = (table.name, tuple(lexicon.language for lexicon in lexicons))
        if key not in self._linkers:
            others = self.languages.of(" ".join(column.name for column in table.columns))
            written = [self.languages.load(language) for language in others if language not in key[1]]
            self._linkers[key] = build_linker(table, lexicons, [*lexicons, *written])
        return self._linkers[key]


def scene_of(table: PlannerTable, linker: Linker) -> Scene:
    """Return what the grammar may know of a table."""
    meanings: dict[str, tuple[ColumnFacts, ...]] = {}
    for index, names in linker.headers.meanings.items():
        for name in names:
            meanings[name] = (*meanings.get(name, ()), table.columns[index])
    for name, column in linker.headers.headed:
        meanings.setdefault(name, (column,))
    temporal = any(column.kind.is_temporal for column in table.columns)
    years = [
        column
        for column in table.columns
        if column.kind.value == "integer"
        and (
            any("unit.year" in lexicon.find((word,)) for word in column.words for lexicon in linker.lexicons)
            or linker.evidence.holds_years(column)
        )
    ]
    naming = frozenset().union(*(lexicon.identifying for lexicon in linker.lexicons))
    identifiers = frozenset(
        column.index for column in table.columns if column.kind.is_numeric and set(column.words) & naming
    )
    return Scene(
        evidence=linker.evidence,
        countable=linker.headers.countable,
        namesakes=linker.evidence.namesakes(),
        magnitudes=linker.headers.magnitudes,
        spans=linker.headers.spans,
        identifiers=identifiers,
        better=frozenset().union(*(lexicon.better for lexicon in linker.lexicons)),
        worse=frozenset().union(*(lexicon.worse for lexicon in linker.lexicons)),
        participles=tuple(ending for lexicon in linker.lexicons for ending in lexicon.participles),
        ways=_ways(linker.lexicons),
        nonadditive=_nonadditive(linker.lexicons),
        located=tuple(ending for lexicon in linker.lexicons for ending in lexicon.located),
        mass=tuple(ending for lexicon in linker.lexicons for ending in lexicon.mass),
        stated=tuple(ending for lexicon in linker.lexicons for ending in lexicon.stated),
        table=table,
        year_column=years[0] if len(years) == 1 and not temporal else None,
        meanings=meanings,
    )


def _ways(lexicons: Sequence[Lexicon]) -> tuple[frozenset[str], ...]:
    ways = [
        frozenset().union(*(words for lexicon in lexicons for words in lexicon.moving(way)))
        for way in ("in", "out")
    ]
    return tuple(ways) if all(ways) else ()


def _only_reading(linked: Linked, scene: Scene, lexicons: Sequence[Lexicon]) -> Draft:
    unknown = linked.unknown
    if unknown:
        raise _not_understood(unknown)
    readings = read(linked, scene, _nonadditive(lexicons))
    if len(readings.drafts) == 1:
        return readings.drafts[0]
    if readings.drafts:
        listed = tuple(draft.interpretation for draft in readings.drafts)
        raise NotUnderstoodError(
            "The question has several readings with different results.",
            hint="Name the column or the function that you mean.",
            readings=listed,
        )
    refused = [item.text for item in linked.items if all(sense.has("refuse.") for sense in item.senses)]
    if refused:
        raise _not_understood(refused)
    reason = readings.reasons[0] if readings.reasons else reason_of(linked, scene.table)
    hint = "Say what to compute, of which column, and by what: average price by brand."
    unclear = "The words are known, but not what they ask for together"
    if reason is not None:
        raise LacksDetailError(f"{unclear}: {reason}", hint=hint)
    raise NotUnderstoodError(f"{unclear}.", hint=hint)


def _noted(draft: Draft, table: PlannerTable) -> Draft:
    try:
        return plain_read(draft, table)
    except Unreadable as reason:
        raise LacksDetailError(f"The words are known, but not what they ask for together: {reason}") from None


def _nonadditive(lexicons: Sequence[Lexicon]) -> frozenset[str]:
    return frozenset().union(*(lexicon.nonadditive for lexicon in lexicons))


def _not_understood(words: Sequence[str]) -> NotUnderstoodError:
    shown = ", ".join(f"“{word}”" for word in words)
    return NotUnderstoodError(
        f"Not understood: {shown}.",
        hint="Use the names of columns and values in the table; `tabchat profile FILE` lists them.",
        words=tuple(words),
    )
