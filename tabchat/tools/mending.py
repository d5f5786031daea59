"""Arguments as models write them, read as what they can only mean.

Models fill in every field that a tool has (`"limit": null`, `"where": ""`), quote numbers and lists, and put
the arguments into one more object. Nothing is mended that could mean two things: the schema refuses the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from tabchat.values import fields_once

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.types import JsonValue

_WRAPPERS: Final = frozenset({"plan", "query", "arguments", "args", "parameters", "params", "input"})
_WHOLE: Final = re.compile(r"\s*[+-]?\d{1,18}\s*")
_STEPS_DEEP: Final = 3
"""Levels of plans within plans that are mended; deeper ones are for the plan's own checks."""


def mended(schema: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Return `arguments` with empty optional fields left out, and values in the kinds that `schema` names."""
    properties = schema.get("properties")
    required = schema.get("required")
    known = properties if isinstance(properties, Mapping) else {}
    needed = required if isinstance(required, (list, tuple)) else ()
    return dict(_fields(known, needed, _unwrapped(known, arguments), _STEPS_DEEP))


def _unwrapped(known: Mapping[str, JsonValue], arguments: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    """Take the arguments out of an object that holds all of them, beside the table and the title at most."""
    around = [name for name in arguments if name in _WRAPPERS and name not in known]
    if len(around) != 1:
        return arguments
    inner = _parsed(arguments[around[0]], Mapping)
    outer = {name: value for name, value in arguments.items() if name != around[0]}
    if (
        not isinstance(inner, Mapping)
        or not outer.keys() <= {"table", "title"}
        or outer.keys() & inner.keys()
    ):
        return arguments
    return {**outer, **inner}


def _fields(
    known: Mapping[str, JsonValue], needed: Sequence[JsonValue], fields: Mapping[str, JsonValue], deep: int
) -> Iterator[tuple[str, JsonValue]]:
    for name, value in fields.items():
        rule = known.get(name)
        if name in needed or not _is_empty(value):
            yield name, _value(known, rule, value, deep) if isinstance(rule, Mapping) else value


def _is_empty(value: JsonValue) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, (list, tuple, Mapping)) and not value)


def _value(
    known: Mapping[str, JsonValue], rule: Mapping[str, JsonValue], value: JsonValue, deep: int
) -> JsonValue:
    options = rule.get("anyOf")
    rules = [rule] if not isinstance(options, (list, tuple)) else options
    kinds = {str(option.get("type")) for option in rules if isinstance(option, Mapping)}
    if "array" in kinds:
        value = _parsed(value, Sequence)
    if "object" in kinds:
        value = _parsed(value, Mapping)
    if kinds == {"array"} and isinstance(value, (list, tuple)) and deep:
        # Objects without fields of their own are plans that run one after another, with those of the plan around them.
        own, needed = _own_fields(rule) or (known, ())
        return [
            dict(_fields(own, needed, item, deep - 1)) if isinstance(item, Mapping) else item
            for item in value
        ]
    if kinds == {"string"}:
        return _text(value)
    return _whole(value) if "integer" in kinds else value


def _own_fields(
    rule: Mapping[str, JsonValue],
) -> tuple[Mapping[str, JsonValue], Sequence[JsonValue]] | None:
    """Return the fields of a list's objects and which of them are needed, where the schema names them."""
    items = rule.get("items")
    properties = items.get("properties") if isinstance(items, Mapping) else None
    if not isinstance(items, Mapping) or not isinstance(properties, Mapping) or not properties:
        return None
    required = items.get("required")
    return properties, required if isinstance(required, (list, tuple)) else ()


def _parsed(value: JsonValue, kind: type) -> JsonValue:
    """Return the list or object that a text holds as JSON; anything else as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        content: JsonValue = json.loads(value, object_pairs_hook=fields_once)
    except (ValueError, RecursionError):
        return value
    return content if isinstance(content, kind) else value


def _text(value: JsonValue) -> JsonValue:
    if isinstance(value, (list, tuple)) and len(value) == 1 and isinstance(value[0], str):
        return value[0]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _whole(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value
