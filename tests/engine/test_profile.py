import datetime as dt
import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.profile.profile import ColumnProfile, TableProfile, profile_table
from tabchat.engine.profile.queries import TOP_VALUES
from tabchat.engine.profile.scan import COUNTED
from tabchat.engine.profile.spread import Spread
from tabchat.engine.profile.text import TEXT_LIMIT, measured
from tabchat.engine.table import Table
from tabchat.engine.types import ColumnKind
from tests.effort import examples
from tests.engine.frames import make_table

PLANTS = """
    SELECT ['Canada', 'USA', 'Germany'][1 + least(i % 4, 2)] AS country,
        'plant ' || i AS "plant name",
        CASE WHEN i % 10 = 9 THEN NULL ELSE 10 + i * 25.95::DOUBLE END AS capacity,
        DATE '2020-01-01' + (i % 50)::INT AS opened,
        i % 4 = 0 AS running,
        NULL::INT AS remarks,
        'EUR' AS currency,
        repeat('long', 20) || i % 2 AS story,
        'code ' || i % 9 AS code,
        TIME '10:00' + INTERVAL (i) MINUTE AS shift,
        [i % 3] AS tags
    FROM range(200) t(i)
"""


@pytest.fixture
def plants(folder: Path, engine: DuckDBEngine) -> Table:
    table = make_table(folder, engine, "plants", PLANTS)
    units = {"capacity": "MW"}
    return replace(
        table, schema=tuple(replace(column, unit=units.get(column.name)) for column in table.schema)
    )


def by_name(profile: TableProfile) -> dict[str, ColumnProfile]:
    return {column.name: column for column in profile.columns}


def test_every_column_has_a_line_that_fits_what_it_holds(engine: DuckDBEngine, plants: Table) -> None:
    assert profile_table(engine, plants).to_text() == (
        "Found 200 records.\n"
        "COLUMN SUMMARY:\n"
        "  country: Germany, Canada, USA\n"
        '  "plant name": 200 unique values\n'
        "  capacity: ranges from 10 MW to 5.1481 GW, mean 2.5791 GW; 20 missing\n"
        "  opened: ranges from 2020-01-01 to 2020-02-19\n"
        "  running: false, true\n"
        "  remarks: no values; 200 missing\n"
        "  currency: single value EUR\n"
        "  story: 2 unique values\n"
        '  code: "code 0", "code 1", "code 2", "code 3", "code 4", "code 5" … (9 unique values)\n'
        "  shift: ranges from 10:00:00 to 13:19:00\n"
        "  tags: 3 unique values"
    )


def test_small_tables_are_described_exactly(engine: DuckDBEngine, plants: Table) -> None:
    profile = profile_table(engine, plants)
    columns = by_name(profile)
    assert (profile.rows, profile.cols, profile.exact) == (200, 11, True)
    country = columns["country"]
    assert (country.distinct, country.distinct_is_exact, country.lists_all_values) == (3, True, True)
    assert country.top_values == (("Germany", 100), ("Canada", 50), ("USA", 50))
    capacity = columns["capacity"]
    values = [10 + i * 25.95 for i in range(200) if i % 10 != 9]
    mean = math.fsum(values) / 180
    assert (capacity.nulls, capacity.distinct, capacity.min, capacity.max) == (20, 180, 10.0, values[-1])
    assert capacity.mean == pytest.approx(mean, rel=1e-12)
    assert capacity.median == pytest.approx((sorted(values)[89] + sorted(values)[90]) / 2, rel=1e-12)
    assert capacity.std == pytest.approx(
        math.sqrt(math.fsum((v - mean) ** 2 for v in values) / 179), rel=1e-9
    )
    assert capacity.top_values == ()
    assert (columns["opened"].min, columns["opened"].max) == (dt.date(2020, 1, 1), dt.date(2020, 2, 19))
    assert columns["opened"].top_values[0] == (dt.date(2020, 1, 1), 4)
    assert len(columns["opened"].top_values) == TOP_VALUES
    assert columns["running"].top_values == ((False, 150), (True, 50))
    assert columns["remarks"].top_values == ()
    assert columns["tags"].top_values == ()
    assert columns["country"].min is None


def test_a_unique_column_has_no_top_values_and_a_repeating_one_has(
    folder: Path, engine: DuckDBEngine
) -> None:
    table = make_table(
        folder, engine, "t", "SELECT i, 'n' || i AS name, 'c' || i // 2 AS pair FROM range(1000) t(i)"
    )
    columns = by_name(profile_table(engine, table))
    assert columns["name"].top_values == ()
    assert columns["pair"].distinct == 500 > COUNTED
    assert columns["pair"].top_values[:2] == (("c0", 2), ("c1", 2))


def test_json_has_every_figure_the_types_the_missing_and_the_first_rows(
    engine: DuckDBEngine, plants: Table
) -> None:
    described = profile_table(engine, plants, columns=("capacity", "opened", "remarks")).to_json()
    assert list(described) == ["rows", "cols", "exact", "columns", "dtypes", "nulls_top", "preview"]
    assert described["rows"] == 200
    assert described["cols"] == 11
    assert described["dtypes"] == {"capacity": "DOUBLE", "opened": "DATE", "remarks": "INTEGER"}
    assert described["nulls_top"] == {"remarks": 200, "capacity": 20}
    preview = described["preview"]
    assert isinstance(preview, list)
    assert preview[1] == {"capacity": 35.95, "opened": "2020-01-02", "remarks": None}
    assert len(preview) == 5
    opened = described["columns"]
    assert isinstance(opened, list)
    assert opened[1] == {
        "name": "opened",
        "kind": "date",
        "sql_type": "DATE",
        "unit": None,
        "nulls": 0,
        "distinct": 50,
        "min": "2020-01-01",
        "max": "2020-02-19",
        "mean": None,
        "median": None,
        "std": None,
        "top_values": [{"value": f"2020-01-{day:02}", "count": 4} for day in range(1, 11)],
        "spread": None,
        "approximate": [],
    }
    json.dumps(described, allow_nan=False)


def test_rows_are_told_only_when_asked_for(engine: DuckDBEngine, plants: Table) -> None:
    profile = profile_table(engine, plants, columns=("country", "opened"))
    assert "PREVIEW" not in profile.to_text()
    assert profile.to_text(preview=True).endswith(
        "PREVIEW (first 5 rows):\n"
        "  country=Canada, opened=2020-01-01\n"
        "  country=USA, opened=2020-01-02\n"
        "  country=Germany, opened=2020-01-03\n"
        "  country=Germany, opened=2020-01-04\n"
        "  country=Canada, opened=2020-01-05"
    )


def test_an_empty_table_has_no_values(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "empty", "SELECT 1 AS a, 'x' AS b WHERE false")
    profile = profile_table(engine, table)
    assert (
        profile.to_text(preview=True) == "Found 0 records.\nCOLUMN SUMMARY:\n  a: no values\n  b: no values"
    )
    assert profile.exact
    assert profile.to_json()["preview"] == []


def test_not_a_number_and_infinity_are_no_values_of_json(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(
        folder, engine, "odd", "SELECT * FROM (VALUES ('nan'::DOUBLE), ('inf'), (1), (NULL)) t(x)"
    )
    column = profile_table(engine, table).columns[0]
    assert column.max is None
    assert column.mean is None
    json.dumps(profile_table(engine, table).to_json(), allow_nan=False)


def test_names_with_quotes_and_other_scripts_are_described(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "Дані 1", 'SELECT 1 AS "a ""b""", \'так\' AS "Назва, €"')
    assert profile_table(engine, table).to_text() == (
        'Found 1 records.\nCOLUMN SUMMARY:\n  "a \\"b\\"": single value 1\n  "Назва, €": single value так'
    )


LARGE = """
    SELECT i AS id, i % 1000 AS thousand, ['Europe', 'Asia', 'Africa'][1 + i % 3] AS region,
        CASE WHEN i % 5 = 0 THEN NULL ELSE (i % 40000) / 4.0 END AS price,
        'P' || (i * 7919) % 50000 AS product,
        CASE WHEN i % 2 = 0 THEN 'every other' ELSE 'x' || i END AS mixed,
        DATE '2020-01-01' + (i // 1000)::INT AS day, [i] AS tags
    FROM range(250000) t(i)
"""


@pytest.mark.parametrize("stored", [True, False])
def test_large_tables_say_which_figures_are_estimates(
    folder: Path, engine: DuckDBEngine, stored: bool
) -> None:
    table = replace(make_table(folder, engine, "large", LARGE), stored=stored)
    profile = profile_table(engine, table)
    columns = by_name(profile)
    assert not profile.exact
    assert profile.rows == 250_000
    price = columns["price"]
    assert (price.nulls, price.min, price.max) == (50_000, 0.25, 9999.75)
    assert price.mean == pytest.approx(5000, rel=0.05)
    assert price.median == pytest.approx(5000, rel=0.1)
    assert price.std == pytest.approx(2887, rel=0.1)
    assert price.approximate == ("distinct", "median", "std")
    assert price.distinct == pytest.approx(32_000, rel=0.1)
    assert columns["id"].distinct <= 250_000
    product = columns["product"]
    assert product.approximate == ("distinct",)
    assert product.distinct == pytest.approx(50_000, rel=0.1)
    assert product.distinct % 100 == 0
    assert f"product: ~{product.distinct:,} unique values" in profile.to_text()
    assert columns["mixed"].approximate == ("distinct", "top_values")
    ((value, count),) = columns["mixed"].top_values
    assert value == "every other"
    assert count == pytest.approx(125_000, rel=0.05)
    assert (columns["day"].min, columns["day"].max) == (dt.date(2020, 1, 1), dt.date(2020, 9, 6))
    assert columns["tags"].approximate == ("distinct",)


def test_columns_with_few_values_stay_exact_in_large_tables(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "large", LARGE)
    profile = profile_table(engine, table, columns=("region",))
    assert profile.exact
    assert profile.columns[0].top_values == (("Europe", 83_334), ("Africa", 83_333), ("Asia", 83_333))
    assert profile.columns[0].distinct == 3


def test_a_large_column_without_any_value_is_described(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "t", "SELECT NULL::INT AS x, i FROM range(200001) t(i)")
    empty = profile_table(engine, table, columns=("x",)).columns[0]
    assert (empty.nulls, empty.distinct, empty.mean, empty.approximate) == (200_001, 0, None, ())


def test_very_wide_tables_are_described_and_their_text_is_bounded(folder: Path, engine: DuckDBEngine) -> None:
    columns = ", ".join(f'i % {j + 2} AS "measure {j}"' for j in range(200))
    table = make_table(folder, engine, "wide", f"FROM range(300) t(i) SELECT {columns}")
    profile = profile_table(engine, table)
    assert [column.distinct for column in profile.columns] == [min(j + 2, 300) for j in range(200)]
    text = profile.to_text()
    assert len(text) <= TEXT_LIMIT
    lines = text.splitlines()
    described = len(lines) - 3
    assert lines[-1].startswith(f'  … +{200 - described} more columns: "measure {described}", ')
    assert lines[2] == '  "measure 0": ranges from 0 to 1, mean 0.5'


@pytest.mark.parametrize(
    "value, unit, text",
    [
        (10, "MW", "10 MW"),
        (5200.0, "MW", "5.2 GW"),
        (0.4, "MW", "400 kW"),
        (-1500, "kW", "-1.5 MW"),
        (0, "MW", "0 MW"),
        (1e-6, "W", "0.000001 W"),
        (2_500_000, "kg", "2.5 kt"),
        (2048, "KB", "2.048 MB"),
        (1500, "кВт", "1.5 МВт"),
        (12.5, "$", "$12.5"),
        (-3, "€", "-€3"),
        (7, "%", "7%"),
        (1200, "m", "1200 m"),
        (1200, "items sold", '1200 "items sold"'),
        (1200, None, "1200"),
        (5e21, "W", "5000000000 TW"),
    ],
)
def test_units_are_scaled_only_where_they_are_known(value: float, unit: str | None, text: str) -> None:
    assert measured(value, unit) == text


PROFILES = st.builds(
    ColumnProfile,
    name=st.text(max_size=200),
    kind=st.sampled_from(ColumnKind),
    sql_type=st.just("VARCHAR"),
    unit=st.one_of(st.none(), st.text(max_size=30)),
    nulls=st.integers(0, 10**12),
    distinct=st.integers(0, 10**12),
    min=st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    max=st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    mean=st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    median=st.none(),
    std=st.none(),
    top_values=st.lists(st.tuples(st.text(max_size=60), st.integers(0, 10**9)), max_size=10).map(tuple),
    approximate=st.sampled_from([(), ("distinct",)]),
)


@given(columns=st.lists(PROFILES, max_size=40), cell=st.text(max_size=400), preview=st.booleans())
@settings(deadline=None, max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow])
def test_no_profile_makes_the_text_long_or_unclean(
    columns: list[ColumnProfile], cell: str, preview: bool
) -> None:
    profile = TableProfile(
        rows=10**12,
        cols=len(columns),
        columns=tuple(columns),
        preview=tuple(tuple(cell for _ in columns) for _ in range(5)) if columns else (),
        exact=False,
    )
    text = profile.to_text(preview=preview)
    assert len(text) <= TEXT_LIMIT
    assert all(char.isprintable() or char == "\n" for char in text)
    whole = profile.to_text(preview=preview, whole=True)
    assert whole.count("\n") == 1 + len(columns) + (1 + len(profile.preview) if preview and columns else 0)
    assert all(char.isprintable() or char == "\n" for char in whole)


@pytest.mark.parametrize("rows", [0, 200])
def test_a_column_of_a_wide_table_is_described_as_in_a_narrow_one(
    folder: Path, engine: DuckDBEngine, plants: Table, rows: int
) -> None:
    names = [column.name for column in plants.schema]
    copies = [", ".join(f'"{name}" AS "{name} {k}"' for name in names) for k in range(6)]
    wide = make_table(folder, engine, "wide", f"SELECT {', '.join(copies)} FROM ({PLANTS} LIMIT {rows})")
    described = profile_table(engine, wide).columns
    few = [column.name for column in wide.schema[: len(names)]]
    assert len(described) == 66
    assert described[: len(names)] == profile_table(engine, wide, columns=few).columns
    for k in range(6):
        same = tuple(replace(described[i], name=f"{name} {k}") for i, name in enumerate(names))
        assert described[len(names) * k : len(names) * (k + 1)] == same


NUMBERS = """
    SELECT i AS whole, i % 3 AS few, i / 10.0 AS part, 1e290 * (i - 5) AS far, DATE '2024-01-01' + (i % 40)::INT AS day,
        TIMESTAMP '2024-01-01' + INTERVAL (i) HOUR AS at, 'x' AS name, 7 AS same, NULL::INT AS none
    FROM range(320) t(i)
"""


def test_spreads_count_every_cell_by_steps(folder: Path, engine: DuckDBEngine) -> None:
    profile = profile_table(engine, make_table(folder, engine, "numbers", NUMBERS), spreads=True)
    spreads = {column.name: column.spread for column in profile.columns if column.spread is not None}

    assert set(spreads) == {"whole", "few", "part", "far", "day", "at"}
    assert all(sum(spread.counts) == 320 for spread in spreads.values())
    assert spreads["whole"] == Spread(start=0, width=20, counts=(20,) * 16)
    assert spreads["few"] == Spread(start=0, width=1, counts=(107, 107, 106))
    # Three days in each step, and one in the last.
    assert spreads["day"] == Spread(start=dt.date(2024, 1, 1), width=3, counts=(24,) * 13 + (8,))
    assert spreads["at"].width == 319 * 3600 / 16
    assert spreads["part"].counts == spreads["at"].counts
    assert not any("spread" in column.approximate for column in profile.columns)


def test_nobody_is_told_of_spreads_who_did_not_ask(folder: Path, engine: DuckDBEngine) -> None:
    profile = profile_table(engine, make_table(folder, engine, "numbers", NUMBERS))
    assert all(column.spread is None for column in profile.columns)
    assert all(column["spread"] is None for column in profile.to_json()["columns"])  # type: ignore[union-attr,index,call-overload] # a list of objects


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(25), deadline=None
)
@given(st.lists(st.none() | st.floats(-1e6, 1e6) | st.integers(-99, 99).map(float), max_size=30))
def test_a_spread_has_as_many_cells_as_there_are_numbers(
    folder: Path, engine: DuckDBEngine, cells: list[float | None]
) -> None:
    values = (
        ", ".join(f"({'NULL' if cell is None else repr(cell)}::DOUBLE)" for cell in cells) or "(NULL::DOUBLE)"
    )
    (column,) = profile_table(
        engine, make_table(folder, engine, "numbers", f"FROM (VALUES {values}) t(x)"), spreads=True
    ).columns
    numbers = [cell for cell in cells if cell is not None]
    if column.spread is None:
        assert len(set(numbers)) < 2 or column.distinct < 2
    else:
        assert (sum(column.spread.counts), column.spread.start) == (len(numbers), min(numbers))
        assert column.spread.counts[0]
        assert column.spread.counts[-1]


def test_a_wide_table_on_its_side_has_the_same_spreads(folder: Path, engine: DuckDBEngine) -> None:
    wide = ", ".join(f"i * {place} AS c{place}, i + {place} / 2.0 AS d{place}" for place in range(1, 80))
    profile = profile_table(
        engine, make_table(folder, engine, "numbers", f"SELECT {wide} FROM range(32) t(i)"), spreads=True
    )
    assert {column.spread.counts for column in profile.columns if column.spread} == {(2,) * 16}
    assert all(column.spread for column in profile.columns)


def test_the_spread_of_a_large_table_is_an_estimate(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "numbers", "SELECT i AS x FROM range(300000) t(i)")
    (column,) = profile_table(engine, table, spreads=True).columns
    assert column.spread is not None
    assert "spread" in column.approximate
    assert sum(column.spread.counts) == 64_000
