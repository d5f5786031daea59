"""A figure says a value within half a unit of its last digit, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.claims import WrittenNumber, extract_claims
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.natures import Nature

VALUES = st.decimals(min_value="0.01", max_value="9999999", places=6)


def written(text: str) -> WrittenNumber:
    (claim,) = extract_claims(text)
    assert isinstance(claim, WrittenNumber)
    return claim


@settings(deadline=None, max_examples=200)
@given(value=VALUES, decimals=st.integers(0, 3))
def test_every_rounding_agrees(value: Decimal, decimals: int) -> None:
    shown = value.quantize(Decimal(10) ** -decimals, ROUND_HALF_UP)
    assert agrees(written(f"It is {shown:,f}."), Actual(value=value))


@settings(deadline=None, max_examples=200)
@given(value=VALUES, decimals=st.integers(0, 2), steps=st.integers(2, 500), down=st.booleans())
def test_two_units_of_the_last_digit_away_never_agrees(
    value: Decimal, decimals: int, steps: int, down: bool
) -> None:
    unit = Decimal(10) ** -decimals
    moved = value.quantize(unit, ROUND_HALF_UP) + (-steps if down else steps) * unit
    number = written(f"It is {abs(moved):,f}.")
    likeliest = replace(number, readings=number.readings[:1])
    assert moved <= 0 or not agrees(likeliest, Actual(value=value))


@pytest.mark.parametrize(
    "text, value, nature, expected",
    [
        ("It is 12.3%.", "12.31", Nature.PERCENT, True),
        ("It is 12.3%.", "0.1231", Nature.FRACTION, True),
        ("It is 0.123%.", "0.1231", Nature.FRACTION, False),
        ("It is 12.3%.", "12.31", Nature.PLAIN, False),
        ("It is 12.3 percentage points.", "12.31", Nature.PERCENT, False),
        ("It is 12.3 percentage points.", "12.31", Nature.POINTS, True),
        ("It is over 5,000.", "5400", Nature.PLAIN, True),
        ("It is over 5,000.", "5600", Nature.PLAIN, False),
        ("It is over 5,000.", "4900", Nature.PLAIN, False),
        ("It is about 5,000.", "4987", Nature.PLAIN, True),
        ("It is 5,000.", "4987", Nature.PLAIN, False),
        ("It is 2.5M.", "2540000", Nature.PLAIN, True),
        ("It is 2.5M.", "2560000", Nature.PLAIN, False),
        ("Це 2,5 млн.", "2540000", Nature.PLAIN, True),
        ("Це 1 234,5.", "1234.46", Nature.PLAIN, True),
        ("Це 1 234,5.", "1234.44", Nature.PLAIN, False),
    ],
)
def test_kinds_scales_and_bounds(text: str, value: str, nature: Nature, expected: bool) -> None:
    assert agrees(written(text), Actual(value=Decimal(value), nature=nature)) is expected


@pytest.mark.parametrize(
    "text, value, expected",
    [
        ("It fell 3%.", "-3", True),
        ("It rose 3%.", "-3", False),
        ("It fell 3%.", "3", False),
        ("It is -3%.", "-3", True),
    ],
)
def test_the_sign_of_a_change_is_checked(text: str, value: str, expected: bool) -> None:
    actual = Actual(value=Decimal(value), nature=Nature.PERCENT, is_change=True)
    assert agrees(written(text), actual) is expected
