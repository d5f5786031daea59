"""Whether a limit leaves out rows that are equal to the last one which it keeps, or equal ones share the places before it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.ast_core import exp
from tabchat.engine.compile.step import unquoted
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tabchat.engine.compile import Cut
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.engine.types import Engine

_PLACES: Final = re.compile(
    r"(?:\(?row_number\(\) > (?P<passed>\d+)\)?)?(?: and )?(?:\(?row_number\(\) <= (?P<last>\d+)\)?)?",
    re.IGNORECASE,
)
_DIRECTION: Final = re.compile(r"\s+(?:asc|desc)$", re.IGNORECASE)
_PLACE: Final = "__place"
_LOOKED_THROUGH: Final = 1_000
"""Of places that are passed over, as many are looked at; where there are more, the last one is."""


@record
class Ties:
    """What a limit did to equal rows."""

    are_cut: bool = False
    """Whether it leaves out a row that is equal to the last one which it keeps."""
    share_places: bool = False
    """Whether rows are equal up to the first one that it keeps, where it passes over some."""


@record
class GroupCut:
    """A limit in each group of rows that were sorted before; all of them are one group where they are grouped by nothing."""

    passed: int
    """How many places are passed over first in each."""
    last: int
    """The last place that is kept in each."""
    columns: tuple[str, ...]
    """What the rows are grouped and sorted by."""

    def is_shown(self, names: Collection[str]) -> bool:
        """Tell whether columns of these `names` hold all that is to be compared."""
        shown = {name.casefold() for name in names}
        return all(column.casefold() in shown for column in self.columns)

    def within(self, rows: exp.Select) -> exp.Select:
        """Return those of `rows` that lie within the limit."""
        past = _place() > exp.Literal.number(self.passed)
        return (
            exp.select("*")
            .from_(rows.subquery("placed"))
            .where(past, _place() <= exp.Literal.number(self.last))
        )

    def ties(self, engine: Engine, rows: exp.Select) -> Ties:
        """Tell what the limit did to equals in any group."""
        shared = self.passed > 0 and self._has_equals(engine, rows, 1, self.passed + 1)
        return Ties(are_cut=self._has_equals(engine, rows, self.last, self.last + 1), share_places=shared)

    def _has_equals(self, engine: Engine, rows: exp.Select, first: int, last: int) -> bool:
        """Tell whether rows from one place to another are equal in any group."""
        columns = _columns(self.columns)
        between = exp.Between(this=_place(), low=exp.Literal.number(first), high=exp.Literal.number(last))
        several = exp.Count(this=exp.Star()) > exp.Literal.number(1)
        placed = exp.select(*columns).from_(rows.subquery("placed")).where(between)
        return bool(engine.rows(placed.group_by(*columns).having(several).limit(1)))


def widened(plan: QueryPlan) -> tuple[QueryPlan, GroupCut] | None:
    """Return a plan with the rows beside those that it keeps, and their places, where `plan` keeps some places of an order.

    These are the first places of each group, or those behind the first few of all.
    """
    *earlier, last = plan.steps or (plan,)
    places = _PLACES.fullmatch(last.where or "")
    order = last.sort or (earlier[-1].sort if earlier else ())
    if not earlier or not last.where or places is None or not order:
        return None
    passed = int(places["passed"] or 0)
    end = int(places["last"]) if places["last"] else last.limit and passed + last.limit
    if end is None or (last.limit and places["last"]):
        return None
    sorted_by = [_DIRECTION.sub("", key) for key in order]
    columns = tuple(dict.fromkeys(unquoted(name) for name in (*last.within, *sorted_by)))
    before = 0 if passed <= _LOOKED_THROUGH else passed - 1
    kept = f"row_number() > {before} and row_number() <= {end + 1}"
    shown = tuple(dict.fromkeys([*last.columns, *columns, _PLACE])) if last.columns else ()
    more = replace(last, where=kept, map=(*last.map, (_PLACE, "row_number()")), columns=shown, limit=None)
    return replace(plan, steps=(*earlier, more)), GroupCut(passed=passed, last=end, columns=columns)


def is_through_equals(engine: Engine, kept: exp.Select, cut: Cut) -> bool:
    """Tell whether the first row beyond a limit is equal to the last one within it."""
    ends = exp.select(*_columns(cut.columns)).from_(kept.subquery("kept"))
    around = engine.rows(ends.limit(2).offset(cut.limit - 1))
    return len(around) > 1 and around[0] == around[1]


def _place() -> exp.Column:
    return exp.column(_PLACE, quoted=True)


def _columns(names: Sequence[str]) -> list[exp.Column]:
    return [exp.column(name, quoted=True) for name in names]
