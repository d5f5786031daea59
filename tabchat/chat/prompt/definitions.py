"""The tools as a model reads them: the executor's own arguments, in fewer words, without what cannot apply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tabchat.chat.prompt.ranking import tokens
from tabchat.chat.prompt.texts import data
from tabchat.chat.prompt.wording import name_text
from tabchat.engine.cells import joined
from tabchat.engine.types import ColumnKind
from tabchat.tools.registry import RECIPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.prompt.context import PromptContext
    from tabchat.engine.types import JsonValue
    from tabchat.tools.executor import ToolExecutor
    from tabchat.tools.registry import Tool

_TIME_FIELDS: Final = frozenset({"period", "resample", "time_column"})
_RECIPE_FIELDS: Final = frozenset({"where", "period", "table"})
_UNTOLD: Final = frozenset({"from", "within"})
"""What a model need not know: another name of `resample`, and groups of rows, which it writes in SQL."""
_OVER_RESULTS: Final = frozenset({"run_query", "run_python", "describe_table"})
_TELLS_AGAIN: Final = "describe_result"
_SESSION_LIMIT: Final = 120
TOLD: Final = 2
"""Recipes that one question is told of at most."""

_WHOLE: Final = "$"


def model_tools(executor: ToolExecutor, context: PromptContext) -> list[dict[str, JsonValue]]:
    """Return `{name, description, parameters}` of every enabled tool that the question may need.

    Whatever these schemas admit, the executor accepts; fields about time are left
    out when no table has a date, analysis recipes unless the question has their words.
    """
    texts = data("tools")
    hidden = _useless_fields(context)
    windows = joined([name_text(name) for name in executor.workspace.sessions] or [""], _SESSION_LIMIT, "")
    values = {
        "time": _time_columns(context),
        "bars": "1m 5m 15m 30m 1h 2h 4h " if "session" not in hidden else "",
        "sessions": f", or one of {windows}" if executor.workspace.sessions else "",
    }
    called = called_recipes(context.question)
    return [
        _definition(tool, texts.get(tool.name), values, hidden)
        for tool in executor.enabled()
        if tool.name not in RECIPES or tool.name in called
        # The results of this question are told in full as they come.
        if tool.name != _TELLS_AGAIN or context.results
    ]


def _useless_fields(context: PromptContext) -> frozenset[str]:
    kinds = {column.kind for table in context.tables.values() for column in table.schema}
    temporal = [
        column for table in context.tables.values() for column in table.schema if column.kind.is_temporal
    ]
    hidden = {*_UNTOLD, *(["table"] if len(context.tables) == 1 else [])}
    if not temporal:
        hidden |= _TIME_FIELDS
    if len(temporal) == len(context.tables) == 1:
        hidden.add("time_column")
    if ColumnKind.DATETIME not in kinds:
        hidden.add("session")
    return frozenset(hidden)


def _time_columns(context: PromptContext) -> str:
    table = context.tables.get(context.current)
    return name_text(table.time_column) if table is not None and table.time_column else "the first one"


def _definition(
    tool: Tool, texts: Mapping[str, str] | None, values: Mapping[str, str], hidden: frozenset[str]
) -> dict[str, JsonValue]:
    if texts is None:
        return tool.definition()
    parameters: dict[str, Any] = dict(tool.parameters)
    properties = parameters["properties"]
    parameters["properties"] = {
        name: _field(schema, texts.get(name), values)
        for name, schema in properties.items()
        if _is_told(tool, name, texts, hidden)
    }
    # The executor itself refuses other fields, with a hint; saying so in each schema costs tokens.
    kept = {"type", "properties", *(["required"] if parameters["required"] else [])}
    parameters = {name: value for name, value in parameters.items() if name in kept}
    return {
        "name": tool.name,
        "description": texts.get("description", tool.description),
        "parameters": parameters,
    }


def _is_told(tool: Tool, field: str, texts: Mapping[str, str], hidden: frozenset[str]) -> bool:
    """Return whether a model is told of a field; of a recipe's only of those that it cannot do without.

    With one table open, what is queried or described may still be a result.
    """
    if tool.name in RECIPES:
        return (field in texts or field in _RECIPE_FIELDS) and field not in hidden & (
            _TIME_FIELDS | {"table"}
        )
    if field == "table":
        return tool.name in _OVER_RESULTS or field not in hidden
    return tool.name != "run_query" or field not in hidden


def _field(schema: Mapping[str, Any], text: str | None, values: Mapping[str, str]) -> dict[str, Any]:
    """Return a field with its short description; of several forms only the last, which is the general one."""
    options = schema.get("anyOf")
    chosen = dict(options[-1] if options else schema)
    for name in ("description", "minimum", *([] if chosen.get("properties") else ["properties"])):
        chosen.pop(name, None)
    if isinstance(chosen.get("items"), Mapping):
        chosen["items"] = _field(chosen["items"], None, values)
    if text:
        chosen["description"] = text.format(**values)
    return chosen


def called_recipes(question: str) -> tuple[str, ...]:
    """Return the recipes whose words stand in `question`; the phrases are in `recipes.toml`."""
    words = tokens(question)
    called = [
        name
        for name, needs in data("recipes").items()
        if any(_stands(_stems(phrase), words) for phrase in needs["phrases"])
    ]
    return tuple(called[:TOLD])


def _stems(phrase: str) -> list[str]:
    return [
        f"{stem}{_WHOLE}" if part.endswith(_WHOLE) else stem
        for part in phrase.split()
        for stem in tokens(part)
    ]


def _stands(stems: Sequence[str], words: Sequence[str]) -> bool:
    return any(
        all(_begins(word, stem) for word, stem in zip(words[start:], stems, strict=False))
        for start in range(len(words) - len(stems) + 1)
    )


def _begins(word: str, stem: str) -> bool:
    return word == stem.removesuffix(_WHOLE) if stem.endswith(_WHOLE) else word.startswith(stem)
