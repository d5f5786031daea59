"""An answer gives its figures, rows and receipts, and shows itself in a notebook without running anything of a table."""

import base64
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tabchat
from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply, ScriptedModel
from tests.conftest import Example

pytestmark = pytest.mark.examples_read

HOSTILE = '<img src=x onerror="alert(1)">'
UNASKED = "<script>alert()</script>"


class Tags(HTMLParser):
    """Every tag and attribute of a text, and what is shown."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.shown = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.shown += data


def test_rows_and_the_rows_behind_them(sales: tabchat.OpenTable) -> None:
    answer = sales.ask("average revenue by region")
    assert answer.frame is not None
    assert answer.source is not None
    assert answer.frame.to_pandas().shape == (5, 2)
    assert answer.frame.to_arrow().column_names == ["region", "mean_revenue"]
    assert answer.source.row_count == 5000
    assert (answer.value, answer.values, answer.warnings) == (None, {}, ())
    assert answer.readings[0].interpretation == answer.interpretation
    assert [receipt.status for receipt in answer.receipts] == ["verified"] * 3
    assert repr(answer) == f"TableAnswer({answer.text!r}, key={answer.key!r})"


def test_several_values_have_names(sales: tabchat.OpenTable) -> None:
    assert sales.query({"select": ["count() as n", "max(quantity) as most"]}).values["n"] == 5000


def test_words_alone_have_no_rows(sales: tabchat.OpenTable, tmp_path: Path) -> None:
    answer = sales.ask("what can I ask")
    assert (answer.frame, answer.source, answer.key, answer.value) == (None, None, None, None)
    with pytest.raises(tabchat.UsageError, match="no rows"):
        answer.export(tmp_path / "out.csv")
    assert "<table>" not in answer._repr_html_()


def test_exports_are_whole_and_spare_what_is_there(sales: tabchat.OpenTable, tmp_path: Path) -> None:
    answer = sales.ask("average revenue by region")
    target = tmp_path / "rows.parquet"
    assert answer.export(target, source=True).rows == 5000
    with pytest.raises(tabchat.OutputExistsError):
        answer.export(str(target))
    assert answer.export(target, force=True).rows == 5
    with pytest.raises(tabchat.UsageError, match="separate source"):
        sales.query({"limit": 3}).export(tmp_path / "out.csv", source=True)


def test_hostile_cells_and_names_are_text_in_a_notebook(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    name = "</th><script>alert(2)</script>"
    cell = HOSTILE.replace('"', '""')
    path.write_text(f'"{name}",n\n"{cell}",1\n"</table>$x$\x1b[2J",2\n')
    with tabchat.open_table(path) as table:
        for answer in (
            table.query({"limit": 10}),
            table.query({"group_by": name, "select": "sum(n)"}),
            table.sql(f'SELECT * FROM t WHERE n < 3 AND "{name}" IS NOT NULL'),
        ):
            html = answer._repr_mimebundle_()["text/html"]
            found = Tags(html)
            allowed = {"div", "p", "small", "br", "table", "thead", "tbody", "tr", "th", "td", "img"}
            assert found.tags <= allowed
            assert found.attributes <= {"class", "dir", "style", "alt", "src"}
            assert html.count("<img") == html.count('<img alt="bar chart" src="data:image/svg+xml;base64,')
            assert "\x1b" not in html
            assert "tex2jax_ignore mathjax_ignore" in html
            assert HOSTILE in found.shown


def test_a_notebook_shows_the_first_rows_rounded_as_the_terminal_does(example: Example) -> None:
    with tabchat.open_table(example("sales.csv"), rows=2) as table:
        html = table.ask("average revenue by region")._repr_html_()
    assert html.count("<tr>") == 3
    assert ">358.1144<" in html
    assert "first 2 of 5 rows · ds_" in html


def test_the_chart_is_an_image_beside_the_rows(sales: tabchat.OpenTable) -> None:
    pytest.importorskip("vl_convert")
    bundle = sales.ask("total revenue by month")._repr_mimebundle_(include=None, exclude=None)
    drawn = re.search(r'alt="line chart" src="data:image/svg\+xml;base64,([^"]+)"', bundle["text/html"])
    assert drawn is not None
    assert base64.b64decode(drawn[1]).startswith(b"<svg")
    assert "<table>" in bundle["text/html"]
    assert sorted(bundle) == ["text/html", "text/plain"]


def test_without_the_extra_or_a_chart_the_rows_are_shown_alone(
    sales: tabchat.OpenTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = {"where": "revenue < 0", "group_by": "region", "select": "count()"}
    for rows in (sales.query({"limit": 3}), sales.query(nothing)):
        assert rows._repr_mimebundle_()["text/html"] == rows._repr_html_()
    monkeypatch.setitem(sys.modules, "altair", None)
    answer = sales.ask("total revenue by month")
    assert answer._repr_mimebundle_()["text/html"] == answer._repr_html_()


def test_a_figure_that_nothing_backs_is_marked(example: Example) -> None:
    call = ToolCall(id="1", name="run_query", arguments={"select": "count()", "title": "Rows"})
    replies = [Reply(tool_calls=(call,)), *[Reply(text=f"There are 14,000 rows. {UNASKED}")] * 4]
    settings = tabchat.load_settings()
    session = tabchat.Session.open(
        [example("sales.csv")], settings=settings, models=[ScriptedModel(replies=replies)]
    )
    with tabchat.OpenTable(session) as table:
        answer = table.ask("how many rows?")
        assert not answer.is_verified
        assert [receipt.text for receipt in answer.receipts if receipt.status == "unverified"] == ["14,000"]
        assert '<mark title="not verified">14,000</mark>' in answer._repr_html_()
        assert UNASKED in Tags(answer._repr_html_()).shown
        assert repr(answer).endswith("is_verified=False)")
