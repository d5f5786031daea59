"""Runs tools: checks the call, keeps the result under its key, and tells a model no more than it may know."""

from __future__ import annotations

import time
from dataclasses import field, replace
from typing import TYPE_CHECKING, assert_never

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import inert
from tabchat.engine.result.calendar_numbers import calendar_numbers
from tabchat.engine.result.result import ResultKind
from tabchat.engine.result.summary import summarise
from tabchat.errors import DeclinedError, PlanError, TabchatError, UsageError
from tabchat.record import record
from tabchat.store import StoredResult
from tabchat.tools.catalogue import standard_registry
from tabchat.tools.code.told import (
    PRINTED_UNSEEN,
    KnownTexts,
    SentTexts,
    code_rows,
    summary_of_code,
    unsaid_texts,
)
from tabchat.tools.counts import told_counts
from tabchat.tools.envelope import OUT_OF_BAND, SUMMARY_LIMIT, ToolOutcome, ToolResultEnvelope, bounded
from tabchat.tools.lineage import are_aggregates, collects, rows_alone, stored
from tabchat.tools.mending import mended
from tabchat.tools.preview import FIRST_ROWS, build_preview, rows_text, told_alone
from tabchat.tools.privacy import TITLE_LIMIT, Allowance, shape_text, title_of, told_summary
from tabchat.tools.registry import ANALYSIS, DataOutput, EarlierOutput, TextOutput, ToolProfile, ToolRegistry
from tabchat.tools.schema import argument_problems

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from tabchat.engine.result.result import Result
    from tabchat.engine.result.summary import Summary
    from tabchat.engine.types import JsonValue
    from tabchat.store import DataStore, ResultRecipe
    from tabchat.tools.preview import Preview
    from tabchat.tools.registry import Tool, ToolOutput, Workspace


@record
class ToolExecutor:
    """Executes the tools of one workspace; every context, such as the table, is in the arguments."""

    workspace: Workspace
    registry: ToolRegistry
    profile: ToolProfile
    allowance: Allowance = field(default_factory=Allowance)
    """How much of the data this executor has told; one executor serves one question of a model."""
    sent: SentTexts = field(default_factory=SentTexts)
    """What the model was sent for the question; whoever sends it notes it here."""

    @classmethod
    def for_workspace(cls, workspace: Workspace, *, profile: ToolProfile = ANALYSIS) -> ToolExecutor:
        """Build an executor with the standard tools."""
        return cls(workspace=workspace, registry=standard_registry(), profile=profile)

    def enabled(self) -> tuple[Tool, ...]:
        """Return the tools that may be called, in the registry's order and as they can be called here."""
        listed = (tool for tool in self.registry.tools.values() if tool.name in self.profile.tools)
        return tuple(fitted for tool in listed if (fitted := tool.fitted(self.workspace)) is not None)

    def get_tool_definitions(self) -> list[dict[str, JsonValue]]:
        """Return `{name, description, parameters}` for every enabled tool."""
        return [tool.definition() for tool in self.enabled()]

    def get_openai_tools(self) -> list[dict[str, JsonValue]]:
        """Return the enabled tools in the form of OpenAI's function calling."""
        return [{"type": "function", "function": definition} for definition in self.get_tool_definitions()]

    def execute(self, name: str, arguments: Mapping[str, JsonValue]) -> ToolResultEnvelope:
        """Run a tool; whatever goes wrong is told in the envelope, never raised."""
        return self.run(name, arguments).envelope

    def run(
        self, name: str, arguments: Mapping[str, JsonValue], *, question: str | None = None
    ) -> ToolOutcome:
        """Run a tool and return its envelope, with the result itself beside it for the person."""
        tool = self.registry.tools.get(name)
        if tool is None or tool.name not in self.profile.tools:
            return self._not_enabled(name)
        tool = tool.fitted(self.workspace) or tool
        arguments = mended(tool.parameters, arguments)
        problems = argument_problems(tool.parameters, arguments)
        if problems:
            return _refusal(
                name, "invalid_arguments", f"Invalid arguments for '{name}': {'; '.join(problems)}"
            )
        try:
            return self._outcome(name, tool.handler(self.workspace, arguments), question)
        except RecursionError:
            too_deep = PlanError("The arguments are nested too deeply.", hint="Ask for less at once.")
            return self.failed(name, too_deep)
        except TabchatError as error:
            return self.failed(name, error)

    def _outcome(self, name: str, output: ToolOutput, question: str | None) -> ToolOutcome:
        match output:
            case TextOutput():
                return self._described(name, output)
            case EarlierOutput():
                return self._tell_again(name, output)
            case DataOutput():
                return self._keep(name, self._noted(output), question)
            case _:
                assert_never(output)

    def refuse_malformed(self, name: str, raw: str) -> ToolOutcome:
        """Return the envelope for a call whose arguments, as written in `raw`, are not one JSON object."""
        if name not in self.registry.tools or name not in self.profile.tools:
            return self._not_enabled(name)
        from tabchat.tools.error_text import malformed_text

        return _refusal(name, "invalid_arguments", malformed_text(name, raw))

    def refuse_more(self, name: str) -> ToolOutcome:
        """Return the envelope for a call that is one too many for the question."""
        return _refusal(name, "calls_spent", self.allowance.calls_spent)

    def may_tell(self, characters: int) -> bool:
        """Count so many characters of values as told, and return true, unless the question was told enough."""
        return self.workspace.is_person or self.allowance.admits(self.workspace.privacy, characters)

    @property
    def _tells_values(self) -> bool:
        return self.workspace.is_person or self.workspace.privacy is not PrivacyLevel.STRICT

    def may_list(self, data_key: str | None) -> bool:
        """Return whether labels of a result may be told one by one: no text in it holds many cells."""
        if data_key is None:
            return False
        try:
            entry = stored(self.workspace.store, self.workspace.scratch, data_key)
        except TabchatError:
            return False
        return not collects(self.workspace, entry.recipe)

    def _not_enabled(self, name: str) -> ToolOutcome:
        outcome = _refusal(name, "tool_not_enabled", f"Tool '{inert(name)[:80]}' is not enabled")
        metrics = {**outcome.envelope.metrics, "enabled": [tool.name for tool in self.enabled()]}
        return replace(outcome, envelope=replace(outcome.envelope, metrics=metrics))

    def _noted(self, output: DataOutput) -> DataOutput:
        """Return the output with what else its recipe and the question say of its rows and its names."""
        known = output.result.metadata
        beyond = output.chosen.beyond(self.allowance) if output.chosen is not None else ()
        alone = rows_alone(self.workspace, output.recipe, known.alone)
        if not beyond and alone == known.alone:
            return output
        metadata = replace(known, cell_names=(*known.cell_names, *beyond), alone=alone)
        return replace(output, result=replace(output.result, metadata=metadata))

    def _keep(self, name: str, output: DataOutput, question: str | None) -> ToolOutcome:
        result = output.result
        summary = summarise(result)
        key, unkept = self._put(output, summary, question)
        number = self.workspace.numbers.add(key)
        warnings = (
            *result.metadata.warnings,
            *(["The result is kept for this session only."] if unkept else []),
            OUT_OF_BAND,
        )
        named = _Named(number=number, key=key, title=output.title, recipe=output.recipe)
        envelope = self._told(name, named, result, summary, warnings)
        if output.printed:
            said = self._printed(output)
            envelope = replace(envelope, summary=bounded(f"{envelope.summary}\n{said}"))
        return ToolOutcome(
            envelope=envelope,
            result=result,
            title=output.title,
            number=number,
            is_kept=not unkept,
            warnings=unkept,
            printed=output.printed,
        )

    def _tell_again(self, name: str, output: EarlierOutput) -> ToolOutcome:
        entry, result = output.entry, output.result
        number = self.workspace.numbers.number(entry.key)
        named = _Named(number=number, key=entry.key, title=entry.title, recipe=entry.recipe)
        envelope = self._told(name, named, result, summarise(result), ())
        return ToolOutcome(envelope=envelope, facts={"tool": name, **output.facts})

    def _told(
        self, name: str, named: _Named, result: Result, summary: Summary, warnings: tuple[str, ...]
    ) -> ToolResultEnvelope:
        """Return what a model may know of a result."""
        collecting = collects(self.workspace, named.recipe)
        untold, known = self._untold_names(result), self._known_texts(named.recipe)
        if self.workspace.privacy is PrivacyLevel.STRICT or untold:
            text, preview, is_cut = self._shape(named, result, untold), None, bool(untold)
        else:
            shown = summary_of_code(summary, known) if known is not None else summary
            text = self._summary(named, result, shown, collects=collecting)
            preview, is_cut = self._preview(named, result, known, collects=collecting)
        counts = told_counts(self.workspace, named.recipe, result, exact=self._tells_values)
        metrics: dict[str, JsonValue] = {
            "tool": name,
            "number": named.number,
            "title": self._title(named, result),
            "kind": result.kind.value,
            "row_count": counts.rows,
            "source_row_count": counts.scanned,
            "columns": [name for name in result.frame.columns if name not in untold],
            "data_key": named.key,
            "preview_size_chars": preview.size if preview is not None else 0,
            "preview_truncated": is_cut,
        }
        return ToolResultEnvelope(
            ok=True,
            summary=text,
            preview=preview.fields if preview is not None else None,
            data_key=named.key,
            metrics=metrics,
            warnings=(*warnings, *unsaid_texts(preview)),
        )

    def _title(self, named: _Named, result: Result) -> str:
        # Rules take the words of a title from cells too, where they mend a typo.
        is_told = self.workspace.privacy is not PrivacyLevel.STRICT or not self.workspace.is_person
        title = inert(named.title)[:TITLE_LIMIT] if named.title and is_told else ""
        return title or title_of(result, [table.name for table in named.recipe.tables])

    def _untold_names(self, result: Result) -> frozenset[str]:
        """Return the names that may be cells and are too many to be told; counts them as told otherwise."""
        named = result.metadata.cell_names
        return frozenset() if not named or self.may_tell(sum(map(len, named))) else frozenset(named)

    def _shape(self, named: _Named, result: Result, untold: Collection[str] | None = None) -> str:
        return shape_text(result, told_counts(self.workspace, named.recipe, result), untold)

    def _summary(self, named: _Named, result: Result, summary: Summary, *, collects: bool) -> str:
        told = told_summary(summary, collects=collects, numbers=calendar_numbers(result))
        text = bounded("\n  ".join((told.to_text(), *map(inert, result.metadata.notes))))
        return text if self.may_tell(len(text)) else f"{self._shape(named, result)}. {self.allowance.spent}"

    def _known_texts(self, recipe: ResultRecipe) -> KnownTexts | None:
        """Return what a model knows of the texts in a result of code; nothing for a result of anything else."""
        code = recipe.plan.get("code") if recipe.kind == "code" and recipe.plan else None
        return KnownTexts.of(str(code), self.sent) if code is not None else None

    def _printed(self, output: DataOutput) -> str:
        """Return what is said of what code printed."""
        known = self._known_texts(output.recipe)
        if known is None or self.workspace.privacy is PrivacyLevel.STRICT:
            return PRINTED_UNSEEN
        columns = [name for table in self.workspace.tables.values() for name in table.by_name]
        told = known.printed(output.printed, columns)
        return f"printed:\n{told}" if self.may_tell(len(told)) else PRINTED_UNSEEN

    def _preview(
        self, named: _Named, result: Result, known: KnownTexts | None, *, collects: bool
    ) -> tuple[Preview | None, bool]:
        """Return the rows that are told, and whether there were others that could have been."""
        if known is not None:
            preview = code_rows(result, known) if result.kind is ResultKind.TABLE else None
            alone = min(result.metadata.alone or 0, len(preview.rows)) if preview is not None else 0
            if not self.allowance.admits_all("alone", alone, FIRST_ROWS):
                return None, True
        else:
            preview = self._rows_of(named, result, collects=collects)
        if preview is None:
            return None, False
        told = preview.rows and self.may_tell(len(rows_text(preview.fields, preview.of)))
        return (preview, preview.is_cut) if told else (None, preview.of > 0)

    def _rows_of(self, named: _Named, result: Result, *, collects: bool) -> Preview | None:
        """Return rows of an aggregate, unless too many stand for one row each, all of the question together."""
        if are_aggregates(self.workspace, named.recipe, result.kind):
            preview = build_preview(self.workspace, result, collects=collects, aggregates=True)
            alone = told_alone(result, len(preview.rows)) if preview is not None else 0
            if self.workspace.is_person or (
                alone is not None and self.allowance.admits_all("alone", alone, FIRST_ROWS)
            ):
                return preview
        return build_preview(self.workspace, result, collects=collects, aggregates=False)

    def _described(self, name: str, output: TextOutput) -> ToolOutcome:
        tells = self.workspace.privacy is not PrivacyLevel.STRICT and output.text != output.shape
        spent = tells and not self.may_tell(len(output.text))
        text = f"{output.shape} {self.allowance.spent}" if spent else output.text
        envelope = ToolResultEnvelope(
            ok=True,
            summary=bounded(text),
            metrics={"tool": name, "summary_truncated": len(text) > SUMMARY_LIMIT, **output.metrics},
        )
        return ToolOutcome(envelope=envelope, facts={} if spent else {"tool": name, **output.facts})

    def _put(self, output: DataOutput, summary: Summary, question: str | None) -> tuple[str, tuple[str, ...]]:
        """Keep a result and return its key.

        A store that cannot be written costs the key's life beyond this session,
        not the answer: the result then stays in memory, and a warning says so.
        """
        try:
            return _stored(self.workspace.store, output, summary, question), ()
        except TabchatError as error:
            warning = f"The result could not be kept: {error.message}"
            return _stored(self.workspace.scratch, output, summary, question), (warning,)

    def failed(self, name: str, error: TabchatError) -> ToolOutcome:
        """Return the outcome of a call that `error` ended, told as far as it may be."""
        from tabchat.tools.error_text import error_text

        text = f"Error executing '{name}': {error_text(error)}"
        envelope = ToolResultEnvelope(
            ok=False,
            summary=bounded(text),
            metrics={"tool": name},
            error=error.code if isinstance(error, DeclinedError) else type(error).__name__,
        )
        return ToolOutcome(envelope=envelope, failure=error)


@record
class _Named:
    """What a result is called, and how it came about."""

    number: int
    key: str
    title: str | None
    recipe: ResultRecipe


def _stored(store: DataStore, output: DataOutput, summary: Summary, question: str | None) -> str:
    result = output.result
    key = store.key_for(output.recipe)
    entry = StoredResult(
        key=key,
        recipe=output.recipe,
        title=output.title,
        question=question,
        created_at=time.time(),
        kind=result.kind,
        schema=result.frame.schema,
        row_count=result.frame.row_count,
        source_row_count=result.source_row_count,
        value=result.value,
        values=result.values,
        chart=result.chart,
        group_by=result.group_by,
        focus=result.focus,
        summary=summary.to_text(),
        metadata=result.metadata,
        sql=result.sql,
    )
    # Of groups, statistics are not told.
    stats = summary.stats if result.kind is ResultKind.TABLE else {}
    store.put(entry, result.frame, {name: (each.min, each.max, each.mean) for name, each in stats.items()})
    return key


def _refusal(name: str, code: str, summary: str) -> ToolOutcome:
    envelope = ToolResultEnvelope(
        ok=False, summary=bounded(summary), metrics={"tool": inert(name)[:80]}, error=code
    )
    return ToolOutcome(envelope=envelope, failure=UsageError(bounded(summary), code=code))
