"""Exact figures over some rows of a result, for the roles that a text names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.validator.ground import ADDITIVE, AGGREGATES, ENDS, EXTREMES
from tabchat.chat.validator.natures import Nature

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.chat.validator.compare import Actual
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value


def statistics_of(
    view: View, selection: Selection, column: str, roles: frozenset[str], *, with_sum: bool = False
) -> Iterator[tuple[str, Actual]]:
    """Yield (role, figure) of a column over some rows, for the roles that the text names."""
    stats = selection.stats(column)
    wanted = set(roles)
    if with_sum and not roles & (EXTREMES | AGGREGATES | ENDS) and is_summed(view, column):
        wanted.add("sum")
    if wanted & {"max", "min"} and wanted & AGGREGATES:
        # `The highest average` is the largest of the averages.
        wanted -= AGGREGATES
    for name, value in (
        ("max", stats.max),
        ("min", stats.min),
        ("mean", stats.mean),
        ("median", stats.median),
        ("sum", stats.sum),
    ):
        if name in wanted and value is not None:
            yield name, _like(view, column, value)


def is_summed(view: View, column: str) -> bool:
    """Tell whether a figure of several rows may be their sum although no word says so."""
    quality = view.qualities[column]
    return quality.nature is Nature.PLAIN and quality.role in ADDITIVE | {None}


def _like(view: View, column: str, value: Value) -> Actual:
    actual = view.actual(column, value)
    assert actual is not None  # noqa: S101 - statistics are numbers
    return actual


def ends_of(selection: Selection, roles: frozenset[str]) -> Iterator[Mapping[str, Value]]:
    """Yield the first and the last row, as far as the text names them."""
    for role, row in (("first", selection.first), ("last", selection.last)):
        if role in roles:
            found = row()
            if found is not None:
                yield found
