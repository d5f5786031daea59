"""Why nothing is left: which filter of an intent removes every row, counted over the table in one pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.intent import Intent, Output, Side
from tabchat.planner.plan import Unplannable, plan_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.result import Result
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.wording.figures import Figures
    from tabchat.planner.wording.terms import Terms


def why_empty(
    intent: Intent,
    facts: TableFacts,
    terms: Terms,
    figures: Figures,
    run: Callable[[PlannedCall], Result],
) -> list[str]:
    """Say which filter leaves no row, when there are several of them; `run` answers one more call."""
    filters = [(terms.clause(clause), Side(label="", clauses=(clause,))) for clause in intent.clauses]
    filters += [(terms.period(period), Side(label="", period=period)) for period in intent.periods]
    if len(filters) < 2 or len(intent.periods) > 1:  # noqa: PLR2004 - one filter alone is no riddle
        return []
    sides = [side for _, side in filters]
    counted = [*sides, *(_all_but(side, intent) for side in sides)]
    named = tuple(replace(side, label=f"filter {place}") for place, side in enumerate(counted))
    try:
        call = plan_of(Intent(output=Output.COMPARISON, sides=named, table=intent.table), facts)
    except Unplannable:
        return []
    counts = [int(str(value)) for value in run(call).values.values()]
    texts = [text for text, _ in filters]
    alone, others = counts[: len(texts)], counts[len(texts) :]
    found = [
        _removing(text, left, figures)
        for text, count, left in zip(texts, alone, others, strict=True)
        if not count
    ]
    if found:
        return found
    listed = ", ".join(
        f"{text}: {figures.counted(count, 'row', f' rows where {text}')}"
        for text, count in zip(texts, alone, strict=True)
    )
    return [figures.words["together"].format(alone=listed)]


def _all_but(side: Side, intent: Intent) -> Side:
    clauses = tuple(clause for clause in intent.clauses if clause not in side.clauses)
    period = intent.periods[0] if intent.periods and side.period is None else None
    return Side(label="", clauses=clauses, period=period)


def _removing(text: str, left: int, figures: Figures) -> str:
    if not left:
        return figures.words["never"].format(condition=text)
    rows = figures.counted(left, "row", f" rows without {text}")
    return figures.words["never_without"].format(condition=text, rows=rows)
