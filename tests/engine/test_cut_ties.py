"""A limit that leaves out rows that are equal to the last one: which rows are given stays, and that there are others is known."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tests.command import tabchat
from tests.engine.tables import store

CELLS = {"name": [*"abcdef"], "score": [10, 20, 20, None, 30, 20]}
GROUPED = {"group_by": "name", "select": "sum(score) as s", "having": "s is not null"}


@pytest.mark.parametrize(
    "plan, rows, cuts",
    [
        ({"sort": "score desc", "limit": 1}, [("e", 30)], False),
        ({"sort": "score desc", "limit": 2}, [("e", 30), ("b", 20)], True),
        ({"sort": "score desc", "limit": 3}, [("e", 30), ("b", 20), ("c", 20)], True),
        ({"sort": "score desc", "limit": 4}, [("e", 30), ("b", 20), ("c", 20), ("f", 20)], False),
        ({"sort": ["score desc", "name desc"], "limit": 2}, [("e", 30), ("f", 20)], False),
        ({"sort": "score desc", "limit": 2, "columns": "name"}, [("e",), ("b",)], False),
        ({"sort": "score desc", "limit": 6}, None, False),
        ({"limit": 2}, [("a", 10), ("b", 20)], False),
        (GROUPED | {"sort": "s desc", "limit": 2}, [("e", 30), ("b", 20)], True),
        (GROUPED | {"sort": "s", "limit": 1}, [("a", 10)], False),
    ],
)
def test_a_result_knows_whether_its_limit_cut_through_equals(
    engine: DuckDBEngine, folder: Path, plan: dict[str, Any], rows: list[Any] | None, cuts: bool
) -> None:
    result = run_plan(engine, store(engine, folder, pa.table(CELLS), "ties"), parse_plan(plan))
    assert result.metadata.cuts_ties is cuts
    assert rows is None or result.frame.rows() == rows
    assert result.frame.row_count == len(result.frame.rows())
    assert result.metadata.groups in {None, 6}


EACH = {"sort": ["team", "score desc"]}
FIRST = {"within": "team", "where": "row_number() <= 1"}


@pytest.mark.parametrize(
    "steps, rows, cuts",
    [
        ([EACH, FIRST | {"columns": "name"}], [("a",), ("e",)], True),
        ([EACH, FIRST | {"columns": "name", "where": "row_number() <= 2"}], [*zip("abed")], True),
        ([EACH, FIRST | {"columns": "name", "where": "row_number() <= 3"}], [*zip("abcedf")], False),
        (
            [EACH, FIRST | {"columns": "name", "where": "(row_number() > 2) and (row_number() <= 3)"}],
            [*zip("cf")],
            False,
        ),
        ([EACH | {"sort": ["team", "score desc", "name"]}, FIRST | {"columns": "name"}], [*zip("ae")], False),
        ([EACH | {"columns": ["team", "name"]}, FIRST], [("x", "a"), ("y", "e")], False),
        (
            [{"group_by": ["team", "score"], "select": "count()", "sort": ["team", "count desc"]}, FIRST],
            [("x", 20, 3), ("y", 10, 1)],
            True,
        ),
    ],
)
def test_a_result_knows_whether_a_limit_in_each_group_cut_through_equals(
    engine: DuckDBEngine, folder: Path, steps: list[Any], rows: list[Any], cuts: bool
) -> None:
    cells = {"name": [*"abcdef"], "team": [*"xxxyyy"], "score": [20, 20, 20, 10, 30, None]}
    plan = parse_plan({"steps": steps})
    result = run_plan(engine, store(engine, folder, pa.table(cells), "teams"), plan)
    assert (result.frame.rows(), result.frame.row_count) == (rows, len(rows))
    assert result.metadata.cuts_ties is cuts
    assert result.plan == plan.to_json()


@pytest.mark.parametrize(
    "place, name, cuts, shares",
    [
        (1, "e", False, False),
        (2, "b", True, False),
        (3, "c", True, True),
        (4, "f", False, True),
        (5, "a", False, True),
    ],
)
def test_a_result_knows_whether_equals_share_the_places_up_to_its_own(
    engine: DuckDBEngine, folder: Path, place: int, name: str, *, cuts: bool, shares: bool
) -> None:
    last = {"where": f"row_number() > {place - 1}", "sort": "score desc", "limit": 1, "columns": "name"}
    plan = parse_plan({"steps": [{"where": "score is not null", "sort": "score desc"}, last]})
    result = run_plan(engine, store(engine, folder, pa.table(CELLS), "ties"), plan)
    assert result.frame.rows() == [(name,)]
    assert (result.metadata.cuts_ties, result.metadata.shares_places) == (cuts, shares)
    assert result.metadata.to_json().get("shares_places", False) is shares


def test_a_place_behind_equals_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("name,score\na,10\nb,10\nc,9\n")
    marked = "Name, score of the rows, top 1 by score, from place 2: b (10). Some values up to there are equal, so others could have this place."
    said = [tabchat("ask", path, "second highest score", "--json").json["answer"] for _ in range(2)]
    assert said == [marked, marked]


def test_an_answer_says_that_a_limit_in_some_group_cut_through_equals(tmp_path: Path) -> None:
    path = tmp_path / "teams.csv"
    path.write_text("team,name,score\nx,a,20\nx,b,20\ny,c,10\ny,d,30\n")
    said = tabchat("ask", path, "top 1 name in each team by score", "--pick", "1", "--json").json["answer"]
    assert said.endswith("In some group others have the same value as the last one.")
    said = tabchat("ask", path, "top 2 names in each team by score", "--pick", "1", "--json").json["answer"]
    assert "Others" not in said
    assert "others" not in said


@pytest.mark.parametrize(
    "question, answer",
    [
        ("top 2 by score", "Name, score of the rows, top 2 by score: e (30), b (20)."),
        ("second highest score", "Name, score of the rows, top 1 by score, from place 2: b (20)."),
        ("top 2 names by total score", "Sum of score, by name, top 2: e (30), b (20)."),
    ],
)
def test_an_answer_says_that_its_limit_cut_through_equals(tmp_path: Path, question: str, answer: str) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("name,score\na,10\nb,20\nc,20\nd,\ne,30\nf,20\n")
    said = f"{answer} Others have the same value as the last one."
    # The second time it is what was kept.
    assert [tabchat("ask", path, question, "--json").json["answer"] for _ in range(2)] == [said, said]


def test_an_answer_whose_limit_cut_nothing_says_nothing_of_others(tmp_path: Path) -> None:
    path = tmp_path / "ties.csv"
    path.write_text("name,score\na,10\nb,20\nc,20\ne,30\nf,20\n")
    said = tabchat("ask", path, "top 4 by score", "--json").json["answer"]
    assert said == "Name, score of the rows, top 4 by score: e (30), b (20), c (20) and 1 more."
