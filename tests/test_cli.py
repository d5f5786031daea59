"""The command line, run as a process: data on stdout, narration on stderr, and codes for scripts."""

import csv
import io
import json
import re
from pathlib import Path

import pytest

from tabchat.cli import run
from tabchat.cli.present import Presenter
from tabchat.session import Session
from tests.command import tabchat
from tests.conftest import Example
from tests.fake_provider import FAKE_ENV, FakeProvider, say
from tests.repl.terminal import Terminal

pytestmark = pytest.mark.examples_read

FIELDS = [
    "ok",
    "question",
    "answer",
    "type",
    "value",
    "values",
    "table",
    "row_count",
    "source_row_count",
    "used_row_count",
    "metadata",
    "chart",
    "data_key",
    "title",
    "summary",
    "plan",
    "sql",
    "planner",
    "interpretation",
    "readings",
    "verification",
    "usage",
    "warnings",
    "error",
]


@pytest.fixture
def revenue(example: Example) -> dict[str, float]:
    """Revenue by region, computed without tabchat."""
    totals: dict[str, float] = {}
    with example("sales.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            totals[row["region"]] = totals.get(row["region"], 0.0) + float(row["revenue"])
    return totals


@pytest.mark.parametrize("question", ["orders with revenue over 90", "top 3 orders by revenue"])
def test_where_not_all_columns_fit_the_one_that_rows_were_chosen_by_is_shown(
    example: Example, question: str
) -> None:
    finished = tabchat("ask", example("sales.csv"), question, env={"COLUMNS": "60"})
    header = next(line for line in finished.out.splitlines() if line.startswith("order_id"))
    assert header.split()[-1] == "revenue"
    assert "+8 more columns" in finished.out


def test_a_question_is_answered_as_one_json_object(example: Example, revenue: dict[str, float]) -> None:
    finished = tabchat("ask", example("sales.csv"), "total revenue by region", "--json")
    answer = finished.json
    assert finished.code == 0
    assert list(answer) == FIELDS
    assert answer["type"] == "grouped"
    assert {row[0]: pytest.approx(row[1]) for row in answer["table"]["rows"]} == revenue
    assert answer["table"]["truncated"] is False
    assert (answer["row_count"], answer["source_row_count"], answer["used_row_count"]) == (5, 5000, 5000)
    assert [answer["metadata"][name] for name in ("rows", "session", "from", "warnings")] == [
        5,
        None,
        None,
        [],
    ]
    assert answer["planner"] == "rules"
    assert answer["usage"]["model"] is None
    assert answer["verification"]["status"] == "verified"
    assert re.fullmatch(r"ds_[a-z2-7]{20}", answer["data_key"])
    assert answer["error"] is None


def test_the_screen_shows_table_chart_source_count_and_key(example: Example) -> None:
    finished = tabchat("ask", example("sales.csv"), "average revenue by region")
    assert finished.code == 0
    for region in ("Asia", "Europe", "North America", "Oceania", "South America"):
        assert region in finished.out
    assert "█" in finished.out
    assert "5,000" in finished.err or "5000" in finished.err
    assert re.search(r" · ds_[a-z2-7]{4}…\n", finished.err)


def test_the_frame_behind_an_answer_is_exported_by_its_key(
    example: Example, tmp_path: Path, revenue: dict[str, float]
) -> None:
    key = tabchat("ask", example("sales.csv"), "total revenue by region", "--json").json["data_key"]
    piped = tabchat("export", key, "--format", "csv")
    assert piped.code == 0
    rows = list(csv.reader(io.StringIO(piped.out)))[1:]
    assert {region: pytest.approx(float(total)) for region, total in rows} == revenue
    target = tmp_path / "out.parquet"
    assert tabchat("export", key, "-o", target).code == 0
    again = tabchat("export", key, "-o", target)
    assert again.code == 2
    assert "--force" in again.err
    assert tabchat("export", key, "-o", target, "--force").code == 0
    assert tabchat("ask", target, "how many rows?", "--json").json["value"] == 5


def test_the_source_rows_are_exported_with_their_row_numbers(example: Example) -> None:
    key = tabchat("ask", example("sales.csv"), "how many orders in Germany?", "--json").json["data_key"]
    exported = tabchat("export", key, "--source", "--format", "jsonl")
    rows = [json.loads(line) for line in exported.out.splitlines()]
    with example("sales.csv").open(encoding="utf-8", newline="") as file:
        expected = [
            (number, row["order_id"])
            for number, row in enumerate(csv.DictReader(file), 1)
            if row["country"] == "Germany"
        ]
    assert [(row["row"], str(row["order_id"])) for row in rows] == expected


def test_a_result_is_listed_shown_pinned_and_forgotten(example: Example) -> None:
    asked = tabchat("ask", example("sales.csv"), "total revenue by region", "--json").json
    key = asked["data_key"]
    listed = tabchat("results", "--json").json["results"]
    assert [item["data_key"] for item in listed] == [key]
    shown = tabchat("show", key, "--json").json
    assert shown["table"] == asked["table"]
    pinned = tabchat("results", "--pin", key)
    assert key in pinned.out
    assert f"{key} is kept for good." in pinned.err
    assert tabchat("cache", "clear", "--yes").code == 0
    assert tabchat("show", key).code == 0
    assert f"{key} may expire again." in tabchat("results", "--unpin", key).err
    assert tabchat("cache", "clear", "--yes").code == 0
    assert tabchat("show", key).code == 7


@pytest.mark.examples_read(False)
def test_nothing_is_deleted_from_the_cache_unless_somebody_agrees(example: Example) -> None:
    key = tabchat("ask", example("sales.csv"), "total revenue by region", "--json").json["data_key"]
    done = tabchat("cache", "clear")
    assert (done.code, done.out) == (9, "")
    assert done.err == (
        "tabchat: error: Nothing was deleted: nobody can be asked about 1 table version, 1 kept result.\n"
        "  try: tabchat cache clear --yes deletes without asking.\n"
    )
    tabchat("results", "--pin", key)
    assert tabchat("cache", "clear", "--results").code == 0
    assert tabchat("show", key).code == 0


@pytest.mark.examples_read(False)
def test_a_person_is_asked_before_the_cache_is_cleared(example: Example) -> None:
    tabchat("ask", example("sales.csv"), "how many rows?")
    for answer, told in (("n", "Nothing was deleted."), ("y", "1 table version deleted.")):
        with Terminal("tabchat", "cache", "clear", "--tables") as terminal:
            terminal.read_until("Delete 1 table version? [y/N]")
            terminal.enter(answer, told)
            assert terminal.wait() == (9 if answer == "n" else 0)


def test_a_key_has_short_ways_to_be_written(example: Example, tmp_path: Path) -> None:
    assert tabchat("show").err.startswith(
        "tabchat: error: There is no kept result that `_` could stand for.\n"
    )
    source = example("sales.csv")
    older = tabchat("ask", source, "how many rows?", "--json").json["data_key"]
    newer = tabchat("ask", source, "total revenue by region", "--json").json
    assert tabchat("show", "--json").json["data_key"] == newer["data_key"]
    assert tabchat("show", "_", "--json").json["table"] == newer["table"]
    assert tabchat("show", older[:12], "--json").json["value"] == 5000
    assert tabchat("show", f"{older[:12]}…", "--json").json["data_key"] == older
    assert tabchat("export").out == tabchat("export", newer["data_key"]).out
    assert tabchat("results", "--pin", older[:12], "-q").code == 0
    counted = tabchat("query", source, '{"table": "_", "select": "count()"}', "--json").json
    assert counted["value"] == 5
    from_prefix = f"SELECT count(*) AS n FROM {newer['data_key'][:12]}"
    assert tabchat("sql", source, from_prefix, "--json").json["value"] == 5
    begun = {item["data_key"][3] for item in tabchat("results", "--json").json["results"]}
    unknown = tabchat("show", f"ds_{min(set('abcdefghijk') - begun)}")
    assert (unknown.code, unknown.out) == (7, "")


def test_a_file_in_place_of_a_command_is_asked(example: Example) -> None:
    source = example("sales.csv")
    assert tabchat(source, "how many rows?").out == "The table has 5,000 rows.\n"
    assert tabchat(source, "how many rows?", "--json").json["value"] == 5000
    missing = tabchat("nowhere.csv", "how many rows?")
    assert missing.code == 3
    assert "There is no file 'nowhere.csv'." in missing.err
    assert "No such command 'aks'" in tabchat("aks", source, "how many rows?").err


def test_an_evicted_table_version_is_read_again_for_the_source_rows(example: Example) -> None:
    key = tabchat("ask", example("sales.csv"), "total revenue by region", "--json").json["data_key"]
    assert tabchat("cache", "clear", "--yes", "--tables").code == 0
    exported = tabchat("export", key, "--source", "--format", "csv")
    assert len(exported.out.splitlines()) == 5001


def test_a_question_that_is_not_understood_names_its_words(example: Example) -> None:
    finished = tabchat("ask", example("sales.csv"), "average frobnication by region")
    assert (finished.code, finished.out) == (4, "")
    assert "frobnication" in finished.err
    failed = tabchat("ask", example("sales.csv"), "average frobnication by region", "--json")
    assert failed.code == 4
    assert "frobnication" in failed.json["error"]["words"]


def test_questions_come_from_a_file_or_from_stdin(example: Example, tmp_path: Path) -> None:
    questions = "# two questions\nhow many rows?\n\ntotal frobnication\nhow many orders in Germany?\n"
    listed = tmp_path / "questions.txt"
    listed.write_text(questions)
    for finished in (
        tabchat("ask", example("sales.csv"), "-f", listed, "--json"),
        tabchat("ask", example("sales.csv"), "-f", "-", "--json", stdin=questions),
    ):
        answers = [json.loads(line) for line in finished.out.splitlines()]
        assert [answer["ok"] for answer in answers] == [True, False, True]
        assert finished.code == 4
        assert "2 answered, 1 not" in finished.err


def test_a_table_comes_from_stdin(example: Example) -> None:
    data = example("sales.csv").read_bytes()
    finished = tabchat("ask", "-", "how many rows?", "--input-format", "csv", "--json", stdin=data)
    assert (finished.code, finished.json["value"]) == (0, 5000)


@pytest.mark.parametrize("name", ["csv", "tsv", "json", "jsonl", "md"])
def test_the_full_result_is_printed_in_the_format_asked_for(name: str, example: Example) -> None:
    finished = tabchat("sql", example("sales.csv"), "SELECT order_id FROM sales", "--format", name)
    assert finished.code == 0
    assert len(re.findall(r"\b1\d{5}\b", finished.out)) == 5000


def test_events_and_a_file_go_together(example: Example, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    question = "total revenue by region"
    finished = tabchat("ask", example("sales.csv"), question, "--events", "-o", target)
    kinds = [json.loads(line)["event"] for line in finished.out.splitlines()]
    assert (finished.code, kinds) == (0, ["tool_start", "tool_end", "data_block", "text_delta", "done"])
    assert len(target.read_text().splitlines()) == 6


@pytest.mark.parametrize(
    "arguments, message, hint",
    [
        (("-o", "."), ". is a folder.", "Give a file name, such as result.csv"),
        (
            ("-o", "-"),
            "-o takes a file, and - is none.",
            "Leave -o out: --format csv puts the rows on stdout.",
        ),
        (
            ("--json", "--format", "csv"),
            "--format csv and --json exclude each other: stdout has one form.",
            "Leave one out; -o FILE also writes the full result to a file.",
        ),
        (
            ("--events", "--json"),
            "--json and --events exclude each other: stdout has one form.",
            "Leave one out; -o FILE also writes the full result to a file.",
        ),
        (
            ("--events", "--format", "md"),
            "--format md and --events exclude each other: stdout has one form.",
            "Leave one out; -o FILE also writes the full result to a file.",
        ),
        (
            ("-f", "questions.txt"),
            "A question, 'total revenue', and a file of them exclude each other.",
            "Leave -f out, or the question.",
        ),
        (
            ("-- total", "-q"),
            "No such option: -- total",
            "A text that begins with - goes behind --, after all options.",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_read(
    example: Example, arguments: tuple[str, ...], message: str, hint: str
) -> None:
    refused = tabchat("ask", example("sales.csv"), "total revenue", *arguments)
    assert (refused.code, refused.err) == (2, f"tabchat: error: {message}\n  try: {hint}\n")


def test_a_file_that_looks_like_an_option_is_told_how_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "-sales.csv").write_text("a\n1\n")
    monkeypatch.chdir(tmp_path)
    refused = tabchat("profile", "-sales.csv")
    assert (refused.code, refused.err.splitlines()[-1]) == (2, "  try: If the file is meant: ./-sales.csv")


def test_nobody_is_asked_for_an_answer_that_cannot_be_written(example: Example, tmp_path: Path) -> None:
    with FakeProvider([say("Well.")]) as provider:
        asked = ("ask", example("sales.csv"), "How do customers feel?", "-m", "openai/fake")
        for name, cause in (
            ("absent/out.csv", "does not exist"),
            ("out.docx", "does not say in which format"),
        ):
            refused = tabchat(*asked, "--api-base", provider.base_url, "-o", tmp_path / name, env=FAKE_ENV)
            assert (refused.code, provider.requests) == (2, [])
            assert cause in refused.err


@pytest.mark.parametrize(
    "arguments",
    [("query", "-", "-"), ("sql", "-", "-"), ("run", "-", "-"), ("edit", "-", "-"), ("ask", "-", "-f", "-")],
)
def test_stdin_is_not_read_for_two_things(arguments: tuple[str, ...]) -> None:
    finished = tabchat(*arguments, stdin="a\n1\n")
    assert (finished.code, finished.out) == (2, "")
    assert "stdin is read once" in finished.err


@pytest.mark.parametrize("plan", ["[" * 100_000, '{"limit": ' + "9" * 5_000 + "}", "[1]", "{"])
def test_what_is_no_plan_is_told_as_that(example: Example, tmp_path: Path, plan: str) -> None:
    (tmp_path / "plan.json").write_text(plan)
    finished = tabchat("query", example("sales.csv"), f"@{tmp_path / 'plan.json'}")
    assert (finished.code, finished.out) == (9, "")
    assert finished.err.startswith("tabchat: error: plan: ")


def test_several_tables_are_joined_in_sql(example: Example) -> None:
    finished = tabchat(
        "sql",
        example("sales.csv"),
        example("prices.csv"),
        "SELECT count(*) FROM sales JOIN prices ON sales.order_date = prices.date",
        "--json",
    )
    assert finished.code == 0
    assert finished.json["value"] > 1000


@pytest.mark.examples_read(False)
def test_nothing_is_kept_without_a_cache(example: Example, isolated_home: Path) -> None:
    finished = tabchat("ask", example("sales.csv"), "how many rows?", "--no-cache")
    assert finished.code == 0
    assert not list((isolated_home / ".cache").rglob("*.parquet"))


def test_hostile_headers_cells_and_names_come_out_inert(tmp_path: Path) -> None:
    path = tmp_path / "we[red]ird \x1b[31m.csv"
    path.write_text(
        '"[bold]a[/]","b\x1b]0;owned\x07"\n"[link=file:///etc]x[/link]","\x1b[2Jcleared"\n', newline=""
    )
    for question in ("show the first row", "describe the table"):
        finished = tabchat("ask", path, question, "--color", "always")
        assert "\x1b]0" not in finished.out + finished.err
        assert "\x1b[2J" not in finished.out + finished.err
    shown = tabchat("ask", path, "show the first row")
    assert "[bold]a[/]" in shown.out
    assert "\x1b" not in shown.out


def test_a_profile_describes_every_column(example: Example) -> None:
    finished = tabchat("profile", example("tovary_ua.csv"), "--json")
    [profile] = finished.json["tables"]
    assert (profile["rows"], profile["cols"]) == (400, 9)
    assert "Ціна" in json.dumps(profile["columns"], ensure_ascii=False)
    text = tabchat("profile", example("tovary_ua.csv"))
    assert "Артикул" in text.out


def test_profiles_of_several_tables_say_whose_they_are(tmp_path: Path) -> None:
    paths = [tmp_path / folder / "data.csv" for folder in ("jan", "feb")]
    for path, cells in zip(paths, ("x,y\n1,2\n", "x,z\n3,4\n"), strict=True):
        path.parent.mkdir()
        path.write_text(cells)
    lines = tabchat("profile", *paths).out.splitlines()
    assert [line for line in lines if line.endswith(".csv")] == [f"data: {paths[0]}", f"data_2: {paths[1]}"]
    assert lines.index(f"data_2: {paths[1]}") < next(at for at, line in enumerate(lines) if "  z:" in line)
    assert "data: " not in tabchat("profile", paths[0]).out


def test_quiet_says_nothing_but_the_answer(example: Example) -> None:
    finished = tabchat("ask", example("messy.csv"), "how many rows?", "-q")
    assert (finished.code, finished.err) == (0, "")


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--bogus"], "usage"),
        (["--format", "nonsense"], "usage"),
        (["--color", "pink"], "usage"),
        (["--timeout", "-1"], "usage"),
        (["--delimiter", "ab"], "usage"),
        (["--delimiter", ""], "usage"),
        (["--decimal", "x"], "usage"),
        (["--date-order", "xyz"], "usage"),
        (["--encoding", "klingon"], "usage"),
        (["--input-format", "docx"], "usage"),
        (["--type", "revenue=money"], "usage"),
        (["-o", "absent/out.csv"], "usage"),
    ],
)
def test_a_wrong_option_is_one_json_object_for_programs(
    example: Example, tmp_path: Path, arguments: list[str], code: str
) -> None:
    finished = tabchat(
        "ask", example("sales.csv"), "total revenue by region", "--json", *arguments, cwd=tmp_path
    )
    assert finished.code == 2
    assert list(finished.json) == FIELDS
    assert (finished.json["ok"], finished.json["error"]["code"]) == (False, code)


def test_source_rows_stand_in_the_table_of_the_object(example: Example) -> None:
    question = ("ask", example("sales.csv"), "total revenue by region")
    found = tabchat(*question, "--source", "--json", "--rows", "2").json
    table = found["table"]
    assert (table["columns"][0], [row[0] for row in table["rows"]], table["truncated"]) == (
        "row",
        [1, 2],
        True,
    )
    assert (found["row_count"], found["source_row_count"]) == (5, 5000)
    scalar = tabchat("sql", example("sales.csv"), "SELECT 1", "--source", "--json")
    assert (scalar.code, scalar.json["error"]["hint"]) == (2, "Leave --source out.")


def test_units_are_told_of_figures_that_are_shown_and_written_bare(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("name,share,price,cost (€)\nA,10%,$5.50,€3\nB,25%,$7,€4\n")
    shown = tabchat("ask", "t.csv", "show all rows", "-o", "out.csv", cwd=tmp_path)
    units = ("share in %", "price in $")
    size, warning, _written = shown.err.splitlines()[-3:]
    assert size.endswith(f" · {' · '.join(units)}")
    assert warning == f"warning: Figures are written without their units: {', '.join(units)}."


@pytest.mark.parametrize(
    "sql, told",
    [
        ("SELECT avg(share) AS x FROM t", "x: 17.5%"),
        ("SELECT max(price) AS x FROM t", "x: $7"),
        ("SELECT min(name) AS x FROM t", "x: A"),
        ("SELECT count(price) AS x FROM t", "x: 2"),
        ("SELECT max(price) * 2 AS x FROM t", "x: 14"),
        ("SELECT max(price) AS x FROM t WHERE false", "x: no rows"),
    ],
)
def test_a_scalar_has_the_unit_of_the_column_that_it_sums_up(tmp_path: Path, sql: str, told: str) -> None:
    (tmp_path / "t.csv").write_text("name,share,price\nA,10%,$5.50\nB,25%,$7\n")
    assert tabchat("sql", "t.csv", sql, cwd=tmp_path).out == f"{told}\n"


def test_a_name_that_reads_as_a_call_is_told_from_one(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("cost (€)\n3\n4\n")
    refused = tabchat("query", "t.csv", '{"select": "sum(Cost (€))"}', cwd=tmp_path)
    assert refused.err.splitlines()[-1] == '  try: If the column is meant: "cost (€)", in double quotes.'


def test_receipts_of_rules_are_listed_as_those_of_a_model(example: Example) -> None:
    found = tabchat("ask", example("sales.csv"), "total revenue", "--receipts")
    assert [line.split()[:2] for line in found.err.splitlines() if "verified" in line] == [
        ["1,841,479.99", "verified"]
    ]


def test_a_wrong_option_is_an_event_for_those_who_read_events(example: Example) -> None:
    finished = tabchat("ask", example("sales.csv"), "how many rows?", "--events", "--decimal", "x")
    assert (finished.code, finished.json["event"], finished.json["error"]["code"]) == (2, "error", "usage")


def test_an_empty_question_is_told_from_one_that_is_not_understood(example: Example) -> None:
    finished = tabchat("ask", example("sales.csv"), " ")
    assert finished.code == 2
    assert "The question is empty." in finished.err


def test_a_reading_that_was_offered_is_picked(example: Example) -> None:
    offered = tabchat("ask", example("sales.csv"), "revenue by planet", "--json")
    assert offered.code == 4
    assert offered.json["error"]["code"] == "ambiguous"
    for reading in offered.json["readings"]:
        assert set(reading) == {"n", "interpretation", "confidence", "plan"}
        assert f"  {reading['n']}. {reading['interpretation']}\n" in offered.err
    assert "--pick 1" in offered.err

    picked = tabchat("ask", example("sales.csv"), "revenue by planet", "--pick", "2", "--json")
    assert picked.code == 0
    assert picked.json["interpretation"] == offered.json["readings"][1]["interpretation"]
    assert picked.json["readings"] == offered.json["readings"]

    assert tabchat("ask", example("sales.csv"), "revenue by planet", "--pick", "9").code == 4
    assert tabchat("ask", example("sales.csv"), "-f", "-", "--pick", "1", stdin="x").code == 2


@pytest.mark.parametrize(
    "name, head", [("sales.csv", "Questions"), ("tovary_ua.csv", "Питання"), ("employees_ru.csv", "Вопросы")]
)
def test_a_file_without_a_question_says_what_can_be_asked(example: Example, name: str, head: str) -> None:
    finished = tabchat("ask", example(name))
    assert finished.code == 0
    first, *questions = finished.out.splitlines()
    assert first.startswith(head)
    assert tabchat("ask", example(name), questions[0].strip()).code == 0


def test_a_file_of_questions_echoes_each_and_writes_no_file(example: Example, tmp_path: Path) -> None:
    questions = tmp_path / "questions.txt"
    questions.write_text("how many rows?\ntotal revenue by region\n")
    asked = tabchat("ask", example("sales.csv"), "-f", questions)
    assert asked.code == 0
    assert [line for line in asked.err.splitlines() if line.startswith("> ")] == [
        "> how many rows?",
        "> total revenue by region",
    ]
    refused = tabchat("ask", example("sales.csv"), "-f", questions, "-o", tmp_path / "out.csv", "--force")
    assert refused.code == 2
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("code, readers", [(0, 1), (4, 1), (130, 0)])
def test_a_stopped_question_leaves_no_reader_behind(
    example: Example, monkeypatch: pytest.MonkeyPatch, code: int, readers: int
) -> None:
    started: list[Session] = []
    monkeypatch.setattr(Session, "store_in_background", lambda *given: started.extend(given))
    monkeypatch.setattr(Presenter, "turn", lambda *_, **__: code)
    assert run(["ask", str(example("sales.csv")), "how many rows?"]) == code
    assert len(started) == readers


def test_the_list_of_commands_is_not_cut_short() -> None:
    assert "..." not in tabchat("--help").out.partition("Commands:")[2]


@pytest.mark.parametrize(
    "question, told",
    [
        ("average b", "It is not certain what is meant. “b” has no values."),
        ("середнє b", "Питання можна зрозуміти по-різному. У стовпці «b» немає значень."),
        ("среднее b", "Вопрос можно понять по-разному. В столбце «b» нет значений."),
    ],
)
def test_a_column_without_a_value_is_told_beside_the_readings_of_others(
    tmp_path: Path, question: str, told: str
) -> None:
    (tmp_path / "t.csv").write_text("product,a,b,c\nx,1,,3\ny,,,4\nz,3,,5\n")
    refused = tabchat("ask", tmp_path / "t.csv", question)
    assert (refused.code, refused.err.splitlines()[0]) == (4, f"tabchat: {told}")
