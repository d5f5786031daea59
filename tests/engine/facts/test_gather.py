"""What is gathered of a stored table: exact values, the same in both ways, and the same as pandas counts."""

import datetime as dt
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.facts import ColumnFacts, Figures, TableFacts, facts_of, gather, measured
from tabchat.engine.facts.source import Source
from tabchat.engine.types import ColumnKind, Row
from tests.effort import examples
from tests.engine.facts.conftest import Reader
from tests.engine.tables import store

CSV = """order_no,city,country,price,placed,opened,tower,open,kept
1,Kyiv,UA,2.5,2024-01-01,1999,116.8 m (383 ft),true,
2,Lviv,UA,,2024-01-02,2004,90 m,false,
3,Kyiv,UA,4,2024-01-02,1999,101.25 m[a],true,
4,Wien,AT,1.5,2024-02-01,2010,90 m,true,
5,,AT,2.5,2024-03-01,1987,64 m,true,
"""


@pytest.mark.usefixtures("way")
def test_every_fact_of_a_small_table_is_exact(reader: Reader) -> None:
    assert facts_of(reader.engine, reader.open(CSV)) == TableFacts(
        name="orders",
        row_count=5,
        columns=(
            ColumnFacts(
                name="order_no",
                kind=ColumnKind.INTEGER,
                filled=5,
                distinct=5,
                low=1,
                high=5,
                ascending=True,
                unique=True,
                numbers_rows=True,
                integral=True,
            ),
            ColumnFacts(
                name="city",
                kind=ColumnKind.TEXT,
                filled=4,
                distinct=3,
                low="Kyiv",
                high="Wien",
                texts=("Kyiv", "Lviv", "Wien"),
                counts=(2, 1, 1),
                average_length=4.0,
            ),
            ColumnFacts(
                name="country",
                kind=ColumnKind.TEXT,
                filled=5,
                distinct=2,
                low="AT",
                high="UA",
                texts=("UA", "AT"),
                counts=(3, 2),
                average_length=2.0,
            ),
            ColumnFacts(name="price", kind=ColumnKind.NUMBER, filled=4, distinct=3, low=1.5, high=4.0),
            ColumnFacts(
                name="placed",
                kind=ColumnKind.DATE,
                filled=5,
                distinct=4,
                low=dt.date(2024, 1, 1),
                high=dt.date(2024, 3, 1),
                ascending=True,
            ),
            ColumnFacts(
                name="opened",
                kind=ColumnKind.INTEGER,
                filled=5,
                distinct=4,
                low=1987,
                high=2010,
                years=True,
                integral=True,
            ),
            ColumnFacts(
                name="tower",
                kind=ColumnKind.TEXT,
                filled=5,
                distinct=4,
                low="101.25 m[a]",
                high="90 m",
                texts=("90 m", "101.25 m[a]", "116.8 m (383 ft)", "64 m"),
                counts=(2, 1, 1, 1),
                figures=".",
                noted=Figures(
                    decimal=".",
                    scaled=False,
                    whole=False,
                    unit="m",
                    low=64.0,
                    high=116.8,
                    distinct=4,
                    doubled=False,
                ),
                average_length=7.8,
            ),
            ColumnFacts(name="open", kind=ColumnKind.BOOLEAN, filled=5, distinct=2),
            ColumnFacts(name="kept", kind=ColumnKind.TEXT, filled=0, distinct=0),
        ),
        row_nouns=("order",),
        determined={"city": ("country",)},
    )


@pytest.mark.usefixtures("way")
def test_a_table_without_rows_has_facts(reader: Reader) -> None:
    found = facts_of(reader.engine, reader.open("a,b\n"))
    assert found.row_count == 0
    assert [(c.filled, c.distinct, c.low, c.unique) for c in found.columns] == [(0, 0, None, False)] * 2


def test_rows_are_numbered_from_anywhere_and_in_any_order_where_there_are_enough(reader: Reader) -> None:
    numbers = [*range(500, 525)]
    numbers[3], numbers[20] = numbers[20], numbers[3]
    (column,) = reader.facts(reader.open("receipt\n" + "\n".join(map(str, numbers)) + "\n")).columns
    assert (column.numbers_rows, column.ascending, column.unique) == (True, False, True)
    gap = reader.open("receipt\n" + "\n".join(map(str, [*range(500, 524), 600])) + "\n", "other.csv")
    assert not reader.facts(gap).columns[0].numbers_rows


def test_a_long_column_of_texts_keeps_the_frequent_ones_and_says_that_there_are_more(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "is_short", lambda _: False)
    rows = [f"name {n % 8_000 if n % 2 else 7},x" for n in range(10_000)]
    name, _ = reader.facts(reader.open("name,other\n" + "\n".join(rows) + "\n")).columns
    assert (name.complete, name.counts, name.texts[0]) == (False, (), "name 7")
    assert len(name.texts) <= 3_000
    # Odd numbers below 8,000, and 7 is one of them.
    assert name.distinct == pytest.approx(4_000, rel=0.1)


def test_figures_are_told_by_all_the_texts_of_a_long_column(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gather, "is_short", lambda _: False)
    monkeypatch.setattr(measured, "SPREAD_ROWS", 80)
    figures = [f"{n} km[a],{n} km[a]" for n in range(1, 5_001)]
    figures[2_222] = "2222 km[a],from here to there"
    long, spoilt = reader.facts(reader.open("long,spoilt\n" + "\n".join(figures) + "\n")).columns
    assert (long.figures, long.noted and long.noted.high, long.complete) == (".", 5_000.0, False)
    assert spoilt.figures is None


# The same as pandas


SCHEMA = pa.schema(
    [
        ("i", pa.int64()),
        ("x", pa.float64()),
        ("d", pa.date32()),
        ("t", pa.timestamp("us")),
        ("b", pa.bool_()),
        ("s", pa.string()),
        ("u", pa.string()),
    ]
)
TEXTS = st.sampled_from(["Kyiv", "Lviv", "kyiv", "", "5 km", "Ёж", "a\x7fb", "long " * 60])
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "i": st.one_of(st.none(), st.integers(0, 12), st.integers(-(2**62), 2**62)),
            "x": st.one_of(
                st.none(), st.integers(-3, 3).map(float), st.floats(allow_nan=False, allow_infinity=False)
            ),
            "d": st.one_of(st.none(), st.dates(dt.date(1900, 1, 1), dt.date(2100, 1, 1))),
            "t": st.one_of(st.none(), st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2100, 1, 1))),  # noqa: DTZ001
            "b": st.one_of(st.none(), st.booleans()),
            "s": st.one_of(st.none(), TEXTS),
            "u": st.one_of(st.none(), TEXTS),
        }
    ),
    max_size=40,
)


@pytest.mark.parametrize("short, long", [(False, 10**9), (False, 0), (True, 10**9)])
@settings(
    max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(records=RECORDS, sort=st.sampled_from([None, "i", "t"]))
def test_facts_are_what_pandas_counts(
    engine: DuckDBEngine,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    short: bool,
    long: int,
    records: list[dict[str, Any]],
    sort: str | None,
) -> None:
    monkeypatch.setattr(gather, "is_short", lambda _: short)
    monkeypatch.setattr(measured, "LONG", long)
    if sort is not None:
        records = sorted((r for r in records if r[sort] is not None), key=lambda record: record[sort])
    table = store(engine, folder, pa.Table.from_pylist(records, schema=SCHEMA))
    found = facts_of(engine, table)
    assert (found.row_count, found.exact) == (len(records), True)
    for column in found.columns:
        assert column.exact
        _check(column, pd.Series([record[column.name] for record in records], dtype=object))
    _check_pairs(found, records)


def _check(column: ColumnFacts, cells: pd.Series) -> None:
    filled = cells.dropna()
    assert column.filled == len(filled)
    assert column.distinct == filled.nunique()
    assert column.unique == (len(cells) > 0 and filled.nunique() == len(cells))
    if column.kind is ColumnKind.BOOLEAN:
        return
    assert column.low == (
        None if filled.empty else filled.min()[:200] if column.name in "su" else filled.min()
    )
    assert column.high == (
        None if filled.empty else filled.max()[:200] if column.name in "su" else filled.max()
    )
    if column.kind is ColumnKind.TEXT:
        counts = filled.value_counts()
        assert dict(zip(column.texts, column.counts, strict=True)) == dict(counts)
        assert list(column.counts) == sorted(column.counts, reverse=True)
        assert column.complete
        return
    assert column.ascending == (not filled.empty and filled.is_monotonic_increasing)
    if column.kind is ColumnKind.NUMBER:
        assert column.integral == all(float(cell).is_integer() for cell in filled)


def _check_pairs(found: TableFacts, records: list[dict[str, Any]]) -> None:
    frame = pd.DataFrame(records, columns=SCHEMA.names).astype(object)
    for key, other in (("s", "u"), ("u", "s")):
        beside = frame.dropna(subset=[key]).groupby(key)[other]
        settled = all(len(set(group)) == 1 for _, group in beside)
        many = min(len(set(frame[name].dropna())) for name in "su") > 1
        assert (other in (found.determined or {}).get(key, ())) == (many and settled)


@pytest.mark.parametrize("columns", [3, 300])
def test_a_table_of_few_rows_is_fetched_at_once_however_wide_it_is(
    engine: DuckDBEngine, folder: Path, columns: int
) -> None:
    cells = {f"c{number}": [row * 7.5 + number for row in range(1_000)] for number in range(columns)}
    source = Source.of(engine, table := store(engine, folder, pa.table(cells)), table.scan)
    asked: list[exp.Query] = []

    def run(query: exp.Query) -> list[Row]:
        asked.append(query)
        return engine.rows(query)

    found = gather.gather_facts(replace(source, run=run), name="wide", path="wide.csv")
    lowest = [float(number) for number in range(columns)]
    assert [(column.distinct, column.low) for column in found.columns] == [(1_000, low) for low in lowest]
    assert len(asked) == 1
