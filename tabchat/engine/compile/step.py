"""The work on one step of a plan: what is known while it is compiled, and what comes out."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.compile.layers import Layers
from tabchat.engine.nearest import nearest
from tabchat.engine.plan.advice import column_hint
from tabchat.engine.plan.binding import Binder, Place
from tabchat.engine.plan.expressions import ExpressionError, doubled_equals, parse_expression
from tabchat.engine.plan.relation import find_field
from tabchat.engine.types import ColumnKind
from tabchat.errors import PlanIssue
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.compile.layers import Names
    from tabchat.engine.compile.scope import Facts
    from tabchat.engine.functions import Bound
    from tabchat.engine.plan.expressions import Parsed
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.engine.plan.relation import Field, Order, Relation
    from tabchat.engine.result.result import ResultKind

HELPER: Final = "__{name}_{number}"
LAYER: Final = "layer_{number}"
BEHIND: Final = "rows_behind"
"""The helper column that tells how many rows of the table a row stands for."""


@mutable
class Notes:
    """What a compilation finds out on its way."""

    issues: list[PlanIssue] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    session: str | None = None
    timeframe: str | None = None


@record
class Setting:
    """What surrounds the plan: named sessions, the calendar, what is known of the data."""

    sessions: Mapping[str, tuple[str, str]]
    week_start: str
    facts: Facts | None
    """None while the plan is only checked."""
    whole: str = "BIGINT"
    """The engine's type of a sum of whole numbers."""


@record
class Aggregation:
    """The columns of a SELECT with aggregates, and of its GROUP BY."""

    columns: tuple[exp.Expr, ...]
    """Group keys and aggregates under their names."""
    keys: tuple[exp.Expr, ...]
    helpers: tuple[exp.Expr, ...]
    """Aggregates that only `having` and `sort` use, under hidden names."""
    used: exp.Expr | None = None
    """Holds of the rows that the aggregates use, where these need not be all."""


@record
class Step:
    """A compiled step."""

    kind: ResultKind
    rows: Layers
    """The rows before aggregation; their filter still waits."""
    before: Relation
    """What those rows are, with every column that the step defined, in display order."""
    fields: tuple[Field, ...]
    """What the step gives, in display order."""
    order: Order
    """How the result is sorted; empty for rows that stay as they were."""
    sorted_by: Order
    """The keys of it that the plan names; the others order what is equal by these."""
    limit: int | None
    aggregation: Aggregation | None = None
    having: exp.Expr | None = None
    keys: tuple[str, ...] = ()
    """Names of the group keys."""
    values: tuple[str, ...] = ()
    """Names of the aggregates."""
    focus: tuple[str, ...] = ()
    """Computed and sorted columns of a table."""
    keeps_source: bool = False
    """True when the rows behind an aggregation can be looked at."""


class StepContext:
    """A step on its way: its plan, its rows so far, and where its errors go."""

    def __init__(
        self,
        plan: QueryPlan,
        relation: Relation,
        *,
        prefix: str,
        names: Names,
        setting: Setting,
        notes: Notes,
    ) -> None:
        self.plan = plan
        self.names = names
        self.setting = setting
        self.notes = notes
        self._prefix = prefix
        self.read(relation)

    def read(self, relation: Relation) -> None:
        """Go on from the rows of `relation`."""
        self.relation = relation
        self.layers = Layers(
            source=relation.name,
            order=relation.order,
            fields=relation.fields,
            names=self.names,
            week_start=self.setting.week_start,
            whole=self.setting.whole,
            has_row=relation.has_row,
        )

    @property
    def time(self) -> Field | None:
        """The date column, while there is one."""
        return self.relation.find(self.relation.time) if self.relation.time is not None else None

    @property
    def fields(self) -> tuple[Field, ...]:
        """Every column of the rows, computed ones included."""
        return self.layers.fields

    def issue(self, step: str, expression: str, message: str, hint: str | None = None) -> None:
        """Note an error of the plan."""
        found = PlanIssue(step=self._prefix + step, expression=expression, message=message, hint=hint)
        self.notes.issues.append(found)

    def binder(self, place: Place, fields: Sequence[Field]) -> Binder:
        """Return a binder of names to `fields`, and inside aggregates to the rows' columns."""
        return Binder(
            place=place, layers=self.layers, fields=fields, rows=self.fields, time=self.relation.time
        )

    def bound(self, step: str, text: str, binder: Binder) -> tuple[Parsed, Bound] | None:
        """Parse and bind `text`; notes its errors and returns None when it has any."""
        found = None
        # A lone `=` is an error that hides no other.
        for said in dict.fromkeys((text, doubled_equals(text))):
            try:
                parsed = parse_expression(said)
            except ExpressionError as error:
                self.issue(step, text, error.message, error.hint)
                continue
            bound = binder.bind(parsed)
            found = (parsed, bound) if said == text and not binder.problems else None
            for problem in dict.fromkeys(binder.problems):
                self.issue(step, text, problem.message, problem.hint)
            binder.problems.clear()
            break
        return found

    def condition(self, step: str, text: str, binder: Binder) -> exp.Expr | None:
        """Bind a condition; notes its errors and returns None when it has any."""
        found = self.bound(step, text, binder)
        if found is None:
            return None
        parsed, bound = found
        if parsed.alias is not None:
            self.issue(step, text, f"`as` has no place in `{step}`.", "Leave the name out.")
            return None
        if bound.kind is not ColumnKind.BOOLEAN:
            gives = "null" if bound.kind is None else f"{bound.kind} values"
            hint = "Compare it with something, such as x > 0 or x == 'text'."
            self.issue(step, text, f"`{step}` is not a condition: it gives {gives}.", hint)
            return None
        return bound.sql


def lookup(fields: Sequence[Field], text: str) -> Field | None:
    """Return the field that `text` names, bare or quoted."""
    return find_field(fields, text) or find_field(fields, unquoted(text))


def unquoted(name: str) -> str:
    """Return a column's name without the quotes that expressions put round it."""
    text = name.strip()
    for mark in '"`':
        if len(text) > 1 and text[0] == text[-1] == mark:
            return text[1:-1].replace(mark * 2, mark)
    return text


def suggestion(name: str, fields: Iterable[Field], otherwise: str) -> str:
    """Return a hint with the names nearest to `name`, or with all of them after `otherwise`."""
    names = [item.name for item in fields]
    return column_hint(nearest(name, names), names, otherwise)


def split_list(text: str) -> list[str]:
    """Return the parts of a list that was written as one text, split at commas outside brackets and quotes."""
    parts, depth, start, quote = [], 0, 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"`":
            quote = character
        depth += 0 if quote else (character in "([") - (character in ")]")
        if character == "," and not depth and not quote:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def as_list(parts: Sequence[str]) -> str:
    """Return a list as a plan writes it."""
    import json

    return json.dumps(list(parts), ensure_ascii=False)


def with_sql_name(item: Field) -> Field:
    """Return a field of an aggregation, which bears its own name there."""
    return replace(item, sql_name=item.name)
