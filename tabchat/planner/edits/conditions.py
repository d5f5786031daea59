"""The rows that an edit is about: the phrases by which questions restrict rows, which must account for every word."""

from __future__ import annotations

import heapq
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.edits.request import OWN, Unfit, cost_of, rules
from tabchat.planner.edits.values import is_share, same_cells, written_expression
from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.lattice import LinkKind, Skip
from tabchat.planner.plan import Unplannable
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import Columns
from tabchat.planner.plan.scope import period_conditions, written
from tabchat.planner.readings.bounds import bound_items
from tabchat.planner.readings.cells import cell_items, denied_items, flag_condition, flag_items, text_items
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.draft import Draft
from tabchat.planner.readings.effect import Item, Kind, clause_said, said
from tabchat.planner.readings.phrases import column_items, hop, row_items
from tabchat.planner.readings.times import time_items
from tabchat.planner.wording.terms import Terms, phrases_of
from tabchat.planner.words.token import TokenKind, fold
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.intent import Clause, Period
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.readings.draft import Scope
    from tabchat.planner.readings.effect import Effect

_BEAM: Final = 24
_SKIPS: Final = {Skip.NOTHING: 0.05, Skip.JOIN: 0.4, Skip.VERB: 0.4}
"""What may be passed over, and the cost; every other word must be a part of a phrase."""
_PHRASE: Final = 1.0
"""Cost of every phrase: few long ones go before many short ones."""
_NOUN: Final = 0.2
"""Cost of a word for rows, and of a column that is only said again."""
_WRONG: Final = 5
"""Cost from which on a phrase is none: another reading stands."""
_OPEN: Final = 0.35
"""Difference of costs up to which it is open which reading is meant."""


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


@record
class _Cover:
    """Phrases and passed words that account for the first words of a condition."""

    cost: float = 0.0
    effects: tuple[Effect, ...] = ()
    guessed: bool = False


def rows_meant(
    request: Request, span: Span, *, subject: TableColumn | None = None, named: bool = False
) -> tuple[RowsMeant, ...]:
    """Return what rows a stretch can mean; with `named`, it must say that it is about rows.

    `subject` is the column that the edit is about, for `where it is missing`. Raises `Unfit` for a condition that
    cannot be computed from this table.
    """
    every = span[0] > 0 and request.is_class((span[0] - 1, span[0]), "each")
    named = named and not every and request.starts(span[0], "each") is None
    span = request.trimmed(span, "where")
    if subject is not None and request.is_class(span, "missing", "nothing"):
        missing = Condition(column=subject.name, operator=Operator.MISSING)
        return (_meant(request, [missing], []),)
    text = request.question[request.tokens[span[0]].start : request.tokens[span[1] - 1].end]
    whole = written_expression(text, request.facts.columns, condition=True)
    if whole is not None and not named and "(" in text:
        return (RowsMeant(where=whole, said=whole),)
    found = _read(request, span, subject, named=named) or _alternatives(request, span, subject, named=named)
    typed = (RowsMeant(where=whole, said=whole),) if whole is not None and not named else ()
    return found or typed


def _alternatives(
    request: Request, span: Span, subject: TableColumn | None, *, named: bool
) -> tuple[RowsMeant, ...]:
    """Read `less than 2 or over 30`: conditions of which one must hold."""
    for place in range(span[0] + 1, span[1] - 1):
        end = request.starts(place, "or")
        if end is None or end >= span[1]:
            continue
        ones = _read(request, (span[0], place), subject, named=named)
        others = rows_meant(request, (end, span[1]), subject=ones[0].about if ones else subject)
        if len(ones) == 1 == len(others):
            one, other = ones[0], others[0]
            said = request.words.readings["or"].join((one.said, other.said))
            where = write.any_of([one.where, other.where])
            return (RowsMeant(where=where, said=said, sure=one.sure and other.sure),)
    return ()


def _read(request: Request, span: Span, subject: TableColumn | None, *, named: bool) -> tuple[RowsMeant, ...]:
    if any(token.norm == "(" for token in request.tokens[slice(*span)]):
        return ()
    lattice = request.linked(_plain_text(request, span, subject))
    skips = enumerate(lattice.skips)
    verbal = any(skip is Skip.VERB and not lattice.at(place, LinkKind.ROWS) for place, skip in skips)
    found: dict[str, tuple[float, RowsMeant]] = {}
    reasons: list[Unfit] = []
    for cover in _covers(lattice):
        nouns = sum(effect.kind is Kind.ROWS for effect in cover.effects)
        for scope in _scopes(cover, lattice, subject) if nouns <= 1 else ():
            cost, signs = cover.cost + cost_of(scope.features), _signs(scope.features)
            guessed = cover.guessed or signs & set(rules()["guessed"]) or (named and not nouns)
            if "bound.default" in signs and (verbal or not nouns):
                continue
            try:
                meant = _meant(request, _mended(scope, lattice), scope.periods, sure=not guessed)
            except Unfit as reason:
                reasons.append(reason)
                continue
            found[meant.where] = min(
                found.get(meant.where, (cost, meant)), (cost, meant), key=lambda pair: pair[0]
            )
    if reasons and not found:
        raise reasons[0]
    near = sorted(found.values(), key=lambda pair: pair[0])
    return tuple(meant for cost, meant in near if cost <= near[0][0] + _OPEN)


def _plain_text(request: Request, span: Span, subject: TableColumn | None) -> str:
    """Return a condition as a text that links read.

    Pronouns become the column that they stand for, names come out of their quotation marks, what opens a condition
    becomes a comma, and fillers go.
    """
    names = {fold(column.name) for column in request.columns}
    parts, place, before = [], span[0], request.tokens[span[0]].start
    while place < span[1]:
        token = request.tokens[place]
        end, said = place + 1, request.question[token.start : token.end]
        pronoun = request.starts(place, "pronoun") if subject is not None else None
        opener = request.starts(place, "where")
        idle = request.starts(place, "filler", "each", "via")
        if pronoun is not None and subject is not None:
            end, said = pronoun, " ".join(subject.words)
        elif opener is not None:
            end, said = min(opener, span[1]), ","
        elif idle is not None and not request.links((place, idle), LinkKind.CELL):
            end, said = min(idle, span[1]), ""
        elif token.kind is TokenKind.QUOTED and (
            fold(token.text) in names or same_cells(request, fold(token.text))
        ):
            said = token.text
        parts += [request.question[before : token.start], said]
        before, place = request.tokens[end - 1].end, end
    return "".join(parts)


def _covers(lattice: Lattice) -> list[_Cover]:
    """Return the cheapest ways to account for every word."""
    count = len(lattice.sentence.words)
    beams: list[list[_Cover]] = [[] for _ in range(count + 1)]
    beams[0] = [_Cover()]
    for place in range(count):
        items = [(item, cost) for item in _items(lattice, place) if (cost := _item_cost(item)) is not None]
        skip = _SKIPS.get(lattice.skips[place]) if not lattice.at(place, LinkKind.ROWS) else None
        for cover in heapq.nsmallest(_BEAM, beams[place], key=lambda cover: cover.cost):
            if skip is not None:
                beams[place + 1].append(replace(cover, cost=cover.cost + skip))
            for item, cost in items:
                guessed = cover.guessed or bool(_signs(item.features) & set(rules()["guessed"]))
                effects = (*cover.effects, item.effect)
                beams[item.end].append(
                    replace(cover, cost=cover.cost + cost, effects=effects, guessed=guessed)
                )
    return heapq.nsmallest(_BEAM, beams[count], key=lambda cover: cover.cost)


_ACROSS: Final = frozenset({"mean", "row_before", "row_after"})
"""Parts of conditions that look at other rows, which an edit would change, too."""
_PHRASES: Final[tuple[Callable[[Lattice, int], Iterator[Item]], ...]] = (
    *(
        bound_items,
        comparative_items,
        cell_items,
        flag_items,
        text_items,
        denied_items,
        time_items,
        row_items,
        column_items,
    ),
)


def _items(lattice: Lattice, place: int) -> Iterator[Item]:
    misspelt = bool(lattice.sentence.words[place].spellings)
    guessed = misspelt and bool(lattice.concepts(place, *rules()["denials"]))
    for phrases in _PHRASES:
        seen: set[tuple[int, int]] = set()
        for item in phrases(lattice, place):
            if guessed and phrases in {denied_items, text_items}:
                # A denial is never guessed.
                continue
            if any(
                isinstance(clause, Condition) and clause.part in _ACROSS for clause in item.effect.clauses
            ):
                continue
            again = item.effect.kind is Kind.PERIOD and (item.end, item.effect.column) in seen
            seen.add((item.end, item.effect.column))
            yield Item(effect=item.effect, features=(*item.features, ("time.again", float(again))))
    for link, column in lattice.columns(place):
        if column.text and cost_of(link.features) <= OWN:
            # `customers from Spain` are rows, although a column is called so.
            yield said(Kind.ROWS, place, link.end, (*link.features, ("rows.column", 1.0)), name="column")
        for at, skipped in hop(lattice, link.end, 1):
            for start in (at, *(sign.end for sign in lattice.concepts(at, "cmp.eq"))):
                for clause, end in _stated(lattice, column, start):
                    yield clause_said(place, end, clause, (*link.features, *skipped))


def _stated(lattice: Lattice, column: TableColumn, place: int) -> Iterator[tuple[Condition, int]]:
    """Yield what a column is said to hold: `returned = yes`, a text in quotes where not every cell is known."""
    for truth in lattice.concepts(place, "true", "false") if column.flag else ():
        yield flag_condition(column, truth=truth.name == "true"), truth.end
    word = lattice.sentence.words[place] if place < len(lattice.sentence.words) else None
    if word is not None and word.kind is TokenKind.QUOTED and column.text and not column.facts.complete:
        yield Condition(column=column.name, operator=Operator.EQ, values=(word.text,)), place + 1


def _item_cost(item: Item) -> float | None:
    """Return what a phrase costs; None for one that says nothing of rows, such as a bare number."""
    signs = _signs(item.features)
    if cost_of(item.features) >= _WRONG or signs >= {"bound.bare", "bound.pending"}:
        return None
    if "column.identifier" in signs and (signs & set(rules()["ordered"]) or item.effect.kind is Kind.COLUMN):
        # `more than 5 orders` counts rows; the numbers of orders are not meant.
        return None
    noun = item.effect.kind in {Kind.ROWS, Kind.COLUMN}
    return (_NOUN if noun else _PHRASE) + cost_of(item.features)


def _signs(features: Sequence[tuple[str, float]]) -> set[str]:
    return {name for name, value in features if value}


def _scopes(cover: _Cover, lattice: Lattice, subject: TableColumn | None) -> Iterator[Scope]:
    """Yield what the phrases restrict rows to, where each of them does, or only says again what another says."""
    draft = Draft(cover.effects, lattice.vocabulary)
    said = draft.places(Kind.COLUMN)
    focus = [cover.effects[place].column for place in said]
    focus = focus or ([subject.place] if subject is not None else [])
    for scope in draft.scopes(focus):
        named = {lattice.vocabulary.columns[column].name for column in focus}
        about = {name for clause in scope.clauses for name in _columns_of(clause)}
        about |= {period.column or "" for period in scope.periods}
        idle = {place for place in said if named <= about} | set(draft.places(Kind.ROWS))
        if (scope.clauses or scope.periods) and scope.used | idle == set(range(len(cover.effects))):
            yield scope


def _columns_of(clause: Clause) -> set[str]:
    return {clause.column} if isinstance(clause, Condition) else {item.column for item in clause.conditions}


def _mended(scope: Scope, lattice: Lattice) -> list[Clause]:
    """Return the conditions, percentages as the shares of one that a column holds, and `no stock` as the flag's no."""
    percents = {quantity.value for quantity in lattice.sentence.quantities if quantity.percent}
    missing = any(lattice.has(place, "missing") for place in range(len(lattice.starts)))
    found: list[Clause] = []
    for clause in scope.clauses:
        column = lattice.vocabulary.by_name[clause.column] if isinstance(clause, Condition) else None
        if column is None or not isinstance(clause, Condition):
            found.append(clause)
        elif column.flag and clause.operator in {Operator.MISSING, Operator.NE}:
            yes = flag_condition(column, truth=True).values
            denied = clause.values == yes or (clause.operator is Operator.MISSING and not missing)
            found.append(flag_condition(column, truth=False) if denied else clause)
        elif column.numeric and is_share(column) and set(clause.values) & percents:
            values = tuple(value / 100 if value in percents else value for value in clause.values)  # type: ignore[operator] # percentages are numbers
            found.append(Condition(column=clause.column, operator=clause.operator, values=values))
        else:
            found.append(clause)
    return found


def _meant(
    request: Request, clauses: Sequence[Clause], periods: Sequence[Period], *, sure: bool = True
) -> RowsMeant:
    columns = Columns(request.facts)
    used = [name for clause in clauses for name in _columns_of(clause)]
    if columns.formulas(used):
        raise Unfit("the condition needs a computed column: add it first")
    try:
        where = write.joined([*written(clauses, columns), *period_conditions(periods, columns)])
    except Unplannable as reason:
        raise Unfit(reason.reason) from reason
    terms = Terms(phrases_of(request.words.language), request.facts)
    said = [terms.clause(clause) for clause in clauses] + [terms.period(period) for period in periods]
    about = request.lattice.vocabulary.by_name[used[0]] if used else None
    return RowsMeant(where=where, said=request.words.readings["and"].join(said), about=about, sure=sure)
