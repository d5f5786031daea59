"""Charts as files: drawn without a browser, whole or not at all, and asking no server."""

import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tabchat.engine.chart.bins import Histogram
from tabchat.engine.chart.chart import Box, ChartKind, Picture
from tabchat.errors import OutputExistsError, UsageError
from tabchat.export.picture import write_picture
from tests.command import tabchat
from tests.conftest import EXAMPLES

pytestmark = pytest.mark.examples_read

SALES = str(EXAMPLES / "sales.csv")
PICTURES = {
    "bar": Picture(kind=ChartKind.BAR, x="region", y="revenue", points=(("<a> & \x1b[31m", 1.0), ("b", 2.0))),
    "line": Picture(kind=ChartKind.LINE, x="month", y="revenue", points=(("2024-01", 1.0), ("2024-02", 2.0))),
    "scatter": Picture(kind=ChartKind.SCATTER, x="a", y="b", points=((1.0, 2.0), (2.0, 1.0))),
    "hist": Picture(
        kind=ChartKind.HIST, x="a", y="rows", bins=Histogram(start=0.0, width=1.0, counts=(1, 2), missing=0)
    ),
    "box": Picture(
        kind=ChartKind.BOX,
        x="c",
        y="a",
        boxes=(Box(label="x", low=0, first_quartile=1, median=2, third_quartile=3, high=4),),
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_every_kind_becomes_a_drawing_with_its_axes(name: str, tmp_path: Path) -> None:
    target = tmp_path / "out.svg"
    picture = PICTURES[name]
    write_picture(picture, target, title="What it is")

    text = target.read_text(encoding="utf-8")
    words = " ".join(ET.fromstring(text).itertext())  # noqa: S314 - our own file
    assert "What it is" in words
    assert picture.y in words
    assert "\x1b" not in text


def test_a_drawing_says_what_it_leaves_out(tmp_path: Path) -> None:
    write_picture(replace(PICTURES["scatter"], told="2 of 9 rows"), tmp_path / "out.svg")
    words = " ".join(ET.fromstring((tmp_path / "out.svg").read_text()).itertext())  # noqa: S314 - our own file
    assert "2 of 9 rows" in words


def test_many_bars_keep_labels_that_can_be_read(tmp_path: Path) -> None:
    names = [f"group {number}" for number in range(150)]
    bars = replace(PICTURES["bar"], points=tuple((name, 1.0) for name in names))
    write_picture(bars, tmp_path / "out.svg")
    root = ET.fromstring((tmp_path / "out.svg").read_text())  # noqa: S314 - our own file
    assert set(names) <= set(root.itertext())
    assert float(root.attrib["height"]) > 12 * len(names)


def test_labels_of_a_long_line_do_not_lie_over_each_other(tmp_path: Path) -> None:
    months = [f"{year}-{month:02d}" for year in range(1990, 2015) for month in range(1, 13)]
    line = replace(PICTURES["line"], points=tuple((month, 1.0) for month in months))
    write_picture(line, tmp_path / "out.svg")
    words = (tmp_path / "out.svg").read_text()
    shown = re.findall(r'<text[^>]*opacity="1"[^>]*>(\d{4}-\d\d)<', words)
    assert 10 < len(shown) < 60


def test_a_number_between_two_gaps_is_a_dot(tmp_path: Path) -> None:
    points = [(f"{number:03}", 1.0 if number not in {51, 53} else None) for number in range(100)]
    write_picture(replace(PICTURES["line"], points=tuple(points)), tmp_path / "out.svg")
    assert "mark-symbol" in (tmp_path / "out.svg").read_text()


def test_a_png_is_an_image_and_a_page_holds_its_own_scripts(tmp_path: Path) -> None:
    write_picture(PICTURES["line"], tmp_path / "out.png")
    write_picture(PICTURES["line"], tmp_path / "out.html")

    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG\r\n")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<script src=" not in page
    assert "cdn.jsdelivr" not in page


def test_a_file_is_not_written_over_and_another_name_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "out.svg"
    target.write_text("mine")
    with pytest.raises(OutputExistsError):
        write_picture(PICTURES["bar"], target)
    assert target.read_text() == "mine"
    with pytest.raises(UsageError, match=r"cannot be written as 'out\.pdf'"):
        write_picture(PICTURES["bar"], tmp_path / "out.pdf")


def test_without_the_extra_the_command_that_brings_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError) as raised:
        write_picture(PICTURES["bar"], tmp_path / "out.svg")
    assert raised.value.hint == "pip install 'tabchat[charts]'"


def test_a_question_is_drawn_to_a_file(tmp_path: Path) -> None:
    target = tmp_path / "out.svg"
    done = tabchat("ask", SALES, "revenue by month", "--chart-out", target)
    assert done.code == 0
    assert f"Drawn to {target}." in done.err
    assert "2024-12" in target.read_text(encoding="utf-8")
    points = tabchat("sql", SALES, "SELECT quantity, revenue FROM sales", "-n", "1", "--chart", "scatter",
        "--chart-out", tmp_path / "points.svg")  # fmt: skip
    assert re.search(r"Drawn to .*: 1,\d\d\d of 5,000 rows\.", points.err)
    again = tabchat("ask", SALES, "revenue by month", "--json", "--chart-out", target)
    assert again.code == 2
    assert again.json["error"]["code"] == "output_exists"


def test_kinds_on_the_command_line() -> None:
    sql = "SELECT region, revenue FROM sales"
    assert "numbers, 0 cells without one" in tabchat("sql", SALES, sql, "-n", "0", "--chart", "hist").out
    assert "revenue by region" in tabchat("sql", SALES, sql, "-n", "0", "--chart", "box").out
    lacks = tabchat("sql", SALES, "SELECT region FROM sales", "-n", "1", "--chart", "line")
    assert (lacks.code, "needs a column of numbers" in lacks.err) == (0, True)
    assert "█" not in tabchat("ask", SALES, "revenue by region", "--chart", "none").out
    assert tabchat("ask", SALES, "revenue by region", "--chart", "pie").code == 2
    assert tabchat("ask", SALES, "-f", "-", "--chart-out", "out.svg").code == 2


class Elements(HTMLParser):
    """Counts the scripts of a page and keeps what they hold."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.last = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.scripts += tag == "script"

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script":
            self.last = data if data.strip() else self.last


def elements(page: str) -> Elements:
    found = Elements()
    found.feed(page)
    found.close()
    return found


def test_no_cell_or_header_leaves_the_script_that_holds_it(tmp_path: Path) -> None:
    plain, hostile = tmp_path / "plain.html", tmp_path / "hostile.html"
    attack = "</script><script>alert(1)</script><!--<script>&\u2028\u2029"
    write_picture(replace(PICTURES["bar"], points=(("a", 1.0),)), plain, title="t")
    picture = Picture(kind=ChartKind.BAR, x=attack, y=attack, points=((attack, 1.0), ("b", 2.0)))
    write_picture(picture, hostile, title=attack)

    page = hostile.read_text(encoding="utf-8")
    assert elements(page).scripts == elements(plain.read_text(encoding="utf-8")).scripts
    assert "alert(1)</script>" not in page
    assert page.count("\\u003c/script\\u003e\\u003cscript\\u003ealert(1)") >= 4
    # The menu would write the data into a new page as it is.
    assert '"source": false, "compiled": false' in page
