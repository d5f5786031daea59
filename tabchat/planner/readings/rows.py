"""Drafts → intents that give rows, cells or different values of the file."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from tabchat.planner.intent import Condition, Intent, Operator, Order, Output
from tabchat.planner.readings.draft import Built
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.readings.draft import Draft, Scope
    from tabchat.planner.readings.effect import Effect, Features


def opened(draft: Draft, output: str) -> Features:
    """Return the features of an output and of how the question begins."""
    return ((f"out.{output}", 1.0), (f"open.{draft.opener}.{output}", 1.0))


def idle(draft: Draft, *names: str) -> frozenset[int]:
    """Return the places of marks that add nothing to an output."""
    return frozenset(place for place in draft.places(Kind.MARK) if draft.effects[place].name in names)


def row_intents(draft: Draft) -> Iterator[Built]:
    """Rows in scope: all columns, or those that were asked for; in an order, when one was said."""
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE):
        return
    columns = draft.places(Kind.COLUMN)
    asked = [place for place in columns if draft.effects[place].asked]
    for scope in draft.scopes([draft.effects[place].column for place in columns]):
        if not (scope.clauses or scope.periods or draft.places(Kind.LIST, Kind.ROWS, Kind.ORDER)):
            continue
        used = set(scope.used | draft.asks | draft.rows | idle(draft, "exist", "table", "all", "values"))
        orders: tuple[Order, ...] = ()
        for place in draft.places(Kind.ORDER):
            effect = draft.effects[place]
            if effect.measure is None and effect.column >= 0:
                orders = (Order(column=draft.column(effect).name, descending=effect.descending),)
                used.add(place)
        for place in draft.places(Kind.DIRECTION):
            if orders and draft.effects[place].name in {"asc", "desc", "asc.time", "desc.time"}:
                orders = tuple(
                    Order(column=order.column, descending=draft.effects[place].descending) for order in orders
                )
                used.add(place)
        dated = _dated_order(draft) if not orders else None
        if dated is not None:
            place, order = dated
            orders = (order,)
            used.add(place)
        names = tuple(dict.fromkeys(draft.column(draft.effects[place]).name for place in columns))
        variants: list[tuple[tuple[str, ...], Features]] = [((), (("rows.all", 1.0),))]
        if names:
            used |= set(columns)
            scoped = {clause.column for clause in scope.clauses if isinstance(clause, Condition)}
            asked_for = (
                ("rows.asked", float(bool(asked))),
                ("rows.columns", float(len(names))),
                ("rows.scoped_column", float(bool(scoped & set(names)))),
            )
            variants = [(names, (*asked_for, *_pinned(draft, scope)))]
        elif _implied(draft):
            variants.append((_implied(draft), (("rows.labels", 1.0),)))
        for kept, more in variants:
            yield Built(
                intent=Intent(
                    output=Output.ROWS,
                    columns=kept,
                    clauses=scope.clauses,
                    periods=scope.periods,
                    orders=orders,
                    limit=next(
                        (draft.effects[place].count for place in draft.rows if draft.effects[place].count),
                        None,
                    ),
                ),
                used=frozenset(used),
                features=(
                    *scope.features,
                    *more,
                    ("direction.dated", math.log1p(len(draft.vocabulary.dates)) if dated else 0.0),
                    *opened(draft, "rows"),
                ),
            )


def _dated_order(draft: Draft) -> tuple[int, Order] | None:
    """Return the place of `newest first` and the order that it says, where the table has dates."""
    for place in draft.places(Kind.DIRECTION):
        effect = draft.effects[place]
        if effect.name in {"asc.time", "desc.time"} and draft.vocabulary.dates:
            return place, Order(column=draft.vocabulary.dates[0].name, descending=effect.descending)
    return None


def _implied(draft: Draft) -> tuple[str, ...]:
    """Return what `who`, `when` and the like ask for by themselves."""
    label = draft.vocabulary.label
    if draft.opener == "when":
        dates = (*draft.vocabulary.dates, *draft.vocabulary.year_columns)
        return tuple(column.name for column in dates[:1])
    if draft.opener == "who" and draft.vocabulary.people:
        return (draft.vocabulary.people[0].name,)
    return (label.name,) if label is not None else ()


def _pinned(draft: Draft, scope: Scope) -> Features:
    """Tell whether the scope names one row: a cell of a column in which every row has its own."""
    labels = {column.name for column in draft.vocabulary.columns if column.kept_unique or column.facts.unique}
    for clause in scope.clauses:
        if isinstance(clause, Condition) and clause.operator is Operator.EQ and clause.column in labels:
            return (("rows.pinned", 1.0),)
    return ()


def rank_intents(draft: Draft) -> Iterator[Built]:
    """Read the rows at the top of an order: the biggest orders, the film with the highest rating, the first row."""
    if draft.places(Kind.MEASURE):
        return
    key_places = draft.places(Kind.KEY)
    keys = tuple(dict.fromkeys(key for place in key_places for key in draft.effects[place].keys))
    if any(key.column is None for key in keys):
        return
    for place in draft.places(Kind.SUPER)[:1]:
        effect = draft.effects[place]
        for order, order_used, features in _orders(draft, effect):
            without = frozenset({place, *order_used})
            spare = [
                other
                for other in draft.places(Kind.COLUMN)
                if other not in without and draft.column(draft.effects[other]).name != order.column
            ]
            same = [
                other
                for other in draft.places(Kind.COLUMN)
                if other not in without and draft.column(draft.effects[other]).name == order.column
            ]
            names = tuple(dict.fromkeys(draft.column(draft.effects[other]).name for other in spare))
            asks_value = any(draft.effects[other].asked for other in same)
            kept = names or (() if asks_value else _implied(draft))
            if order.column is not None and (kept or asks_value) and order.column not in kept:
                kept = (*kept, order.column)
            if order.column is None and not names:
                # The first ten rows are rows, not names.
                kept = ()
            if (
                effect.column >= 0
                and effect.measure is None
                and draft.column(effect).name not in kept
                and kept
            ):
                kept = (draft.column(effect).name, *kept)
            if keys and order.column is None:
                continue
            kept = (
                tuple(dict.fromkeys((*(key.column for key in keys if key.column), *kept))) if kept else kept
            )
            for scope in draft.scopes([effect.column] if effect.column >= 0 else []):
                said = draft.counted(effect)
                count = said or 1
                many = said is None and _is_plural(draft, effect)
                yield Built(
                    intent=Intent(
                        output=Output.ROWS if order.column is not None else Output.HEAD,
                        columns=kept,
                        clauses=scope.clauses,
                        periods=scope.periods,
                        orders=(order,)
                        if order.column is not None
                        else (Order(descending=order.descending),),
                        limit=count if not many else 10,
                        offset=effect.offset,
                        limit_keys=keys,
                        with_ties=said is None and not effect.offset and not many,
                    ),
                    used=frozenset(
                        {place, *order_used, *spare, *same, *key_places}
                        | scope.used
                        | draft.asks
                        | draft.rows
                        | idle(draft, "exist", "table", "all", "values")
                    ),
                    features=(
                        *scope.features,
                        *features,
                        ("ranked.asked", float(bool(spare))),
                        ("ranked.repeated", float(_repeats(draft, spare, effect))),
                        ("ranked.many", float(many)),
                        ("ranked.within", float(bool(keys))),
                        *opened(draft, "ranked"),
                    ),
                )


def _repeats(draft: Draft, places: list[int], effect: Effect) -> bool:
    """Tell whether what is asked for can stand in several rows: a region, rather than a film."""
    asked = [draft.column(draft.effects[place]) for place in places]
    if effect.column >= 0 and effect.measure is None:
        asked.append(draft.column(effect))
    return any(column.text and not column.kept_unique for column in asked)


def _is_plural(draft: Draft, effect: Effect) -> bool:
    """Tell whether a superlative without a number asks for several rows: `the biggest orders`."""
    for other in draft.effects:
        if other.kind is Kind.ROWS and other.end > effect.start:
            return draft.plural(other)
    return False


def _orders(draft: Draft, effect: Effect) -> Iterator[tuple[Order, frozenset[int], Features]]:
    """Yield what a superlative can be of."""
    said = [
        place
        for place in draft.places(Kind.ORDER)
        if draft.effects[place].measure is None and draft.effects[place].column >= 0
    ]
    for place in said[:1]:
        column = draft.column(draft.effects[place])
        yield (
            Order(column=column.name, descending=draft.descends(effect, column.name)),
            frozenset({place}),
            (("ranked.by_order", 1.0), ("ranked.text", float(column.text))),
        )
    named = effect.column >= 0 and effect.measure is None
    timely = effect.name in {"rel.first", "rel.last", "edge.first", "edge.last", "super.early", "super.late"}
    if named and (draft.column(effect).numeric or draft.column(effect).temporal) and not said:
        column = draft.column(effect)
        yield (
            Order(column=column.name, descending=draft.descends(effect, column.name)),
            frozenset(),
            (("ranked.named", 1.0),),
        )
    if said:
        return
    if timely and effect.name.startswith(("rel.", "edge.")) and _are_generic(draft):
        yield Order(descending=effect.descending), frozenset(), (("ranked.by_place", 1.0),)
        return
    if timely:
        dates = (*draft.vocabulary.dates, *draft.vocabulary.year_columns)
        for rank, column in enumerate(dates[:2]):
            features: Features = (("ranked.by_date", 1.0), ("ranked.date_rank", float(rank)))
            yield (
                Order(column=column.name, descending=draft.descends(effect, column.name)),
                frozenset(),
                features,
            )
        if effect.name.startswith(("rel.", "edge.")):
            yield (
                Order(descending=effect.descending),
                frozenset(),
                (("ranked.by_place", 1.0), ("ranked.dated", float(bool(dates)))),
            )
        return
    bare = [
        place
        for place in draft.places(Kind.COLUMN)
        if draft.column(draft.effects[place]).numeric or draft.column(draft.effects[place]).temporal
    ]
    for place in bare[:2]:
        column = draft.column(draft.effects[place])
        yield (
            Order(column=column.name, descending=draft.descends(effect, column.name)),
            frozenset(),
            (("ranked.far", 1.0),),
        )
    if not bare and effect.measure is None and not (named and draft.column(effect).numeric):
        for rank, column in enumerate(draft.measures[:2]):
            only: Features = (("default.only", 1.0),) if len(draft.measures) == 1 else ()
            yield (
                Order(column=column.name, descending=draft.descends(effect, column.name)),
                frozenset(),
                (("default.measure", 1.0), ("default.rank", float(rank)), *only),
            )


def _are_generic(draft: Draft) -> bool:
    """Tell whether rows are called so: `the first row` is one of the file, whatever its dates."""
    rows = [draft.effects[place] for place in draft.rows]
    return bool(rows) and all(effect.name == "generic" for effect in rows)


def function_rank_intents(draft: Draft) -> Iterator[Built]:
    """Read the row that holds a maximum or a minimum: `which product has the maximum price`."""
    if draft.places(Kind.KEY, Kind.SUPER):
        return
    measures = [place for place in draft.places(Kind.MEASURE) if _is_extreme(draft.effects[place])]
    spare = [place for place in draft.places(Kind.COLUMN) if not draft.column(draft.effects[place]).measure]
    first = measures[0] if measures else 0
    named = any(place < first for place in draft.rows)
    if len(measures) != 1 or not (spare or named or draft.opener in {"who", "which", "when"}):
        return
    effect = draft.effects[measures[0]]
    measure = effect.measure
    names = tuple(dict.fromkeys(draft.column(draft.effects[place]).name for place in spare))
    kept = names or _implied(draft)
    if measure is None or measure.column is None or not kept:
        return
    for scope in draft.scopes([effect.column]):
        yield Built(
            intent=Intent(
                output=Output.ROWS,
                columns=(*kept, measure.column),
                clauses=scope.clauses,
                periods=scope.periods,
                orders=(Order(column=measure.column, descending=measure.function == "max"),),
                limit=1,
                with_ties=True,
            ),
            used=frozenset({*measures, *spare} | scope.used | draft.asks | draft.rows),
            features=(*scope.features, ("ranked.extreme", 1.0), *opened(draft, "ranked")),
        )


def _is_extreme(effect: Effect) -> bool:
    return effect.measure is not None and effect.measure.function in {"max", "min"}


def value_list_intents(draft: Draft) -> Iterator[Built]:
    """Read the different values of a column."""
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION):
        return
    columns = draft.places(Kind.COLUMN)
    if not columns or len(columns) > 2:  # noqa: PLR2004 - pairs of values at most
        return
    names = tuple(dict.fromkeys(draft.column(draft.effects[place]).name for place in columns))
    distinct = draft.places(Kind.DISTINCT)
    said = {"values", "exist", "all", "also"}
    for scope in draft.scopes():
        first = draft.column(draft.effects[columns[0]])
        features: Features = (
            ("values.distinct", float(bool(distinct))),
            ("values.said", float(bool(said & set(draft.marks)))),
            ("values.numeric", float(first.measure)),
            ("values.unique", float(first.kept_unique)),
            ("values.scoped", float(bool(scope.clauses or scope.periods))),
        )
        yield Built(
            intent=Intent(output=Output.VALUES, columns=names, clauses=scope.clauses, periods=scope.periods),
            used=frozenset({*columns, *distinct} | scope.used | draft.asks | idle(draft, *said, "table")),
            features=(*scope.features, *features, *opened(draft, "values")),
        )


def exists_intents(draft: Draft) -> Iterator[Built]:
    """Whether there are rows in scope."""
    if draft.opener != "yesno" and "exist" not in draft.marks:
        return
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION, Kind.COUNT):
        return
    for scope in draft.scopes([draft.effects[place].column for place in draft.places(Kind.COLUMN)]):
        if scope.clauses or scope.periods:
            yield Built(
                intent=Intent(output=Output.EXISTS, clauses=scope.clauses, periods=scope.periods),
                used=scope.used | draft.asks | draft.rows | idle(draft, "exist", "table"),
                features=(*scope.features, *opened(draft, "exists")),
            )


def neighbour_intents(draft: Draft) -> Iterator[Built]:
    """Read the row after or before the one that is named."""
    for place in draft.places(Kind.NEXT):
        effect = draft.effects[place]
        columns = draft.places(Kind.COLUMN)
        names = tuple(dict.fromkeys(draft.column(draft.effects[other]).name for other in columns))
        for scope in draft.scopes():
            if not scope.clauses:
                continue
            anchor = scope.clauses[0]
            kept = names or ((anchor.column,) if isinstance(anchor, Condition) else ())
            yield Built(
                intent=Intent(
                    output=Output.NEIGHBOUR,
                    columns=kept,
                    clauses=scope.clauses,
                    offset=-1 if effect.name == "neighbour.previous" else 1,
                ),
                used=frozenset({place, *columns} | scope.used | draft.asks | draft.rows),
                features=(
                    *scope.features,
                    ("neighbour.asked", float(bool(names))),
                    *opened(draft, "neighbour"),
                ),
            )
