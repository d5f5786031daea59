"""The tool call that answers an intent, and the fields of the plan that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.values import JsonValue

Fields: TypeAlias = "dict[str, JsonValue]"
"""Fields of one step of a plan."""

_ORDER: Final = (
    "period",
    "time_column",
    "within",
    "map",
    "where",
    "group_by",
    "select",
    "having",
    "sort",
    "limit",
    "columns",
)


class Unplannable(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """What an intent asks for cannot be had from this table; `reason` says why, in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@record
class PlannedCall:
    """The call of a tool that computes an intent."""

    tool: str
    """run_query, run_sql or describe_table."""
    arguments: Mapping[str, JsonValue]
    """As JSON; a plan's fields stand beside `table`."""
    rule: tuple[str, ...] = ()
    """A rule that the answer follows and states: its name, then the figures in its wording."""


def query(table: str, steps: Sequence[Fields], rule: tuple[str, ...] = ()) -> PlannedCall:
    """Return the call of `run_query` with these steps: only what is set, in the order of the language."""
    written = [step for step in map(_written, steps) if step]
    if len(written) == 1:
        return PlannedCall(tool="run_query", arguments={"table": table, **written[0]}, rule=rule)
    arguments: Fields = {"table": table, "steps": written} if written else {"table": table}
    return PlannedCall(tool="run_query", arguments=arguments, rule=rule)


def _written(step: Fields) -> Fields:
    kept = {name: step[name] for name in _ORDER if step.get(name) not in (None, (), [], {})}
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in kept.items()
    }


def fresh(name: str, taken: Sequence[str] | frozenset[str]) -> str:
    """Return `name`, with as many underscores behind it as make it new among `taken`, whatever the case."""
    known = {other.casefold() for other in taken}
    while name.casefold() in known:
        name += "_"
    return name
