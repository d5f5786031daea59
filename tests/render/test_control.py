"""Charts of recipes are drawn in text: no point that is out of control is lost, and a cumulative share has its place."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.render.block import render_chart
from tabchat.render.charts.bars import bars, pareto_bars
from tabchat.render.charts.control import HEIGHT, row_of
from tabchat.render.layout.text import ASCII, width_of
from tests.effort import examples
from tests.engine.recipes.running import Bench, open_bench
from tests.render.screens import screen


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    with open_bench() as opened:
        yield opened


def drawn(bench: Bench, values: list[float], width: int) -> list[str]:
    shown = screen(width)
    assert render_chart(shown.consoles, bench.run("control_chart", {"x": values}, value="x"))
    return shown.out.splitlines()


def test_a_chart_has_its_lines_its_points_and_the_ends_of_its_axis(bench: Bench) -> None:
    lines = drawn(bench, [4.0, 6.0, 5.0, 6.0, 4.0] * 2 + [20.0], 60)
    assert lines[1] == "x"
    assert len(lines) == HEIGHT + 3
    # The last point lies beyond a limit; the three before it end runs of eight on one side of the center.
    signs = "".join(line.partition("┤")[2] for line in lines)
    assert (signs.count("•"), signs.count("✖")) == (7, 4)
    assert [line.split("┤")[0].split()[0] for line in lines[2:-1] if line.split("┤")[0].strip()] == [
        "20",
        "UCL",
        "mean",
        "LCL",
    ]
    assert lines[-1].split() == ["1", "11"]
    assert all(width_of(line) <= 60 for line in lines)


@settings(deadline=None, max_examples=examples(15))
@given(place=st.integers(0, 1999), width=st.integers(40, 90))
def test_a_point_out_of_control_is_seen_among_thousands(bench: Bench, place: int, width: int) -> None:
    values = [float(k % 2) for k in range(2_000)]
    values[place] = 50.0
    lines = drawn(bench, values, width)
    assert "✖" in "".join(lines)
    assert all(width_of(line) <= width for line in lines)


def test_there_is_no_chart_without_points_or_room(bench: Bench) -> None:
    result = bench.run("control_chart", {"x": [1.0, 2.0]}, value="x", where="x > 3")
    assert not render_chart(screen().consoles, result)
    assert not render_chart(screen(24).consoles, bench.run("control_chart", {"x": [1.0, 2.0]}, value="x"))


@given(value=st.floats(-1e9, 1e9), low=st.floats(-1e9, 1e9), high=st.floats(-1e9, 1e9))
def test_every_value_within_the_range_has_a_line(value: float, low: float, high: float) -> None:
    low, value, high = sorted((low, value, high))
    assert 0 <= row_of(value, low, high) < HEIGHT
    if low < high:
        assert (row_of(low, low, high), row_of(high, low, high)) == (HEIGHT - 1, 0)


def test_a_cumulative_share_is_marked_on_the_scale_of_the_bars() -> None:
    marked = pareto_bars([60, 20, 20], [60.0, 80.0, 100.0], 41)
    assert [line.index("◆") for line in marked] == [24, 32, 40]
    assert [line.count("█") for line in marked] == [24, 8, 8]
    assert pareto_bars([3, 1], [75.0, 100.0], 21, ASCII) == ["###############*", "#####               *"]
    assert bars([60, 100], 40)[0].count("█") == 24
    assert pareto_bars([], [], 20) == []
