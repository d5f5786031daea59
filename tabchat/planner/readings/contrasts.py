"""Drafts → intents that set things against one another: sides, changes over time, parts of a whole, correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Clause, Condition, Intent, Key, Measure, Operator, Order, Output, Side
from tabchat.planner.readings.draft import Built
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import figures
from tabchat.planner.readings.rows import idle, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.intent import Period
    from tabchat.planner.readings.draft import Draft
    from tabchat.planner.readings.effect import Features

_COMPARED: Final = {
    "diff": "difference",
    "byhowmuch": "difference",
    "bypercent": "percent",
    "bytimes": "ratio",
    "ratio": "ratio",
    "growth": "percent",
    "grow": "difference",
    "shrink": "difference",
    "compare": None,
    "than": None,
    "more": "difference",
    "change.any": "difference",
}
_CALENDAR: Final = ("year", "quarter", "month", "week", "day")


def comparison_intents(draft: Draft) -> Iterator[Built]:
    """Two or more sides of one measure: cells of one column, or periods."""
    marks = [name for name in _COMPARED if name in draft.marks]
    ranked = draft.places(Kind.SUPER)
    for sides, used, features in _sides(draft):
        without = frozenset(used)
        for figure in figures(draft, spare=without):
            for scope in draft.scopes(figure.focus, without=without):
                kinds = [_COMPARED[name] for name in marks] or [None]
                kind = next((kind for kind in kinds if kind is not None), None)
                either = {"more", "fewer"} & set(draft.marks)
                asked = draft.opener in {"which", "who", "yesno", "none"}
                if ranked or (asked and kind is None and draft.opener in {"which", "who"}):
                    kind = "which"
                elif either and asked and "byhowmuch" not in marks:
                    # `who won more, A or B`, `were there more in A or in B`.
                    kind = "which"
                descending = draft.effects[ranked[0]].descending if ranked else "fewer" not in draft.marks
                versus = any(draft.effects[place].name == "versus" for place in used)
                explicit = bool(marks or ranked or versus or either)
                yield Built(
                    intent=Intent(
                        output=Output.COMPARISON,
                        measures=figure.measures[:1],
                        sides=sides,
                        clauses=scope.clauses,
                        periods=scope.periods,
                        comparison=kind,
                        orders=(Order(descending=descending),) if kind == "which" else (),
                    ),
                    used=frozenset(
                        {*used, *ranked[:1], *(draft.marks[name] for name in (*marks, *either))}
                        | figure.used
                        | scope.used
                        | draft.asks
                        | draft.rows
                    ),
                    features=(
                        *figure.features,
                        *scope.features,
                        *features,
                        ("sides.unmarked", float(not explicit)),
                        (f"sides.{kind}", 1.0),
                        *opened(draft, "comparison"),
                    ),
                )


def _sides(draft: Draft) -> Iterator[tuple[tuple[Side, ...], list[int], Features]]:
    by_column: dict[int, list[int]] = {}
    for place in draft.places(Kind.CELLS):
        by_column.setdefault(draft.effects[place].column, []).append(place)
    for column, places in by_column.items():
        texts = list(dict.fromkeys(text for place in places for text in draft.effects[place].texts))
        named = sum(draft.effects[place].count or 1 for place in places)
        if len(texts) == named and 2 <= len(texts) <= 6:  # noqa: PLR2004
            name = draft.vocabulary.columns[column].name
            sides = tuple(
                Side(label=text, clauses=(Condition(column=name, operator=Operator.EQ, values=(text,)),))
                for text in texts
            )
            yield sides, places, (("sides.cells", 1.0),)
    places = draft.places(Kind.PERIOD)
    periods: list[Period] = [period for place in places for period in draft.effects[place].periods]
    if len(periods) == 2:  # noqa: PLR2004
        ordered = sorted(periods, key=_began, reverse=_is_difference(draft))
        sides = tuple(Side(label=_label(period), period=period) for period in ordered)
        yield sides, places, (("sides.periods", 1.0),)
    yield from _part_sides(draft)
    years = [
        place
        for place in draft.places(Kind.CLAUSE)
        if any(
            isinstance(clause, Condition)
            and clause.operator in {Operator.EQ, Operator.IN}
            and draft.vocabulary.by_name[clause.column].facts.years
            for clause in draft.effects[place].clauses
        )
    ]
    values = [
        (clause.column, value)
        for place in years
        for clause in draft.effects[place].clauses
        if isinstance(clause, Condition)
        for value in clause.values
    ]
    if len(values) == 2 and values[0][0] == values[1][0]:  # noqa: PLR2004
        sides = tuple(
            Side(label=str(value), clauses=(Condition(column=column, operator=Operator.EQ, values=(value,)),))
            for column, value in sorted(values, key=lambda pair: str(pair[1]), reverse=_is_difference(draft))
        )
        yield sides, years, (("sides.years", 1.0),)


def _part_sides(draft: Draft) -> Iterator[tuple[tuple[Side, ...], list[int], Features]]:
    """Yield sides that are parts of the calendar: `in July compared with June`."""
    found = [
        (place, clause)
        for place in draft.places(Kind.CLAUSE)
        for clause in draft.effects[place].clauses
        if isinstance(clause, Condition)
        and clause.part is not None
        and clause.operator in {Operator.EQ, Operator.IN}
    ]
    values = [(clause.column, clause.part, value) for _, clause in found for value in clause.values]
    if len(values) != 2 or values[0][:2] != values[1][:2] or values[0] == values[1]:  # noqa: PLR2004
        return
    ordered = sorted(values, key=lambda item: str(item[2]).zfill(2), reverse=_is_difference(draft))
    sides = tuple(
        Side(
            label=f"{part} {value}",
            clauses=(Condition(column=column, operator=Operator.EQ, values=(value,), part=part),),
        )
        for column, part, value in ordered
    )
    yield sides, list(dict.fromkeys(place for place, _ in found)), (("sides.parts", 1.0),)


def _is_difference(draft: Draft) -> bool:
    """Tell whether sides are subtracted: a later time minus an earlier one, whichever was named first."""
    kinds = [_COMPARED[name] for name in _COMPARED if name in draft.marks]
    return next((kind for kind in kinds if kind is not None), None) == "difference"


def _began(period: Period) -> tuple[int, str]:
    if period.start is not None:
        return 0, period.start.isoformat()
    return 1, f"{9999 - (period.ago or 0):05d}"


def _label(period: Period) -> str:
    if period.start is not None and period.end is not None:
        if period.unit == "year":
            return str(period.start.year)
        if period.unit == "month":
            return period.start.strftime("%Y-%m")
        return f"{period.start}..{period.end}"
    return f"{period.unit or 'time'} {period.ago if period.ago is not None else ''}".strip()


def change_intents(draft: Draft) -> Iterator[Built]:
    """Read a measure by calendar units, each with its change since the one before (or a year before)."""
    said = [
        name
        for name in ("growth", "grow", "shrink", "yoy", "mom", "qoq", "change.any")
        if name in draft.marks
    ]
    if not said:
        return
    units = [
        key for place in draft.places(Kind.KEY) for key in draft.effects[place].keys if key.unit in _CALENDAR
    ]
    implied = {"yoy": "year", "mom": "month", "qoq": "quarter"}
    units += [Key(unit=implied[name]) for name in said if name in implied]
    if not units:
        return
    for figure in figures(draft):
        for scope in draft.scopes(figure.focus):
            finest = max(units, key=lambda key: _CALENDAR.index(key.unit or "year"))
            against = "year" if "yoy" in said and finest.unit != "year" else "previous"
            percent = bool({"growth", "yoy", "mom", "qoq", "bypercent"} & set(draft.marks))
            yield Built(
                intent=Intent(
                    output=Output.CHANGE,
                    measures=figure.measures[:1],
                    keys=(finest,),
                    clauses=scope.clauses,
                    periods=scope.periods,
                    against=against,
                    change="percent" if percent else "difference",
                ),
                used=frozenset(
                    {*draft.places(Kind.KEY), *(draft.marks[name] for name in said)}
                    | figure.used
                    | scope.used
                    | draft.asks
                    | draft.rows
                    | idle(draft, "bypercent", "mom", "yoy", "qoq", "trend")
                ),
                features=(*figure.features, *scope.features, *opened(draft, "change")),
            )


def share_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of a whole the rows that are named make: in rows, or in a measure."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    if place is None or draft.places(Kind.KEY):
        return
    for figure in figures(draft):
        for part_places in _parts(draft):
            without = frozenset(part_places)
            part: tuple[Clause, ...] = tuple(
                clause for other in part_places for clause in draft.effects[other].clauses
            )
            for scope in draft.scopes(figure.focus, without=without):
                first = figure.measures[0]
                measure = Measure(function=first.function, column=first.column, part=part)
                yield Built(
                    intent=Intent(
                        output=Output.VALUE, measures=(measure,), clauses=scope.clauses, periods=scope.periods
                    ),
                    used=frozenset(
                        {place, *part_places}
                        | figure.used
                        | scope.used
                        | draft.asks
                        | draft.rows
                        | idle(draft, "table", "all")
                    ),
                    features=(
                        *figure.features,
                        *scope.features,
                        ("share.rest", float(bool(scope.clauses))),
                        *opened(draft, "share"),
                    ),
                )
    bounds = frozenset(draft.places(Kind.BOUND))
    if bounds:
        columns = draft.places(Kind.COLUMN)
        whole = len(draft.scopes(without=bounds)[0].clauses)
        for scope in draft.scopes([draft.effects[other].column for other in columns]):
            for split in {0, whole}:
                if scope.clauses[split:]:
                    yield Built(
                        intent=Intent(
                            output=Output.VALUE,
                            measures=(Measure(part=scope.clauses[split:]),),
                            clauses=scope.clauses[:split],
                            periods=scope.periods,
                        ),
                        used=frozenset({place, *columns} | scope.used | draft.asks | draft.rows),
                        features=(
                            *scope.features,
                            ("share.rest", float(bool(split))),
                            *opened(draft, "share"),
                        ),
                    )


def share_group_intents(draft: Draft) -> Iterator[Built]:
    """Read what part of each group meets a condition: the cancellation rate by channel."""
    place = draft.marks.get("share", draft.marks.get("rate"))
    keys = tuple(key for other in draft.places(Kind.KEY) for key in draft.effects[other].keys)
    asked = [other for other in draft.places(Kind.COLUMN) if draft.effects[other].asked]
    if place is None or not (keys or asked):
        return
    keys = keys or tuple(Key(column=draft.column(draft.effects[other]).name) for other in asked)
    ranked = draft.places(Kind.SUPER)
    for part_places in _parts(draft):
        without = frozenset(part_places)
        part: tuple[Clause, ...] = tuple(
            clause for other in part_places for clause in draft.effects[other].clauses
        )
        for scope in draft.scopes(without=without):
            orders = (Order(descending=draft.effects[ranked[0]].descending),) if ranked else ()
            yield Built(
                intent=Intent(
                    output=Output.GROUPS,
                    measures=(Measure(part=part),),
                    keys=keys,
                    clauses=scope.clauses,
                    periods=scope.periods,
                    orders=orders,
                    limit=(draft.effects[ranked[0]].count or 1) if ranked else None,
                    with_ties=bool(ranked) and draft.effects[ranked[0]].count is None,
                ),
                used=frozenset(
                    {place, *part_places, *asked, *draft.places(Kind.KEY, Kind.COUNT), *ranked[:1]}
                    | scope.used
                    | draft.asks
                    | draft.rows
                    | idle(draft, "table", "all")
                ),
                features=(*scope.features, ("share.grouped", 1.0), *opened(draft, "share")),
            )


def _parts(draft: Draft) -> Iterator[Sequence[int]]:
    """Yield which conditions make the part; the others are the whole."""
    places = draft.places(Kind.CELLS, Kind.CLAUSE)
    if not places:
        return
    yield places
    if len(places) > 1:
        yield places[-1:]
        yield places[:1]


def correlation_intents(draft: Draft) -> Iterator[Built]:
    """Pearson's correlation of two columns of numbers."""
    place = draft.marks.get("corr")
    columns = [other for other in draft.places(Kind.COLUMN) if draft.column(draft.effects[other]).numeric]
    if place is None or len(columns) != 2:  # noqa: PLR2004
        return
    names = tuple(draft.column(draft.effects[other]).name for other in columns)
    if names[0] == names[1]:
        return
    keys = tuple(key for other in draft.places(Kind.KEY) for key in draft.effects[other].keys)
    for scope in draft.scopes():
        yield Built(
            intent=Intent(
                output=Output.CORRELATION,
                columns=names,
                keys=keys,
                clauses=scope.clauses,
                periods=scope.periods,
            ),
            used=frozenset({place, *columns, *draft.places(Kind.KEY)} | scope.used | draft.asks),
            features=(*scope.features, *opened(draft, "correlation")),
        )
