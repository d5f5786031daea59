"""The filters that a plan can hold, written in its expression language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.nodes import Condition

if TYPE_CHECKING:
    from tabchat.planner.catalog import ColumnFacts

SHOWN: Final = {">": ">", ">=": "≥", "<": "<", "<=": "≤", "==": "=", "!=": "≠"}


def compare(column: ColumnFacts, operator: str, value: float) -> Condition:
    """Return `column operator value`."""
    return Condition(
        expr=f"{write.name(column.name)} {operator} {write.number(value)}",
        text=f"{column.name} {SHOWN[operator]} {write.number(value)}",
        column=column,
    )


def equals(column: ColumnFacts, value: str, *, negated: bool = False, noun: bool = False) -> Condition:
    """Return `column == value`, or its opposite."""
    operator = "!=" if negated else "=="
    return Condition(
        expr=f"{write.name(column.name)} {operator} {write.text(value)}",
        text=f"{column.name} {SHOWN[operator]} {value}",
        column=column,
        value=value,
        noun=noun,
        negated=negated,
    )


def missing(column: ColumnFacts, *, present: bool = False) -> Condition:
    """Return the condition that a cell is missing, or that it is not."""
    shown = write.name(column.name)
    return Condition(
        expr=f"{shown} is not null" if present else f"{shown} is null",
        text=f"{column.name} is {'present' if present else 'missing'}",
        column=column,
    )


def neither(first: Condition, second: Condition) -> Condition:
    """Read `excluding Asia and Europe`: the refusal holds for every value of the list."""
    both = either(first, second, "")
    listed = both.expr.partition(" in ")[2]
    column = first.column.name if first.column is not None else ""
    return replace(
        both,
        expr=f"{write.name(column)} not in {listed}",
        text=f"{column} not in {(both.value or '').replace(chr(0), ', ')}",
        negated=True,
        link="",
    )


def either(first: Condition, second: Condition, tie: str) -> Condition:
    """Join two values of one column into a list."""
    assert first.column is not None  # noqa: S101 - the caller compared the columns
    values = [*(first.value or "").split("\0"), *(second.value or "").split("\0")]
    listed = ", ".join(write.text(value) for value in dict.fromkeys(values))
    return replace(
        first,
        expr=f"{write.name(first.column.name)} in [{listed}]",
        text=f"{first.column.name} in {', '.join(dict.fromkeys(values))}",
        value="\0".join(dict.fromkeys(values)),
        link=first.link or tie,
        timed=first.timed and second.timed,
        noun=first.noun and second.noun,
    )
