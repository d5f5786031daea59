import datetime as dt
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.encoded import decode_value, encode_value
from tabchat.engine.result.result import Chart, ResultKind, ResultMetadata
from tabchat.engine.types import Column, ColumnKind, Value
from tabchat.store import ResultRecipe, StoredResult, TableRef
from tests.effort import examples

ENTRY = StoredResult(
    key="ds_" + "a" * 20,
    recipe=ResultRecipe(
        kind="plan",
        tables=(TableRef(name="sales", source="/d/sales.csv", version="v1", options={"sheet": "A"}),),
        plan={"select": "mean(price)"},
        sql=None,
        settings={"week_start": "monday"},
    ),
    title="Mean price",
    question="what is the mean price?",
    created_at=1_700_000_000.5,
    kind=ResultKind.DICT,
    schema=(
        Column(name="mean_price", kind=ColumnKind.NUMBER, sql_type="DECIMAL(38,2)", unit="€"),
        Column(name="last day", kind=ColumnKind.DATE, sql_type="DATE"),
    ),
    row_count=1,
    source_row_count=500,
    value=None,
    values={"mean_price": Decimal("1.50"), "last day": dt.date(2024, 1, 31)},
    chart=Chart(category="region", value="mean_price"),
    group_by=("region",),
    focus=("mean_price",),
    summary="Result: mean_price=1.5",
    metadata=ResultMetadata(rows=1, session="day", timeframe="daily", warnings=("w",), notes=("n",)),
    sql="SELECT 1",
    pinned=True,
    frame_bytes=123,
)


def through_json(entry: StoredResult) -> StoredResult:
    return StoredResult.from_json(json.loads(json.dumps(entry.to_json(), allow_nan=False)))


def test_an_entry_comes_back_equal() -> None:
    assert through_json(ENTRY) == ENTRY


def test_the_listing_is_plain_json_for_people() -> None:
    assert ENTRY.listing() == {
        "data_key": ENTRY.key,
        "title": "Mean price",
        "question": "what is the mean price?",
        "created_at": 1_700_000_000.5,
        "type": "dict",
        "columns": ["mean_price", "last day"],
        "row_count": 1,
        "value": None,
        "values": {"mean_price": 1.5, "last day": "2024-01-31"},
        "tables": [{"name": "sales", "source": "/d/sales.csv"}],
        "pinned": True,
        "bytes": 123,
    }


@pytest.mark.parametrize(
    "spoil",
    [
        {"format": 2},
        {"kind": "picture"},
        {"schema": [["a", "integer"]]},
        {"value": {"pickle": "gASVAAAA"}},
        {"value": {"float": "nan", "date": "x"}},
        {"chart": {"category": "a"}},
        {"recipe": {}},
        {"metadata": None},
    ],
)
def test_what_is_no_entry_is_refused(spoil: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        StoredResult.from_json({**ENTRY.to_json(), **spoil})


CELLS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**127), 2**127)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False, allow_infinity=False)
    | st.dates()
    | st.datetimes(timezones=st.none() | st.just(dt.UTC))
    | st.times()
    | st.timedeltas(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=6,
)


@given(cell=CELLS)
@settings(deadline=None, max_examples=examples(200))
def test_every_cell_comes_back_equal_and_of_its_type(cell: Value) -> None:
    decoded = decode_value(json.loads(json.dumps(encode_value(cell), allow_nan=False)))
    assert decoded == cell
    assert type(decoded) is type(cell)


def test_not_a_number_comes_back_too() -> None:
    decoded = decode_value(encode_value(float("nan")))
    assert isinstance(decoded, float)
    assert decoded != decoded  # noqa: PLR0124 - only NaN differs from itself
