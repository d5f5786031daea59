"""Charts in text, at two widths, with braille and in plain signs."""

import math

import pytest

from tabchat.engine.chart.bins import Histogram
from tabchat.engine.chart.chart import Box, ChartKind, Picture
from tabchat.render.charts.plot import Canvas, draw_picture, picture_lines
from tabchat.render.layout.text import ASCII, UNICODE, width_of
from tests.render.screens import assert_snapshot, screen

LINE = Picture(
    kind=ChartKind.LINE,
    x="month",
    y="sales\x1b[31m",
    points=tuple((f"2024-{month:02}", 100 * math.sin(month) + 7 * month) for month in range(1, 13)),
)
SCATTER = Picture(
    kind=ChartKind.SCATTER,
    x="height",
    y="weight",
    points=tuple((float(n), float(n * n % 97)) for n in range(200)),
)
BOXES = Picture(
    kind=ChartKind.BOX,
    x="region",
    y="revenue",
    boxes=(
        Box(label="Europe", low=0, first_quartile=20, median=50, third_quartile=80, high=100),
        Box(label="Україна", low=30, first_quartile=30, median=30, third_quartile=30, high=30),
        Box(label="esc \x1b[31m", low=-20, first_quartile=0, median=2, third_quartile=60, high=61),
    ),
)
BINS = Picture(
    kind=ChartKind.HIST,
    x="revenue",
    y="rows",
    bins=Histogram(start=0.0, width=2.5, counts=(1, 20, 300, 4), missing=7),
)
ALL = {"line": LINE, "scatter": SCATTER, "boxes": BOXES, "bins": BINS}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [80, 200])
def test_the_charts(name: str, width: int) -> None:
    shown = screen(width)
    assert draw_picture(shown.consoles, ALL[name])
    assert_snapshot(f"plot_{name}_{width}", shown.out)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_no_line_is_wider_than_the_screen_or_steers_it(name: str, width: int, glyphs: object) -> None:
    picture = ALL[name]
    lines = list(picture_lines(picture, width, ASCII if glyphs == ASCII else UNICODE))

    assert lines
    assert all(width_of(line) <= width for line in lines)
    assert all(line.isprintable() for line in lines)
    if glyphs == ASCII:
        assert all(line.isascii() for line in lines) or name == "boxes"


def test_a_chart_without_room_is_not_drawn() -> None:
    shown = screen(20)
    assert not draw_picture(shown.consoles, BOXES)
    assert shown.out == ""


def test_a_line_joins_its_dots() -> None:
    canvas = Canvas(3, 1, is_plain=False)
    canvas.line((0, 3), (5, 0))
    assert canvas.lines() == ["⡠⠔⠊"]
    plain = Canvas(3, 3, is_plain=True)
    plain.line((0, 2), (2, 0))
    assert plain.lines() == ["  *", " * ", "*  "]


def test_what_is_left_out_is_counted() -> None:
    shown = screen(80)
    left_out = Picture(kind=ChartKind.SCATTER, x="a", y="b", points=((1.0, 1.0),), told="1 of 1,201 rows")
    assert draw_picture(shown.consoles, left_out)
    assert shown.out.splitlines()[-1] == "drawn: 1 of 1,201 rows"


def test_a_line_is_not_drawn_over_a_gap() -> None:
    points = ((0, 1.0), (1, 1.0), (2, None), (3, 1.0), (4, 1.0))
    whole = Picture(kind=ChartKind.LINE, x="n", y="y", points=tuple((at, 1.0) for at, _ in points))
    broken = Picture(kind=ChartKind.LINE, x="n", y="y", points=points)

    def drawn(picture: Picture) -> str:
        middle = next(line for line in picture_lines(picture, 43, ASCII) if "*" in line)
        return middle.partition("|")[2].strip()

    assert set(drawn(whole)) == {"*"}
    assert [set(part) for part in drawn(broken).split()] == [{"*"}, {"*"}]


@pytest.mark.parametrize("ends", [(-1e308, 1e308), (-1.79e308, 1.79e308), (0.0, 5e-324)])
@pytest.mark.parametrize("kind", [ChartKind.LINE, ChartKind.SCATTER, ChartKind.BOX])
def test_the_largest_and_the_smallest_numbers_are_drawn(kind: ChartKind, ends: tuple[float, float]) -> None:
    low, high = ends
    box = Box(label="a", low=low, first_quartile=low, median=low, third_quartile=high, high=high)
    picture = Picture(kind=kind, x="x", y="y", points=((low, low), (high, high)), boxes=(box,))
    assert list(picture_lines(picture, 80, UNICODE))
