"""Random tables and random intents over them."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from tabchat.planner.intent import (
    AnyOf,
    Condition,
    Having,
    Intent,
    Key,
    Measure,
    Operator,
    Order,
    Output,
    Period,
    Side,
)

SCHEMA = pa.schema(
    [
        ("g", pa.string()),
        ("the h", pa.string()),
        ("n", pa.int64()),
        ("x", pa.float64()),
        ("d", pa.date32()),
        ("b", pa.bool_()),
    ]
)
TEXTS = ["Ann", "Bob", "ann's", "Ö", 'say "hi"']
WORDS = ["red", "blue", "or", "2024"]
DAYS = [dt.date(2022, 12, 31), dt.date(2023, 1, 1), dt.date(2023, 2, 28), dt.date(2023, 3, 1)]
DAYS += [dt.date(2023, 12, 30), dt.date(2024, 1, 31), dt.date(2024, 2, 29), dt.date(2024, 3, 31)]
NUMBERS = [0.0, 0.25, 1.5, -2.0, 10.0, 3.75]

tables: st.SearchStrategy[list[dict[str, Any]]] = (
    st.lists(
        st.fixed_dictionaries(
            {
                "g": st.none() | st.sampled_from(TEXTS),
                "the h": st.sampled_from(WORDS),
                "n": st.none() | st.integers(-3, 6),
                "x": st.none() | st.sampled_from(NUMBERS),
                "d": st.none() | st.sampled_from(DAYS),
                "b": st.none() | st.booleans(),
            }
        ),
        min_size=1,
        max_size=14,
    )
    .map(lambda rows: [{name: row[name] for name in SCHEMA.names} for row in rows])
    .filter(lambda rows: any(row["d"] is not None for row in rows))
)

_SIGNS = [Operator.EQ, Operator.NE, Operator.GT, Operator.GE, Operator.LT, Operator.LE]
_VALUES: dict[str, st.SearchStrategy[Any]] = {
    "g": st.sampled_from(TEXTS),
    "the h": st.sampled_from(WORDS),
    "n": st.integers(-3, 6),
    "x": st.sampled_from(NUMBERS),
    "d": st.sampled_from(DAYS),
    "b": st.booleans(),
}


def _condition(column: str, operator: Operator, *values: Any, **more: Any) -> Condition:
    return Condition(column=column, operator=operator, values=values, **more)


def _of_column(column: str) -> st.SearchStrategy[Condition]:
    value = _VALUES[column]
    signs = _SIGNS[:2] if column in {"g", "the h", "b"} else _SIGNS
    found = [
        st.builds(lambda operator, one: _condition(column, operator, one), st.sampled_from(signs), value),
        st.sampled_from([_condition(column, Operator.MISSING), _condition(column, Operator.PRESENT)]),
        st.builds(
            lambda operator, some: _condition(column, operator, *some),
            st.sampled_from([Operator.IN, Operator.NOT_IN]),
            st.lists(value, min_size=1, max_size=3),
        ),
    ]
    if column in {"n", "x", "d"}:
        found.append(
            st.builds(
                lambda operator, one, two: _condition(column, operator, *sorted((one, two))),
                st.sampled_from([Operator.BETWEEN, Operator.NOT_BETWEEN]),
                value,
                value,
            )
        )
    if column == "g":
        tests = [Operator.CONTAINS, Operator.NOT_CONTAINS, Operator.STARTS, Operator.ENDS]
        found.append(
            st.builds(
                lambda operator, part: _condition(column, operator, part),
                st.sampled_from(tests),
                st.sampled_from(["a", "NN", "'s", "ö"]),
            )
        )
    if column == "d":
        found.append(
            st.builds(
                lambda operator, part, number: _condition(column, operator, number, part=part),
                st.sampled_from(_SIGNS),
                st.sampled_from(["quarter", "month", "weekday", "day"]),
                st.integers(0, 12),
            )
        )
        found.append(
            st.builds(
                lambda operator, number: _condition(column, operator, number, part="month_day"),
                st.sampled_from(_SIGNS),
                st.builds(lambda day: day.month * 100 + day.day, st.sampled_from(DAYS)),
            )
        )
    return st.one_of(found)


conditions = st.sampled_from(list(_VALUES)).flatmap(_of_column) | st.builds(
    lambda operator: Condition(column="n", operator=operator, other="x"), st.sampled_from(_SIGNS)
)
clauses = st.lists(
    conditions
    | st.builds(lambda some: AnyOf(conditions=tuple(some)), st.lists(conditions, min_size=1, max_size=3)),
    max_size=2,
).map(tuple)
_UNITS = st.sampled_from(["day", "week", "month", "quarter", "year"])
period = st.one_of(
    st.builds(lambda unit, ago: Period(unit=unit, ago=ago), _UNITS, st.sampled_from([0, 1, 2, 12])),
    st.builds(lambda unit, count: Period(unit=unit, count=count), _UNITS, st.integers(1, 4)),
    st.builds(lambda one, two: Period(start=min(one, two), end=max(one, two)), *[st.sampled_from(DAYS)] * 2),
    st.builds(lambda day: Period(start=day), st.sampled_from(DAYS)),
    st.builds(lambda day: Period(end=day, column="d"), st.sampled_from(DAYS)),
)
periods = st.lists(period, max_size=2).map(tuple)

_PLAIN = st.one_of(
    st.just(Measure()),
    st.builds(
        lambda function, column: Measure(function=function, column=column),
        st.sampled_from(
            ["sum", "mean", "median", "min", "max", "std", "var", "range", "mode", "count", "count_distinct"]
        ),
        st.sampled_from(["n", "x"]),
    ),
    st.builds(
        lambda function: Measure(function=function, column="g"),
        st.sampled_from(["count", "count_distinct", "mode"]),
    ),
    st.builds(
        lambda function: Measure(function=function, column="d"), st.sampled_from(["min", "max", "range"])
    ),
    st.builds(
        lambda p: Measure(function="percentile", column="x", parameter=p),
        st.sampled_from([0.0, 0.1, 0.5, 0.9]),
    ),
)
measures = st.one_of(
    _PLAIN,
    st.builds(
        lambda column, per, each, percent: Measure(
            function="sum", column=column, per=per, each=each, percent=percent
        ),
        st.sampled_from(["n", "x"]),
        st.sampled_from(["g", "the h", "n"]),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(
        lambda function, column, part: Measure(function=function, column=column, part=(part,)),
        st.sampled_from(["sum", "count"]),
        st.sampled_from(["n", "x"]),
        conditions,
    ),
    st.builds(lambda part: Measure(part=(part,)), conditions),
    st.builds(
        lambda part, column: Measure(function="range", column=column, part=(part,)),
        conditions,
        st.sampled_from(["n", "x"]),
    ),
    st.builds(
        lambda function, names: Measure(function=function, column=names[0], less=names[1]),
        st.sampled_from(["sum", "mean"]),
        st.permutations(["n", "x"]),
    ),
)
_SHARES = st.sampled_from(
    [
        Measure(share=True),
        Measure(function="sum", column="x", share=True),
    ]
)
keys = st.lists(
    st.sampled_from(
        [
            Key(column="g"),
            Key(column="the h"),
            Key(column="n"),
            Key(column="b"),
            Key(column="x", width=0.5),
            *(Key(unit=unit) for unit in ("year", "quarter", "month", "week", "day")),
            *(Key(unit=unit) for unit in ("month_name", "quarter_name", "weekday", "decade")),
        ]
    ),
    min_size=1,
    max_size=2,
    unique=True,
).map(tuple)
_BOUNDS = st.builds(
    lambda measure, operator, number: Having(measure=measure, operator=operator, values=(number,)),
    st.sampled_from([Measure(), Measure(function="sum", column="n"), Measure(function="mean", column="x")]),
    st.sampled_from(_SIGNS),
    st.integers(-2, 4),
)
having = st.lists(_BOUNDS, max_size=1).map(tuple)

values = st.builds(
    lambda some, where, when: Intent(output=Output.VALUE, measures=tuple(some), clauses=where, periods=when),
    st.lists(measures, min_size=1, max_size=3, unique=True),
    clauses,
    periods,
)
counted_groups = st.builds(
    lambda by, where, bound: Intent(output=Output.VALUE, keys=by, clauses=where, having=bound),
    keys,
    clauses,
    having,
)
groups = st.builds(
    lambda some, by, where, when, bound: Intent(
        output=Output.GROUPS, measures=tuple(some), keys=by, clauses=where, periods=when, having=bound
    ),
    st.lists(measures | _SHARES, min_size=1, max_size=2, unique=True),
    keys,
    clauses,
    periods,
    having,
)


@st.composite
def ranked_groups(draw: st.DrawFn) -> Intent:
    by = draw(keys)
    chosen = draw(st.lists(measures, min_size=1, max_size=2, unique=True))
    return Intent(
        output=Output.GROUPS,
        measures=tuple(chosen),
        keys=by,
        clauses=draw(clauses),
        orders=(Order(measure=draw(st.integers(0, len(chosen) - 1)), descending=draw(st.booleans())),),
        limit=draw(st.integers(1, 3)),
        limit_keys=(by[0],) if len(by) > 1 and draw(st.booleans()) else (),
        with_ties=True,
    )


@st.composite
def rows(draw: st.DrawFn) -> Intent:
    limit = draw(st.none() | st.integers(1, 3))
    return Intent(
        output=Output.ROWS,
        clauses=draw(clauses),
        periods=draw(periods),
        orders=(Order(column=draw(st.sampled_from(["n", "x", "d"])), descending=draw(st.booleans())),),
        limit=limit,
        limit_keys=draw(st.sampled_from([(), (Key(column="g"),)])) if limit else (),
        with_ties=limit is not None,
    )


heads = st.builds(
    lambda where, when, limit, last: Intent(
        output=Output.HEAD,
        clauses=where,
        periods=when,
        limit=limit,
        orders=(Order(descending=True),) if last else (),
    ),
    clauses,
    periods,
    st.integers(1, 3),
    st.booleans(),
)
value_lists = st.builds(
    lambda names, where, when: Intent(
        output=Output.VALUES, columns=tuple(names), clauses=where, periods=when
    ),
    st.lists(st.sampled_from(["g", "the h", "n", "d"]), min_size=1, max_size=2, unique=True),
    clauses,
    periods,
)
_SIDES = st.builds(lambda where, when: (where, when), clauses, st.none() | period)


@st.composite
def comparisons(draw: st.DrawFn) -> Intent:
    kind = draw(st.sampled_from([None, "difference", "ratio", "percent", "which"]))
    sides = draw(st.lists(_SIDES, min_size=2, max_size=2))
    return Intent(
        output=Output.COMPARISON,
        measures=(
            draw(
                st.sampled_from(
                    [Measure(), Measure(function="sum", column="n"), Measure(function="mean", column="x")]
                )
            ),
        ),
        clauses=draw(clauses),
        sides=tuple(
            Side(label=name, clauses=where, period=when)
            for name, (where, when) in zip(("one side", "other"), sides, strict=True)
        ),
        comparison=kind,
        orders=(Order(descending=draw(st.booleans())),) if kind == "which" else (),
    )


changes = st.builds(
    lambda unit, more, measure, kind, year, where, when: Intent(
        output=Output.CHANGE,
        keys=(Key(unit=unit), *more),
        measures=(measure,),
        change=kind,
        against="year" if year and unit in {"month", "quarter"} else "previous",
        clauses=where,
        periods=when,
    ),
    st.sampled_from(["year", "quarter", "month", "day"]),
    st.sampled_from([(), (Key(column="the h"),)]),
    st.sampled_from([Measure(), Measure(function="sum", column="n")]),
    st.sampled_from(["difference", "percent"]),
    st.booleans(),
    clauses,
    periods,
)
odd = st.one_of(
    st.builds(
        lambda names, where, when: Intent(
            output=Output.DUPLICATES, columns=tuple(names), measures=(Measure(),), clauses=where, periods=when
        ),
        st.lists(st.sampled_from(["g", "n", "d"]), max_size=2, unique=True),
        clauses,
        periods,
    ),
    st.builds(
        lambda name, where, when: Intent(
            output=Output.OUTLIERS, columns=(name,), measures=(Measure(),), clauses=where, periods=when
        ),
        st.sampled_from(["n", "x"]),
        clauses,
        periods,
    ),
    st.builds(
        lambda where, when: Intent(
            output=Output.CORRELATION, columns=("n", "x"), clauses=where, periods=when
        ),
        clauses,
        periods,
    ),
)
intents = st.one_of(
    values, counted_groups, groups, ranked_groups(), rows(), heads, value_lists, comparisons(), changes, odd
)
