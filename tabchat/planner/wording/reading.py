"""An intent as one line: `sum of revenue · by region · country = Germany · 2024 · top 5`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import COUNT, Output
from tabchat.planner.wording.terms import Terms, phrases_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.intent import Intent, Order, Side

_HEAD: Final = 5


def read_as(intent: Intent, facts: TableFacts, language: str) -> str:
    """Return the line that says all that an intent asks for: what reads the same computes the same."""
    terms = Terms(phrases_of(language), facts)
    parts = [*subject_parts(intent, terms), *scope_parts(intent, terms), *ending_parts(intent, terms)]
    return terms.words["separator"].join(part for part in parts if part)


def scope_parts(intent: Intent, terms: Terms) -> list[str]:
    """Return the filters, each by itself; periods of one column are alternatives."""
    by_column: dict[str | None, list[str]] = {}
    for period in intent.periods:
        by_column.setdefault(period.column, []).append(terms.period(period))
    among_others = len(intent.clauses) + len(intent.periods) > 1
    said = (terms.clause(clause, among_others=among_others) for clause in intent.clauses)
    return [*said, *map(terms.words["either"].join, by_column.values())]


def subject_parts(intent: Intent, terms: Terms) -> list[str]:
    """Return what is told of the rows, and by what they are grouped."""
    said = _SUBJECTS.get(intent.output, _of_columns)(intent, terms)
    grouped = intent.keys and intent.output not in {Output.VALUE, Output.STANDING}
    return [said, terms.say("by", k=terms.keys(intent.keys, "by_")) if grouped else ""]


def ending_parts(intent: Intent, terms: Terms) -> list[str]:
    """Return what is done to the rows or groups once they are there."""
    parts = [terms.bound(item) for item in intent.having]
    if intent.output is not Output.HEAD:
        told = intent.output is Output.STANDING or intent.comparison == "which" or _is_told_by_limit(intent)
        orders = () if told else intent.orders
        parts += [order_of(order, intent, terms) for order in orders]
        parts.append(_limit(intent, terms))
    if intent.chart is not None:
        parts.append(terms.words[f"chart_{intent.chart}"])
    return parts


def _is_told_by_limit(intent: Intent) -> bool:
    """Tell whether `top 5` says what it is the top of: the only measure, the only column."""
    if intent.limit is None or len(intent.orders) != 1:
        return False
    order = intent.orders[0]
    if intent.output is Output.GROUPS:
        return order.column is None and order.measure == 0 and len(intent.measures) <= 1
    return intent.output is Output.ROWS and order.column is not None


def order_of(order: Order, intent: Intent, terms: Terms) -> str:
    """Say one key of an order."""
    if order.column is not None:
        said = terms.column(order.column)
    else:
        measures = intent.measures or (COUNT,)
        said = terms.measure(measures[min(order.measure, len(measures) - 1)])
        if intent.measures and intent.output is Output.CHANGE:
            changed = terms.words["change_of_it"]
            said = f"{changed}: {said}" if len(intent.measures) > 1 else changed
    return terms.say("descending" if order.descending else "ascending", c=said)


def _limit(intent: Intent, terms: Terms) -> str:
    said = ""
    if intent.limit is not None:
        down = intent.orders[0].descending if intent.orders else None
        name = "limit" if down is None else "top" if down else "bottom"
        said = terms.say(name, n=intent.limit)
        if intent.output is Output.ROWS and _is_told_by_limit(intent):
            said = terms.say("limit_of", t=said, c=terms.column(str(intent.orders[0].column)))
        said = terms.say("ties", t=said) if intent.with_ties else said
        if intent.limit_keys:
            said = terms.say("limit_by", t=said, k=terms.keys(intent.limit_keys))
    return terms.listed([said, _skipped(intent, terms)])


def _skipped(intent: Intent, terms: Terms) -> str:
    return terms.say("skipped", n=intent.offset + 1) if intent.offset else ""


# What an output is called.

_TEMPLATES: Final = {
    Output.ROWS: ("columns", "rows"),
    Output.VALUES: ("values", "values"),
    Output.EXISTS: ("exists", "exists"),
    Output.DISTRIBUTION: ("distribution", "distribution"),
    Output.OUTLIERS: ("outliers", "outliers"),
    Output.DUPLICATES: ("duplicates_in", "duplicates"),
    Output.MISSING: ("missing_in", "missing_cells"),
    Output.ODDITIES: ("oddities_in", "oddities"),
    Output.SCHEMA: ("schema", "schema"),
    Output.PROFILE: ("profile", "profile_all"),
}
"""What an output of some columns is called, and one of all, or of no column."""


def _of_columns(intent: Intent, terms: Terms) -> str:
    some, every = _TEMPLATES[intent.output]
    columns = intent.columns[:1] if intent.output is Output.OUTLIERS else intent.columns
    said = terms.say(some if columns else every, c=terms.columns(columns))
    if intent.measures and intent.output in {Output.OUTLIERS, Output.DUPLICATES}:
        return terms.say("of_rows", m=terms.measures(intent.measures), t=said)
    return said


def _figures(intent: Intent, terms: Terms) -> str:
    if intent.keys and intent.output is Output.VALUE:
        shared = any(measure.share for measure in intent.measures)
        return terms.say("groups_share" if shared else "groups", k=terms.keys(intent.keys, "by_"))
    return terms.measures(intent.measures)


def _standing(intent: Intent, terms: Terms) -> str:
    name = "standing" if intent.orders[0].descending else "standing_least"
    return terms.say(name, t=terms.clauses(intent.placed), m=terms.measures(intent.measures))


def _comparison(intent: Intent, terms: Terms) -> str:
    measure = terms.measures(intent.measures[:1])
    sides = [_side(side, terms) for side in intent.sides]
    name = intent.comparison or "compare"
    if name in {"difference", "ratio", "percent"} and len(sides) == 2:  # noqa: PLR2004 - two sides
        return terms.say(name, m=measure, t=sides[0], t2=sides[1])
    if name == "which" and intent.orders and not intent.orders[0].descending:
        name = "which_least"
    return terms.say(name, m=measure, t=terms.words["versus"].join(sides))


def _side(side: Side, terms: Terms) -> str:
    said = [*map(terms.clause, side.clauses)]
    if side.period is not None:
        said.append(terms.period(side.period))
    conditions = terms.words["both"].join(said) or terms.words["everything"]
    label = terms.side(side)
    return label if conditions == label else terms.say("side", t=terms.text(label), f=conditions)


def _change(intent: Intent, terms: Terms) -> str:
    measure = terms.measures(intent.measures)
    if intent.window is not None:
        name = "window_total" if intent.change == "total" else "window"
        moving = terms.say(name, n=intent.window, m=terms.measures(intent.measures[:1]))
        return terms.listed([moving, measure if len(intent.measures) > 1 else ""])
    said = terms.say(f"change_{intent.change or 'difference'}", m=measure)
    since = terms.words["since_year" if intent.against == "year" else "since_before"]
    return terms.listed([said, "" if intent.change == "total" else since])


def _correlation(intent: Intent, terms: Terms) -> str:
    one, two = (*map(terms.column, intent.columns), "", "")[:2]
    return terms.say("correlation", c=one, c2=two)


def _head(intent: Intent, terms: Terms) -> str:
    last = bool(intent.orders) and intent.orders[0].descending
    said = terms.say("tail" if last else "head", n=intent.limit or _HEAD)
    only = terms.say("only", c=terms.columns(intent.columns)) if intent.columns else ""
    return terms.listed([said, only, "" if last else _skipped(intent, terms)])


_SUBJECTS: Final[Mapping[Output, Callable[[Intent, Terms], str]]] = {
    Output.VALUE: _figures,
    Output.GROUPS: _figures,
    Output.STANDING: _standing,
    Output.COMPARISON: _comparison,
    Output.CHANGE: _change,
    Output.CORRELATION: _correlation,
    Output.HEAD: _head,
}
