"""Drafts → intents that set things against one another: sides, parts of a whole, ratios, correlation, places in an order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import COUNT, Condition, Key, Measure, Operator, Order, Output, single_conditions
from tabchat.planner.links.link import told
from tabchat.planner.readings.effect import Effect, Kind
from tabchat.planner.readings.figures import Figures, compared, default, figures
from tabchat.planner.readings.groups import group_figures
from tabchat.planner.readings.sides import COMPARED, comparison_said, sides_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Clause, Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.draft import Built, Draft

_HOW_FAR: Final = frozenset({"byhowmuch", "bypercent", "bytimes"})
"""Words that ask how far sides differ, not which is more."""
_CALENDAR: Final = frozenset({"year", "quarter", "month", "week", "day"})
_DATED: Final = _CALENDAR | {"month_day"}
"""Parts of a date that say of which rows a share is."""
_TWO: Final = 2
RANK: Final = "rank"
"""The mark of a place in an order."""
_NAMING: Final = frozenset({Operator.EQ, Operator.IN})
_GUESSED: Final = frozenset({("count.default", 1.0), ("default.measure", 1.0)})
"""Features of figures that no word names: a place is by something."""


def comparison_intents(draft: Draft) -> Iterator[Built]:
    """Two or more sides of one measure: cells of one column, or periods."""
    ranked = draft.places(Kind.SUPER)[:1]
    marks = [name for name in (*COMPARED, "fewer") if name in draft.marks]
    kind, asked = comparison_said(draft), draft.opener in {"which", "who", "where"}
    # `who won more, A or B`, `were there more in A or in B`.
    either = {"more", "fewer"} & draft.marks.keys() and not draft.has(*_HOW_FAR)
    if ranked or (kind is None and asked) or (either and (asked or draft.opener in {"yesno", "none"})):
        kind = "which"
    descending = draft.effects[ranked[0]].descending if ranked else "fewer" not in draft.marks
    for sides, used, features in sides_of(draft):
        without = frozenset(used)
        by = [place for place in draft.places(Kind.ORDER, Kind.MARK) if place not in without]
        explicit = (
            marks
            or ranked
            or draft.counts_each
            or any(draft.effects[place].name == "versus" for place in used)
        )
        # `total fee of tea or milk` is that of both together.
        either_of = not explicit and kind is None and any(draft.effects[place].name == "or" for place in used)
        more = (*features, *told({"sides.unmarked": not explicit, "sides.or": either_of, f"sides.{kind}": 1}))
        every = {*used, *ranked[:1], *(draft.marks[name] for name in marks)}
        orders = (Order(descending=descending),) if kind == "which" else ()
        fields = {"sides": sides, "comparison": kind, "orders": orders}
        # One measure is compared; two of each side are groups.
        measured = [
            figure
            for figure in (
                *_ordered_figures(draft, by),
                *(compared(draft, without) if kind is None else figures(draft, spare=without)),
            )
            if len(figure.measures) == 1
        ]
        for figure, scope in draft.scoped(measured, without):
            yield draft.built("comparison", scope, figure, every, more, measures=figure.measures, **fields)


def _ordered_figures(draft: Draft, places: Sequence[int]) -> Iterator[Figures]:
    """Yield what sides are said to be compared by: `compare Berlin and Paris by revenue`, `is Berlin dearer than Paris`."""
    for place in places:
        effect = draft.effects[place]
        column = draft.own_column(effect)
        if column is None or not column.measure:
            continue
        # `dearer on average`
        said = [at for at in draft.places(Kind.FUNCTION) if draft.effects[at].name == "mean"]
        for function in ("sum", "mean") if effect.kind is Kind.ORDER else ("mean",):
            told_of = () if said and function == "mean" else (default(column, function),)
            yield Figures(
                measures=(Measure(function=function, column=column.name),),
                used=frozenset({place, *(said if function == "mean" else ())}),
                focus=(column.place,),
                features=(("sides.by", 1.0), *told_of),
            )


def share_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of a whole the rows that are named make: in rows, or in a measure."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    if place is None or draft.places(Kind.KEY):
        return
    for places, part in _parts(draft):
        used = {place, *places, *draft.idle("table", "all")}
        for figure, scope in draft.scoped(figures(draft), frozenset(places)):
            rest = bool(scope.clauses)
            # `the pass rate for A`: what stands before the word is the part, not the whole.
            beside = draft.effects[places[-1]].end == draft.effects[place].start
            features = told({"share.rest": rest, "share.beside": beside and rest})
            # `share of Rome in fee and tax` is of each.
            shares = tuple(
                Measure(function=one.function, column=one.column, part=part) for one in figure.measures
            )
            yield draft.built("share", scope, figure, used, features, measures=shares)
            if told_of := _told(draft, part):
                # Of those of whom it is known, too.
                known = replace(scope, clauses=(*scope.clauses, *told_of))
                yield draft.built("share", known, figure, used, features, measures=shares)
    yield from _bounded_shares(draft, place)


def _told(draft: Draft, part: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Return that the cells which a part is told by are there, where some are missing."""
    columns = [draft.vocabulary.by_name[one.column] for one in single_conditions(part) if one.values]
    told_in = (column for column in columns if not column.text and draft.vocabulary.lacks(column))
    lacking = dict.fromkeys(column.name for column in told_in)
    return tuple(Condition(column=name, operator=Operator.PRESENT) for name in lacking)


def _bounded_shares(draft: Draft, place: int) -> Iterator[Built]:
    """Read the part that a comparison makes of all rows, or of those that the other conditions leave."""
    bounds, columns = frozenset(draft.places(Kind.BOUND)), draft.places(Kind.COLUMN)
    if not bounds:
        return
    whole = len(draft.scopes(without=bounds)[0].clauses)
    for scope in draft.scopes([draft.effects[other].column for other in columns]):
        for split in {0, whole}:
            rest, part = replace(scope, clauses=scope.clauses[:split]), scope.clauses[split:]
            features, measures = told({"share.rest": bool(split)}), (Measure(part=part),)
            if part:
                yield draft.built("share", rest, None, (place, *columns), features, measures=measures)


def share_group_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of each group meets a condition: the cancellation rate by channel."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    asked = [other for other in draft.places(Kind.COLUMN) if draft.effects[other].asked]
    keys = draft.keys or tuple(Key(column=name) for name in draft.names(asked))
    if place is None or not keys:
        return
    ranked = draft.places(Kind.SUPER)[:1]
    fields: dict[str, Any] = {"output": Output.GROUPS, "keys": keys}
    for rank in (draft.effects[first] for first in ranked):
        fields |= {"orders": (Order(descending=rank.descending),), **draft.limits(rank)[0]}
    used = {place, *asked, *draft.places(Kind.KEY, Kind.COUNT), *ranked, *draft.idle("table", "all")}
    for places, part in _parts(draft):
        named = [one for one in figures(draft) if one.used and one.measures[0].function == "sum"]
        # `by region for laptops` says of which rows.
        ahead = max(places) < min(draft.places(Kind.KEY), default=0)
        for figure in (None, *(named if ahead else ())):
            column = figure.measures[0].column if figure is not None else None
            measure = Measure(function="sum" if column else "count", column=column, part=part)
            for scope in draft.scopes(without=frozenset(places)):
                features, said = (("share.grouped", 1.0),), used.union(places)
                yield draft.built("share", scope, figure, said, features, measures=(measure,), **fields)


def _parts(draft: Draft) -> Iterator[tuple[Sequence[int], tuple[Clause, ...]]]:
    """Yield which conditions make the part, as places and as clauses; the others are the whole."""
    said = draft.places(Kind.CELLS, Kind.CLAUSE)
    asked = draft.marks.get("share", draft.marks.get("rate", 0))
    first = next((place for place in said if place > asked), None)
    # `share of Rome in total fee in March`: of that month, of which Rome is the part.
    places = [place for place in said if place == first or not _is_timed(draft.effects[place])] or said
    choices = [places, places[-1:], places[:1]] if len(places) > 1 else [places] if places else []
    for chosen in choices:
        yield chosen, tuple(clause for place in chosen for clause in draft.effects[place].clauses)


def _is_timed(effect: Effect) -> bool:
    return any(one.part in _DATED for one in single_conditions(effect.clauses))


def correlation_intents(draft: Draft) -> Iterator[Built]:
    """Pearson's correlation of two columns of numbers."""
    place = draft.marks.get("corr")
    columns = [other for other in draft.places(Kind.COLUMN) if draft.column_at(other).numeric]
    names = draft.names(columns)
    if place is None or len(columns) != _TWO or len(names) != _TWO:
        return
    used = (place, *columns, *draft.places(Kind.KEY))
    for scope in draft.scopes():
        yield draft.built("correlation", scope, None, used, columns=names, keys=draft.keys)


def ratio_intents(draft: Draft) -> Iterator[Built]:
    """Read a total for each of the different values of a column, or for each month: the average number of orders per customer."""
    if draft.places(Kind.SUPER):
        return
    means = [place for place in draft.places(Kind.FUNCTION) if draft.effects[place].name == "mean"]
    for place in draft.places(Kind.KEY):
        keys = draft.effects[place].keys
        per = _divisor(draft, keys[0]) if len(keys) == 1 else None
        for figure in (*figures(draft), *_counted_rows(draft, means)) if per is not None else ():
            first, unit = figure.measures[0], keys[0].unit is not None
            mean, counted = first.function == "mean", first.column is None
            total = first.function == "count" or (not counted and first.function in {"sum", "mean"})
            if not total or per is None or (unit and not (mean or means)):
                continue
            kind = f"ratio.of_{'count' if counted else 'sum'}"
            features = told({"ratio.mean": mean or bool(means), "ratio.unit": unit, kind: 1})
            measure = replace(per, function="sum" if mean else first.function, column=first.column)
            for scope in draft.scopes(figure.focus):
                yield draft.built("ratio", scope, figure, (place, *means), features, measures=(measure,))


def _divisor(draft: Draft, key: Key) -> Measure | None:
    """Return what a total is divided by, as a measure without its function."""
    if key.unit is not None:
        return Measure(per_unit=key.unit) if key.column is None and key.unit in _CALENDAR else None
    column = draft.vocabulary.by_name.get(key.column or "")
    if column is None or column.measure:
        return None
    return Measure(per=column.name, each=column.identifying)


def _counted_rows(draft: Draft, means: Sequence[int]) -> Iterator[Figures]:
    """Yield the number of rows where the mean of them is asked for: the average orders per month."""
    if means and draft.places(Kind.ROWS):
        yield Figures(measures=(COUNT,), used=frozenset(means), features=(("ratio.rows", 1.0),))


def sorts_what_is_placed(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the place of something would be answered by sorting it: `rank of North by revenue` by the rows of North."""
    asked = "rank" in lattice.names or ("rank.verb" in lattice.names and "where" in lattice.names)
    pinned = (one for one in single_conditions(intent.clauses) if one.operator is Operator.EQ)
    return asked and intent.output is not Output.STANDING and bool(intent.orders) and any(pinned)


def standing_intents(draft: Draft) -> Iterator[Built]:
    """Read whose place is asked for, each of the cells that are named in turn; by what, says a figure or an order."""
    if not draft.has(RANK) or draft.places(Kind.SUPER, Kind.KEY):
        return
    if any(RANK in column.groups for column in draft.vocabulary.columns):
        # The table says itself who came where.
        return
    used = {draft.marks[RANK], *draft.places(Kind.ORDER, Kind.DIRECTION), *draft.idle("sort", "table", "all")}
    found = [one for one in group_figures(draft, frozenset()) if _GUESSED.isdisjoint(one.features)]
    for figure in found:
        ascending = any(draft.effects[place].name == "asc" for place in draft.places(Kind.DIRECTION))
        for scope in draft.scopes(figure.focus, measure=figure.measures[0]):
            for clause in scope.clauses:
                if not isinstance(clause, Condition) or clause.operator not in _NAMING or clause.part:
                    continue
                if clause.column in draft.vocabulary.unique and figure is not found[0]:
                    # The sum of one row is its mean.
                    continue
                rest = tuple(other for other in scope.clauses if other is not clause)
                yield draft.built(
                    "standing",
                    replace(scope, clauses=rest),
                    figure,
                    used,
                    output=Output.STANDING,
                    measures=figure.measures[:1],
                    keys=(Key(column=clause.column),),
                    placed=(clause,),
                    orders=(Order(descending=not ascending),),
                )
