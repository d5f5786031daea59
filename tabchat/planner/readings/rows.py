"""Drafts → intents that give rows, cells or different values of the file."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import COUNT, Key, Measure, Operator, Order, Output, plain_conditions
from tabchat.planner.links.link import told
from tabchat.planner.links.rows import is_coded
from tabchat.planner.readings.draft import SIZES
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.targets import names_rows, placings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.links import TableColumn
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Effect, Features, Scope

_IDLE: Final = ("exist", "table", "all", "values")
_LABELS: Final = {"rows.labels": 1}
_ALL: Final = {"rows.all": 1.0}


def row_intents(draft: Draft) -> Iterator[Built]:
    """Rows in scope: all columns, or those that were asked for; in an order, when one was said."""
    columns, lists = draft.places(Kind.COLUMN, Kind.LISTED), draft.places(Kind.LISTED)
    names = draft.names(columns)
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE):
        return
    if _asks_whether(draft) and not (names or draft.places(Kind.LIST, Kind.FUNCTION, Kind.COUNT)):
        return  # `were there any delays in June` is answered by yes or no, with their number.
    orders, ordering, dated = _said_order(draft)
    listed = bool(draft.places(Kind.LIST, Kind.LISTED, Kind.ROWS, Kind.ORDER))
    limit = next((effect.count for effect in draft.each(Kind.ROWS) if effect.count), None)
    used = {*columns, *ordering, *draft.idle(*_IDLE)}
    for scope in draft.scopes([draft.vocabulary.by_name[name].place for name in names]):
        if not (scope.clauses or scope.periods or listed or orders):
            continue
        plain = plain_conditions(scope.clauses)
        named = {
            "rows.asked": any(draft.effects[place].asked for place in columns),
            "rows.listed": bool(lists),
            "rows.columns": 0 if lists else len(names),
            "rows.scoped_column": any(one.column in names for one in plain),
            "rows.pinned": _is_pinned(draft, scope),
        }
        # Of several rows each stands beside its name.
        several = {one.column for one in plain if len(one.values) > 1}
        labels = tuple(sorted(several & draft.vocabulary.unique - set(names))) if names else ()
        implied = () if names else _implied(draft)
        variants = [((*labels, *names), named if names else _ALL), *([(implied, _LABELS)] if implied else [])]
        for kept, said_so in variants:
            more = told({**said_so, "direction.dated": dated})
            yield draft.built("rows", scope, None, used, more, columns=kept, orders=orders, limit=limit)


def _said_order(draft: Draft) -> tuple[tuple[Order, ...], set[int], float]:
    """Return the order that is said of rows, the places that say it, and how open it is which date it is by."""
    orders: tuple[Order, ...] = ()
    used: set[int] = set()
    for place in draft.places(Kind.ORDER):
        column = draft.own_column(draft.effects[place])
        if column is not None:
            orders = (Order(column=column.name, descending=draft.effects[place].descending),)
            used.add(place)
    directions = draft.places(Kind.DIRECTION)
    for place in directions if orders else ():
        effect = draft.effects[place]
        column = draft.vocabulary.by_name[orders[0].column or ""]
        untimely = effect.name.endswith(".time") and not (column.dated or column.facts.years)
        if untimely or (effect.columns and column.name not in effect.columns):
            # `sort by age, oldest first` does not say that who came first is the oldest.
            continue
        # `sort by price from high to low` says an order, and that it is one.
        used.add(place)
        if effect.name != "sort":
            orders = (Order(column=orders[0].column, descending=effect.descending),)
    named = [place for place in directions if draft.effects[place].columns]
    if named and not orders:
        # `the dearest first`
        effect = draft.effects[named[0]]
        return (Order(column=effect.columns[0], descending=effect.descending),), {named[0]}, 0.0
    dates = draft.vocabulary.dates
    timed = [place for place in directions if draft.effects[place].name.endswith(".time")]
    if orders or not dates or not timed:
        return orders, used, 0.0
    # `newest first`, where the table has dates.
    order = Order(column=dates[0].name, descending=draft.effects[timed[0]].descending)
    return (order,), {*used, timed[0]}, math.log1p(len(dates))


def _implied(draft: Draft) -> tuple[str, ...]:
    """Return what `who`, `when` and the like ask for by themselves."""
    label, people = draft.vocabulary.label, draft.vocabulary.people
    if draft.opener == "when":
        return tuple(column.name for column in _times(draft)[:1])
    if draft.opener == "who" and people:
        return (people[0].name,)
    if draft.opener == "where" and draft.vocabulary.places:
        return (draft.vocabulary.places[0].name,)
    called = next((rows for rows in draft.each(Kind.ROWS) if rows.column >= 0), None)
    if called is not None and (label is None or "name" not in label.groups):
        return (draft.column(called).name,)
    return (label.name,) if label is not None else ()


def _times(draft: Draft) -> tuple[TableColumn, ...]:
    """Return what tells when: first what was said to have happened, `when was the last one returned`."""
    said = [column for other in draft.each(Kind.COLUMN) if (column := draft.column(other)).dated]
    return tuple(dict.fromkeys((*said[:1], *draft.vocabulary.dates, *draft.vocabulary.year_columns)))


def _is_pinned(draft: Draft, scope: Scope) -> bool:
    """Tell whether the scope names one row: a cell of a column in which every row has its own."""
    labels = draft.vocabulary.unique
    return any(clause.column in labels for clause in plain_conditions(scope.clauses, Operator.EQ))


def rank_intents(draft: Draft) -> Iterator[Built]:
    """Read the rows at the top of an order: the biggest orders, the film with the highest rating, the first row."""
    keys = tuple(dict.fromkeys(draft.keys))
    if draft.places(Kind.MEASURE) or any(key.column is None for key in keys):
        return
    for place in draft.places(Kind.SUPER)[:1]:
        for order, ordering, features in _orders(draft, draft.effects[place]):
            if not keys or order.column is not None:
                yield from _ranked(draft, place, order, ordering, features)


def _ranked(
    draft: Draft, place: int, order: Order, ordering: frozenset[int], features: Features
) -> Iterator[Built]:
    effect, keys = draft.effects[place], tuple(dict.fromkeys(draft.keys))
    places = draft.places(Kind.COLUMN, Kind.LISTED)
    spare = [other for other in places if draft.names([other]) != (order.column,)]
    # `the biggest orders`
    several = next((rows.many for rows in draft.each(Kind.ROWS) if rows.end > effect.start), False)
    fields, many = draft.limits(effect, several=several)
    fields |= {"columns": _shown(draft, effect, order, spare), "orders": (order,), "limit_keys": keys}
    fields["output"] = Output.ROWS if order.column is not None else Output.HEAD
    more = {
        "ranked.asked": bool(spare),
        "ranked.repeated": _repeats(draft, spare, effect),
        "ranked.many": many,
        "ranked.within": bool(keys),
    }
    used = {place, *ordering, *places, *draft.places(Kind.KEY), *draft.idle(*_IDLE)}
    figure: dict[str, Any] | None = None
    named = order.column in draft.names(places)
    if fields["limit"] == 1 and not (fields["offset"] or keys or spare) and order.column is not None:
        # `how old is the youngest`, `the age of the oldest` ask for a figure, however many are of that age.
        measure = Measure(function="max" if order.descending else "min", column=order.column)
        figure = {"measures": (measure,), "output": Output.VALUE}
    alone = fields["columns"] == (order.column,)
    for scope in draft.scopes([effect.column] if effect.column >= 0 else []):
        told_of = (*features, *told(more))
        if figure is not None and (alone or named):
            yield draft.built("ranked", scope, None, used, (*told_of, ("ranked.figure", 1.0)), **figure)
        if figure is None or not alone:
            yield draft.built("ranked", scope, None, used, told_of, **fields | _apart(draft, effect, fields))


def _apart(draft: Draft, rank: Effect, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what ranks things that stand in several rows each by their best one: three products, not one of them thrice.

    The second of them is not the one that has the two best rows, either.
    """
    (order,), keys, own = fields["orders"], fields["limit_keys"], draft.own_column(rank)
    ranked = {order.column, *(key.column for key in keys)}
    shown = fields["columns"] or ((own.name,) if own in draft.vocabulary.people else ())
    things = [draft.vocabulary.by_name[name] for name in shown if name not in ranked]
    repeated = bool(things) and all(column.text and not column.kept_unique for column in things)
    # `the 3 biggest orders` are rows, and so are `the 3 biggest payments with the names of who paid`.
    head = draft.own_column(rank)
    if head is not None and head.name == order.column and "scale." not in rank.name:
        return {}
    one = fields["limit"] in {1, None} and not fields["offset"]
    if not repeated or draft.places(Kind.ROWS) or order.column is None or one:
        return {}
    measure = Measure(function="max" if order.descending else "min", column=order.column)
    return {
        "output": Output.GROUPS,
        "keys": tuple(dict.fromkeys((*keys, *(Key(column=column.name) for column in things)))),
        "measures": (measure,),
        "columns": (),
        "orders": (replace(order, column=None),),
    }


def _shown(draft: Draft, rank: Effect, order: Order, spare: Sequence[int]) -> tuple[str, ...]:
    """Return the columns that a ranked row is shown by; none for all of them."""
    asked = any(draft.effects[other].asked for other in draft.places(Kind.COLUMN) if other not in spare)
    names = draft.names(spare)
    if order.column is None and not names:
        # The first ten rows are rows, not names.
        return ()
    kept = names or (() if asked else _implied(draft))
    shown = [draft.vocabulary.by_name[name] for name in kept if not names]
    if shown and all(_is_a_code(column) and column not in draft.vocabulary.people for column in shown):
        # The code of a row says nothing of it: all of it does.
        return ()
    if order.column is not None and (kept or asked) and order.column not in kept:
        kept = (*kept, order.column)
    own = draft.own_column(rank)
    if kept and own is not None and own.name not in kept:
        kept = (own.name, *kept)
    return tuple(dict.fromkeys((*(key.column for key in draft.keys if key.column), *kept))) if kept else ()


def _is_a_code(column: TableColumn) -> bool:
    return column.identifying or is_coded(column)


def _repeats(draft: Draft, places: Sequence[int], effect: Effect) -> bool:
    """Tell whether what is asked for can stand in several rows: a region, rather than a film."""
    own = draft.own_column(effect)
    asked = [*map(draft.vocabulary.by_name.__getitem__, draft.names(places)), *filter(None, [own])]
    return any(column.text and not column.kept_unique for column in asked)


def _orders(draft: Draft, effect: Effect) -> Iterator[tuple[Order, frozenset[int], Features]]:
    """Yield what a superlative can be of, the places that say so, and the features."""

    def by(
        column: TableColumn, *features: tuple[str, float], used: frozenset[int] = frozenset()
    ) -> tuple[Order, frozenset[int], Features]:
        descending = draft.descends(effect, column.name)
        return Order(column=column.name, descending=descending), used, features

    for place in draft.places(Kind.ORDER):
        column = draft.own_column(draft.effects[place])
        if column is not None:
            text = ("ranked.text", float(column.text))
            yield by(column, ("ranked.by_order", 1.0), text, used=frozenset({place}))
            return
    own = draft.own_column(effect)
    if own is not None and (own.numeric or own.dated or own.kind is ColumnKind.TIME):
        yield by(own, ("ranked.named", 1.0))
    placed = effect.name.startswith(("rel.", "edge."))
    if placed and _are_generic(draft):
        yield Order(descending=effect.descending), frozenset(), (("ranked.by_place", 1.0),)
        return
    for column in placings(draft.vocabulary) if placed else ():
        yield Order(column=column.name, descending=effect.descending), frozenset(), (("ranked.named", 1.0),)
    if placed or effect.name in {"super.early", "super.late"}:
        dates = _times(draft)
        for rank, column in enumerate(dates[:2]):
            yield by(column, ("ranked.by_date", 1.0), ("ranked.date_rank", float(rank)))
        if placed:
            features = (("ranked.by_place", 1.0), ("ranked.dated", float(bool(dates))))
            yield Order(descending=effect.descending), frozenset(), features
        return
    columns = [draft.column(other) for other in draft.each(Kind.COLUMN)]
    sized = effect.name in SIZES
    bare = [one for one in columns if (one.numeric and not names_rows(one)) or (one.dated and not sized)]
    for column in bare[:2]:
        yield by(column, ("ranked.far", 1.0))
    if not bare and effect.measure is None and not (own is not None and own.numeric):
        for column, ranked in draft.likeliest():
            yield by(column, ("default.measure", 1.0), *ranked)


def _are_generic(draft: Draft) -> bool:
    """Tell whether rows are called so: `the first row` is one of the file, whatever its dates."""
    rows = draft.each(Kind.ROWS)
    return bool(rows) and all(effect.name == "generic" for effect in rows)


def function_rank_intents(draft: Draft) -> Iterator[Built]:
    """Read the row that holds a maximum or a minimum: `which product has the maximum price`."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    measures = {place: draft.effects[place].measure or COUNT for place in draft.places(Kind.MEASURE)}
    extremes = [place for place, measure in measures.items() if measure.function in {"max", "min"}]
    spare = [place for place in draft.places(Kind.COLUMN) if not draft.column_at(place).measure]
    first = extremes[0] if extremes else 0
    named = any(place < first for place in draft.places(Kind.ROWS))
    if len(extremes) != 1 or not (spare or named or draft.opener in {"who", "which", "when"}):
        return
    effect, measure, kept = draft.effects[first], measures[first], draft.names(spare) or _implied(draft)
    if measure.column is None or not ({*kept} - {measure.column} if kept else named):
        return
    orders = (Order(column=measure.column, descending=measure.function == "max"),)
    count = next((rows.count for rows in draft.each(Kind.ROWS) if rows.count), None)
    fields: dict[str, Any] = {"orders": orders, "limit": count or 1, "with_ties": count is None}
    fields["columns"] = (*kept, measure.column) if kept else ()
    for scope in draft.scopes([effect.column]):
        yield draft.built("ranked", scope, None, (first, *spare), (("ranked.extreme", 1.0),), **fields)


def _asks_whether(draft: Draft) -> bool:
    return draft.opener == "yesno" or (draft.opener == "none" and "exist" in draft.marks)
