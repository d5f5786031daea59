from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.types import Value
from tabchat.render.charts.bars import bars, draw_chart, is_drawable
from tabchat.render.layout.text import ASCII, width_of
from tests.effort import examples
from tests.render.screens import assert_snapshot, screen

NUMBERS = st.lists(
    st.none() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=True, allow_infinity=True), max_size=12
)


def test_bars_are_proportional_and_start_at_zero() -> None:
    assert bars([10, 5, 2.5, 0, None], 8) == ["████████", "████", "██", "", ""]
    assert bars([Decimal(100), Decimal(96)], 8) == ["████████", "███████▋"]


def test_a_value_that_is_not_zero_always_shows() -> None:
    assert bars([1_000_000, 1], 8) == ["████████", "▏"]
    assert bars([1_000_000, 1, -1], 9) == [" │███████", " │▏", "▐│"]


def test_negative_values_run_left_of_the_axis() -> None:
    assert bars([-4, 2, 0], 7) == ["████│", "    │██", "    │"]
    assert bars([-4, -2], 5) == ["████│", "  ██│"]


def test_plain_signs_where_blocks_cannot_be_written() -> None:
    assert bars([-4, 2], 7, ASCII) == ["####|", "    |##"]


@given(NUMBERS, st.integers(8, 60))
@settings(deadline=None, max_examples=examples(200))
def test_no_bar_is_wider_than_asked_and_larger_values_have_no_shorter_bars(
    values: list[Value], width: int
) -> None:
    drawn = bars(values, width)

    assert len(drawn) == len(values)
    assert all(width_of(bar) <= width for bar in drawn)
    filled = [
        (value, len(bar.rpartition("│")[2]))
        for value, bar in zip(values, drawn, strict=True)
        if isinstance(value, (int, float)) and 0 <= value < float("inf")
    ]
    lengths = [length for _, length in sorted(filled)]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize(
    "values, drawable",
    [
        ([1, 2], True),
        ([1], False),
        ([0, 0], False),
        ([None, 3], False),
        (["a", "b"], False),
        ([True, 2, 3], True),
    ],
)
def test_a_chart_needs_two_numbers_that_are_not_all_zero(values: list[Value], drawable: bool) -> None:
    assert is_drawable(values) is drawable


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_chart_cuts_labels_and_never_numbers(width: int) -> None:
    shown = screen(width)
    labels: list[tuple[Value, ...]] = [
        ("A label that goes on and on, well past any column", 2024),
        ("日本語のラベル", 2024),
        ("esc \x1b[31mape", None),
        ("Україна", 2025),
    ]
    draw_chart(shown.consoles, labels, [123456789.125, -98765432.5, None, 4.0], title="sum_revenue")

    assert_snapshot(f"chart_{width}", shown.out)


def test_bars_beyond_thirty_are_counted() -> None:
    shown = screen(60)
    draw_chart(shown.consoles, [(number,) for number in range(1_040)], list(range(1_040)))

    assert shown.out.splitlines()[-1] == "+1,010 more"
    assert len(shown.out.splitlines()) == 1 + 2 + 30 + 1


def test_bars_of_the_first_values_count_those_that_were_never_read() -> None:
    shown = screen(60)
    draw_chart(shown.consoles, [(number,) for number in range(200)], list(range(200)), total=5_000)

    assert shown.out.splitlines()[-1] == "+4,970 more"


def test_a_chart_without_room_is_not_drawn() -> None:
    shown = screen(20)

    assert not draw_chart(shown.consoles, [("label",), ("other",)], [10**12, 1])
    assert shown.out == ""
