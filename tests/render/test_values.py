import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.types import Value
from tabchat.render.layout.values import format_column, format_value
from tests.effort import examples


@pytest.mark.parametrize(
    "value, shown",
    [
        (None, "—"),
        (True, "true"),
        (False, "false"),
        (12345678901234567890, "12345678901234567890"),
        (67.3, "67.3"),
        (-5.06123, "-5.06123"),
        (50.4501234, "50.4501234"),
        (1 / 3, "0.3333"),
        (1000000.00004, "1000000.00004"),
        (0.1 + 0.2, "0.3"),
        (99931843005.73999, "99931843005.74"),
        (0.00042857142, "0.0004286"),
        (-1e-12, "-1e-12"),
        (3.0, "3"),
        (-0.0, "0"),
        (0.00004, "4e-05"),
        (0.0000123456, "1.2346e-05"),
        (1e15, "1000000000000000.0"),
        (1.5e300, "1.5e+300"),
        (999999999999999.5, "999999999999999.5"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (Decimal("1234567890123456789.500"), "1234567890123456789.500"),
        (Decimal("1E+3"), "1000"),
        (Decimal("NaN"), "NaN"),
        (dt.date(2024, 3, 1), "2024-03-01"),
        (dt.datetime(2024, 3, 1, 9, 30), "2024-03-01 09:30:00"),  # noqa: DTZ001 - tables hold local times
        (dt.time(9, 30), "09:30:00"),
        (dt.timedelta(hours=30), "1 day, 6:00:00"),
        (["a", 1, None], '["a", 1, null]'),
        ({"ключ": 1}, '{"ключ": 1}'),
        (b"\x00\xff", "00ff"),
        ("line\nbreak", "line⏎break"),
        ("", ""),
    ],
)
def test_each_kind_of_cell_has_one_form(value: Value, shown: str) -> None:
    assert format_value(value) == shown


def test_floats_of_a_column_share_their_decimals() -> None:
    assert format_column([1.5, 12.25, None, 3.0, 1e-9]) == ["1.50", "12.25", "—", "3.00", "1e-09"]
    assert format_column([1.0, 2.0]) == ["1", "2"]
    assert format_column([1, 2.5]) == ["1", "2.5"]
    # Zeros behind a rounded one would be digits that it does not have.
    assert format_column([1 / 3, 50.450123, 2.0]) == ["0.3333  ", "50.450123", "2.000000"]


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(deadline=None, max_examples=examples(200))
def test_a_shown_float_is_the_value_to_four_decimals_or_five_digits(value: float) -> None:
    shown = float(format_value(value))

    assert abs(shown - value) <= max(0.5e-4, abs(value) * 1e-15)
    assert (shown == 0) == (value == 0)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
@settings(deadline=None, max_examples=examples(100))
def test_sharing_decimals_changes_no_value(values: list[float]) -> None:
    alone = [float(format_value(value)) for value in values]

    assert [float(cell) for cell in format_column(values)] == alone
