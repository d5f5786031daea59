"""Order, limit, ties and places passed over: what is done to rows or groups once they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.call import Fields


@record
class Sort:
    """One key of an order: a column of the rows at hand, or an aggregate of them."""

    what: str
    """As an expression writes it."""
    descending: bool = False
    grouped: bool = False
    """True for an aggregate, which only the step that groups can sort by."""
    name: str | None = None
    """The column of the rows at hand that an aggregate stands for."""

    @property
    def text(self) -> str:
        """The entry of `sort`."""
        return f"{self.what} {'desc' if self.descending else 'asc'}"


def is_plain(intent: Intent) -> bool:
    """Tell whether a sort and a limit say it all."""
    return not (intent.with_ties and intent.limit) and not intent.offset and not intent.limit_keys


def ranked(
    steps: Sequence[Fields],
    sorts: Sequence[Sort],
    intent: Intent,
    *,
    within: Sequence[Sort] = (),
    shown: Sequence[str] = (),
) -> list[Fields]:
    """Return steps that sort what the last one gives, and keep what lies within the limit.

    Where ties of the last place come too, or the limit holds in each group, another step ranks the rows; `within`
    are those groups, in their order, and `shown` the columns of grouped rows. Raises `Unplannable` for ties of no order.
    """
    made = [dict(step) for step in steps]
    if "group_by" in made[-1]:
        made[-1]["columns"] = None if is_plain(intent) else [*shown]
    order = [sort.text for sort in (*within, *sorts)]
    # What is sorted early stays so: later steps keep the order of their rows.
    early = next((step for step in made if "group_by" in step), made[-1])
    (early if any(sort.grouped for sort in (*within, *sorts)) else made[-1])["sort"] = order
    if is_plain(intent):
        made[-1]["limit"] = intent.limit
        return made
    columns = made[-1].pop("columns", None)
    groups = [sort.name or sort.what for sort in within]
    return [*made, {"within": groups, "where": write.joined(_places(sorts, intent)), "columns": columns}]


def _places(sorts: Sequence[Sort], intent: Intent) -> list[str]:
    """Write which places are kept, of rows that an earlier step has sorted."""
    conditions = [f"row_number() > {intent.offset}"] if intent.offset else []
    if intent.limit is None:
        return conditions or ["row_number() > 0"]
    last = intent.offset + intent.limit
    if not intent.with_ties or (sorts and sorts[0].grouped):
        return [*conditions, f"row_number() <= {last}"]
    if not sorts:
        raise Unplannable("what would the ties be ties of?")
    direction = write.text("desc" if sorts[0].descending else "asc")
    return [*conditions, f"{write.call('rank', sorts[0].what, direction)} <= {last}"]
