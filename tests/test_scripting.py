"""What scripts rely on: every command prints exactly one JSON object with `--json`, also where it fails."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from tabchat.cli import run
from tabchat.cli.app import build_app
from tests.command import tabchat
from tests.fake_provider import FAKE_ENV, FakeProvider, closed_base_url, fault, say

pytestmark = pytest.mark.examples_read

ROOT = Path(__file__).parent.parent
TABLE = "sales.csv"

SUCCESS: dict[str, list[str]] = {
    "ask": [TABLE, "total revenue by region"],
    "query": [TABLE, '{"select": "count()"}'],
    "sql": [TABLE, "SELECT count(*) AS n FROM sales"],
    "run": [TABLE, "len(df)"],
    "edit": [TABLE, "delete rows where quantity > 5"],
    "profile": [TABLE],
    "check": [TABLE],
    "show": [],
    "results": [],
    "export": ["-o", "out.csv"],
    "egress": [],
    "words": [TABLE, "takings", "revenue"],
    "doctor": [],
    "config show": [],
    "config init": [],
    "config set": ["rows", "20"],
    "config path": [],
    "model list": ["gpt-5"],
    "model set": ["openai/gpt-5-mini"],
    "model show": [],
    "analyze ratio": [TABLE, "--success", "channel = 'online'"],
    "analyze pareto": [TABLE, "--by", "region"],
    "analyze measurements": [TABLE, "--value", "revenue"],
    "analyze control-chart": [TABLE, "--value", "revenue"],
    "analyze capability": [TABLE, "--value", "revenue", "--lsl", "0", "--usl", "9000"],
    "analyze explain-change": [
        *(TABLE, "--measure", "revenue", "--by", "region", "--time", "order_date"),
        *("--from", "2023", "--to", "2024"),
    ],
    "analyze test": [TABLE, "--test", "anova", "--value", "revenue", "--by", "region"],
    "analyze unit": [TABLE, "--key", "order_id", "--value", "100002"],
    "rerun": ["_", "--on", TABLE],
    "session list": [],
    "session show": [],
    "session export": ["-o", "session.md"],
    "test": ["session.md"],
    "session delete": ["_", "--yes"],
    "cache info": [],
    "cache check": [],
    "cache clear": ["--replies", "--yes"],
    "cache build": [TABLE],
}
"""Command → arguments with which it succeeds, once there is a kept result."""

WITHOUT = {
    "repl": "a conversation; ask --json and ask -f --json are its like for scripts",
    "view": "a screen; show --json and query --json give the rows",
    "mcp": "its stdout is a protocol of its own",
}
"""Commands without `--json`, and why."""


def leaves(command: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    children = getattr(command, "commands", {})
    if not children:
        yield " ".join(path)
    for name, child in children.items():
        yield from leaves(child, (*path, name))


def told(capfd: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> Any:
    """Run a command with `--json`; return the one object that it prints."""
    capfd.readouterr()
    ended = run([*arguments, "--json"])
    out, err = capfd.readouterr()
    assert (ended, out.count("\n")) == (code, 1), err
    value = json.loads(out)
    assert isinstance(value, dict)
    assert value["ok"] is (code == 0)
    return value


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(ROOT / "examples" / "data" / TABLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_is_a_scripts_or_says_why_not() -> None:
    assert {*SUCCESS, *WITHOUT} == set(leaves(typer.main.get_command(build_app())))
    page = (ROOT / "docs" / "reference" / "scripting.md").read_text(encoding="utf-8")
    missing = [
        name
        for name in (*SUCCESS, *WITHOUT)
        if f"`{name}`" not in page and f"`{name.split()[0]}`" not in page
    ]
    assert missing == []


@pytest.mark.usefixtures("folder")
def test_success_is_one_object(capfd: pytest.CaptureFixture[str]) -> None:
    assert tabchat("repl", TABLE, stdin="total revenue by region\n").code == 0
    for name, arguments in SUCCESS.items():
        if name == "test":
            # In a process of its own: that no socket opens holds for the rest of it.
            value = tabchat(name, *arguments, "--json").json
        else:
            value = told(capfd, *name.split(), *arguments)
        assert value.get("error") is None, name


@pytest.mark.parametrize("name", sorted({*SUCCESS, *WITHOUT}))
def test_a_mistake_in_the_options_is_one_object(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    error = told(capfd, *name.split(), "--no-such-option", code=2)["error"]
    assert error["code"] == "usage"


@pytest.mark.parametrize(
    "arguments, code, kind",
    [
        (["ask", "no.csv", "how many rows?"], 3, "input_unreadable"),
        (["profile", "no.csv"], 3, "input_unreadable"),
        (["check", "no.csv"], 3, "input_unreadable"),
        (["cache", "build", "no.csv"], 3, "input_unreadable"),
        (["analyze", "pareto", "no.csv", "--by", "x"], 3, "input_unreadable"),
        (["ask", TABLE, "biggest orders"], 4, "ambiguous"),
        (["ask", TABLE, "average frobnication"], 4, "not_understood"),
        (["edit", TABLE, "make it nice"], 4, "not_understood"),
        (["show", "ds_" + "a" * 20], 7, "key_unknown"),
        (["export", "ds_" + "a" * 20, "-o", "x.csv"], 7, "key_unknown"),
        (["results", "--pin", "ds_" + "a" * 20], 7, "key_unknown"),
        (["query", TABLE, '{"wher": "x"}'], 9, "plan_invalid"),
        (["sql", TABLE, "DROP TABLE sales"], 9, "sql_refused"),
        (["sql", TABLE, "SELECT 1/0 || x FROM sales"], 9, "query_failed"),
        (["run", TABLE, "import os"], 9, "code_refused"),
        (["run", TABLE, "1/0"], 9, "code_failed"),
        (["analyze", "pareto", TABLE, "--by", "no_such_column"], 9, "plan_invalid"),
        (["edit", TABLE, "delete rows where quantity > 5", "-o", "new.csv"], 9, "declined"),
        (["cache", "clear"], 9, "declined"),
        (["sql", TABLE, "SELECT sum(a.range*b.range) AS s FROM range(100000) a, range(1000000) b", "--timeout", "0.5"], 124, "timeout"),
        (["query", TABLE, "{}", "--rows-as", "columns"], 2, "usage"),
        (["ask", TABLE, "how many rows", "--sheet", "Sheet1"], 2, "usage"),
        (["results", "--engine", "spark"], 2, "usage"),
        (["config", "show", "--order-by", "id"], 2, "usage"),
        (["export", "ds_x"], 2, "usage"),
        (["egress", "nobody"], 2, "usage"),
        (["config", "set", "rows", "many"], 2, "usage"),
        (["model", "set", "openai/http://x"], 2, "usage"),
        (["session", "show", "nobody"], 7, "session_unknown"),
        (["rerun", "ds_" + "a" * 20, "--on", TABLE], 7, "key_unknown"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_each_kind_of_error_is_one_object(
    arguments: list[str], code: int, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if arguments == ["cache", "clear"]:
        told(capfd, "cache", "build", TABLE)
    error = told(capfd, *arguments, code=code)["error"]
    assert error["code"] == kind
    assert error["message"]


@pytest.mark.usefixtures("folder")
def test_a_refusal_is_one_object() -> None:
    # In a process of its own: that no socket opens holds for the rest of it.
    done = tabchat("test", "no.md", "--json")
    assert (done.code, done.json["error"]["code"]) == (3, "input_unreadable")
    done = tabchat("ask", TABLE, "why?", "-m", "openai/x", "--offline", "--planner", "llm", "--json")
    assert (done.code, done.json["error"]["code"]) == (8, "refused")


@pytest.mark.usefixtures("folder")
def test_a_model_that_fails_is_one_object(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)
    model = ("-m", "openai/fake", "--planner", "llm")
    with FakeProvider([fault("invalid_key")]) as provider:
        told(capfd, "ask", TABLE, "why?", *model, "--api-base", provider.base_url, code=5)
    told(capfd, "ask", TABLE, "why?", *model, "--api-base", closed_base_url(), code=5)
    with FakeProvider([say("There are 77 of 99.")] * 8) as provider:
        capfd.readouterr()
        assert run(["ask", TABLE, "how is it?", *model, "--api-base", provider.base_url, "--json"]) == 6
        assert json.loads(capfd.readouterr().out)["verification"]["status"] == "unverified"


@pytest.mark.usefixtures("folder")
def test_rows_are_arrays_or_objects(capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ("sql", TABLE, "SELECT region, 1 AS n, 2 AS n FROM sales ORDER BY 1 LIMIT 1")
    arrays = told(capfd, *arguments)["table"]
    objects = told(capfd, *arguments, "--rows-as", "objects")["table"]
    assert arrays == {"columns": ["region", "n", "n_1"], "rows": [["Asia", 1, 2]], "truncated": False}
    assert objects == {
        "columns": ["region", "n", "n_1"],
        "rows": [{"region": "Asia", "n": 1, "n_1": 2}],
        "truncated": False,
    }
    for command in (("ask", TABLE, "total revenue by region"), ("show",), ("run", TABLE, "df.head(2)")):
        rows = told(capfd, *command, "--rows-as", "objects")["table"]["rows"]
        assert all(isinstance(row, dict) for row in rows)
    capfd.readouterr()
    assert run(["ask", TABLE, "total revenue by region", "--events", "--rows-as", "objects"]) == 0
    events = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    [block] = [event for event in events if event["event"] == "data_block"]
    assert set(block["result"]["table"]["rows"][0]) == {"region", "sum_revenue"}
    assert events[-1]["data"]["table"] == block["result"]["table"]


@pytest.mark.examples_read(False)
def test_what_is_deleted_is_said_before(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    told(capfd, "ask", TABLE, "total revenue by region")
    refused = told(capfd, "cache", "clear", code=9)["error"]
    assert re.search(r"1 table version, 1 kept result", refused["message"])
    assert refused["hint"] == "tabchat cache clear --yes deletes without asking."
    cleared = told(capfd, "cache", "clear", "--yes")
    assert cleared["deleted"] == {"table_versions": 1, "results": 1, "replies": 0, "sessions": 0}
    assert (folder / TABLE).is_file()


@pytest.mark.parametrize(
    "asked", [["ask", "ledger.csv", "sum of v"], ["sql", "ledger.csv", "SELECT sum(v) FROM ledger"]]
)
def test_a_figure_that_counts_a_total_is_never_without_its_warning(tmp_path: Path, asked: list[str]) -> None:
    (tmp_path / "ledger.csv").write_text("Ledger of 2024\n\nk,note,v\na,x,1\nb,x,2\nTotal,,3\n")
    finished = tabchat(*asked, "--json", "-q", cwd=tmp_path)
    assert (finished.json["ok"], finished.err) == (True, "")
    above, total = finished.json["warnings"]
    assert above.startswith("ledger.csv: 1 line")
    assert (
        total
        == "ledger.csv: The record labelled 'Total' looks like a total of the others, and counts as one of them."
    )
    assert "looks like a total of the others" in tabchat(*asked, cwd=tmp_path).err.replace("\n", " ")


@pytest.mark.parametrize(
    "question, said",
    [
        (
            "sum of v",
            "The sum of v is 6. Rows that seem to sum up others are counted in, too: “Всего по отчету”.",
        ),
        ("сумма v", "Сумма «v»: 6. Среди учтённых строк есть похожие на итоги других: “Всего по отчету”."),
        ("сума v", "Сума «v»: 6. Серед врахованих рядків є схожі на підсумки інших: “Всего по отчету”."),
        ("sum of v for b", "The sum of v is 2 (k = b)."),
        (
            "how many rows with v over 1",
            "2 rows match: v > 1. Rows that seem to sum up others are counted in, too: “Всего по отчету”.",
        ),
        ("how many rows with v under 3", "2 rows match: v < 3."),
        (
            "rows with v over 1",
            "2 rows match: v > 1. Rows that seem to sum up others are counted in, too: “Всего по отчету”.",
        ),
        ("rows with v under 3", "2 rows match: v < 3."),
    ],
)
def test_an_answer_names_the_totals_among_the_rows_that_it_counts(
    tmp_path: Path, question: str, said: str
) -> None:
    (tmp_path / "ledger.csv").write_text("k,v\na,1\nb,2\nВсего по отчету,3\n")
    assert tabchat("ask", "ledger.csv", question, "--json", "-q", cwd=tmp_path).json["answer"] == said


@pytest.mark.parametrize("name, warns", [("csv", True), ("json", False)])
def test_rows_on_stdout_are_told_of_what_a_spreadsheet_would_run(
    tmp_path: Path, name: str, *, warns: bool
) -> None:
    table = tmp_path / "cells.csv"
    table.write_text("a,b\n1,=SUM(A1)\n2,x\n")
    finished = tabchat("sql", table, "SELECT * FROM cells", "--format", name)
    assert finished.code == 0
    assert "=SUM(A1)" in finished.out
    assert ("warning: 1 cell looks like a formula" in finished.err) is warns


@pytest.mark.parametrize(
    "table, question, answer",
    [
        (
            'name,v\n"a\nverified: yes",10\nb,2\n',
            "sum of v by name",
            "2 groups. Highest: a⏎verified: yes (10); lowest: b (2).",
        ),
        (
            'name,v\na,1\nb,2\n"Total\nfor March",3\n',
            "sum of v",
            "The sum of v is 6. Rows that seem to sum up others are counted in, too: “Total⏎for March”.",
        ),
    ],
)
def test_no_cell_begins_a_line_of_an_answer(tmp_path: Path, table: str, question: str, answer: str) -> None:
    (tmp_path / "lines.csv").write_text(table)
    said = tabchat("ask", "lines.csv", question, "--json", cwd=tmp_path).json
    assert said["answer"] == answer
    assert said["verification"]["status"] == "verified"


def test_a_long_label_of_a_total_is_told_by_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text(f"name,v\na,1\nb,2\nTotal for {'x y ' * 900},3\n")
    (warning,) = tabchat("ask", "long.csv", "sum of v", "--json", cwd=tmp_path).json["warnings"]
    assert len(warning) < 300
    assert "…" in warning
