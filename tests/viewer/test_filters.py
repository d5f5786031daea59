import datetime as dt
from decimal import Decimal

import pytest

from tabchat.engine.types import Column, ColumnKind, Value
from tabchat.errors import UsageError
from tabchat.viewer.filters import Filter, Operator, parse_filter, same_as

NUMBER = Column(name="x", kind=ColumnKind.NUMBER, sql_type="DOUBLE")
TEXT = Column(name='quo"ted', kind=ColumnKind.TEXT, sql_type="VARCHAR")
DATE = Column(name="day", kind=ColumnKind.DATE, sql_type="DATE")
TRUTH = Column(name="done", kind=ColumnKind.BOOLEAN, sql_type="BOOLEAN")


@pytest.mark.parametrize(
    "column, typed, operator, value",
    [
        (NUMBER, "> 1,000.5", Operator.MORE, Decimal("1000.5")),
        (NUMBER, "<=-3", Operator.AT_MOST, Decimal(-3)),
        (NUMBER, "7", Operator.EQUAL, Decimal(7)),
        (NUMBER, "<> 7", Operator.UNEQUAL, Decimal(7)),
        (TEXT, "part of it", Operator.HOLDS, "part of it"),
        (TEXT, "= Asia", Operator.EQUAL, "Asia"),
        (TEXT, "empty", Operator.EMPTY, None),
        (NUMBER, "not empty", Operator.NOT_EMPTY, None),
        (DATE, ">= 2024-01-31", Operator.AT_LEAST, dt.date(2024, 1, 31)),
        (TRUTH, "no", Operator.EQUAL, False),
    ],
)
def test_a_condition_is_read_as_it_is_typed(
    column: Column, typed: str, operator: Operator, value: Value
) -> None:
    assert parse_filter(column, typed) == Filter(column=column, operator=operator, value=value)


@pytest.mark.parametrize(
    "column, typed", [(NUMBER, "> many"), (NUMBER, "nan"), (DATE, "yesterday"), (TRUTH, "maybe"), (TEXT, "=")]
)
def test_what_is_no_condition_is_refused_with_an_example(column: Column, typed: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_filter(column, typed)
    assert repr(column.name) in raised.value.message
    assert raised.value.hint is not None
    assert raised.value.hint.startswith("Such as ")


def test_values_and_names_are_quoted() -> None:
    found = parse_filter(TEXT, "= O'Neil; DROP").condition().sql("duckdb")
    assert found == "\"quo\"\"ted\" IS NOT DISTINCT FROM CAST('O''Neil; DROP' AS TEXT)"


def test_a_cell_that_is_no_plain_value_cannot_be_compared() -> None:
    with pytest.raises(UsageError):
        same_as(TEXT, [1, 2])
    assert same_as(TEXT, None).operator is Operator.EMPTY
