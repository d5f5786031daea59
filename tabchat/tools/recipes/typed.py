"""A recipe as a person types it on one line: `ratio --success "result = 'PASS'" --by station`."""

from __future__ import annotations

import shlex
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import UsageError
from tabchat.tools.recipes.schemas import parameters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabchat.engine.types import JsonValue

PLAIN_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ratio": "analyze_ratio",
        "pareto": "analyze_pareto",
        "measurements": "measurement_statistics",
        "control-chart": "control_chart",
        "capability": "process_capability",
        "explain-change": "explain_change",
        "unit": "describe_unit",
        "test": "hypothesis_test",
    }
)
"""What a person types → the tool; the tool's own name is understood, too."""

OTHER_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {"time_column": "time", "percentiles": "percentile", "groups": "group"}
)
"""Argument → what it may be called, too, where a person types it."""
_MEANT: Final = {other: name for name, other in OTHER_NAMES.items()}


def tool_named(name: str) -> str:
    """Return the tool that a person means; raises `UsageError` with the nearest names."""
    known = PLAIN_NAMES.get(name)
    if known is not None or name.replace("-", "_") in PLAIN_NAMES.values():
        return known or name.replace("-", "_")
    near = nearest(name, PLAIN_NAMES) or nearest(name, PLAIN_NAMES.values())
    message = f"There is no recipe {name!r}."
    guess = f"Did you mean {' or '.join(near[:2])}? " if near else ""
    hint = f"{guess}Recipes: {', '.join(PLAIN_NAMES)}."
    raise UsageError(message, hint=hint)


def read_line(text: str) -> tuple[str, dict[str, JsonValue]]:
    """Return the tool and the arguments of a typed recipe.

    Raises `UsageError` for an unknown recipe or option, an option without a value, and one that is missing.
    """
    try:
        name, *words = shlex.split(text)
    except ValueError as error:
        message = f"{text!r} cannot be read: {error}." if text.strip() else "The recipe is missing."
        raise UsageError(message, hint=f"Recipes: {', '.join(PLAIN_NAMES)}.") from error
    tool = tool_named(name)
    schema: Any = parameters(tool)
    given: dict[str, JsonValue] = {}
    while words:
        option = words.pop(0)
        argument = _argument(option, schema["properties"])
        if not words:
            raise UsageError(f"{option} has no value.", hint=f"Write it as {option} VALUE.")
        _add(given, argument, schema["properties"][argument], words.pop(0))
    missing = [argument for argument in schema["required"] if argument not in given]
    if missing:
        message = f"{name} needs {_options(missing)}."
        raise UsageError(message, hint=f"Options: {_options(schema['properties'])}.")
    return tool, given


def options_of(name: str) -> dict[str, str]:
    """Return the options of a recipe as they are typed, each with what it says."""
    schema: Any = parameters(tool_named(name))
    return {
        _options([argument]): rule.get("description", "")
        for argument, rule in schema["properties"].items()
        if argument != "title"
    }


def choices_of(name: str, option: str) -> tuple[str, ...]:
    """Return what an option of a recipe can be, where only some words can."""
    schema: Any = parameters(tool_named(name))
    return tuple(schema["properties"][_argument(option, schema["properties"])].get("enum", ()))


def _argument(option: str, known: Mapping[str, Any]) -> str:
    name = option.removeprefix("--").replace("-", "_")
    name = _MEANT.get(name, name)
    if not option.startswith("--") or name not in known:
        near = nearest(name, known)
        hint = f"Did you mean {_options(near[:1])}?" if near else f"Options: {_options(known)}."
        raise UsageError(f"There is no option {option!r} here.", hint=hint)
    return name


def _add(given: dict[str, JsonValue], argument: str, rule: Mapping[str, Any], word: str) -> None:
    kinds = {option.get("type") for option in rule.get("anyOf", [rule])}
    if "array" in kinds:
        before = given.get(argument)
        items = rule.get("items", {})
        value = _number(argument, word) if items.get("type") == "number" else word
        given[argument] = [*(before if isinstance(before, list) else []), value]
    else:
        given[argument] = _number(argument, word) if kinds == {"number"} else listed(argument, rule, word)


def _number(argument: str, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        option = _options([argument])
        raise UsageError(f"{option} takes a number, not {word!r}.", hint=f"Such as {option} 0.95.") from None


def listed(argument: str, rule: Mapping[str, Any], word: str) -> str:
    """Return a word that an option takes; raises `UsageError` where it takes only certain others."""
    choices = rule.get("enum", (word,))
    if word not in choices:
        near = nearest(word, choices)
        message = f"{option_of(argument)} is one of {', '.join(choices)}, not {word!r}."
        raise UsageError(message, hint=f"Did you mean {near[0]}?" if near else "Write it as it stands there.")
    return word


def option_of(argument: str) -> str:
    """Return an argument as it is typed: `time_column` is `--time-column`."""
    return f"--{argument.replace('_', '-')}"


def _options(arguments: Iterable[str]) -> str:
    return ", ".join(map(option_of, arguments))
