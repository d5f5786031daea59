"""Runs tools: checks the call, keeps the result under its key, and tells a model no more than it may know."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, assert_never

from tabchat.engine.summary import summarise
from tabchat.errors import TabchatError, UsageError
from tabchat.record import record
from tabchat.store import StoredResult
from tabchat.tools.catalogue import standard_registry
from tabchat.tools.envelope import OUT_OF_BAND, SUMMARY_LIMIT, ToolOutcome, ToolResultEnvelope
from tabchat.tools.preview import build_preview
from tabchat.tools.privacy import error_text, summary_text
from tabchat.tools.registry import ANALYSIS, DataOutput, TextOutput, ToolProfile, ToolRegistry
from tabchat.tools.schema import argument_problems

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.store import DataStore
    from tabchat.tools.registry import Tool, Workspace


@record
class ToolExecutor:
    """Executes the tools of one workspace; every context, such as the table, is in the arguments."""

    workspace: Workspace
    registry: ToolRegistry
    profile: ToolProfile

    @classmethod
    def for_workspace(
        cls,
        workspace: Workspace,
        *,
        registry: ToolRegistry | None = None,
        profile: ToolProfile = ANALYSIS,
    ) -> ToolExecutor:
        """Build an executor with the standard tools."""
        return cls(workspace=workspace, registry=registry or standard_registry(), profile=profile)

    def enabled(self) -> tuple[Tool, ...]:
        """Return the tools that may be called, in the registry's order."""
        return tuple(tool for tool in self.registry.tools.values() if tool.name in self.profile.tools)

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
            return _refusal(name, "tool_not_enabled", f"Tool '{name[:80]}' is not enabled")
        problems = argument_problems(tool.parameters, arguments)
        if problems:
            return _refusal(
                name, "invalid_arguments", f"Invalid arguments for '{name}': {'; '.join(problems)}"
            )
        try:
            output = tool.handler(self.workspace, arguments)
            match output:
                case TextOutput():
                    return _described(name, output)
                case DataOutput():
                    return self._keep(name, output, question)
                case _:
                    assert_never(output)
        except TabchatError as error:
            return self._failure(name, arguments, error)

    def _keep(self, name: str, output: DataOutput, question: str | None) -> ToolOutcome:
        result = output.result
        summary = summarise(result)
        key, unkept = self._put(output, summary.to_text(), question)
        preview, preview_metrics = build_preview(self.workspace, result)
        metrics: dict[str, JsonValue] = {
            "tool": name,
            "kind": result.kind.value,
            "row_count": result.frame.row_count,
            "source_row_count": result.source_row_count,
            "columns": list(result.frame.columns),
            "data_key": key,
            **preview_metrics,
        }
        envelope = ToolResultEnvelope(
            ok=True,
            summary=summary_text(self.workspace.privacy, result, summary),
            preview=preview,
            data_key=key,
            metrics=metrics,
            warnings=(*result.metadata.warnings, *unkept, OUT_OF_BAND),
        )
        return ToolOutcome(
            envelope=envelope, result=result, title=output.title, is_kept=not unkept, warnings=unkept
        )

    def _put(self, output: DataOutput, summary: str, question: str | None) -> tuple[str, tuple[str, ...]]:
        """Keep a result and return its key.

        A store that cannot be written costs the key's life beyond this session,
        not the answer: the result then stays in memory, and a warning says so.
        """
        try:
            return _stored(self.workspace.store, output, summary, question), ()
        except TabchatError as error:
            warning = f"The result could not be kept: {error.message}"
            return _stored(self.workspace.scratch, output, summary, question), (warning,)

    def _failure(self, name: str, arguments: Mapping[str, JsonValue], error: TabchatError) -> ToolOutcome:
        text = f"Error executing '{name}': {error_text(self.workspace, arguments, error)}"
        envelope = ToolResultEnvelope(
            ok=False, summary=_bounded(text), metrics={"tool": name}, error=type(error).__name__
        )
        return ToolOutcome(envelope=envelope, failure=error)


def _stored(store: DataStore, output: DataOutput, summary: str, question: str | None) -> str:
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
        summary=summary,
        metadata=result.metadata,
        sql=result.sql,
    )
    store.put(entry, result.frame)
    return key


def _described(name: str, output: TextOutput) -> ToolOutcome:
    truncated = len(output.text) > SUMMARY_LIMIT
    envelope = ToolResultEnvelope(
        ok=True,
        summary=_bounded(output.text),
        metrics={"tool": name, "summary_truncated": truncated, **output.facts},
    )
    return ToolOutcome(envelope=envelope)


def _refusal(name: str, code: str, summary: str) -> ToolOutcome:
    envelope = ToolResultEnvelope(
        ok=False, summary=_bounded(summary), metrics={"tool": name[:80]}, error=code
    )
    return ToolOutcome(envelope=envelope, failure=UsageError(_bounded(summary), code=code))


def _bounded(text: str) -> str:
    return text if len(text) <= SUMMARY_LIMIT else text[: SUMMARY_LIMIT - 1] + "…"
