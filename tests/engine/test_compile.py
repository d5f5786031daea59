"""Checking plans against a schema: every error at once, each with what to write instead."""

import datetime as dt
from typing import Any

import pytest
from sqlglot import exp

from tabchat.engine.compile import compile_plan
from tabchat.engine.compile.scope import Facts, ScopeError, read_period, read_session
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.engine.types import ROW, Column, ColumnKind
from tabchat.errors import PlanValidationError

SALES = (
    Column(name="order_date", kind=ColumnKind.DATE, sql_type="DATE"),
    Column(name="region", kind=ColumnKind.TEXT, sql_type="VARCHAR"),
    Column(name="Unit Price", kind=ColumnKind.NUMBER, sql_type="DOUBLE", unit="$"),
    Column(name="quantity", kind=ColumnKind.INTEGER, sql_type="BIGINT"),
    Column(name="returned", kind=ColumnKind.BOOLEAN, sql_type="BOOLEAN"),
    Column(name="open_at", kind=ColumnKind.TIME, sql_type="TIME"),
    Column(name="tags", kind=ColumnKind.OTHER, sql_type="VARCHAR[]"),
)
DATELESS = SALES[1:5]


def _issues(plan: dict[str, Any], schema: tuple[Column, ...] = SALES) -> list[tuple[str, str, str | None]]:
    with pytest.raises(PlanValidationError) as caught:
        compile_plan(parse_plan(plan), schema, relation="sales")
    return [(issue.step, issue.message, issue.hint) for issue in caught.value.issues]


COLUMNS = 'Columns: order_date, region, "Unit Price", quantity, returned, open_at, tags.'


@pytest.mark.parametrize(
    "plan, step, message, hint",
    [
        # Names
        ({"where": "regoin == 'Asia'"}, "where", "There is no column `regoin`.", "Did you mean region?"),
        ({"where": "zzz > 1"}, "where", "There is no column `zzz`.", COLUMNS),
        ({"where": "median > 1"}, "where", "There is no column `median`.", "`median` is a function: median()."),
        ({"where": 'region == "Asia"'}, "where", "There is no column `Asia`.", "Double quotes name columns; a text value takes single quotes: 'Asia'."),
        ({"where": 'region == "regio"'}, "where", "There is no column `regio`.", "Double quotes name columns; a text value takes single quotes: 'regio'. Did you mean the column region?"),
        ({"where": "meen(quantity) > 1"}, "where", "There is no function `meen`.", "Did you mean mean(), median()?"),
        ({"where": "zzzzz(quantity) > 1"}, "where", "There is no function `zzzzz`.", "Such as sum(), mean(), count_distinct(), round(), lower(), year() or rolling_mean()."),
        ({"where": "today() > order_date"}, "where", "There is no function `today`.", "Plans do not look at the clock; use `period`, such as last_30_days."),
        ({"where": "quantity(1) > 1"}, "where", "`quantity` is a column, not a function.", "Write quantity without brackets."),
        # Conditions
        ({"where": "quantity"}, "where", "`where` is not a condition: it gives integer values.", "Compare it with something, such as x > 0 or x == 'text'."),
        ({"where": "null"}, "where", "`where` is not a condition: it gives null.", "Compare it with something, such as x > 0 or x == 'text'."),
        ({"where": "returned as x"}, "where", "`as` has no place in `where`.", "Leave the name out."),
        ({"where": "region and returned"}, "where", "`and` takes a condition, not `region` (text).", "Such as x > 0."),
        ({"where": "not quantity"}, "where", "`not` takes a condition, not `quantity` (numbers).", "Such as x > 0."),
        ({"where": "quantity = 1"}, "where", "A lone `=` compares nothing.", "Compare with `==`."),
        # Kinds
        ({"where": "quantity > '5'"}, "where", "`quantity` (numbers) cannot be compared with text.", "Write numbers without quotes."),
        ({"where": "region in [1, 2]"}, "where", "`region` (text) cannot be compared with numbers.", "Write text in single quotes: '1'."),
        ({"where": "returned == 'yes'"}, "where", "`returned` (a condition) cannot be compared with text.", "Compare a condition with true or false, or use it alone."),
        ({"where": "region > order_date"}, "where", "`region` (text) cannot be compared with `order_date` (dates).", None),
        ({"where": "order_date > '2024'"}, "where", "'2024' is not a date.", "Write it as '2024-01-31'."),
        ({"where": "open_at > 'noon'"}, "where", "'noon' is not a time.", "Write it as '09:30'."),
        ({"where": "open_at > '09:30+01:00'"}, "where", "'09:30+01:00' has a time zone.", "Leave it out: times are compared as they stand."),
        ({"where": "region == null"}, "where", "Nothing equals null.", "Write `x is null` or `x is not null`."),
        ({"where": "region in ['a', null]"}, "where", "A list cannot hold null.", "Add `or x is null`."),
        ({"where": "region in quantity"}, "where", "`in` takes a list of values.", "Such as region in ['Asia', 'Europe']."),
        ({"where": "region is 5"}, "where", "`is` takes null, true or false.", "Compare values with `==`."),
        ({"where": "region is true"}, "where", "`is true` takes a condition, not `region` (text).", "Such as x > 0."),
        ({"where": "quantity like '1%'"}, "where", "`like` takes text, not `quantity` (numbers).", None),
        ({"where": "tags == 'a'"}, "where", "`tags` (nested values) cannot be compared with text.", None),
        ({"where": "dayofweek() == 'Mon'"}, "where", "dayofweek() counts from Monday = 0.", "Compare dayname() with 'Monday'."),
        ({"where": "month() == 'Jan'"}, "where", "month() counts from 1.", "Compare monthname() with 'January'."),
        ({"map": {"x": "region + 1"}}, "map.x", "Arithmetic takes numbers, not `region` (text).", "Join texts with `||` or concat()."),
        ({"map": {"x": "-region"}}, "map.x", "A minus sign takes a number, not `region` (text).", None),
        ({"map": {"x": "region || quantity"}}, "map.x", "`||` joins texts, not `quantity` (numbers).", "Use concat() for other values."),
        ({"map": {"x": "order_date + 0.5"}}, "map.x", "A date takes a whole number of days, or another date to subtract.", "Such as date + 7."),
        ({"map": {"x": "5 - order_date"}}, "map.x", "A date takes a whole number of days, or another date to subtract.", "Such as date + 7."),
        ({"map": {"x": "if(returned, 1, 'a')"}}, "map.x", "Numbers and text cannot share one column.", "Use values of one kind."),
        ({"map": {"x": "case when quantity then 1 end"}}, "map.x", "`when` takes a condition, not `quantity` (numbers).", "Such as x > 0."),
        # Calls
        ({"select": "mean(region)"}, "select", "mean() takes numbers as `x`, not `region` (text).", "Usage: mean(x: number) -> number."),
        (
            {"select": "sum(quantity > 5)"},
            "select",
            "sum() takes numbers as `x`, not a condition.",
            "pct(condition) is the percentage of rows that meet a condition, count_if(condition) their number.",
        ),
        (
            {"select": "count(quantity > 5)"},
            "select",
            "count() of a condition counts the rows where it is false too.",
            "count_if(condition) counts the rows where it is true; pct(condition) is their percentage.",
        ),
        ({"select": "percentile(quantity)"}, "select", "`percentile()` takes 2 arguments, not 1.", "Usage: percentile(x: number, p: fraction) -> number."),
        ({"select": "percentile(quantity, 90)"}, "select", "`p` of percentile() is a number from 0 to 1.", "Usage: percentile(x: number, p: fraction) -> number."),
        ({"select": "max(quantity, 1)"}, "select", "`max()` takes 1 argument, not 2.", "Over many rows: max(x); of several columns in a row: greatest(x, y)."),
        ({"map": {"x": "gap(1)"}}, "map.x", "`gap()` takes no arguments, not 1.", "Usage: gap() -> number."),
        ({"map": {"x": "coalesce()"}}, "map.x", "`coalesce()` takes 1 or more arguments, not 0.", "Usage: coalesce(...x: any) -> same."),
        ({"map": {"x": "round()"}}, "map.x", "`round()` takes 1 to 2 arguments, not 0.", "Usage: round(x: number, digits: whole = 0) -> number."),
        ({"map": {"x": "rolling_mean(quantity, 0)"}}, "map.x", "`n` of rolling_mean() is a positive whole number.", "Usage: rolling_mean(x: number, n: count) -> number."),
        ({"map": {"x": "round(quantity, 1.5)"}}, "map.x", "`digits` of round() is a whole number.", "Usage: round(x: number, digits: whole = 0) -> number."),
        ({"map": {"x": "bucket(quantity, region)"}}, "map.x", "`width` of bucket() is a number.", "Usage: bucket(x: number, width: factor) -> number."),
        ({"map": {"x": "matches(region, region)"}}, "map.x", "`pattern` of matches() is a text in single quotes.", "Usage: matches(x: text, pattern: word) -> boolean."),
        ({"map": {"x": "rank(quantity, 'down')"}}, "map.x", "rank() has no direction 'down'.", "Use 'asc' or 'desc'."),
        ({"map": {"x": "hour()"}}, "map.x", "hour() takes times of day as `x`, not `order_date` (dates).", "Usage: hour(x: clock = time) -> integer."),
        ({"map": {"x": "change()"}}, "map.x", "There is no column `close`, which this function reads.", None),
        ({"map": {"x": "gap()"}}, "map.x", "There is no column `open`, which this function reads.", None),
        ({"map": {"x": "*"}}, "map.x", "`*` has no value here.", "Use columns, operators and functions."),
        ({"map": {"x": "quantity as y"}}, "map.x", "`as` has no place in `map`.", "The key is the column's name."),
        ({"select": "mode(1)"}, "select", "mode() is given a constant.", "Name a column: mode(x)."),
        ({"map": {"close": "region", "x": "change()"}}, "map.x", "Column `close`, which this function reads, does not hold numbers.", None),
        ({"map": {"x": "month(null)"}}, "map.x", "month() takes dates as `x`, not null.", None),
        ({"map": {"x": "month('soon')"}}, "map.x", "'soon' is not a date.", "Write it as '2024-01-31'."),
        # Places
        ({"group_by": "region", "select": "sum(quantity) / body()"}, "select", "`body()` has a value for each row.", "Aggregate it, such as mean(body())."),
        (
            {"where": "mean(quantity) > 5"},
            "where",
            "`mean()` makes one value of many rows, and this is evaluated for each row.",
            "Put it in `select`; to compare rows with a total, use total(x) or an earlier step.",
        ),
        ({"select": "sum(mean(quantity))"}, "select", "`mean()` stands inside another aggregate.", "Aggregate once, or use two `steps`."),
        (
            {"select": "mean(prev(quantity))"},
            "select",
            "`prev()` looks at other rows, and here the rows are being aggregated.",
            'Name it in `map` first, then use that name: {"map": {"x": "prev()"}}.',
        ),
        ({"select": "sum(quantity) + quantity"}, "select", "`quantity` has no single value after aggregation.", "Aggregate it, such as mean(quantity), or add it to `group_by`."),
        ({"group_by": "region", "having": '"Unit Price" > 1'}, "having", "`Unit Price` has no single value after aggregation.", 'Aggregate it, such as mean("Unit Price"), or add it to `group_by`.'),
        ({"select": "quantity"}, "select", "`quantity` has no single value after aggregation.", "Aggregate it, such as mean(quantity), or add it to `group_by`."),
        ({"select": "1 + 1"}, "select", "`select` takes aggregates.", "Use `columns` to choose columns, or aggregate: mean(x), sum(x), count()."),
        ({"group_by": "region", "select": "region"}, "select", "`select` has no aggregate.", "Leave it out to count the rows."),
        ({"select": "count(), mean(quantity)"}, "select", "Several aggregates are given as one text.", 'Use a list: ["count()", "mean(quantity)"].'),
        (
            {"select": "count_if(region == 'a, b'), max(greatest(quantity, 1))"},
            "select",
            "Several aggregates are given as one text.",
            """Use a list: ["count_if(region == 'a, b')", "max(greatest(quantity, 1))"].""",
        ),
        ({"select": ["sum(quantity)", "sum(quantity)"]}, "select", "`sum_quantity` would name two columns.", "Give it another: sum(x) as total."),
        ({"group_by": "region", "select": "count() as Region"}, "select", "`Region` would name two columns.", "Give it another: sum(x) as total."),
        ({"select": "count() as __x"}, "select", "`__x` cannot name a column.", "Give it another: sum(x) as total."),
        # Groups, sorting, columns
        ({"group_by": "dayofweek()"}, "group_by", "`group_by` takes columns, not functions.", 'Name it in `map`: {"map": {"dayofweek": "dayofweek()"}, "group_by": "dayofweek"}.'),
        ({"group_by": "month"}, "group_by", "`group_by` takes columns, not functions.", 'Name it in `map`: {"map": {"month": "month()"}, "group_by": "month"}.'),
        ({"group_by": "region, quantity"}, "group_by", "Several columns are given as one text.", 'Use a list: ["region", "quantity"].'),
        ({"group_by": "Region x"}, "group_by", "There is no column `Region x`.", "Did you mean region?"),
        ({"group_by": "region", "sort": "quantity desc"}, "sort", "There is no column `quantity` to sort by.", "The result has: region, count. To sort rows before aggregating them, use `steps`."),
        ({"sort": "quantity desc, region"}, "sort", "Several columns are given as one text.", 'Use a list: ["quantity desc", "region"].'),
        ({"sort": "quantity * 2"}, "sort", "There is no column `quantity * 2` to sort by.", "Name the expression in `map`, and sort by that name."),
        ({"sort": "mean(quantity) desc"}, "sort", "There is no column `mean(quantity)` to sort by.", "Name the expression in `map`, and sort by that name."),
        ({"group_by": "region", "sort": "mean(zz) desc"}, "sort", "There is no column `zz`.", COLUMNS),
        ({"sort": "'open"}, "sort", "There is no column `'open` to sort by.", None),
        ({"columns": ["region", "nope"]}, "columns", "There is no column `nope` in the result.", 'The result has: order_date, region, "Unit Price", quantity, returned, open_at, tags.'),
        ({"columns": "region, quantity"}, "columns", "There is no column `region, quantity` in the result.", 'Use a list: ["region", "quantity"].'),
        ({"having": "count() > 1"}, "having", "`having` filters groups, and there are none.", "Use `where`."),
        ({"select": "count()", "having": "count() > 1"}, "having", "`having` filters groups, and there are none.", "Use `where` to filter rows, or add `group_by`."),
        # Scope
        ({"period": "lately"}, "period", "`lately` is not a period.", None),
        ({"session": {"from": "9", "to": "16:00"}}, "session", "`9` is not a time of day.", "Such as 09:30."),
        ({"time_column": "region"}, "time_column", "Column `region` holds no dates.", "Date columns: order_date."),
        ({"time_column": "order"}, "time_column", "There is no column `order`.", "Did you mean order_date?"),
        # Steps
        ({"steps": [{"group_by": "region"}, {"where": "quantity > 1"}]}, "steps[1].where", "There is no column `quantity`.", "Columns: region, count."),
        ({"steps": [{"select": "mean(quantity)"}, {"map": {"m": "month()"}}]}, "steps[1].map.m", "There is no date column here.", "Name the column: month(column)."),
    ],
)  # fmt: skip
def test_an_error_names_its_place_its_cause_and_the_remedy(
    plan: dict[str, Any], step: str, message: str, hint: str | None
) -> None:
    found = _issues(plan)
    assert (step, message) in [(place, text) for place, text, _ in found]
    if hint is not None:
        assert (step, message, hint) in found


@pytest.mark.parametrize(
    "plan, step, message",
    [
        ({"period": "2024"}, "period", "`period` needs a date column, and there is none."),
        ({"resample": "weekly"}, "resample", "`resample` needs a date column, and there is none."),
        ({"time_column": "region"}, "time_column", "Column `region` holds no dates."),
        ({"map": {"m": "month()"}}, "map.m", "There is no date column here."),
    ],
)
def test_a_table_without_dates_says_so(plan: dict[str, Any], step: str, message: str) -> None:
    assert (step, message) in [(place, text) for place, text, _ in _issues(plan, DATELESS)]


def test_every_error_of_a_plan_is_reported_at_once() -> None:
    plan = {
        "period": "soon",
        "map": {"a": "zz + 1", "b": "a * 2", "c": "foo(b) + bar"},
        "where": "quantity = 1",
        "group_by": ["regoin", "month()"],
        "select": ["mean(region)", "quantity"],
        "sort": "nothing",
        "columns": "none",
    }
    assert [step for step, _, _ in _issues(plan)] == [
        *(
            "period",
            "map.a",
            "map.c",
            "map.c",
            "where",
            "group_by",
            "group_by",
            "select",
            "select",
            "sort",
            "columns",
        )
    ]


def test_a_broken_column_does_not_cause_further_errors() -> None:
    plan = {
        "map": {"a": "zz + 1"},
        "where": "a > 1 and a == 'x'",
        "group_by": "a",
        "select": "mean(a)",
        "sort": "a",
    }
    assert [step for step, _, _ in _issues(plan)] == ["map.a"]


def test_a_lone_equals_sign_hides_no_other_error() -> None:
    lone = ("where", "A lone `=` compares nothing.", "Compare with `==`.")
    found = _issues({"where": "quantit > 1 and foo(region) = 2"})
    assert found[0] == lone
    assert [message for _, message, _ in found[1:]] == [
        "There is no column `quantit`.",
        "There is no function `foo`.",
    ]
    assert _issues({"where": "quantity = 2"}) == [lone]
    wrong_sign = ("where", "`&` is not part of the expression language.", "Join conditions with `and`.")
    assert _issues({"where": "quantity = 2 & region == 'x'"}) == [lone, wrong_sign]


@pytest.mark.parametrize(
    "plan, kind, columns",
    [
        ({}, ResultKind.TABLE, ("order_date", "region", "Unit Price", "quantity", "returned", "open_at", "tags")),
        ({"select": "count()"}, ResultKind.SCALAR, ("count",)),
        ({"select": "mean(quantity)"}, ResultKind.SCALAR, ("mean_quantity",)),
        ({"select": ["count()", "mean(quantity)", "max(quantity)"]}, ResultKind.DICT, ("count", "mean", "max")),
        ({"select": ["sum(quantity)", 'sum("Unit Price")']}, ResultKind.DICT, ("sum_quantity", "sum_Unit Price")),
        ({"select": ["AVG(quantity)", "mean(quantity)"]}, ResultKind.DICT, ("avg", "mean")),
        ({"select": ["mean(quantity) as m", "count()"]}, ResultKind.DICT, ("m", "count")),
        ({"group_by": "region"}, ResultKind.GROUPED, ("region", "count")),
        ({"group_by": "region", "select": ["count()", "mean(quantity)"]}, ResultKind.GROUPED, ("region", "count", "mean_quantity")),
        ({"group_by": ["Region", "returned"], "select": "mean(QUANTITY)"}, ResultKind.GROUPED, ("region", "returned", "mean_QUANTITY")),
        ({"group_by": "region", "select": ["region", "count(*)"]}, ResultKind.GROUPED, ("region", "count")),
        ({"map": {"count": "quantity"}, "group_by": "count"}, ResultKind.GROUPED, ("count", "count_rows")),
        ({"select": "percentile(quantity, 0.9)"}, ResultKind.SCALAR, ("percentile_quantity_0.9",)),
        ({"select": "sum(quantity) /  count()"}, ResultKind.SCALAR, ("sum(quantity) / count()",)),
        ({"map": {"a": "quantity", "Region": "upper(region)"}, "limit": 1}, ResultKind.TABLE, ("order_date", "open_at", "a", "Region", "Unit Price", "quantity", "returned", "tags")),
        ({"resample": "weekly"}, ResultKind.TABLE, ("order_date", "Unit Price", "quantity")),
        ({"columns": ["quantity", '"Unit Price"', "REGION"]}, ResultKind.TABLE, ("quantity", "Unit Price", "region")),
    ],
)  # fmt: skip
def test_the_kind_and_the_columns_follow_from_the_plan(
    plan: dict[str, Any], kind: ResultKind, columns: tuple[str, ...]
) -> None:
    compiled = compile_plan(parse_plan(plan), SALES, relation="sales")
    assert (compiled.kind, compiled.columns) == (kind, columns)


@pytest.mark.parametrize(
    "plan, chart",
    [
        (
            {"group_by": ["region", "returned"], "select": ["max(order_date)", "sum(quantity)"]},
            ("region", "sum_quantity"),
        ),
        ({"group_by": "region", "select": "mode(region) as most"}, None),
        ({"group_by": "region", "columns": "count"}, None),
        ({"select": "count()"}, None),
        ({}, None),
    ],
)
def test_a_chart_pairs_the_first_key_with_the_first_number(
    plan: dict[str, Any], chart: tuple[str, str] | None
) -> None:
    compiled = compile_plan(parse_plan(plan), SALES, relation="sales")
    assert compiled.chart == (Chart(category=chart[0], value=chart[1]) if chart else None)


def test_units_follow_values_through_functions() -> None:
    plan = {"group_by": "region", "select": ['mean("Unit Price")', "pct(returned) as share", "count()"]}
    assert compile_plan(parse_plan(plan), SALES, relation="sales").units == {
        "Unit Price": "$",
        "mean_Unit Price": "$",
        "share": "%",
    }


def test_focus_is_computed_and_sorted_columns_that_are_shown() -> None:
    plan: dict[str, Any] = {"map": {"a": "quantity + 1", "b": "a"}, "sort": ["quantity", "a desc"]}
    assert compile_plan(parse_plan(plan), SALES, relation="sales").focus == ("a", "b", "quantity")
    assert compile_plan(parse_plan(plan | {"columns": ["b"]}), SALES, relation="sales").focus == ("b",)


@pytest.mark.parametrize(
    "plan",
    [
        {"group_by": "region", "select": "sum(quantity)"},
        {"select": "mean(quantity)"},
        {"where": "quantity > 1"},
    ],
)
def test_row_numbers_are_not_read_unless_they_are_needed(plan: dict[str, Any]) -> None:
    query = compile_plan(parse_plan(plan), SALES, relation="sales").query
    assert not [column for column in query.find_all(exp.Column) if column.name == ROW]


def test_a_hostile_schema_cannot_capture_the_names_of_helpers() -> None:
    names = ["__prev_1", "__raw_1", "__source_rows_1", "layer_1", "rows_1", "__aggregate_1"]
    schema = tuple(Column(name=name, kind=ColumnKind.INTEGER, sql_type="BIGINT") for name in names)
    plan = {"map": {"x": "prev(__raw_1) / 2"}, "group_by": "layer_1", "having": "sum(x) > 1"}
    query = compile_plan(parse_plan(plan), schema, relation="layer_2").query
    aliases = [item.alias for item in query.find_all(exp.Alias)]
    assert not set(aliases) & {*names} - {"layer_1"}
    assert not {cte.alias for cte in query.ctes} & {*names, "layer_2"}


LAST = dt.date(2024, 3, 15)


@pytest.mark.parametrize(
    "period, start, end",
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2024-2", "2024-02-01", "2024-02-29"),
        ("2024-Q4", "2024-10-01", "2024-12-31"),
        ("2024-03-15", "2024-03-15", "2024-03-15"),
        ("2023-11:2024-01", "2023-11-01", "2024-01-31"),
        ("2023-Q4 : 2024-01-05", "2023-10-01", "2024-01-05"),
        ("2024-03-05:", "2024-03-05", None),
        (":2023", None, "2023-12-31"),
        ("last_day", "2024-03-15", "2024-03-15"),
        ("last_week", "2024-03-04", "2024-03-10"),
        ("last_month", "2024-02-01", "2024-02-29"),
        ("last_quarter", "2023-10-01", "2023-12-31"),
        ("LAST_YEAR", "2023-01-01", "2023-12-31"),
        ("last_1_day", "2024-03-15", "2024-03-15"),
        ("last_30_days", "2024-02-15", "2024-03-15"),
        ("last_2_weeks", "2024-03-02", "2024-03-15"),
        ("last_1_month", "2024-02-16", "2024-03-15"),
        ("last_2_quarters", "2023-09-16", "2024-03-15"),
        ("last_1_years", "2023-03-16", "2024-03-15"),
    ],
)
def test_a_period_means_these_days_when_the_data_ends_on_15_march_2024(
    period: str, start: str | None, end: str | None
) -> None:
    span = read_period(period, LAST, "monday")
    assert (span.start and span.start.isoformat(), span.end and span.end.isoformat()) == (start, end)


def test_the_week_before_follows_the_first_day_of_the_week() -> None:
    span = read_period("last_week", dt.date(2024, 3, 17), "sunday")
    assert (span.start, span.end) == (dt.date(2024, 3, 10), dt.date(2024, 3, 16))


@pytest.mark.parametrize(
    "period, message",
    [
        ("2024-13", "There is no date `2024-13`."),
        ("2024-02-30", "There is no date `2024-02-30`."),
        ("0000", "There is no date `0000`."),
        ("9999-12", "There is no date `9999-12`."),
        ("march", "`march` is not a period."),
        ("last_decade", "`last_decade` is not a period."),
        (":", "Period `:` has no dates."),
        ("2024:2023", "Period `2024:2023` ends before it starts."),
        ("last_0_days", "A period of no length holds nothing."),
        ("last_99999_months", "The period reaches back before the calendar."),
        ("last_99999_quarters", "The period reaches back before the calendar."),
    ],
)
def test_what_is_no_period_is_refused(period: str, message: str) -> None:
    with pytest.raises(ScopeError) as caught:
        read_period(period, LAST, "monday")
    assert caught.value.message == message


@pytest.mark.parametrize("period", ["last_week", "last_month", "last_quarter", "last_year"])
def test_no_period_lies_before_the_first_days_of_the_calendar(period: str) -> None:
    with pytest.raises(ScopeError) as caught:
        read_period(period, dt.date(1, 1, 3), "monday")
    assert caught.value.message == "The period reaches back before the calendar."


def test_sessions_are_found_by_name_whatever_the_case() -> None:
    window = read_session("RTH", {"rth": ("09:30", "16:00")})
    assert window is not None
    assert (window.name, window.start, window.end) == ("rth", dt.time(9, 30), dt.time(16))
    assert read_session("other", {"rth": ("09:30", "16:00")}) is None


@pytest.mark.parametrize(
    "session, message",
    [
        (("9:30", "25:00"), "`25:00` is not a time of day."),
        (("9:30", "9:30"), "Session `9:30-9:30` starts and ends at the same time."),
        (("09:30+02:00", "16:00"), "`09:30+02:00` has a time zone."),
    ],
)
def test_what_is_no_session_is_refused(session: tuple[str, str], message: str) -> None:
    with pytest.raises(ScopeError) as caught:
        read_session(session, {})
    assert caught.value.message == message


def test_a_relative_period_needs_the_facts_of_the_data() -> None:
    plan = parse_plan({"period": "last_month"})
    compiled = compile_plan(plan, SALES, relation="sales", facts=Facts(last=LAST))
    assert compiled.notes == ("Period last_month: 2024-02-01 to 2024-02-29 (the data ends on 2024-03-15)",)


def test_a_key_or_an_aggregate_with_errors_is_reported_once() -> None:
    plan = {
        "group_by": "product",
        "select": ["sum(revnue) as total", "count()"],
        "having": "total > 3 and product == 'x' and cuont > 2",
        "sort": "total desc",
    }
    assert [(step, message) for step, message, _ in _issues(plan)] == [
        ("group_by", "There is no column `product`."),
        ("select", "There is no column `revnue`."),
        ("having", "There is no column `cuont`."),
    ]
