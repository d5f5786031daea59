"""An intent as one line: `sum of revenue · by region · country = Germany · 2024 · top 5`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Output
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
    periods = [terms.words["either"].join(items) for items in by_column.values()]
    return [*(terms.clause(clause) for clause in intent.clauses), *periods]


def subject_parts(intent: Intent, terms: Terms) -> list[str]:
    """Return what is told of the rows, and by what they are grouped."""
    said = _SUBJECTS[intent.output](intent, terms)
    grouped = intent.keys and intent.output is not Output.VALUE
    return [said, terms.say("by", k=terms.keys(intent.keys, "by_")) if grouped else ""]


def ending_parts(intent: Intent, terms: Terms) -> list[str]:
    """Return what is done to the rows or groups once they are there."""
    parts = [terms.bound(item) for item in intent.having]
    if intent.output is not Output.HEAD:
        orders = () if intent.comparison == "which" or _is_told_by_limit(intent) else intent.orders
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
    elif not intent.measures:
        said = terms.words["number"]
    else:
        said = terms.measure(intent.measures[min(order.measure, len(intent.measures) - 1)])
        if intent.output is Output.CHANGE:
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
    if intent.offset:
        place = terms.say("skipped", n=intent.offset + 1)
        said = f"{said}{terms.words['listed']}{place}" if said else place
    return said


# What an output is called.


def _value(intent: Intent, terms: Terms) -> str:
    if intent.keys:
        return terms.say("groups", k=terms.keys(intent.keys, "by_"))
    return terms.measures(intent.measures)


def _rows(intent: Intent, terms: Terms) -> str:
    return terms.say("columns", c=terms.columns(intent.columns)) if intent.columns else terms.words["rows"]


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
    said = [terms.clause(clause) for clause in side.clauses]
    said += [terms.period(side.period)] if side.period is not None else []
    conditions = terms.words["both"].join(said) or terms.words["everything"]
    label = terms.text(side.label)
    if conditions == label:
        return label
    return terms.say("side", t=label, f=conditions)


def _change(intent: Intent, terms: Terms) -> str:
    measure = terms.measures(intent.measures)
    if intent.window is not None:
        mean = terms.say("window", n=intent.window, m=terms.measures(intent.measures[:1]))
        parts = [mean, measure] if len(intent.measures) > 1 else [mean]
    else:
        said = terms.say(f"change_{intent.change or 'difference'}", m=measure)
        since = terms.words["since_year" if intent.against == "year" else "since_before"]
        parts = [said] if intent.change == "total" else [said, since]
    return terms.words["listed"].join(parts)


def _correlation(intent: Intent, terms: Terms) -> str:
    one, two = (*(terms.column(name) for name in intent.columns), "", "")[:2]
    return terms.say("correlation", c=one, c2=two)


def _outliers(intent: Intent, terms: Terms) -> str:
    return _of_rows(terms.say("outliers", c=terms.columns(intent.columns[:1])), intent, terms)


def _duplicates(intent: Intent, terms: Terms) -> str:
    return _of_rows(_in_columns("duplicates_in", "duplicates", intent, terms), intent, terms)


def _in_columns(some: str, every: str, intent: Intent, terms: Terms) -> str:
    """Say what is told of some columns, or of the whole table."""
    return terms.say(some, c=terms.columns(intent.columns)) if intent.columns else terms.words[every]


def _of_rows(said: str, intent: Intent, terms: Terms) -> str:
    return terms.say("of_rows", m=terms.measures(intent.measures), t=said) if intent.measures else said


def _head(intent: Intent, terms: Terms) -> str:
    last = bool(intent.orders) and intent.orders[0].descending
    said = terms.say("tail" if last else "head", n=intent.limit or _HEAD)
    parts = [said, terms.say("only", c=terms.columns(intent.columns)) if intent.columns else ""]
    if intent.offset and not last:
        parts.append(terms.say("skipped", n=intent.offset + 1))
    return terms.words["listed"].join(part for part in parts if part)


_SUBJECTS: Final[Mapping[Output, Callable[[Intent, Terms], str]]] = {
    Output.VALUE: _value,
    Output.GROUPS: lambda intent, terms: terms.measures(intent.measures),
    Output.ROWS: _rows,
    Output.VALUES: lambda intent, terms: terms.say("values", c=terms.columns(intent.columns)),
    Output.COMPARISON: _comparison,
    Output.CHANGE: _change,
    Output.EXISTS: lambda _, terms: terms.words["exists"],
    Output.CORRELATION: _correlation,
    Output.DISTRIBUTION: lambda _, terms: terms.words["distribution"],
    Output.OUTLIERS: _outliers,
    Output.DUPLICATES: _duplicates,
    Output.MISSING: lambda intent, terms: _in_columns("missing_in", "missing_cells", intent, terms),
    Output.ODDITIES: lambda intent, terms: _in_columns("oddities_in", "oddities", intent, terms),
    Output.SCHEMA: lambda _, terms: terms.words["schema"],
    Output.PROFILE: lambda intent, terms: _in_columns("profile", "profile_all", intent, terms),
    Output.HEAD: _head,
}
