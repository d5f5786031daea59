"""`tabchat analyze`: each recipe as a command, with its sentence, its table and its errors."""

import json
import re
from pathlib import Path

import pytest

from tabchat.cli import run
from tests.command import tabchat
from tests.conftest import Example

pytestmark = pytest.mark.examples_read

ROOT = Path(__file__).parent.parent
KEY = re.compile(r"ds_[a-z2-7]{20}|ds_[a-z2-7]{4}(?![a-z2-7])…?")
LEAKAGE = ["--value", "measurement", "--where", "test_step = 'Leakage'"]


@pytest.mark.parametrize(
    "recipe,options,sentence",
    [
        (
            "ratio",
            ["--success", "result = 'PASS'", "--by", "station"],
            (
                "The rate is lowest for ST-05: 92.6% (95% interval 89.8–94.7%, 403 of 435); highest for ST-07: 97.8% "
                "(95% interval 95.9–98.9%, 405 of 414). Over all: 96.5% (3,861 of 4,000)."
            ),
        ),
        (
            "pareto",
            ["--by", "test_step", "--where", "result = 'FAIL'"],
            "The largest cause is RF Power: 30, 21.6% of all. The first 5 of 6 causes make 87.1%.",
        ),
        (
            "measurements",
            LEAKAGE,
            "The mean of 667 values is 6.134 with a standard deviation of 2.7532; 8 outliers, 6 missing.",
        ),
        (
            "control-chart",
            LEAKAGE,
            "12 of 667 points break a rule of control (center 6.134, limits -2.2574 to 14.5255).",
        ),
        (
            "capability",
            [*LEAKAGE, "--usl", "limit_high"],
            "Cpk 0.70, Ppk 0.71; 18 of 667 values outside the limits.",
        ),
        (
            "explain-change",
            [
                "--statistic",
                "count",
                "--by",
                "result",
                "--from",
                "2024-01:2024-03",
                "--to",
                "2024-04:2024-06",
            ],
            "From 1,756 to 1,842: a change of +86; the most by PASS (+64) and FAIL (+22).",
        ),
        ("unit", ["--key", "unit_serial", "--value", "SN40015"], "The unit has 6 rows."),
    ],
)
def test_every_recipe_answers_in_a_sentence(
    example: Example, capsys: pytest.CaptureFixture[str], recipe: str, options: list[str], sentence: str
) -> None:
    assert run(["analyze", recipe, str(example("stations.csv")), *options]) == 0
    assert capsys.readouterr().out.splitlines()[0] == sentence


def test_the_json_object_holds_the_figures_of_the_whole_and_the_key_exports(
    example: Example, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "analyze",
        "explain_change",
        str(example("sales.csv")),
        "--measure",
        "revenue",
        "--by",
        "region",
    ]
    assert run([*arguments, "--from", "2023", "--to", "2024", "--json", "--rows", "2"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["type"], found["row_count"], found["table"]["truncated"]) == ("grouped", 5, True)
    assert found["values"] == {"before": 635887.1, "after": 677406.23, "change": 41519.13}
    assert found["plan"]["recipe"] == "explain_change"
    assert run(["export", found["data_key"], "-o", str(tmp_path / "out.csv")]) == 0
    lines = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "region,before,after,change,share"
    assert len(lines) == 6


def test_a_chart_is_the_same_in_a_pipe_and_shows_limits(example: Example) -> None:
    done = tabchat("analyze", "control-chart", example("stations.csv"), *LEAKAGE, "--rows", "3")
    assert done.code == 0
    lines = done.out.splitlines()
    assert any(line.lstrip().startswith("UCL 14.5255 ┤┄") for line in lines)
    assert any(line.lstrip().startswith("mean 6.1341 ┤") for line in lines)
    assert "✖" in done.out
    assert "\x1b" not in done.out


def test_source_rows_and_formats_are_those_of_other_commands(
    example: Example, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["analyze", "ratio", str(example("sales.csv")), "--success", "returned", "--by", "channel"]
    assert run([*arguments, "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "channel,n,success,rate,low,high"
    assert run([*arguments, "--where", "region = 'Oceania'", "--source", "--format", "csv"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[0].startswith("row,order_id,")
    assert len(rows) == 420


@pytest.mark.parametrize(
    "arguments,code,words",
    [
        (["ratio", "FILE", "--success", "reult = 'PASS'"], 9, ["no column `reult`", "result"]),
        (["ratio", "FILE", "--success", "station"], 9, ["takes a condition"]),
        (["capability", "FILE", "--value", "measurement"], 9, ["no limit", "lsl"]),
        (["parto", "FILE"], 2, ["no recipe 'parto'", "pareto"]),
        (["correlation", "FILE"], 2, ["no recipe 'correlation'", "Recipes: ratio, pareto", "unit, test."]),
        (["ratio", "FILE"], 2, ["--success"]),
        (
            ["test", "FILE", "--test", "welsh", "--value", "measurement"],
            2,
            ["--test is one of t, welch", "not 'welsh'", "Did you mean welch?"],
        ),
        (["pareto", "missing.csv", "--by", "x"], 3, ["missing.csv"]),
    ],
)
def test_what_cannot_be_analysed_says_so_with_a_hint(
    example: Example, arguments: list[str], code: int, words: list[str]
) -> None:
    file = str(example("stations.csv"))
    done = tabchat("analyze", *(file if item == "FILE" else item for item in arguments))
    assert done.code == code
    assert done.out == ""
    assert all(word in done.err for word in words)


def test_one_point_has_no_limits_to_break(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("x\n2.5\n")
    done = tabchat("analyze", "control-chart", str(tmp_path / "one.csv"), "--value", "x", "-q")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("There are too few points for limits: 1.\n")


def test_help_lists_every_recipe_with_a_line() -> None:
    from tabchat.tools.recipes.typed import PLAIN_NAMES

    listed = tabchat("analyze", "--help").out
    assert all(f"\n  {name} " in listed for name in PLAIN_NAMES)


def test_the_conversation_runs_recipes_too(example: Example) -> None:
    done = tabchat(
        "repl", example("sales.csv"), stdin="/analyze ratio --success returned\n_\n/analyze ratio\n"
    )
    assert done.out.count("The rate is 6.0% (95% interval 5.4–6.7%, 302 of 5,000).") == 2
    assert "ratio needs --success" in done.err
