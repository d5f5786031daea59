"""The slots of an utterance, `{measure}`, `{category2}` …: which links may fill them, and the call of a plan so filled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

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
    from tabchat.values import JsonValue

SLOT: Final = re.compile(r"\{([a-z]+)(\d*)\}")
_MOST_PERCENT: Final = 100
_UNITS: Final = ("unit.", "every.")


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


Fill: TypeAlias = "Callable[[Link, Lattice], Filling | None]"


def kind_of(slot: str) -> str:
    """Return the kind of a slot's name: `measure2` → measure."""
    return slot.rstrip("0123456789")


def fillings(
    slot: str, place: int, lattice: Lattice, weights: Mapping[str, float]
) -> Iterator[tuple[int, Filling]]:
    """Yield (end, filling) for the likeliest ways in which the words from `place` on can fill `slot`, the longest ones."""
    fill = KINDS[kind_of(slot)]
    found = [
        (link.end, sum(weights.get(name, 0.0) * value for name, value in link.features), filling)
        for link in lattice.starts[place]
        if (filling := fill(link, lattice)) is not None
    ]
    best = max((rank[:2] for rank in found), default=None)
    for end, score, filling in found:
        if best == (end, score):
            yield end, filling


def _column(accepts: Callable[[TableColumn], bool]) -> Fill:
    def fill(link: Link, lattice: Lattice) -> Filling | None:
        if link.kind is not LinkKind.COLUMN:
            return None
        column = lattice.vocabulary.columns[link.column]
        return Filling(shown=column.name, column=column.name) if accepts(column) else None

    return fill


def _unit(link: Link, _lattice: Lattice) -> Filling | None:
    if link.kind is not LinkKind.CONCEPT or not link.name.startswith(_UNITS):
        return None
    unit = link.name.partition(".")[2]
    return Filling(shown=unit, key=Key(unit=unit))


def _rows(link: Link, _lattice: Lattice) -> Filling | None:
    return Filling(shown="rows") if link.kind is LinkKind.ROWS else None


def _value(link: Link, lattice: Lattice) -> Filling | None:
    if link.kind is not LinkKind.CELL or len(link.texts) != 1 or not link.whole:
        return None
    column = lattice.vocabulary.columns[link.column].name
    return Filling(shown=link.texts[0], column=column, value=link.texts[0])


def _count(link: Link, _lattice: Lattice) -> Filling | None:
    quantity = link.quantity if link.kind is LinkKind.NUMBER else None
    if quantity is None or quantity.percent or quantity.value < 1 or not quantity.value.is_integer():
        return None
    return Filling(shown=f"{quantity.value:.0f}", number=quantity.value)


def _percent(link: Link, _lattice: Lattice) -> Filling | None:
    quantity = link.quantity if link.kind is LinkKind.NUMBER else None
    if quantity is None or not quantity.percent or not 0 < quantity.value <= _MOST_PERCENT:
        return None
    return Filling(shown=f"{quantity.value:g}%", number=quantity.value)


KINDS: Final[Mapping[str, Fill]] = {
    "measure": _column(lambda column: column.measure),
    "amount": _column(lambda column: column.measure and column.additive),
    "category": _column(lambda column: column.text or column.kind is ColumnKind.BOOLEAN),
    "text": _column(lambda column: column.text),
    "column": _column(lambda _column: True),
    "date": _column(lambda column: column.temporal or column.facts.years),
    "unit": _unit,
    "rows": _rows,
    "value": _value,
    "n": _count,
    "percent": _percent,
}
"""Kind of slot → what a link must be to fill it.

`measure` is a number column, `amount` one whose sum means something, `category` a text or yes/no column,
`text` a text column, `unit` a calendar unit, `rows` a word for the rows, `value` a cell, `n` a whole number,
`percent` a percentage.
"""


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
