"""Questions that a table should answer, made from its facts: what `what can I ask` chooses from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import COUNT, Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.wording.terms import phrases_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.facts.records import ColumnFacts, TableFacts

_TOP: Final = 5
_GROUPS: Final = range(2, 51)
"""Different texts of a column that groups make sense by."""
_LONGEST: Final = 30
"""Characters of a cell that a question names."""


def suggestions(facts: TableFacts, language: str) -> tuple[tuple[str, Intent], ...]:
    """Return questions, the plainest first, each with the intent that it is to be read as."""
    words = phrases_of(language).suggestions
    found = [
        (words[name].format(**holes), intent) for name, holes, intent in _candidates(facts) if name in words
    ]
    return tuple(dict(found).items())


def _candidates(facts: TableFacts) -> Iterator[tuple[str, dict[str, object], Intent]]:
    """Yield the name of a question, what it speaks of, and what it means."""
    amount, group, date = _amount(facts), _group(facts), _date(facts)
    yield "count", {}, Intent(output=Output.VALUE, measures=(COUNT,))
    if amount is not None:
        # A sum of prices or rates means nothing; a mean always does.
        mean = (Measure(function="mean", column=amount.name),)
        for column in filter(None, (group, date)):
            by_month = column.kind.is_temporal
            key = Key(unit="month") if by_month else Key(column=column.name)
            holes: dict[str, object] = {"m": _said(amount), "k": _said(column)}
            name = "mean_by_month" if by_month else "mean_by"
            yield name, holes, Intent(output=Output.GROUPS, measures=mean, keys=(key,))
    if group is not None and group.texts and len(group.texts[0]) <= _LONGEST:
        cell = Condition(column=group.name, operator=Operator.EQ, values=(group.texts[0],))
        holes = {"k": _said(group), "v": group.texts[0]}
        yield "count_where", holes, Intent(output=Output.VALUE, measures=(COUNT,), clauses=(cell,))
    if amount is not None:
        orders = (Order(column=amount.name),)
        yield "top", {"n": _TOP, "m": _said(amount)}, Intent(output=Output.ROWS, orders=orders, limit=_TOP)
        most = Measure(function="max", column=amount.name)
        yield "max", {"m": _said(amount)}, Intent(output=Output.VALUE, measures=(most,))
    if group is not None:
        yield "values", {"k": _said(group)}, Intent(output=Output.VALUES, columns=(group.name,))
    yield "head", {"n": _TOP}, Intent(output=Output.HEAD, limit=_TOP)
    yield "columns", {}, Intent(output=Output.SCHEMA)
    yield "missing", {}, Intent(output=Output.MISSING)
    yield "duplicates", {}, Intent(output=Output.DUPLICATES, measures=(COUNT,))


def _said(column: ColumnFacts) -> str:
    return " ".join(column.name.replace("_", " ").split())


def _amount(facts: TableFacts) -> ColumnFacts | None:
    """Return the column of numbers that figures are most likely wanted of: no code, no year; fractions before counts."""
    found = [
        column
        for column in facts.columns
        if column.kind.is_numeric
        and not (column.years or column.numbers_rows or (column.unique and column.integral))
        and column.distinct != 1
    ]

    def rank(column: ColumnFacts) -> tuple[bool, bool, float]:
        size = float(column.high) if isinstance(column.high, int | float) else 0.0
        return column.unit == "%", column.integral, -size

    return min(found, key=rank, default=None)


def _group(facts: TableFacts) -> ColumnFacts | None:
    """Return the column of texts that falls into the fewest groups."""
    found = [
        column
        for column in facts.columns
        if column.kind is ColumnKind.TEXT and column.figures is None and column.distinct in _GROUPS
    ]
    return min(found, key=lambda column: column.distinct or 0, default=None)


def _date(facts: TableFacts) -> ColumnFacts | None:
    """Return the only column of times; of several, none is beyond doubt."""
    dates = [column for column in facts.columns if column.kind.is_temporal]
    dates = dates or [column for column in facts.columns if column.years]
    return dates[0] if len(dates) == 1 else None
