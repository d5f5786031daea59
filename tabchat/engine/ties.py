"""Whether a limit leaves out rows that are equal to the last one which it keeps."""

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
    r"(?:\(?row_number\(\) > \d+\)? and )?\(?row_number\(\) <= (?P<last>\d+)\)?", re.IGNORECASE
)
_DIRECTION: Final = re.compile(r"\s+(?:asc|desc)$", re.IGNORECASE)
_PLACE: Final = "__place"


@record
class GroupCut:
    """A limit in each group of rows that were sorted before."""

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
        return exp.select("*").from_(rows.subquery("placed")).where(_place() <= exp.Literal.number(self.last))

    def is_through_equals(self, engine: Engine, rows: exp.Select) -> bool:
        """Tell whether in any group the first row beyond the limit is equal to the last one within it."""
        last, beyond = (_at(rows, place, self.columns) for place in (self.last, self.last + 1))
        return bool(engine.rows(exp.intersect(last, beyond)))


def widened(plan: QueryPlan) -> tuple[QueryPlan, GroupCut] | None:
    """Return a plan with one row more of each group, and its place there, where `plan` keeps the first ones of each."""
    *earlier, last = plan.steps or (plan,)
    places = _PLACES.fullmatch(last.where or "")
    if not earlier or places is None or not earlier[-1].sort:
        return None
    limit = int(places["last"])
    sorted_by = [_DIRECTION.sub("", key) for key in earlier[-1].sort]
    columns = tuple(dict.fromkeys(unquoted(name) for name in (*last.within, *sorted_by)))
    beyond = f"{last.where[: places.start('last')]}{limit + 1}{last.where[places.end('last') :]}"  # type: ignore[index] # matched
    shown = tuple(dict.fromkeys([*last.columns, *columns, _PLACE])) if last.columns else ()
    more = replace(last, where=beyond, map=(*last.map, (_PLACE, "row_number()")), columns=shown)
    return replace(plan, steps=(*earlier, more)), GroupCut(last=limit, columns=columns)


def is_through_equals(engine: Engine, kept: exp.Select, cut: Cut) -> bool:
    """Tell whether the first row beyond a limit is equal to the last one within it."""
    ends = exp.select(*_columns(cut.columns)).from_(kept.subquery("kept"))
    around = engine.rows(ends.limit(2).offset(cut.limit - 1))
    return len(around) > 1 and around[0] == around[1]


def _at(rows: exp.Select, place: int, columns: Sequence[str]) -> exp.Select:
    at = exp.EQ(this=_place(), expression=exp.Literal.number(place))
    return exp.select(*_columns(columns)).from_(rows.subquery("placed")).where(at)


def _place() -> exp.Column:
    return exp.column(_PLACE, quoted=True)


def _columns(names: Sequence[str]) -> list[exp.Column]:
    return [exp.column(name, quoted=True) for name in names]
