"""The declarative query: one flat object whose fields are steps in a fixed order, or a pipeline of such objects.

    period → session → resample → within → map → where → group_by → select → having → sort → limit → columns

This module knows the shape of a plan only. Whether its names and expressions make sense for a table is
decided against that table's schema when the plan is compiled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.nearest import nearest
from tabchat.engine.types import MOST_ROWS
from tabchat.errors import PlanIssue, PlanValidationError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.types import JsonValue

TIMEFRAMES: Final = (
    *("1m", "5m", "15m", "30m", "1h", "2h", "4h"),
    *("daily", "weekly", "monthly", "quarterly", "yearly"),
)
"""What `resample` accepts, finest first."""

SessionWindow: TypeAlias = "str | tuple[str, str]"
"""A name from the settings, or (from, to) as `HH:MM`."""

_SCOPE: Final = frozenset({"period", "session", "resample"})
_MAX_STEPS: Final = 20


@record
class QueryPlan:
    """A query as a person or a model states it; every field is optional.

    What comes out depends on `select` and `group_by`:

    | select   | group_by | kind    | source rows                          |
    |----------|----------|---------|--------------------------------------|
    | none     | none     | table   | none: the table is its own source    |
    | one      | none     | scalar  | kept                                 |
    | several  | none     | dict    | kept                                 |
    | any      | yes      | grouped | kept                                 |
    | none     | yes      | grouped | counted only (the count is automatic)|
    """

    period: str | None = None
    """`2024`, `2024-03`, `2024-03-15`, `a:b`, `a:`, `:b`, `last_month`, `last_90_days` …"""
    session: SessionWindow | None = None
    """A time-of-day window."""
    time_column: str | None = None
    """The date column that period, row order and calendar functions use; the table's first one when absent."""
    resample: str | None = None
    """One of `TIMEFRAMES`."""
    within: tuple[str, ...] = ()
    """Columns in whose groups the row functions of `map` and `where` look at other rows: ranks, running totals and
    rows before start anew in each."""
    map: tuple[tuple[str, str], ...] = ()
    """(name, expression) pairs; later ones may use earlier ones."""
    where: str | None = None
    group_by: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    """Aggregate expressions, each with an optional `as name`."""
    having: str | None = None
    sort: tuple[str, ...] = ()
    """`column`, `column asc` or `column desc`."""
    limit: int | None = None
    columns: tuple[str, ...] = ()
    """Columns of the result, in this order."""
    title: str | None = None
    """A short name for the result; no part of what is computed."""
    steps: tuple[QueryPlan, ...] = ()
    """A pipeline: each step reads what the one before it gave."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the canonical form: what is computed, only the fields that were set, in their fixed order."""
        if self.steps:
            return {"steps": [step.to_json() for step in self.steps]}
        found: dict[str, JsonValue] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "title" and value not in (None, ()):
                found[item.name] = _json_field(item.name, value)
        return found


def _json_field(name: str, value: object) -> JsonValue:
    if name == "map" and isinstance(value, tuple):
        return dict(value)
    if name == "session" and isinstance(value, tuple):
        return {"from": value[0], "to": value[1]}
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 else list(value)
    return value  # type: ignore[return-value] # the remaining fields hold text or a whole number


def parse_plan(mapping: object) -> QueryPlan:
    """Read a plan from plain JSON values.

    Raises `PlanValidationError` with every error of shape: unknown fields, wrong types, empty texts, bad limits.
    """
    plan, issues = read_plan(mapping)
    if issues:
        raise PlanValidationError(issues)
    return plan


def read_plan(mapping: object) -> tuple[QueryPlan, tuple[PlanIssue, ...]]:
    """Read what can be read of a plan, and say what could not be; broken fields are left out of the plan."""
    reader = _PlanReader("")
    plan = reader.read(mapping, nested=False)
    return plan, tuple(reader.issues)


class _PlanReader:
    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.issues: list[PlanIssue] = []

    def read(self, mapping: object, *, nested: bool) -> QueryPlan:
        if not isinstance(mapping, Mapping):
            self._issue("plan", mapping, "A plan is an object of fields.", 'Such as {"select": "count()"}.')
            return QueryPlan()
        known = [item.name for item in fields(QueryPlan)] + ["from"]
        values: dict[str, object] = {}
        for key, value in mapping.items():
            if key not in known:
                self._unknown_field(str(key), known)
            elif value is not None:
                self._place("resample" if key == "from" else str(key), value, values)
        if "steps" in values:
            return self._pipeline(values, nested=nested)
        read = {name: _READERS[name](self, name, value) for name, value in values.items()}
        return QueryPlan(**{name: value for name, value in read.items() if value is not None})  # type: ignore[arg-type] # the readers give each field its type

    def _place(self, name: str, value: object, values: dict[str, object]) -> None:
        if name in values:
            self._issue(name, value, "`from` and `resample` are the same field.", "Keep one of them.")
        values[name] = value

    def _pipeline(self, values: Mapping[str, object], *, nested: bool) -> QueryPlan:
        given = values["steps"]
        others = [name for name in values if name not in {"steps", "title"}]
        if nested:
            self._issue(
                "steps", given, "A step cannot hold steps of its own.", "Write one flat list of steps."
            )
            return QueryPlan()
        if others:
            names = ", ".join(f"`{name}`" for name in others)
            self._issue(
                "steps",
                given,
                f"`steps` stands alone, but {names} is given beside it.",
                "Move it into a step.",
            )
        if isinstance(given, str) or not isinstance(given, Sequence) or not 1 <= len(given) <= _MAX_STEPS:
            self._issue("steps", given, f"`steps` is a list of 1 to {_MAX_STEPS} plans.")
            return QueryPlan()
        title = self.text("title", values["title"]) if "title" in values else None
        steps = tuple(self._step(number, step) for number, step in enumerate(given))
        return QueryPlan(steps=steps, title=title)

    def _step(self, number: int, value: object) -> QueryPlan:
        reader = _PlanReader(f"steps[{number}].")
        step = reader.read(value, nested=True)
        for name in sorted(_SCOPE):
            if number and getattr(step, name) is not None:
                reader._issue(
                    name, getattr(step, name), f"`{name}` belongs in the first step.", "Move it to steps[0]."
                )
        self.issues += reader.issues
        return step

    def _unknown_field(self, name: str, known: Sequence[str]) -> None:
        near = nearest(name, known)
        listed = ", ".join(item for item in known if item != "from")
        hint = f"Did you mean `{near[0]}`?" if near else f"Fields: {listed}."
        self._issue(name, name, f"Unknown field `{name}`.", hint)

    def _issue(self, field: str, value: object, message: str, hint: str | None = None) -> None:
        text = value if isinstance(value, str) else _shown(value)
        self.issues.append(PlanIssue(step=self._prefix + field, expression=text, message=message, hint=hint))

    def text(self, name: str, value: object) -> str | None:
        if isinstance(value, str) and value.strip():
            return value.strip()
        problem = "is empty" if isinstance(value, str) else f"takes text, not {_type_name(value)}"
        self._issue(name, value, f"`{name}` {problem}.", "Leave the field out, or give it a value.")
        return None

    def texts(self, name: str, value: object) -> tuple[str, ...] | None:
        if isinstance(value, str):
            single = self.text(name, value)
            return None if single is None else (single,)
        if not isinstance(value, Sequence) or isinstance(value, bytes):
            self._issue(name, value, f"`{name}` takes text or a list of texts, not {_type_name(value)}.")
            return None
        if not value:
            self._issue(name, value, f"`{name}` is an empty list.", "Leave the field out.")
        items = [self.text(name, item) for item in value]
        return tuple(item for item in items if item is not None)

    def period(self, name: str, value: object) -> str | None:
        whole_year = isinstance(value, int) and not isinstance(value, bool)
        return self.text(name, str(value) if whole_year else value)

    def session(self, name: str, value: object) -> SessionWindow | None:
        if isinstance(value, str):
            return self.text(name, value)
        if isinstance(value, Mapping) and set(value) == {"from", "to"}:
            start, end = self.text(name, value["from"]), self.text(name, value["to"])
            return None if start is None or end is None else (start, end)
        hint = 'Such as "regular" or {"from": "09:30", "to": "16:00"}.'
        self._issue(name, value, "`session` is a name or an object with `from` and `to`.", hint)
        return None

    def resample(self, name: str, value: object) -> str | None:
        given = self.text(name, value)
        if given is None or given.lower() in TIMEFRAMES:
            return given and given.lower()
        near = nearest(given, TIMEFRAMES)
        hint = f"Did you mean `{near[0]}`? " if near else ""
        self._issue(name, given, f"Unknown timeframe `{given}`.", f"{hint}One of: {', '.join(TIMEFRAMES)}.")
        return None

    def map(self, name: str, value: object) -> tuple[tuple[str, str], ...] | None:
        if not isinstance(value, Mapping) or not value:
            hint = 'Such as {"margin": "(price - cost) / price"}.'
            self._issue(name, value, "`map` is an object of name: expression pairs.", hint)
            return None
        pairs: dict[str, tuple[str, str]] = {}
        for key, item in value.items():
            target, expression = str(key).strip(), self.text(f"map.{key}", item)
            if not target or target.startswith("__"):
                self._issue(
                    name, str(key), f"`{target}` cannot name a column.", "Choose a name without leading `__`."
                )
            elif target.casefold() in pairs:
                self._issue(
                    name, str(key), f"`{target}` is defined twice in `map`.", "Give each column its own name."
                )
            elif expression is not None:
                pairs[target.casefold()] = (target, expression)
        return tuple(pairs.values())

    def limit(self, name: str, value: object) -> int | None:
        if isinstance(value, int) and not isinstance(value, bool) and value > 0:
            if value <= MOST_ROWS:
                return value
            self._issue(name, value, "`limit` is more rows than any table has.", "Leave it out for all rows.")
            return None
        self._issue(
            name, value, f"`limit` is a positive whole number, not {_shown(value)}.", 'Such as "limit": 10.'
        )
        return None


_READERS: Final[Mapping[str, Callable[[_PlanReader, str, object], object]]] = {
    "period": _PlanReader.period,
    "session": _PlanReader.session,
    "time_column": _PlanReader.text,
    "resample": _PlanReader.resample,
    "within": _PlanReader.texts,
    "map": _PlanReader.map,
    "where": _PlanReader.text,
    "group_by": _PlanReader.texts,
    "select": _PlanReader.texts,
    "having": _PlanReader.text,
    "sort": _PlanReader.texts,
    "limit": _PlanReader.limit,
    "columns": _PlanReader.texts,
    "title": _PlanReader.text,
}


def _shown(value: object) -> str:
    import json

    return json.dumps(value, ensure_ascii=False, default=str)[:200]


def _type_name(value: object) -> str:
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case Mapping():
            return "an object"
        case str():
            return "text"
        case Sequence():
            return "a list"
        case _:
            return type(value).__name__
