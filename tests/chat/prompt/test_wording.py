"""Figures of the prompt are short whatever their size."""

import datetime as dt
import math
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.prompt.wording import count_text, figure_text, name_text, value_text
from tabchat.engine.types import Value
from tests.effort import examples

SCALES = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@pytest.mark.parametrize(
    "value, text",
    [
        (0, "0"),
        (2024, "2024"),
        (-9999, "-9999"),
        (10_000, "10K"),
        (9_999_999, "10M"),
        (123_456, "123K"),
        (0.01, "0.01"),
        (999.99, "1000"),
        (57_349.5, "57.3K"),
        (-0.85, "-0.85"),
        (1.5e9, "1.5B"),
        (1e20, "1.00e+20"),
        (0.00001234, "1.23e-05"),
        (Decimal("12.345"), "12.3"),
        (dt.datetime(2024, 5, 6, 7, 8, 9), "2024-05-06"),  # noqa: DTZ001 - cells have no zone
        (dt.date(2024, 5, 6), "2024-05-06"),
    ],
)
def test_a_value_is_written_in_few_characters(value: Value, text: str) -> None:
    assert value_text(value) == text


@settings(deadline=None, max_examples=examples(300))
@given(st.one_of(st.integers(-(10**18), 10**18), st.floats(-1e300, 1e300)))
def test_a_figure_is_short_and_within_half_a_percent(value: float) -> None:
    text = figure_text(value)
    assert len(text) <= 10
    read = float(text.rstrip("KMBT")) * SCALES.get(text[-1], 1)
    assert math.isclose(read, value, rel_tol=0.005, abs_tol=1e-300)


@settings(deadline=None, max_examples=examples(200))
@given(st.text(max_size=200))
def test_a_name_is_an_identifier_or_stands_in_double_quotes_on_one_line(name: str) -> None:
    text = name_text(name)
    assert text.isidentifier() or (text[0] == text[-1] == '"' and text[1:-1].count('"') % 2 == 0)
    assert all(char.isprintable() for char in text)
    assert len(text) <= 162


@given(st.integers(0, 10**12))
def test_a_count_is_never_told_as_more_than_it_is(count: int) -> None:
    text = count_text(count)
    digits, scale = (
        (text[:-1], {"K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}[text[-1]])
        if text[-1:].isalpha()
        else (text, 1)
    )
    assert count * 0.99 <= round(float(digits) * scale) <= count
