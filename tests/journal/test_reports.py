"""A session as a report: complete, harmless, and runnable; repeated, it says which figures are others."""

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply, ScriptedModel
from tabchat.journal.document.document import blocks_in
from tabchat.journal.document.export import ReportFormat, write_report
from tests.command import Finished, tabchat
from tests.journal.conftest import TABLE, Home, home_in

REPLIES = (
    Reply(
        tool_calls=(
            ToolCall(
                id="1", name="run_query", arguments={"group_by": "region", "select": "sum(amount) as total"}
            ),
        ),
        finish="tool_calls",
    ),
    Reply(text='The south sold {r2.total["south"]:.1f}, and all of them {sum(r2.total):.1f}.'),
)
"""`r2`: the first result of the conversation is another one."""


def report(home: Home, fmt: ReportFormat, name: str) -> Path:
    """Write the newest session beside its tables."""
    path = home.path / name
    with home.opened() as session:
        kept = home.folder(session).get()
        write_report(session, kept, path, fmt, folder=home.path, force=True)
    return path


@dataclass
class Reported:
    """A session as its reports, in a folder with a table of one's own."""

    home: Home
    path: Path
    environment: dict[str, str]

    @property
    def table(self) -> Path:
        return self.path / "shop.csv"

    def test(self, *options: str) -> Finished:
        return tabchat("test", self.path / "session.md", *options, env=self.environment)


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return the home of a person who asked, edited, computed and asked a model."""
    home = home_in(tmp_path_factory.mktemp("talked"))
    with home.talk() as talk:
        talk.says("total amount by region")
        talk.session.panel.models = (ScriptedModel(REPLIES),)
        assert talk.say("what about the south") == 0
        talk.session.panel.models = None
        talk.says(
            "/sql select channel, sum(amount) as s from shop group by channel order by channel",
            '/edit --yes {"operation": "delete_rows", "where": "region == \'west\'"}',
            "/edit --yes df['twice'] = df['amount'] * 2",
            "total twice by region",
            '/query {"table": "_", "sort": "sum_twice desc", "limit": 1}',
            "/sql select count(*) as n from _",
            "/analyze ratio --success \"channel = 'online'\" --by region",
            "/run df.groupby('channel')['amount'].max()",
            "/undo",
            "how many rows",
        )
    for fmt in ReportFormat:
        report(home, fmt, f"session.{fmt}")
    return home


@pytest.fixture
def reported(talked: Home, tmp_path: Path) -> Reported:
    shutil.copy(talked.path / "session.md", tmp_path)
    (tmp_path / "shop.csv").write_text(TABLE)
    environment = {"TABCHAT_CACHE_DIR": str(tmp_path / "cache"), "TABCHAT_DATA_DIR": str(tmp_path / "data")}
    return Reported(talked, tmp_path, environment)


def test_an_unchanged_file_passes_and_a_changed_cell_is_told(reported: Reported) -> None:
    done = reported.test()
    assert (done.code, done.out) == (0, ""), done.out
    assert done.err.endswith("9 steps as before.\n")
    reported.table.write_text(TABLE.replace("41.5", "43.5"))
    done = reported.test()
    assert done.code == 6
    assert done.out.splitlines()[:5] == [
        "1. total amount by region",
        "   region=south: sum_amount was 71.5, is 73.5 (+2.80%)",
        "2. what about the south",
        "   region=south: total was 71.5, is 73.5 (+2.80%)",
        "   figure 1 of the text was 71.5, is 73.5 (+2.80%)",
    ]
    told = reported.test("--json")
    assert told.code == 6
    assert told.json["error"]["code"] == "figures_changed"
    changed = {step["question"]: step["differences"] for step in told.json["steps"] if not step["ok"]}
    assert changed["total amount by region"] == [
        {
            "kind": "changed",
            "row": {"region": "south"},
            "column": "sum_amount",
            "was": 71.5,
            "is": 73.5,
            "difference": 2.0,
            "percent": pytest.approx(100 * 2 / 71.5),
        }
    ]
    assert len(changed) == 6
    assert "how many rows" not in changed


def test_figures_are_brought_up_to_date_once_the_person_agrees(reported: Reported) -> None:
    path = reported.path / "session.md"
    path.write_text(path.read_text().replace("# Session on shop", "# Our shop\n\nWhat I found."))
    before = path.read_text()
    reported.table.write_text(TABLE.replace("41.5", "43.5"))
    done = reported.test("--update")
    assert (done.code, path.read_text()) == (9, before)
    assert "nobody can be asked" in done.err
    assert reported.test("--update", "--yes").code == 0
    assert reported.test().code == 0
    after = path.read_text()
    assert after.startswith("# Our shop\n\nWhat I found.")
    assert "| south | 73.50 |" in after
    assert "The south sold 73.5, and all of them 117.0." in after
    assert '["south", 71.5]' not in after


def test_a_result_on_the_way_to_a_model_s_answer_can_be_used(home: Home) -> None:
    count = ToolCall(id="0", name="run_query", arguments={"select": "count() as rows_in_all"})
    first = Reply(tool_calls=(count, *REPLIES[0].tool_calls), finish="tool_calls")
    last = Reply(text='Of {r1.rows_in_all} rows the south has {r2.total["south"]:.1f}.')
    with home.talk() as talk:
        talk.session.panel.models = (ScriptedModel((first, last)),)
        talk.says("what about the south")
        talk.session.panel.models = None
        talk.says("/sql select rows_in_all + 1 as more from r1")
    path = report(home, ReportFormat.MD, "session.md")
    steps = [json.loads(block.text) for block in blocks_in(path.read_text())][1:]
    assert list(steps[1]["uses"].values()) == [[1, 0]]
    assert steps[1]["expect"]["rows"] == [[7]]
    environment = {"TABCHAT_CACHE_DIR": str(home.path / "c2"), "TABCHAT_DATA_DIR": str(home.path / "d2")}
    done = tabchat("test", path, env=environment)
    assert (done.code, done.err) == (0, "2 steps as before.\n")
    program = report(home, ReportFormat.PY, "session.py")
    done_program = subprocess.run(
        [sys.executable, str(program)], capture_output=True, check=False, text=True, timeout=120
    )
    assert done_program.stdout.endswith("\nmore\n7\n"), done_program.stderr


def test_rows_without_a_value_are_told_in_each_report(home: Home) -> None:
    home.table.write_text(TABLE.replace("10.5", ""))
    with home.talk() as talk:
        talk.says("total amount by region", "how many rows")
    for fmt in (ReportFormat.MD, ReportFormat.HTML):
        told = report(home, fmt, f"session.{fmt}").read_text()
        assert "3 rows from 5 of 6 rows · ds_" in told
        assert re.search(r"[^0-9]1 row( from 6 rows)? · ds_", told)


def test_a_step_that_failed_says_what_to_write_instead(home: Home) -> None:
    path = home.path / "mine.md"
    head = '{"tabchat": 1, "tables": [{"name": "shop", "file": "shop.csv"}]}'
    steps = ('{"plan": {"select": "sum(amuont)"}}', '{"ask": "how many foos"}')
    path.write_text("\n".join(f"```tabchat\n{block}\n```" for block in (head, *steps)))
    done = tabchat("test", path)
    assert done.code == 6
    assert done.out.splitlines()[:4] == [
        '1. {"plan": {"select": "sum(amuont)"}}',
        "   failed: select: There is no column `amuont`.",
        "   try: Did you mean amount?",
        "2. how many foos",
    ]
    assert f'\n        or teach the word: tabchat words {home.table} "foos"' in done.out


def test_a_step_without_figures_is_told_and_a_path_can_be_pasted(home: Home) -> None:
    path = home.path / "my own.md"
    head = '{"tabchat": 1, "tables": [{"name": "shop", "file": "shop.csv"}]}'
    steps = [
        '{"ask": "how many rows"}',
        '{"ask": "how many rows", "expect": {"columns": ["count"], "rows": [[6]]}}',
    ]
    path.write_text("\n".join(f"```tabchat\n{block}\n```" for block in (head, *steps)))
    done = tabchat("test", path)
    assert (done.code, done.err) == (0, "1 step as before; 1 step holds no figures to compare with.\n")
    path.write_text(path.read_text().replace("[6]", "[7]"))
    assert f"tabchat test '{path}' --update" in " ".join(tabchat("test", path).err.split())


def test_a_table_that_is_elsewhere_says_where_its_name_stands(reported: Reported) -> None:
    reported.table.rename(reported.path / "shop2.csv")
    done = reported.test()
    assert done.code == 3
    assert f"There is no file '{reported.table}'" in done.err
    assert "try: Did you mean 'shop2.csv'" in done.err
    assert f'Mend "file" in the first block of {reported.path / "session.md"}; it is seen' in " ".join(
        done.err.split()
    )


def test_a_person_writes_and_edits_steps(home: Home) -> None:
    path = home.path / "mine.md"
    head = '{"tabchat": 1, "tables": [{"name": "shop", "file": "shop.csv"}]}'
    step = (
        '{"ask": "total amount by region", "expect": {"columns": ["region", "sum_amount"], "keys": ["region"],'
        ' "rows": [["north", 30.75], ["west", 12.75], ["south", 71.5]]}}'
    )
    path.write_text(
        f"hello\n\n```tabchat\n{head}\n```\n\n~~~text\n```tabchat\nnot this\n```\n~~~\n\n```tabchat\n{step}\n```\n"
    )
    assert tabchat("test", path).code == 0
    path.write_text(path.read_text().replace("30.75", "31").replace("total amount", "total amuont"))
    done = tabchat("test", path)
    assert done.code == 6
    assert "region=north: sum_amount was 31, is 30.75 (-0.81%)" in done.out or "failed:" in done.out
    for wrong, told in (
        (head.replace("1", "7", 1), "the first block must begin"),
        (f'{head}\n```\n\n```tabchat\n{{"asks": "x"}}', "it does nothing"),
        (f"{head}\n```\n\n```tabchat\n{{", "at line 5"),
    ):
        path.write_text(f"```tabchat\n{wrong}\n```\n")
        done = tabchat("test", path)
        assert (done.code, told in done.err) == (3, True), done.err
    assert tabchat("test", home.path / "none.md").code == 3
    assert tabchat("test", home.table).code == 3


def test_the_program_prints_the_figures_of_the_session(talked: Home) -> None:
    done = subprocess.run(
        [sys.executable, str(talked.path / "session.py")],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    printed = [block.splitlines() for block in done.stdout.strip().split("\n\n")]
    markdown = (talked.path / "session.md").read_text()
    steps = [json.loads(block.text) for block in blocks_in(markdown)][1:]
    expected = [step["expect"] for step in steps if "expect" in step]
    assert len(printed) == len(expected) == 9
    for lines, expect in zip(printed, expected, strict=True):
        cells = [["" if cell is None else str(cell) for cell in row] for row in expect["rows"]]
        assert [line.split(" | ") for line in lines[1:]] == [expect["columns"], *cells]


def test_no_cell_is_more_than_its_text(home: Home) -> None:
    hostile = [
        "<script>alert(1)</script>",
        "</td><img src=http://evil onerror=alert(1)>",
        "```",
        "```tabchat",
        '{"sql": "select 1"}',
        "a|b **x** [l](http://evil)",
        "=cmd|' /C calc'!A0",
        "\x1b[31mred\u2028\u202eback",
        "<!-- tabchat: end -->",
        '"""; import os; os.abort()',
    ]
    rows = "".join('"' + cell.replace('"', '""') + f'",{number % 3}\n' for number, cell in enumerate(hostile))
    home.table.write_text(f"name,v\n{rows}")
    with home.talk() as talk:
        talk.says("total v by name", '/query {"where": "v >= 0"}', "/run df['name'].str.len().max()")
    markdown = report(home, ReportFormat.MD, "s.md").read_text()
    assert len(list(blocks_in(markdown))) == 4
    prose = re.sub(r"(?ms)^(`{3,}).*?^\1$", "", markdown)
    assert "<script" not in prose.replace("\\<", "")
    assert "<img" not in prose
    assert "\x1b" not in markdown
    assert "\u202e" not in markdown
    assert markdown.count("\n<!-- tabchat: end -->\n") == 3
    assert tabchat("test", home.path / "s.md").code == 0
    page = report(home, ReportFormat.HTML, "s.html").read_text()
    assert not re.search(
        r"<(?!/?(html|head|meta|title|style|body|h1|h2|ul|li|p|br|small|div|table|thead|tbody|tr|th|td|pre|img alt=\"bar chart\" src=\"data:image/svg|!DOCTYPE)\b)",
        page,
    )
    assert not re.search(r"<[^>]*\b(on\w+|href)=", page)
    assert re.findall(r'src="(?!data:image/svg\+xml;base64,)', page) == []
    program = report(home, ReportFormat.PY, "s.py")
    assert (
        subprocess.run(
            [sys.executable, str(program)], capture_output=True, check=False, timeout=120
        ).returncode
        == 0
    )


def test_charts_are_pictures_in_a_page_and_bars_in_markdown(talked: Home) -> None:
    page = (talked.path / "session.html").read_text()
    assert '<img alt="bar chart" src="data:image/svg+xml;base64,' in page
    assert "south  " + "█" * 40 + "\n" in (talked.path / "session.md").read_text()


def test_a_report_overwrites_nothing_and_never_a_table(talked: Home) -> None:
    environment = {
        "TABCHAT_CACHE_DIR": str(talked.path / "cache"),
        "TABCHAT_DATA_DIR": str(talked.path / "data"),
    }
    before = talked.table.read_bytes()
    path = talked.path / "s.md"
    assert tabchat("session", "export", "-o", path, env=environment).code == 0
    assert tabchat("session", "export", "-o", path, env=environment).code == 2
    assert tabchat("session", "export", "-o", path, "--force", env=environment).code == 0
    done = tabchat("session", "export", "-o", talked.table, "--format", "md", "--force", env=environment)
    assert (done.code, talked.table.read_bytes()) == (2, before)
    assert tabchat("session", "export", "-o", talked.path / "s.docx", env=environment).code == 2
    on_stdout = tabchat("session", "export", "-q", env=environment)
    assert on_stdout.out.startswith("# Session on shop\n")
    assert str(talked.table) in on_stdout.out
    listed = tabchat("session", "list", "--json", env=environment)
    (name,) = (item["session"] for item in listed.json["sessions"])
    assert tabchat("session", "show", name[:6], env=environment).out.count("read as:") == 3
    assert tabchat("session", "delete", name, env=environment).code == 9
    assert tabchat("session", "delete", name, "--yes", env=environment).code == 0
    assert tabchat("session", "show", env=environment).code == 7
