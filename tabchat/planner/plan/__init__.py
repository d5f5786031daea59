"""From an intent and the facts of a table to the tool call that computes it: each output has its writer."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Output
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.expressions import PlannedCall, Unplannable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.intent import Intent

_WRITERS: Final[Mapping[Output, tuple[str, str]]] = {
    Output.VALUE: ("groups", "value"),
    Output.GROUPS: ("groups", "groups"),
    Output.STANDING: ("comparisons", "standing"),
    Output.ROWS: ("groups", "rows"),
    Output.VALUES: ("groups", "values"),
    Output.COMPARISON: ("comparisons", "comparison"),
    Output.CHANGE: ("comparisons", "change"),
    Output.EXISTS: ("groups", "value"),
    Output.CORRELATION: ("summaries", "correlation"),
    Output.DISTRIBUTION: ("summaries", "distribution"),
    Output.OUTLIERS: ("summaries", "outliers"),
    Output.DUPLICATES: ("summaries", "duplicates"),
    Output.MISSING: ("summaries", "missing"),
    Output.ODDITIES: ("summaries", "oddities"),
    Output.SCHEMA: ("summaries", "schema"),
    Output.PROFILE: ("summaries", "profile"),
    Output.HEAD: ("groups", "head"),
}
"""The module and the function that write the plan of each output: no other is loaded."""
_STORED: Final = frozenset({Output.HEAD, Output.MISSING, Output.ODDITIES})
"""Outputs that are of cells as the file has them."""


def plan_of(intent: Intent, facts: TableFacts) -> PlannedCall:
    """Return the tool call that computes `intent` over the table that `facts` are of.

    Looks at no data. Raises `Unplannable` when the table cannot give what is asked for.
    """
    columns = Columns(facts)
    for name in intent.columns if intent.output in _STORED else ():
        if columns.find(name).operands:
            raise Unplannable(f"the file has no cells of {name}")
    return _writer(intent.output)(intent, columns)


@cache
def _writer(output: Output) -> Callable[[Intent, Columns], PlannedCall]:
    module, name = _WRITERS[output]
    write: Callable[[Intent, Columns], PlannedCall] = getattr(import_module(f"{__name__}.{module}"), name)
    return write


__all__ = ["PlannedCall", "Unplannable", "plan_of"]
