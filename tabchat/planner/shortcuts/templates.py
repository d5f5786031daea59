"""From a shortcut's plan to the tool call: slots are filled, and the conditions of the question join the first step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Intent, Output
from tabchat.planner.plan import PlannedCall, Unplannable
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.keys import key_columns
from tabchat.planner.plan.scope import scope_of
from tabchat.planner.shortcuts.slots import SLOT, Filling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.shortcuts.shortcut import Shortcut
    from tabchat.values import JsonValue

_NAMES: Final = frozenset({"group_by", "columns", "time_column"})
"""Fields of a plan that hold names and not expressions."""


def filled_call(
    shortcut: Shortcut,
    fillings: Mapping[str, Filling],
    clauses: Sequence[Clause],
    periods: Sequence[Period],
    facts: TableFacts,
) -> PlannedCall:
    """Return the call of a shortcut's plan over the rows in scope; raises `Unplannable`."""
    columns = Columns(facts)
    template = _Template(fillings, columns)
    scope = scope_of(Intent(output=Output.ROWS, clauses=tuple(clauses), periods=tuple(periods)), columns)
    used = [filling.column for filling in fillings.values() if filling.column is not None]
    fields = template.fields(shortcut.plan or {})
    maps = {**scope.maps, **columns.formulas(used), **template.maps}
    first, rest = fields, {}
    steps = fields.get("steps")
    if isinstance(steps, list) and isinstance(steps[0], dict):
        first, rest = steps[0], {"steps": steps}
    scoped = {name: value for name, value in scope.fields(maps=maps).items() if value}
    joined = _joined(first, scoped)
    fields = {"steps": [joined, *rest["steps"][1:]]} if rest else joined
    return PlannedCall(tool="run_query", arguments={"table": facts.name, **fields})


def said_with(text: str, fillings: Mapping[str, Filling]) -> str:
    """Return a text of a shortcut with its slots filled, for the person who reads it."""
    return SLOT.sub(lambda match: fillings[match.group(0)[1:-1]].shown, text)


def with_date(shortcut: Shortcut, fillings: Mapping[str, Filling], facts: TableFacts) -> dict[str, Filling]:
    """Let the table's date column fill a `{date}` that the question does not name; raises `Unplannable`."""
    found = dict(fillings)
    if "date" not in found and "{date}" in f"{shortcut.meaning} {shortcut.plan}":
        name = Columns(facts).time().name
        found["date"] = Filling(shown=name, column=name)
    return found


def _joined(step: Mapping[str, JsonValue], scope: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Put the conditions and the computed columns before what a step does."""
    found: dict[str, JsonValue] = {**step, **scope}
    conditions = [str(fields["where"]) for fields in (scope, step) if "where" in fields]
    if conditions:
        found["where"] = write.joined(conditions)
    maps = [fields["map"] for fields in (scope, step) if isinstance(fields.get("map"), dict)]
    if maps:
        found["map"] = {
            name: text for fields in maps if isinstance(fields, dict) for name, text in fields.items()
        }
    return found


class _Template:
    """Slots with what fills them, as it is written in each field of a plan."""

    def __init__(self, fillings: Mapping[str, Filling], columns: Columns) -> None:
        self._fillings = fillings
        self._units: dict[str, str] = {}
        self.maps: dict[str, str] = {}
        """Computed columns of the calendar units."""
        for slot, filling in fillings.items():
            if filling.key is not None:
                (key,) = key_columns([filling.key], columns)
                self._units[slot] = key.name
                if key.formula is not None:
                    self.maps[key.name] = key.formula

    def fields(self, plan: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the fields of a plan with every slot filled."""
        return {name: self._value(name, value) for name, value in plan.items()}

    def _value(self, field: str, value: JsonValue) -> JsonValue:
        match value:
            case str() if field == "limit":
                return int(self._fillings[value[1:-1]].number or 0)
            case str():
                written = self._name if field in _NAMES else self._expression
                return SLOT.sub(lambda match: written(match.group(0)[1:-1]), value)
            case list():
                return [self._value(field, item) for item in value]
            case dict():
                inner = {"steps": None}.get(field, field)
                return {name: self._value(inner or name, item) for name, item in value.items()}
            case _:
                return value

    def _name(self, slot: str) -> str:
        found = self._fillings.get(slot)
        if found is None:
            raise Unplannable(f"nothing fills {slot}")
        return self._units.get(slot) or found.column or found.shown

    def _expression(self, slot: str) -> str:
        found = self._fillings.get(slot)
        if found is not None and found.value is not None:
            return write.text(found.value)
        if found is not None and found.column is None and found.number is not None:
            return write.number(found.number)
        return write.name(self._name(slot))
