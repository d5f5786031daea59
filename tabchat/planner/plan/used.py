"""Which columns an intent computes with, rather than shows only: those whose cells a plan may have to read first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Operator, Output

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabchat.planner.intent import Clause, Intent, Key, Measure

_MEASURING: Final = frozenset({Output.CORRELATION, Output.OUTLIERS, Output.PROFILE})
"""Outputs that compute with `columns`."""
_LOOSE: Final = frozenset({Operator.MISSING, Operator.PRESENT})
"""What is asked of a cell as the file writes it."""
_COUNTS: Final = frozenset({"count"})


def used_columns(intent: Intent) -> frozenset[str]:
    """Return the names of the columns that an intent compares, groups, sorts or aggregates."""
    found: list[str | None] = []
    for measure in (*intent.measures, *(item.measure for item in intent.having)):
        found += _of_measure(measure)
    found += _of_keys((*intent.keys, *intent.limit_keys))
    found += _of_clauses(intent.clauses)
    found += [period.column for period in intent.periods]
    for side in intent.sides:
        found += _of_clauses(side.clauses)
        found += [side.period.column] if side.period is not None else []
    found += [order.column for order in intent.orders]
    found += intent.columns if intent.output in _MEASURING else ()
    return frozenset(name for name in found if name is not None)


def _of_measure(measure: Measure) -> Iterator[str | None]:
    if measure.function not in _COUNTS:
        yield measure.column
    yield measure.per
    yield from _of_clauses(measure.part)


def _of_keys(keys: Iterable[Key]) -> Iterator[str | None]:
    yield from (key.column for key in keys)


def _of_clauses(clauses: Iterable[Clause]) -> Iterator[str | None]:
    for clause in clauses:
        if isinstance(clause, AnyOf):
            yield from _of_clauses(clause.conditions)
        elif clause.operator not in _LOOSE:
            yield clause.column
            yield clause.other
