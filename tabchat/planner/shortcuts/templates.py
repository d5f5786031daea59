"""From an intent's plan template to the tool call: slots are filled, and the filters of the question join the first step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner import expressions as write
from tabchat.planner.catalog import is_daily
from tabchat.planner.plans import Draft, Unreadable, grouping_of, joined, query, scope_of, time_column
from tabchat.planner.shortcuts.slots import SLOT, Filling

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.scene import Scene
    from tabchat.planner.shortcuts.intents import Intent
    from tabchat.values import JsonValue

NAMES = frozenset({"group_by", "columns", "time_column"})
"""Fields of a plan that hold names and not expressions."""


def fill_plan(
    intent: Intent,
    plan: Mapping[str, JsonValue],
    fillings: Mapping[str, Filling],
    clauses: Clauses,
    scene: Scene,
) -> Draft:
    """Return the tool call of `plan` with its slots filled; raises `Unreadable` when the table cannot answer."""
    _check(intent, scene)
    scope = scope_of(clauses, scene)
    filled = _Filled(_with_date(intent, plan, fillings, clauses, scene), clauses, scene)
    fields = filled.fields(plan)
    steps = fields.get("steps")
    if isinstance(steps, list) and isinstance(steps[0], dict):
        fields["steps"] = [_scoped(steps[0], filled.maps, scope.fields), *steps[1:]]
    else:
        fields = _scoped(fields, filled.maps, scope.fields)
    return Draft(
        tool="run_query",
        arguments=query(scene.table.name, fields),
        shape=intent.shape,
        read_as=(filled.shown(intent.meaning), *scope.read_as),
        scope=scope.read_as,
        details={name: filled.named(text) for name, text in intent.details.items()},
    )


def _check(intent: Intent, scene: Scene) -> None:
    if "many_rows_a_day" in intent.requires and is_daily(scene.table):
        raise Unreadable("each row is a day of its own")


def _with_date(
    intent: Intent,
    plan: Mapping[str, JsonValue],
    fillings: Mapping[str, Filling],
    clauses: Clauses,
    scene: Scene,
) -> dict[str, Filling]:
    """Let the table's date column fill a `{date}` that the question does not name."""
    found = dict(fillings)
    if "date" in found or not any("{date}" in text for text in (intent.meaning, str(plan))):
        return found
    column = time_column(scene, [node.period for node in clauses.periods if node.period is not None])
    if column is None:
        raise Unreadable("the table has no date column")
    return {**found, "date": Filling(shown=column.name, column=column)}


def _scoped(
    step: Mapping[str, JsonValue], maps: Mapping[str, str], scope: Mapping[str, JsonValue]
) -> dict[str, JsonValue]:
    """Put filters and computed columns before what the first step does."""
    found: dict[str, JsonValue] = {**step, **scope}
    conditions = [str(fields["where"]) for fields in (scope, step) if "where" in fields]
    if conditions:
        found["where"] = joined(conditions)
    computed: dict[str, JsonValue] = {}
    for fields in (scope.get("map"), maps, step.get("map")):
        computed |= fields if isinstance(fields, dict) else {}
    if computed:
        found["map"] = computed
    return found


class _Filled:
    """Slots with what fills them, as it is written in each field of a plan."""

    def __init__(self, fillings: Mapping[str, Filling], clauses: Clauses, scene: Scene) -> None:
        self._fillings = fillings
        self._units: dict[str, str] = {}
        self.maps: dict[str, str] = {}
        """Computed columns of the calendar units."""
        for slot, filling in fillings.items():
            if filling.key is not None:
                groups = grouping_of((filling.key,), clauses, scene)
                self._units[slot] = groups.names[0]
                self.maps |= groups.maps

    def fields(self, plan: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the fields of a plan with every slot filled."""
        return {name: self._value(name, value) for name, value in plan.items()}

    def _value(self, field: str, value: JsonValue) -> JsonValue:
        match value:
            case str() if field == "limit":
                return int(self._fillings[value[1:-1]].number or 0)
            case str():
                return self.named(value) if field in NAMES else self._expression(value)
            case list():
                return [self._value(field, item) for item in value]
            case dict():
                return {
                    name: self._value(name if field == "steps" else field, item)
                    for name, item in value.items()
                }
            case _:
                return value

    def named(self, text: str) -> str:
        """Fill slots with bare names."""
        return SLOT.sub(lambda match: self._name(match.group(0)[1:-1]), text)

    def shown(self, text: str) -> str:
        """Fill slots for the person who reads it."""
        return SLOT.sub(lambda match: self._fillings[match.group(0)[1:-1]].shown, text)

    def _expression(self, text: str) -> str:
        return SLOT.sub(lambda match: self._written(match.group(0)[1:-1]), text)

    def _name(self, slot: str) -> str:
        filling = self._fillings[slot]
        return self._units.get(slot) or (filling.column.name if filling.column else filling.shown)

    def _written(self, slot: str) -> str:
        filling = self._fillings[slot]
        if filling.value is not None:
            return write.text(filling.value)
        if filling.column is None and filling.number is not None:
            return write.number(filling.number)
        return write.name(self._name(slot))
