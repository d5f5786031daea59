"""What clauses come to as the condition of an edit: with the columns and cells that were typed, and as it is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.values import is_share
from tabchat.planner.intent import Condition, Operator
from tabchat.planner.plan import Unplannable
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.scope import period_conditions, written
from tabchat.planner.readings.states import flag_condition, yes_of
from tabchat.planner.wording.terms import Terms, phrases_of
from tabchat.planner.words.token import fold
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.readings.effect import Scope

_ALONE: Final = {Operator.IN: Operator.EQ, Operator.NOT_IN: Operator.NE}
"""How one cell of several is compared."""


@record
class RowsMeant:
    """A condition on rows."""

    where: str
    """In the plan's expression language; `said` in the language of the request."""
    said: str
    about: TableColumn | None = None
    """The column that it looks at first."""
    sure: bool = True
    """False for what is to be offered, because a part of it was guessed."""


def columns_of(clause: Clause) -> set[str]:
    """Return the names of the columns whose cells a clause looks at."""
    return {clause.column} if isinstance(clause, Condition) else {item.column for item in clause.conditions}


def mended_clauses(scope: Scope, lattice: Lattice) -> list[Clause]:
    """Return the conditions, percentages as the shares of one that a column holds, and `no stock` as the flag's no."""
    percents = {quantity.value for quantity in lattice.sentence.quantities if quantity.percent}
    missing = any(lattice.has(place, "missing") for place in range(len(lattice.starts)))

    def mended(clause: Clause) -> Clause:
        if not isinstance(clause, Condition):
            return clause
        column = lattice.vocabulary.by_name[clause.column]
        if column.flag and clause.operator in {Operator.MISSING, Operator.NE}:
            denied = clause.values == (yes_of(column),)
            denied |= clause.operator is Operator.MISSING and not missing
            return flag_condition(column, truth=False) if denied else clause
        if column.numeric and is_share(column) and percents:
            numbers = (value for value in clause.values if isinstance(value, int | float))
            shares = (value / 100 if value in percents else value for value in numbers)
            return replace(clause, values=tuple(shares))
        return clause

    return [mended(clause) for clause in scope.clauses]


def meant(
    request: Request, clauses: Sequence[Clause], periods: Sequence[Period], *, sure: bool = True
) -> RowsMeant:
    """Return the condition of clauses and periods that all must hold; raises `Unfit` where the table has none such."""
    columns = Columns(request.facts, inline=True)
    used = [name for clause in clauses for name in columns_of(clause)]
    for facts in (request.lattice.vocabulary.by_name[name].facts for name in used):
        if facts.formula is not None:
            hint = f"Add it first: add column {write.name(facts.name)} = {facts.formula}"
            raise Unfit(f"the table has no column {facts.name}", hint)
    try:
        where = write.joined([*written(clauses, columns), *period_conditions(periods, columns)])
    except Unplannable as reason:
        raise Unfit(reason.reason) from reason
    terms = Terms(phrases_of(request.words.language), request.facts)
    said = [terms.clause(clause) for clause in clauses] + [terms.period(period) for period in periods]
    about = request.lattice.vocabulary.by_name[used[0]] if used else None
    return RowsMeant(where=where, said=request.words.readings["and"].join(said), about=about, sure=sure)


def as_typed(request: Request, span: Span, clauses: Sequence[Clause]) -> Iterator[tuple[list[Clause], bool]]:
    """Yield what conditions are where columns, or cells, have the same words: of those that were typed to the letter.

    With each is told whether its cell stood in quotation marks; without them, all cells of these words may be meant.
    Raises `Unfit` where it is open which of such columns is meant.
    """
    typed = dict(_spelled(request, span))
    marked: list[bool] = []

    def narrowed(condition: Condition) -> Condition:
        """Leave the one cell that was typed to the letter, where others differ from it by case alone."""
        same = [value for value in condition.values if isinstance(value, str) and value in typed]
        alike = len({fold(str(value)) for value in condition.values}) == 1 < len(condition.values)
        if condition.operator not in _ALONE or len(same) != 1 or not alike:
            return condition
        marked.append(typed[same[0]])
        return replace(condition, operator=_ALONE[condition.operator], values=(same[0],))

    named = [_each(clause, lambda one: _named(request, one, typed)) for clause in clauses]
    yield [_each(clause, narrowed) for clause in named], bool(marked) and all(marked)
    if not all(marked):
        yield named, False


def _spelled(request: Request, span: Span) -> Iterator[tuple[str, bool]]:
    """Yield the headers and cells of a stretch as they were typed, and whether in quotation marks."""
    for place in range(*span):
        quoted, end = request.quoted((place, place + 1)), request.spelt(place)
        if quoted is not None or end > place:
            yield (quoted, True) if quoted is not None else (request.text((place, end)), False)


def _each(clause: Clause, change: Callable[[Condition], Condition]) -> Clause:
    if isinstance(clause, Condition):
        return change(clause)
    return replace(clause, conditions=tuple(map(change, clause.conditions)))


def _named(request: Request, condition: Condition, typed: Mapping[str, bool]) -> Condition:
    """Return a condition on the column of that name, not on one of the same words: `a-b` and `a b`."""
    words = request.lattice.vocabulary.by_name[condition.column].words
    alike = [one.name for one in request.columns if one.words == words and one.facts.formula is None]
    names = {fold(text) for text in typed}
    meant = [name for name in alike if fold(name) in names]
    if len(alike) == 1 or meant == [condition.column]:
        return condition
    if len(meant) != 1 or condition.other is not None:
        hint = f'Write a formula, with names in double quotation marks: "{alike[0]}" > 0.'
        raise Unfit(f"is {' or '.join(alike)} meant?", hint)
    return replace(condition, column=meant[0])
