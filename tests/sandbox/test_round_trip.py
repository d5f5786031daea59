"""What goes into the sandbox comes out of it: every type, missing cells, any text, any number."""

import datetime as dt
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.sandbox.policy import Purpose
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.worker.frame_in import to_frame
from tabchat.sandbox.worker.placing import PLACE
from tests.effort import examples
from tests.sandbox.asking import run

DAYS = st.dates(dt.date(1, 1, 2), dt.date(9999, 12, 30))
MOMENTS = st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))  # noqa: DTZ001 - cells without a zone
CELLS: dict[pa.DataType, st.SearchStrategy[Any]] = {
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.uint64(): st.integers(0, 2**64 - 1),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int8(): st.integers(-128, 127),
    pa.float64(): st.floats(allow_nan=False),
    pa.float32(): st.floats(allow_nan=False, width=32),
    pa.bool_(): st.booleans(),
    pa.string(): st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    pa.large_string(): st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    pa.binary(): st.binary(max_size=10),
    pa.date32(): DAYS,
    pa.timestamp("us"): MOMENTS,
    pa.timestamp("ns"): MOMENTS,
    pa.timestamp("us", tz="Europe/Kyiv"): MOMENTS.map(lambda moment: moment.replace(tzinfo=dt.UTC)),
    pa.time64("us"): st.times(),
    pa.duration("us"): st.timedeltas(dt.timedelta(days=-9999), dt.timedelta(days=9999)),
    pa.decimal128(12, 2): st.decimals(-(10**9), 10**9, places=2),
    pa.list_(pa.int64()): st.lists(st.none() | st.integers(-(2**53), 2**53), max_size=3),
    pa.struct({"a": pa.int32(), "b": pa.string()}): st.fixed_dictionaries(
        {
            "a": st.none() | st.integers(-9, 9),
            "b": st.none() | st.text(st.characters(exclude_categories=["Cs"])),
        }
    ),
    pa.map_(pa.string(), pa.int32()): st.lists(
        st.tuples(st.sampled_from("abc"), st.integers(-9, 9)), max_size=2
    ),
    pa.decimal128(38, 4): st.decimals(-(10**30), 10**30, places=4),
}
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    rows = draw(st.integers(0, 5))
    kinds = draw(st.lists(st.sampled_from(list(CELLS)), min_size=1, max_size=6))
    names = draw(st.lists(NAMES, min_size=len(kinds), max_size=len(kinds), unique=True))
    columns = [
        pa.array(draw(st.lists(st.none() | CELLS[kind], min_size=rows, max_size=rows)), kind)
        for kind in kinds
    ]
    return pa.table(columns, names=names)


@settings(max_examples=examples(40), deadline=None)
@given(table=tables(), purpose=st.sampled_from(Purpose))
def test_a_table_comes_back_equal(sandbox: Sandbox, table: pa.Table, purpose: Purpose) -> None:
    code = "result = df" if purpose is Purpose.READ else "df = df.copy()\nCOMMIT_DF = True"
    outcome = run(sandbox, code, table=table, purpose=purpose)
    outcome.raise_for_ending()
    found = outcome.table
    assert found is not None
    if purpose is Purpose.EDIT:
        assert found.column(PLACE).to_pylist() == list(range(table.num_rows))
        found = found.drop_columns([PLACE])
    assert found.schema == table.schema
    assert found.to_pylist() == table.to_pylist()
    assert outcome.notes == ()


@pytest.mark.parametrize("kind", CELLS, ids=str)
def test_a_column_of_missing_cells_and_an_empty_one_keep_their_type(
    sandbox: Sandbox, kind: pa.DataType
) -> None:
    for table in (pa.table({"a": pa.nulls(2, kind)}), pa.table({"a": pa.nulls(0, kind)})):
        assert run(sandbox, "result = df", table=table).table == table


@pytest.mark.parametrize(
    "column, kind",
    [
        (pa.array([1, 2]), "int64"),
        (pa.array([1, None]), "float64"),
        (pa.array([2**53 + 1, None]), "Int64"),
        (pa.array([2**63, None], pa.uint64()), "UInt64"),
        (pa.array([True, False]), "bool"),
        (pa.array([True, None]), "boolean"),
        (pa.array(["a", None]), "str"),
        (pa.array(["a", None]).dictionary_encode(), "str"),
        (pa.array([dt.date(2024, 1, 1), None]), "datetime64[ms]"),
        (pa.array([Decimal("0.30"), None], pa.decimal128(12, 2)), "float64"),
        (pa.array([Decimal(10) ** 20, None], pa.decimal128(38, 2)), "object"),
        (pa.nulls(2), "float64"),
    ],
)
def test_code_sees_the_types_that_pandas_users_expect(column: pa.Array, kind: str) -> None:
    assert str(to_frame(pa.table({"a": column}))["a"].dtype) == kind


@given(st.lists(st.none() | st.decimals(-(10**11), 10**11, places=3), max_size=20))
@settings(max_examples=examples(100), deadline=None)
def test_short_decimals_become_the_nearest_floats(cells: list[Decimal | None]) -> None:
    column = pa.chunked_array([pa.array(cells, pa.decimal128(18, 3))]).slice(1)
    seen = to_frame(pa.table({"a": column}))["a"].tolist()
    assert [cell for cell in seen if cell == cell] == [float(cell) for cell in cells[1:] if cell is not None]  # noqa: PLR0124 - NaN


def test_a_frame_may_be_changed_in_place(sandbox: Sandbox) -> None:
    table = pa.table({"a": [1.0, 2.0]})
    outcome = run(sandbox, "df.loc[0, 'a'] = 5.0\nCOMMIT_DF = True", table=table, purpose=Purpose.EDIT)
    assert outcome.table == pa.table({"a": [5.0, 2.0], PLACE: [0, 1]})
    assert table.column("a").to_pylist() == [1.0, 2.0]
