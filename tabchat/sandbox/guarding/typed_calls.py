"""Calls that take the name of a type, a time zone, an encoding or a locale."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import judging, words
from tabchat.sandbox.guarding.arguments import all_written_out, called, keywords

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.sandbox.guarding.inspector import Inspector

    Rule = Callable[[Inspector, ast.Call], None]

LITERAL_ZONE: Final = 'Write its name as a text, such as tz="Europe/Kyiv".'


def time_zone(place: int) -> Rule:
    """Return a rule that judges the arguments from `place` on as time zones."""

    def rule(inspector: Inspector, node: ast.Call) -> None:
        if not all_written_out(inspector, node):
            return
        for argument in node.args[place:]:
            if isinstance(argument, ast.Constant) and not isinstance(argument.value, str):
                continue
            if not judging.is_time_zone(inspector, argument):
                inspector.object_to(
                    argument, "The time zone must be known before the code runs.", LITERAL_ZONE
                )

    return rule


def at_most(count: int) -> Rule:
    """Return a rule that objects to more than `count` arguments without a name."""

    def rule(inspector: Inspector, node: ast.Call) -> None:
        if all_written_out(inspector, node) and len(node.args) > count:
            inspector.object_to(
                node.args[count],
                f"`{called(node)}` takes {count} arguments without a name here.",
                "Name the others.",
            )

    return rule


def from_codes(inspector: Inspector, node: ast.Call) -> None:
    """Object to codes that nobody checks: one beyond the categories is a place in foreign memory."""
    at_most(4)(inspector, node)
    for name, value in keywords(node):
        if name == "validate":
            inspector.object_to(
                value, "The argument `validate` is not available here.", "Leave the argument out."
            )


def as_type(inspector: Inspector, node: ast.Call) -> None:
    """Object to types that cannot be told before the code runs: their names may hold a time zone."""
    if not all_written_out(inspector, node):
        return
    for argument in node.args:
        if not judging.is_type(inspector, argument):
            inspector.object_to(
                argument, "The type must be known before the code runs.", 'Write it as "float64".'
            )


def encoding(inspector: Inspector, node: ast.Call) -> None:
    """Object to encodings that are not on the list: others load modules by name."""
    if not all_written_out(inspector, node):
        return
    given = [*node.args[:1], *(value for name, value in keywords(node) if name == "encoding")]
    for value in given:
        if not isinstance(value, ast.Constant) or str(value.value).lower() not in words.ENCODINGS:
            inspector.object_to(value, "This encoding is not available here.", 'Write "utf-8" or "ascii".')


def no_arguments(inspector: Inspector, node: ast.Call) -> None:
    """Object to any argument: a locale is a file."""
    if node.args or node.keywords:
        inspector.object_to(
            node, f"`{called(node)}` takes no locale here.", "Names are in English; use `map`."
        )


def written_out(inspector: Inspector, node: ast.Call) -> None:
    """Object to arguments that do not stand in the call: their names must be seen."""
    all_written_out(inspector, node)
