"""The slots of an utterance, `{measure}`, `{category2}` …: which links may fill them, and the call of a plan so filled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Intent, Key, Output
from tabchat.planner.links.link import LinkKind
from tabchat.planner.plan import PlannedCall, Unplannable
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.figures import key_columns
from tabchat.planner.plan.scope import scope_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Lattice, Link, TableColumn
    from tabchat.planner.shortcuts.catalogue import Shortcut
    from tabchat.planner.words import Quantity
    from tabchat.values import JsonValue

SLOT: Final = re.compile(r"\{([a-z]+\d*)\}")
_COLUMNS: Final[Mapping[str, Callable[[TableColumn], bool]]] = {
    "measure": lambda column: column.measure,
    "amount": lambda column: column.measure and column.additive,
    "category": lambda column: column.text or column.kind is ColumnKind.BOOLEAN,
    "text": lambda column: column.text,
    "column": lambda _: True,
    "date": lambda column: column.temporal or column.facts.years,
}
"""Kind of slot → the columns that fill it: `measure` is one of numbers, `amount` one whose sum means something."""
KINDS: Final = (*_COLUMNS, "unit", "rows", "value", "n", "percent")
"""Kinds of slots: besides columns a calendar unit, a word for the rows, a cell, a whole number, a percentage."""
_UNITS: Final = ("unit.", "every.")
_MOST_PERCENT: Final = 100
_NAMES: Final = frozenset({"group_by", "columns", "time_column"})
"""Fields of a plan that hold names and not expressions."""


@record
class Filling:
    """What a slot was filled with; one of the fields is set."""

    shown: str
    column: str | None = None
    key: Key | None = None
    """A calendar unit."""
    number: float | None = None
    value: str | None = None
    """A cell."""


def kind_of(slot: str) -> str:
    """Return the kind of a slot's name: `measure2` → measure."""
    return slot.rstrip("0123456789")


def fillings(
    slot: str, place: int, lattice: Lattice, weights: Mapping[str, float]
) -> Iterator[tuple[int, Filling]]:
    """Yield (end, filling) for the likeliest ways in which the words from `place` on can fill `slot`, the longest ones."""
    found = [
        (link.end, sum(weights.get(name, 0.0) * value for name, value in link.features), filling)
        for link in lattice.starts[place]
        if (filling := _filling(kind_of(slot), link, lattice)) is not None
    ]
    best = max((rank[:2] for rank in found), default=None)
    for end, score, filling in found:
        if best == (end, score):
            yield end, filling


def _filling(kind: str, link: Link, lattice: Lattice) -> Filling | None:
    """Return what a link makes of a slot of a kind, if anything."""
    if link.kind in {LinkKind.COLUMN, LinkKind.CELL}:
        column = lattice.vocabulary.columns[link.column]
        if link.kind is LinkKind.COLUMN and kind in _COLUMNS and _COLUMNS[kind](column):
            return Filling(shown=column.name, column=column.name)
        cell = link.kind is LinkKind.CELL and kind == "value" and len(link.texts) == 1 and link.whole
        return Filling(shown=link.texts[0], column=column.name, value=link.texts[0]) if cell else None
    if link.kind is LinkKind.ROWS and kind == "rows":
        return Filling(shown="rows")
    if link.kind is LinkKind.CONCEPT and kind == "unit" and link.name.startswith(_UNITS):
        unit = link.name.partition(".")[2]
        return Filling(shown=unit, key=Key(unit=unit))
    return _number(kind, link.quantity) if link.quantity is not None else None


def _number(kind: str, quantity: Quantity) -> Filling | None:
    value = quantity.value
    if kind == "percent" and quantity.percent and 0 < value <= _MOST_PERCENT:
        return Filling(shown=f"{value:g}%", number=value)
    counted = kind == "n" and not quantity.percent and value >= 1 and quantity.is_whole
    return Filling(shown=f"{value:.0f}", number=value) if counted else None


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
    maps = {**scope.maps, **columns.formulas(used), **template.maps}
    scoped = {name: value for name, value in scope.fields(maps=maps).items() if value}
    fields = template.filled(shortcut.plan or {})
    match fields.get("steps"):
        case [dict() as first, *rest]:
            fields = {"steps": [_joined(first, scoped), *rest]}
        case _:
            fields = _joined(fields, scoped)
    return PlannedCall(tool="run_query", arguments={"table": facts.name, **fields})


def said_with(text: str, fillings: Mapping[str, Filling]) -> str:
    """Return a text of a shortcut with its slots filled, for the person who reads it."""
    return SLOT.sub(lambda match: fillings[match[1]].shown, text)


def with_date(
    shortcut: Shortcut, fillings: Mapping[str, Filling], facts: TableFacts
) -> Mapping[str, Filling]:
    """Let the table's date column fill a `{date}` that the question does not name; raises `Unplannable`."""
    if "date" in fillings or "{date}" not in f"{shortcut.meaning} {shortcut.plan}":
        return fillings
    name = Columns(facts).time().name
    return {**fillings, "date": Filling(shown=name, column=name)}


def _joined(step: Mapping[str, JsonValue], scope: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Put the conditions and the computed columns before what a step does."""
    found: dict[str, JsonValue] = {**step, **scope}
    conditions = [str(fields["where"]) for fields in (scope, step) if "where" in fields]
    if conditions:
        found["where"] = write.joined(conditions)
    match scope.get("map"), step.get("map"):
        case dict() as before, dict() as own:
            found["map"] = {**before, **own}
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

    def filled(self, plan: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Return the fields of a plan with every slot filled."""
        return {name: self._value(name, value) for name, value in plan.items()}

    def _value(self, field: str, value: JsonValue) -> JsonValue:
        match value:
            case str() if field == "limit":
                return int(self._fillings[value[1:-1]].number or 0)
            case str():
                written = self._name if field in _NAMES else self._expression
                return SLOT.sub(lambda match: written(match[1]), value)
            case list():
                return [self._value(field, item) for item in value]
            case dict() if field == "steps":
                return self.filled(value)
            case dict():
                return {name: self._value(field, item) for name, item in value.items()}
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
