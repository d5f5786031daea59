"""Who answers the questions of a session, in which order, and what each of them may know."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.chat.provider.budget import BudgetedModel
from tabchat.chat.turn.judge import Judge
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.speaker import Speaker
from tabchat.config import EngineName, Planner, PrivacyLevel, ToolChoice, words_file
from tabchat.errors import NotUnderstoodError
from tabchat.record import mutable
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import FULL, PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tabchat.chat.turn.model import Model
    from tabchat.config import Settings
    from tabchat.engine.bounded.engine import BoundedDuckDBEngine
    from tabchat.engine.facts import TableFacts
    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.planner import OfflinePlanner
    from tabchat.planner.context import UserContext
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.shortcuts import ShortcutReader
    from tabchat.sealed import SealedFolder
    from tabchat.session.conversation import Conversation
    from tabchat.session.deadline import Deadline
    from tabchat.session.kept import KeptResults
    from tabchat.session.models import LanguageModel
    from tabchat.tools.privacy import Allowance
    from tabchat.tools.registry import Workspace

_PLAIN: Final = re.compile(r"[\w ,.'’-]+")
"""What means nothing to a shell between double quotation marks."""


@mutable
class Panel:
    """The offline planner and the language model over one set of tables."""

    settings: Settings
    engine: BoundedDuckDBEngine
    tables: Mapping[str, Table]
    """The open tables; the session's own mapping."""
    facts: Callable[[str], TableFacts]
    """Name of an open table → what is known of it."""
    kept: KeptResults
    language: LanguageModel
    keep: Callable[[str, int], SealedFolder | None]
    """Returns the folder of this name for so many texts that are kept between runs; none to keep nothing."""
    read_in_full: Callable[[], object]
    """Reads tables that were only sampled, before a model that may query them often."""
    models: Sequence[Model] | None = None
    """Who answers instead of the planner and the model of the settings."""
    teaching: Callable[[Table, str, str], str] | None = None
    """Table, word, what stands for its meaning → the command that teaches the word, as hints name it; that of the shell
    when not set."""
    words_read: int = 0
    """How often the person's words were read again."""
    _rules: OfflinePlanner | None = None

    def speakers(
        self,
        question: str,
        conversation: Conversation,
        table: str,
        deadline: Deadline,
        pick: int | None = None,
    ) -> Iterator[Speaker]:
        """Yield who is asked, one after the other; a language model is made only when it is reached.

        `pick` is the number of a reading that rules offered: nobody else is asked then, nor what can be asked.
        """
        if pick is not None or not question.strip():
            yield self._rules_speaker(replace(self.rules(), pick=pick), conversation, table)
            return
        for model in self._models():
            if model.planner == "rules":
                yield self._rules_speaker(model, conversation, table)
            else:
                yield self._model_speaker(model, question, conversation, table, deadline)

    def _models(self) -> Iterator[Model]:
        if self.models is not None:
            yield from self.models
            return
        if self.settings.planner is not Planner.LLM:
            yield self.rules()
        if self._may_ask_model():
            self.language.warm()
            if self.settings.tools is ToolChoice.FULL and self.kept.run_code is not None:
                self.kept.run_code.warm()
            self.read_in_full()
            yield self.language.for_question([self.tables[name].version for name in sorted(self.tables)])

    def _may_ask_model(self) -> bool:
        match self.settings.planner:
            case Planner.RULES:
                return False
            case Planner.AUTO:
                return self.language.is_set
            case Planner.LLM:
                return True

    def judge(self, conversation: Conversation) -> Judge:
        """Return who checks the figures of a language model."""
        return Judge(
            earlier=conversation.blocks(self.settings.hide),
            reveal=self.settings.privacy is not PrivacyLevel.STRICT,
        )

    def executor(self, conversation: Conversation) -> ToolExecutor:
        """Return the tools as the person has them: all of them, over every column."""
        return ToolExecutor.for_workspace(self._workspace(conversation), profile=FULL)

    def model_executor(self, conversation: Conversation, allowance: Allowance | None = None) -> ToolExecutor:
        """Return the tools as a language model has them: those of the settings, over what it may know."""
        executor = ToolExecutor.for_workspace(
            self._model_workspace(conversation), profile=PROFILES[self.settings.tools.value]
        )
        return executor if allowance is None else replace(executor, allowance=allowance)

    def rules(self) -> OfflinePlanner:
        """Return the offline planner, which takes the words of each version of a table apart once."""
        from tabchat.planner import OfflinePlanner

        if self._rules is None:
            self._rules = OfflinePlanner(
                facts={},
                results=self.kept.recent,
                context=self._context(),
                lookup=self._cells,
                shortcuts=self._shortcuts(),
                run=self._result,
                teaching=self._teaching,
                joining=self._joining,
                totals=self._totals,
            )
        self._rules.facts = {name: partial(self.facts, name) for name in self.tables}
        return self._rules

    def _totals(self, table: str, key: str) -> Sequence[str]:
        if not self.tables[table].report.totals:
            return ()
        from tabchat.engine.result.totals import counted_totals

        return counted_totals(self.tables[table], self.kept.recent(key), lambda: self.kept.source(key))

    def _cells(self, table: str, columns: Sequence[str], texts: Sequence[str]) -> Sequence[tuple[str, str]]:
        from tabchat.engine.facts.lookup import find_texts

        return find_texts(self.engine, self.tables[table], columns, texts)

    def _teaching(self, table: str, word: str, meaning: str) -> str:

        return (self.teaching or _teaching_command)(self.tables[table], word, meaning)

    def _joining(self, sql: str) -> str:

        in_conversation = self.teaching is not None
        return f"/sql {sql}" if in_conversation else _joining_command(self.tables.values(), sql)

    def _result(self, call: PlannedCall) -> Result:
        """Answer a call of the planner's own, which is not kept."""
        from tabchat.engine.query import plan_for, run_plan

        fields = {name: value for name, value in call.arguments.items() if name != "table"}
        table = self.tables[str(call.arguments["table"])]
        return run_plan(self.engine, table, plan_for(fields, table.schema))

    def _shortcuts(self) -> ShortcutReader:
        """Return who reads common questions by their words."""
        from tabchat.planner.shortcuts import ShortcutReader

        return ShortcutReader(self.settings.shortcuts)

    def read_words(self) -> None:
        """Read the person's words again, for the next question."""
        self.words_read += 1
        self.rules().learn(self._context())

    def _context(self) -> UserContext | None:
        """Return the person's own words for columns and cells, when there is a file of them."""
        if self.settings.context is None and not os.access(words_file(), os.F_OK):
            return None
        from tabchat.planner.context import own_context

        return own_context(self.settings.context)

    def first_request(
        self, question: str, conversation: Conversation, table: str, deadline: Deadline
    ) -> bytes | None:
        """Return the bytes of the first request that `question` would send, nothing when rules answer it."""
        for speaker in self.speakers(question, conversation, table, deadline):
            messages = [*speaker.history, UserMessage(text=question)]
            if speaker.model.planner == "llm":
                measured = BudgetedModel(self.language.direct, self.language.limits, self.language.spending)
                return measured.request_bytes(speaker.brief(messages))
            with contextlib.suppress(NotUnderstoodError):
                list(speaker.model.respond(speaker.brief(messages)))
                return None
        message = (
            "No model would be asked: rules do not understand the question, and no language model is set."
        )
        raise NotUnderstoodError(message, hint="Name a model with --model.")

    def _workspace(self, conversation: Conversation) -> Workspace:
        return replace(self.kept.workspace(self.settings), numbers=conversation.numbers)

    def _rules_speaker(self, model: Model, conversation: Conversation, table: str) -> Speaker:
        # SQL of the planner's own is bounded as it is; the last digits of one engine are not another's.
        reuses = self.settings.engine is EngineName.DUCKDB
        workspace = replace(self._workspace(conversation), sql_engine=None, reuses=reuses)
        executor = ToolExecutor.for_workspace(workspace, profile=FULL)
        return replace(Speaker.plain(model, executor, table=table), history=conversation.all_messages())

    def _model_workspace(self, conversation: Conversation) -> Workspace:
        """Return what the tools of a language model work on: code only behind walls, edits only with all tools."""
        seconds = self.settings.timeout or self.settings.code_timeout
        workspace = replace(self._workspace(conversation), sql_engine=self.engine.for_sql(seconds))
        workspace = workspace.for_model(self.settings.hide)
        run_code, tools = self.kept.run_code, self.settings.tools
        runs = run_code is not None and tools is not ToolChoice.MINIMAL and run_code.stands()
        return replace(
            workspace,
            run_code=run_code if runs else None,
            editor=workspace.editor if tools is ToolChoice.FULL else None,
        )

    def _model_speaker(
        self, model: Model, question: str, conversation: Conversation, table: str, deadline: Deadline
    ) -> Speaker:
        from tabchat.chat.prompt import PromptContext, RecentResult
        from tabchat.engine.profile.cache import KEPT_SKETCHES, cached_sketch
        from tabchat.session.briefing import Briefing

        executor = self.model_executor(conversation)
        history = conversation.for_model(self.settings.hide)
        blocks = conversation.blocks(self.settings.hide)
        briefing = Briefing(
            executor=executor,
            context=PromptContext(
                question=question,
                tables=executor.workspace.tables,
                current=table,
                privacy=self.settings.privacy,
                sketch_of=lambda seen: cached_sketch(self.engine, seen, self.keep("sketches", KEPT_SKETCHES)),
                results=[recent for block in blocks if (recent := RecentResult.of(block))],
                preview_rows=self.settings.preview_rows,
            ),
            asked=len(history),
            remaining=deadline.remaining,
        )
        return Speaker(model=model, executor=executor, brief=briefing.request, history=history)


def _teaching_command(table: Table, word: str, meaning: str) -> str:
    """Return what teaches a word about a table, with `meaning` in the place of what it means."""
    said = f'"{word}"' if _PLAIN.fullmatch(word) else shlex.quote(word)
    return f'tabchat words {_file(table.source)} {said} "{meaning}"'


def _joining_command(tables: Iterable[Table], sql: str) -> str:
    """Return what runs a SELECT over several tables."""
    files = " ".join(_file(table.source) for table in tables)
    return f"tabchat sql {files} {shlex.quote(sql)}"


def _file(source: Path) -> str:
    """Return a file as it is typed in the current folder."""
    if str(source) == "-":
        return "FILE"
    with contextlib.suppress(OSError, ValueError):
        source = source.relative_to(Path.cwd())
    name = str(source)
    return shlex.quote(f"./{name}" if name.startswith("-") else name)
