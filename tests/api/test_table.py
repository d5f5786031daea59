"""A table that is open in a program answers as the command line does, and fails by exceptions."""

import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tabchat
from tabchat.config import PrivacyLevel
from tests.command import tabchat as command
from tests.conftest import Example

pytestmark = pytest.mark.examples_read

HEAVY = ("pandas", "pyarrow", "numpy", "litellm", "rich", "altair", "prompt_toolkit")


def test_an_answer_has_the_key_that_the_command_line_gives(
    sales: tabchat.OpenTable, example: Example
) -> None:
    told = command("ask", example("sales.csv"), "average revenue by region", "--json").json
    answer = sales.ask("average revenue by region")
    assert answer.key == told["data_key"]
    assert answer.to_json() == told
    assert command("show", answer.key or "", "--json").json["table"] == told["table"]


def test_a_question_that_is_not_certain_raises_its_readings(sales: tabchat.OpenTable) -> None:
    with pytest.raises(tabchat.NotUnderstoodError) as caught:
        sales.ask("average frobnication by region")
    readings = caught.value.readings
    assert [reading.n for reading in readings] == [*range(1, len(readings) + 1)]
    assert len(readings) > 1
    assert f"pick=2: {readings[1].interpretation}" in "".join(traceback.format_exception(caught.value))
    picked = sales.ask("average frobnication by region", pick=2)
    assert picked.interpretation == readings[1].interpretation


def test_a_question_stands_alone_unless_it_follows(sales: tabchat.OpenTable) -> None:
    sales.ask("total revenue by month")
    assert sales.ask("only 2023", follow=True).interpretation == "sum of revenue · by month · 2023"
    with pytest.raises(tabchat.NotUnderstoodError):
        sales.ask("only online")


@pytest.mark.parametrize("plan", [["a"], "x", None])
def test_what_is_no_plan_is_an_issue_of_the_plan(sales: tabchat.OpenTable, plan: Any) -> None:
    with pytest.raises(tabchat.PlanValidationError, match=r"A plan is an object of fields\."):
        sales.query(plan)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda table: table.ask(None), "A question is a text, not None."),
        (lambda table: table.ask("how many rows?", pick="x"), "`pick` is a whole number or None, not 'x'."),
        (lambda table: table.ask("how many rows?", pick=True), "`pick` is a whole number or None, not True."),
        (lambda table: table.analyze(5, {}), "A recipe is a text, not 5."),
        (
            lambda table: table.analyze("analyze_pareto", ["a"]),
            "What a recipe is given is a mapping, not ['a'].",
        ),
        (lambda _: tabchat.open_table(5), "A table to open is a text or a path, not 5."),  # type: ignore[arg-type]
    ],
)
def test_an_argument_of_another_type_is_named(
    sales: tabchat.OpenTable, call: Callable[[Any], object], message: str
) -> None:
    with pytest.raises(tabchat.UsageError) as caught:
        call(sales)
    assert str(caught.value) == message


def test_errors_are_those_of_the_project_with_what_to_try(sales: tabchat.OpenTable) -> None:
    with pytest.raises(tabchat.PlanValidationError) as caught:
        sales.query({"where": "clse > 1", "limit": 0})
    assert len(caught.value.issues) == 2
    assert caught.value.__notes__ == [caught.value.hint]
    with pytest.raises(tabchat.SqlRefusedError):
        sales.sql("DROP TABLE sales")
    with pytest.raises(tabchat.InputError):
        tabchat.open_table("absent.csv")


def test_settings_are_keywords(example: Example) -> None:
    with tabchat.open_table(
        example("sales.csv"), model="openai/none", privacy="strict", offline=True, hide=["customer"], rows=2
    ) as table:
        settings = table.session.settings
        assert (settings.privacy, settings.hide) == (PrivacyLevel.STRICT, ("customer",))
        assert table.ask("average revenue by region").to_json()["table"]["truncated"]  # type: ignore[index,call-overload]
    with (
        tabchat.open_table(example("sales.csv"), model="openai/none", planner="llm", offline=True) as table,
        pytest.raises(tabchat.RefusedError),
    ):
        table.ask("average revenue by region")
    with pytest.raises(tabchat.UsageError, match="'privacy' in the keyword arguments cannot be 'all'"):
        tabchat.open_table(example("sales.csv"), privacy="all")
    with pytest.raises(tabchat.UsageError, match="Unknown setting 'modle'"):
        tabchat.open_table(example("sales.csv"), modle="x")


def test_what_a_project_may_not_set_is_a_warning_where_the_table_is_opened(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tabchat.toml").write_text('cache_dir = "elsewhere"\n')
    monkeypatch.chdir(tmp_path)
    with pytest.warns(UserWarning, match="which a project's file may not") as told:
        tabchat.open_table(example("sales.csv")).close()
    assert told[0].filename == __file__


def test_files_are_read_as_is_said_and_joined_by_sql(tmp_path: Path) -> None:
    (tmp_path / "left.csv").write_text("id;name\n1;Ann\n2;Bo\n")
    (tmp_path / "right.csv").write_text("id;pay\n1;10\n2;20\n")
    options = tabchat.ReadOptions(delimiter=";")
    with tabchat.open_table(tmp_path / "left.csv", tmp_path / "right.csv", options=options) as table:
        assert [column.name for column in table.schema] == ["id", "name"]
        assert (
            table.sql(
                "SELECT sum(pay) FROM left JOIN right USING (id)".replace("left", '"left"').replace(
                    "right", '"right"'
                )
            ).value
            == 30
        )


def test_notes_say_what_was_repaired(example: Example) -> None:
    with tabchat.open_table(example("messy.csv")) as table:
        assert table.notes
        assert repr(table).startswith("<OpenTable 'messy': ")


def test_a_closed_table_says_so(example: Example) -> None:
    table = tabchat.open_table(example("sales.csv"))
    answer = table.ask("average revenue by region")
    many = table.ask("first 100 rows")
    table.close()
    table.close()
    assert repr(table) == "<OpenTable, closed>"
    with pytest.raises(tabchat.UsageError, match="closed"):
        table.ask("average revenue by region")
    assert many.frame is not None
    with pytest.raises(tabchat.QueryFailedError, match="closed"):
        many.frame.rows()
    # Few rows were fetched with the answer.
    assert answer.frame is not None
    assert len(answer.frame.rows()) == 5


def test_a_question_loads_nothing_heavy_and_a_program_that_closes_nothing_leaves_nothing(
    example: Example, tmp_path: Path
) -> None:
    code = (
        "import sys, tabchat\n"
        f"table = tabchat.open_table({str(example('sales.csv'))!r}, no_cache=True)\n"
        "answer = table.ask('average revenue by region')\n"
        "assert answer.frame.rows(1) and answer.source.rows(1)\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"TMPDIR": str(tmp_path), "HOME": str(tmp_path / "home"), "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
    assert not list(tmp_path.glob("tabchat-*"))
