"""JSON schemas of tool arguments, and the check that arguments keep to them.

Only the part of JSON Schema that the tools use is known: object, string,
integer, number, boolean, array, `anyOf`, `enum`, `minimum`, `required`;
objects without `additionalProperties` are closed. All problems are
collected, so that a caller can mend them in one go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.types import JsonValue

Schema = Mapping[str, "JsonValue"]

_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "object": (Mapping,),
    "array": (list, tuple),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}


def closed_object(properties: Mapping[str, Schema], *, required: Sequence[str] = ()) -> dict[str, JsonValue]:
    """Return the schema of an object that admits `properties` and nothing else."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def argument_problems(schema: Schema, value: JsonValue) -> list[str]:
    """Return one sentence for each way in which `value` breaks `schema`; empty when it fits."""
    return list(_problems(schema, value, "arguments"))


def _problems(schema: Schema, value: JsonValue, path: str) -> Iterator[str]:
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and not isinstance(options, str):
        yield from _any_of(options, value, path)
        return
    kind = str(schema.get("type", ""))
    if not _is_kind(kind, value):
        yield f"{path} must be {_with_article(kind)}, not {_kind_of(value)}"
        return
    choices = schema.get("enum")
    if isinstance(choices, Sequence) and value not in choices:
        yield f"{path} must be one of {', '.join(map(str, choices))}"
    minimum = schema.get("minimum")
    if isinstance(minimum, (int, float)) and isinstance(value, (int, float)) and value < minimum:
        yield f"{path} must be at least {minimum}"
    if isinstance(value, Mapping):
        yield from _object_problems(schema, value, path)
    elif isinstance(value, (list, tuple)):
        items = schema.get("items")
        if isinstance(items, Mapping):
            for index, item in enumerate(value):
                yield from _problems(items, item, f"{path}[{index}]")


def _any_of(options: Sequence[JsonValue], value: JsonValue, path: str) -> Iterator[str]:
    schemas = [option for option in options if isinstance(option, Mapping)]
    found = [list(_problems(option, value, path)) for option in schemas]
    if not all(found):
        return
    fitting = [
        problems
        for option, problems in zip(schemas, found, strict=True)
        if _is_kind(str(option.get("type", "")), value)
    ]
    if len(fitting) == 1:
        # The kind is right, what is in it is not.
        yield from fitting[0]
    else:
        kinds = " or ".join(_with_article(str(option.get("type"))) for option in schemas)
        yield f"{path} must be {kinds}, not {_kind_of(value)}"


def _object_problems(schema: Schema, value: Mapping[str, JsonValue], path: str) -> Iterator[str]:
    properties = schema.get("properties")
    known = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required", ())
    for name in required if isinstance(required, (list, tuple)) else ():
        if name not in value:
            yield f"{path}.{name} is missing"
    extra = schema.get("additionalProperties", False)
    for name, item in value.items():
        rule = known.get(name, extra)
        if isinstance(rule, Mapping):
            yield from _problems(rule, item, f"{path}.{name}")
        elif rule is False:
            yield f"{path}.{name} is not known{_nearest(name, known)}"


def _nearest(name: str, known: Mapping[str, JsonValue]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known: {', '.join(known)}"


def _is_kind(kind: str, value: JsonValue) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _TYPES.get(kind, (object,)))


def _kind_of(value: JsonValue) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    return next(
        (_with_article(name) for name, types in _TYPES.items() if isinstance(value, types)), "a value"
    )


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[:1] in "aeio" else f"a {kind}"
