"""Tool calls written as JSON in a text, for models that know no other way.

The whole of a reply is one JSON object, `{"action": NAME, "arguments": {…}}` or
`{"answer": TEXT}`, in a fence or not. Anything else is refused with a reason
that the model can act upon: half a reading would run what was not meant.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.provider.reply_stream import refuse_constant
from tabchat.record import record
from tabchat.values import fields_once

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.types import JsonValue

_FENCE: Final = re.compile(r"\A```(?:json)?[ \t]*\n(?P<content>.*?)\n?[ \t]*```\Z", re.DOTALL | re.IGNORECASE)

FORM: Final = (
    "Reply with one JSON object and nothing else, no prose around it.\n"
    'To run a tool: {"action": "TOOL", "arguments": {…}}\n'
    'To answer the person, figures as expressions over results: {"answer": "Asia made {r1.total[\'Asia\']:,.0f}."}\n'
    "The result of a tool comes in the next message. Tools, with their arguments (* required):"
)


@record
class Action:
    """The model wants a tool to run."""

    name: str
    arguments: Mapping[str, JsonValue]


@record
class Said:
    """The model answers."""

    text: str


@record
class Unreadable:
    """The reply keeps to neither form."""

    reason: str


Reading: TypeAlias = Action | Said | Unreadable


def read_action(text: str) -> Reading:
    """Read a whole reply; never guesses."""
    stripped = text.strip()
    fenced = _FENCE.match(stripped)
    try:
        content = json.loads(
            fenced["content"] if fenced else stripped,
            object_pairs_hook=fields_once,
            parse_constant=refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        return Unreadable(reason=_why(stripped, error))
    if not isinstance(content, dict):
        return Unreadable(reason="It is JSON, but not an object.")
    if content.keys() == {"answer"}:
        return _as_said(content["answer"])
    if content.keys() in ({"action"}, {"action", "arguments"}):
        return _as_action(content["action"], content.get("arguments", {}))
    names = ", ".join(map(repr, content)) or "none"
    return Unreadable(
        reason=f'The fields must be "action" and "arguments", or "answer" alone; found: {names}.'
    )


def correction(problem: Unreadable) -> str:
    """Return what the model is told of a reply that cannot be read."""
    return (
        f"That reply cannot be read: {problem.reason} "
        'Reply with one JSON object and nothing else: {"action": "TOOL", "arguments": {…}} or {"answer": "TEXT"}.'
    )


def describe_tools(tools: Sequence[Mapping[str, JsonValue]]) -> str:
    """Return the rules of this form, and the `{name, description, parameters}` of each tool in a line or two."""
    return "\n".join([FORM, *(_describe(tool) for tool in tools)])


def action_text(name: str, arguments: Mapping[str, JsonValue]) -> str:
    """Return a tool call as the model would have written it."""
    return json.dumps({"action": name, "arguments": dict(arguments)}, ensure_ascii=False)


def _as_action(name: object, arguments: object) -> Reading:
    if not isinstance(name, str) or not name:
        return Unreadable(reason='"action" must be the name of a tool.')
    if not isinstance(arguments, dict):
        return Unreadable(reason='"arguments" must be an object.')
    return Action(name=name, arguments=arguments)


def _as_said(text: object) -> Reading:
    if not isinstance(text, str) or not text.strip():
        return Unreadable(reason='"answer" must be a text.')
    return Said(text=text)


def _why(text: str, error: Exception) -> str:
    if not text:
        return "It is empty."
    if not text.startswith(("{", "```")):
        return "It is not JSON."
    if isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
        return "Something follows the object."
    return f"The JSON is broken: {error}."


def _describe(tool: Mapping[str, JsonValue]) -> str:
    parameters = tool.get("parameters")
    schema = parameters if isinstance(parameters, dict) else {}
    properties, required = schema.get("properties"), schema.get("required")
    needed = required if isinstance(required, list) else []
    fields = properties if isinstance(properties, dict) else {}
    listed = ", ".join(
        f"{name}{'*' if name in needed else ''}: {_type(field)}" for name, field in fields.items()
    )
    return f"- {tool['name']}({listed}): {tool.get('description', '')}"


def _type(field: JsonValue) -> str:
    if not isinstance(field, dict):
        return "any"
    choices = field.get("enum")
    if isinstance(choices, list):
        return "|".join(map(str, choices))
    options = field.get("anyOf") or field.get("oneOf")
    if isinstance(options, list):
        return " or ".join(dict.fromkeys(map(_type, options)))
    kind = field.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    note = field.get("description")
    return " or ".join(map(str, kinds)) + (f" ({note})" if isinstance(note, str) else "")
