import datetime as dt
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.cells import cell_text, inert, number_text, quoted, rounded
from tabchat.engine.result.result import Chart, ResultKind
from tabchat.engine.result.summary import TEXT_LIMIT, ColumnStats, Summary, summarise
from tabchat.engine.types import JsonValue, Value
from tests.effort import examples
from tests.engine.frames import make_result
from tests.export.frames import table_of

PRICES = """
    SELECT * FROM (VALUES
        (DATE '2024-08-05', 'A', 102.5, -5.06123::DOUBLE),
        (DATE '2024-09-03', 'B', 101.0, -3.0::DOUBLE),
        (DATE '2024-12-18', 'C', 99.25, -2.51::DOUBLE)
    ) t(date, ticker, close, change_pct)
"""


def test_a_table_tells_statistics_and_ends_of_its_focus_columns(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, PRICES, focus=("change_pct",)))
    assert summary.to_text() == (
        "Result: 3 rows\n"
        "  change_pct: min=-5.0612, max=-2.51, mean=-3.5237\n"
        "  first: date=2024-08-05, change_pct=-5.0612\n"
        "  last: date=2024-12-18, change_pct=-2.51"
    )
    assert summary.to_json() == {
        "type": "table",
        "rows": 3,
        "columns": ["date", "ticker", "close", "change_pct"],
        "stats": {"change_pct": {"min": -5.0612, "max": -2.51, "mean": -3.5237}},
        "first": {"date": "2024-08-05", "change_pct": -5.0612},
        "last": {"date": "2024-12-18", "change_pct": -2.51},
    }


def test_the_values_behind_the_rounded_ones_are_exact(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, PRICES, focus=("change_pct", "close")))
    assert summary.stats["change_pct"].min == -5.06123
    assert summary.stats["close"] == ColumnStats(
        min=Decimal("99.25"), max=Decimal("102.50"), mean=100.91666666666667
    )
    assert summary.first == {"date": dt.date(2024, 8, 5), "close": Decimal("102.50"), "change_pct": -5.06123}


def test_an_only_row_is_told_whole_and_has_no_last(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, f"{PRICES} LIMIT 1", focus=("close",)))
    assert summary.to_text() == (
        "Result: 1 rows\n  first: date=2024-08-05, ticker=A, close=102.5, change_pct=-5.0612"
    )
    assert "first" in summary.to_json()
    assert "last" not in summary.to_json()


def test_a_table_without_dates_or_focus_is_its_row_count(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, "SELECT i, 'x' AS label FROM range(7) t(i)"))
    assert summary.to_text() == "Result: 7 rows"
    assert summary.to_json() == {
        "type": "table",
        "rows": 7,
        "columns": ["i", "label"],
        "stats": {},
        "first": {},
        "last": {},
    }


def test_helper_columns_are_never_told(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, "SELECT i AS __row__, i AS x FROM range(3) t(i)", focus=("x",)))
    assert summary.columns == ("x",)
    assert "__row__" not in summary.to_text()


def test_an_empty_table_says_so(engine: DuckDBEngine) -> None:
    summary = summarise(make_result(engine, f"{PRICES} WHERE false", focus=("close",)))
    assert summary.to_text() == "Result: no rows"
    assert summary.to_json() == {
        "type": "table",
        "rows": 0,
        "columns": ["date", "ticker", "close", "change_pct"],
        "stats": {},
        "no_data": True,
        "record_count": 0,
    }


@pytest.mark.parametrize(
    "value, scanned, text, structured",
    [
        (80, 500, "Result: 80 (from 500 rows)", 80),
        (80, None, "Result: 80", 80),
        (67.30000001, 12, "Result: 67.3 (from 12 rows)", 67.3),
        (
            Decimal("1234567890123456.789"),
            2,
            "Result: 1234567890123456.789 (from 2 rows)",
            1234567890123456.8,
        ),
        (float("nan"), 4, "Result: NaN (from 4 rows)", "NaN"),
        (float("-inf"), 4, "Result: -Infinity (from 4 rows)", "-Infinity"),
        ("Latin America", 4, 'Result: "Latin America" (from 4 rows)', "Latin America"),
        (
            dt.datetime(2024, 1, 2, 3, 4),  # noqa: DTZ001 - cells have no zone
            4,
            "Result: 2024-01-02 03:04:00 (from 4 rows)",
            "2024-01-02 03:04:00",
        ),
    ],
)
def test_a_scalar_is_its_value_and_the_rows_behind_it(
    engine: DuckDBEngine, value: Value, scanned: int | None, text: str, structured: JsonValue
) -> None:
    made = make_result(engine, "SELECT 1 AS x", kind=ResultKind.SCALAR, value=value, source_row_count=scanned)
    summary = summarise(made)
    assert summary.to_text() == text
    assert summary.to_json() == {"type": "scalar", "value": structured, "rows_scanned": scanned}


def test_a_scalar_over_nothing_is_null_and_says_that_there_was_no_data(engine: DuckDBEngine) -> None:
    made = make_result(engine, "SELECT NULL AS x", kind=ResultKind.SCALAR, source_row_count=0)
    assert summarise(made).to_text() == "Result: null (from 0 rows)"
    assert summarise(made).to_json() == {
        "type": "scalar",
        "value": None,
        "rows_scanned": 0,
        "no_data": True,
        "record_count": 0,
    }


def test_a_dict_lists_its_values(engine: DuckDBEngine) -> None:
    values: dict[str, Value] = {"count": 80, "mean": 67.30001, "max": 156.2}
    made = make_result(engine, "SELECT 1 AS x", kind=ResultKind.DICT, values=values, source_row_count=500)
    assert summarise(made).to_text() == "Result: count=80, mean=67.3, max=156.2"
    assert summarise(made).to_json() == {
        "type": "dict",
        "values": {"count": 80, "mean": 67.3, "max": 156.2},
        "rows_scanned": 500,
    }


GROUPS = """
    SELECT * FROM (VALUES ('Mon', 89.5, 3), ('Tue', NULL, 4), ('Wed', 'nan'::DOUBLE, 5), ('Thu', 89.5, 6),
        ('Fri', 32.1, 7)) t(dow, mean_gap, n)
"""


def test_groups_tell_the_smallest_and_the_largest(engine: DuckDBEngine) -> None:
    made = make_result(
        engine, GROUPS.replace("*", "dow, mean_gap"), kind=ResultKind.GROUPED, group_by=("dow",)
    )
    summary = summarise(made)
    assert summary.to_text() == (
        "Result: 5 groups by dow\n  min: dow=Fri, mean_gap=32.1\n  max: dow=Mon, mean_gap=89.5"
    )
    assert summary.to_json() == {
        "type": "grouped",
        "rows": 5,
        "columns": ["dow", "mean_gap"],
        "stats": {"mean_gap": {"min": 32.1, "max": 89.5, "mean": 70.3667}},
        "first": {"dow": "Mon", "mean_gap": 89.5},
        "last": {"dow": "Fri", "mean_gap": 32.1},
        "by": ["dow"],
        "min_row": {"dow": "Fri", "mean_gap": 32.1},
        "max_row": {"dow": "Mon", "mean_gap": 89.5},
    }


def test_the_charted_column_decides_which_group_is_the_largest(engine: DuckDBEngine) -> None:
    made = make_result(
        engine,
        GROUPS,
        kind=ResultKind.GROUPED,
        group_by=("dow",),
        chart=Chart(category="dow", value="n"),
    )
    assert summarise(made).max_row == {"dow": "Fri", "mean_gap": 32.1, "n": 7}


def test_groups_without_a_number_are_ranked_by_their_first_value(engine: DuckDBEngine) -> None:
    made = make_result(
        engine,
        "SELECT * FROM (VALUES ('a', DATE '2024-01-02'), ('b', DATE '2023-01-02')) t(k, latest)",
        kind=ResultKind.GROUPED,
        group_by=("k",),
    )
    assert summarise(made).to_text() == (
        "Result: 2 groups by k\n  min: k=b, latest=2023-01-02\n  max: k=a, latest=2024-01-02"
    )


def test_groups_without_any_value_have_no_extremes(engine: DuckDBEngine) -> None:
    made = make_result(
        engine,
        "SELECT * FROM (VALUES ('a', NULL::INT), ('b', NULL)) t(k, n)",
        kind=ResultKind.GROUPED,
        group_by=("k",),
    )
    summary = summarise(made)
    assert summary.to_text() == "Result: 2 groups by k"
    assert summary.to_json()["min_row"] is None
    assert summary.stats == {"n": ColumnStats(min=None, max=None, mean=None)}


def test_only_keys_have_no_extremes(engine: DuckDBEngine) -> None:
    made = make_result(engine, "SELECT 1 AS k", kind=ResultKind.GROUPED, group_by=("k",))
    assert summarise(made).to_text() == "Result: 1 groups by k"


def test_no_groups_say_so(engine: DuckDBEngine) -> None:
    made = make_result(engine, f"{GROUPS} WHERE false", kind=ResultKind.GROUPED, group_by=("dow",))
    assert summarise(made).to_text() == "Result: 0 groups by dow"
    assert summarise(made).to_json()["no_data"] is True


def test_nan_and_infinity_are_told_and_count_in_no_statistic(engine: DuckDBEngine) -> None:
    made = make_result(
        engine,
        "SELECT * FROM (VALUES ('nan'::DOUBLE), (1.0), ('inf'::DOUBLE), (3.0), ('-inf'::DOUBLE)) t(x)",
        focus=("x",),
    )
    summary = summarise(made)
    assert summary.stats["x"] == ColumnStats(min=1.0, max=3.0, mean=2.0)
    assert summary.to_json()["first"] == {"x": "NaN"}
    assert "\n  first: x=NaN\n  last: x=-Infinity" in summary.to_text()
    json.dumps(summary.to_json(), allow_nan=False)


@given(
    groups=st.lists(
        st.tuples(
            st.none() | st.text("ab", max_size=2), st.none() | st.floats() | st.sampled_from([0.0, -0.0])
        ),
        min_size=1,
        max_size=6,
    )
)
@settings(
    deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_few_rows_are_told_as_the_engine_tells_many(
    engine: DuckDBEngine, monkeypatch: pytest.MonkeyPatch, groups: list[tuple[str | None, float | None]]
) -> None:
    frame = table_of(engine, [("g", "VARCHAR"), ("x", "DOUBLE")], groups)
    result = replace(
        make_result(engine, "SELECT 1 AS g", kind=ResultKind.GROUPED, group_by=("g",)), frame=frame
    )
    few = summarise(result)
    with monkeypatch.context() as patch:
        patch.setattr("tabchat.engine.result.result.FEW_ROWS", -1)
        assert not frame.is_few
        many = summarise(result)
        assert repr(few) == repr(many)


def test_an_only_row_is_told_whole_as_far_as_there_is_room(engine: DuckDBEngine) -> None:
    some, many = (", ".join(f"'{'x' * 60}' AS c{i}" for i in range(count)) for count in (12, 200))
    whole = summarise(make_result(engine, f"SELECT {some}")).to_text()
    assert [f"c{i}=" in whole for i in range(12)] == [True] * 12
    cut = summarise(make_result(engine, f"SELECT {many}")).to_text()
    assert len(cut) <= TEXT_LIMIT
    assert re.search(r", … \+\d+ more columns$", cut)


def test_a_thousand_focus_columns_stay_within_the_bound(engine: DuckDBEngine) -> None:
    columns = ", ".join(f'{i}.5 AS "column number {i}"' for i in range(1000))
    focus = tuple(f"column number {i}" for i in range(1000))
    text = summarise(
        make_result(engine, f"SELECT {columns} UNION ALL SELECT {columns}", focus=focus)
    ).to_text()
    assert len(text) <= TEXT_LIMIT
    lines = text.splitlines()
    shown = [line for line in lines if "min=" in line]
    assert lines[len(shown) + 1] == f"  … +{1000 - len(shown)} more columns"
    assert lines[-1].startswith('  last: "column number 0"=0.5, "column number 1"=1.5, ')
    assert lines[-1].endswith(" more columns")


@pytest.mark.parametrize(
    "text, written",
    [
        ("Fri", "Fri"),
        ("Харків", "Харків"),
        ("2024-Q1", "2024-Q1"),
        ("50%", "50%"),
        ("_private", "_private"),
        ("Latin America", '"Latin America"'),
        ("a=b", '"a=b"'),
        ("a, b", '"a, b"'),
        ("", '""'),
        ("null", '"null"'),
        ('say "hi"', '"say \\"hi\\""'),
        ("back\\slash", '"back\\\\slash"'),
        ("two\nlines\x1b[31m\u202e", '"two lines [31m"'),
        ("x" * 200, '"' + "x" * 77 + '…"'),
        ("x" * 100_000, '"' + "x" * 77 + '…"'),
        (" " * 400 + "x", '"…"'),
    ],
)
def test_text_is_quoted_unless_it_is_one_plain_word(text: str, written: str) -> None:
    assert quoted(text) == written


@pytest.mark.parametrize(
    "value, written",
    [
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (7, "7"),
        (-0.0, "0"),
        (100.0, "100"),
        (156.2, "156.2"),
        (2 / 3, "0.6667"),
        (5 / 3, "1.6667"),
        (0.000012, "0.000012"),
        (0.00001234567, "0.00001235"),
        (1.234567e-10, "1.235e-10"),
        (1e300, "1e+300"),
        (Decimal("10.50"), "10.5"),
        (Decimal(100), "100"),
        (Decimal("0.0"), "0"),
        (Decimal("0.00001"), "0.00001"),
        (Decimal("1E-30"), "1e-30"),
        (Decimal("NaN"), "NaN"),
        (b"\x00\xff", "00ff"),
        ([1.23456, "a"], '[1.2346, "a"]'),
        ({"a": None}, '{"a": null}'),
        (dt.date(2024, 5, 6), "2024-05-06"),
        (dt.time(9, 30), "09:30:00"),
        (dt.timedelta(days=2), "2 days, 0:00:00"),
        ([1] * 100, "[" + "1, " * 26 + "…"),
    ],
)
def test_cells_are_written_short_and_rounded(value: Value, written: str) -> None:
    assert cell_text(value) == written


def test_a_number_that_is_not_zero_never_becomes_zero() -> None:
    assert rounded(0.00004) == 4e-05
    assert number_text(-0.00004) == "-0.00004"


CELLS = st.one_of(
    st.text(max_size=300),
    st.floats(),
    st.integers(),
    st.decimals(allow_nan=True),
    st.none(),
    st.binary(max_size=200),
    st.dates(),
    st.lists(st.text(max_size=50), max_size=20),
)
ROWS = st.dictionaries(st.text(max_size=200), CELLS, max_size=60)
NUMBERS = st.one_of(st.integers(), st.floats(), st.none())
STATS = st.builds(ColumnStats, min=NUMBERS, max=NUMBERS, mean=st.one_of(st.floats(), st.none()))


@given(
    kind=st.sampled_from(ResultKind),
    rows=st.sampled_from([0, 1, 2, 10**12]),
    first=ROWS,
    last=ROWS,
    stats=st.dictionaries(st.text(max_size=200), STATS, max_size=60),
    by=st.lists(st.text(max_size=200), max_size=30),
    value=CELLS,
)
@settings(deadline=None, max_examples=examples(50), suppress_health_check=[HealthCheck.too_slow])
def test_no_result_makes_the_text_long_or_unclean_or_the_json_invalid(
    kind: ResultKind,
    rows: int,
    first: Mapping[str, Value],
    last: Mapping[str, Value],
    stats: Mapping[str, ColumnStats],
    by: list[str],
    value: Value,
) -> None:
    summary = Summary(
        kind=kind,
        rows=rows,
        columns=tuple(first),
        stats=stats,
        first=first,
        last=last,
        by=tuple(by) or ("key",),
        min_row=first,
        max_row=last,
        value=value,
        values=first or {"count": 1},
        rows_scanned=10**12,
    )
    text = summary.to_text()
    assert len(text) <= TEXT_LIMIT
    assert all(char.isprintable() or char == "\n" for char in text)
    assert text.count("\n") <= len(stats) + 3
    json.dumps(summary.to_json(), allow_nan=False)


@given(st.text())
@settings(deadline=None, max_examples=examples(100))
def test_inert_text_is_one_printable_line_and_stays_so(text: str) -> None:
    once = inert(text)
    assert once.isprintable()
    assert inert(once) == once
