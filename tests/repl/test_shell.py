import csv
from pathlib import Path

import pytest

from tabchat.chat.turn.answer import Answer
from tabchat.errors import ExitCode
from tabchat.repl.registry import commands
from tabchat.repl.shell import LeaveRepl
from tests.conftest import Example
from tests.repl.conftest import Talk

BY_REGION = "/sql SELECT region, sum(quantity) AS units FROM sales GROUP BY region ORDER BY region"


def test_a_question_is_answered_and_remembered(talk: Talk) -> None:
    code, out, err = talk.say("how many orders in Germany?")

    assert code == ExitCode.ANSWERED
    assert "636" in out
    assert f"from 636 rows · {talk.key[:7]}…\n" in err
    assert talk.say("/history")[1] == "  1  how many orders in Germany?\n"


def test_a_question_that_is_not_understood_leaves_the_conversation_open(talk: Talk) -> None:
    code, out, err = talk.say("total frobnication by region")

    assert (code, out) == (ExitCode.NOT_UNDERSTOOD, "")
    assert err.startswith("tabchat: ")
    assert "frobnication" in err
    assert talk.say("/sql SELECT 1 AS one")[:2] == (ExitCode.ANSWERED, "one: 1\n")


def test_an_empty_entry_says_what_can_be_asked(talk: Talk) -> None:
    assert talk.say("") == (ExitCode.ANSWERED, "", "")

    talk.shell.talks = True
    code, out, _ = talk.say("")

    assert code == ExitCode.ANSWERED
    assert out.startswith("Questions that this table answers:\n  ")
    assert talk.say("what can I ask")[1] == out


def test_sql_shows_a_table_with_bars_and_the_next_commands(talk: Talk) -> None:
    code, out, err = talk.say(BY_REGION)

    assert code == ExitCode.ANSWERED
    assert out.splitlines()[0] == "region         units"
    assert out.splitlines()[2].startswith("Asia            ")
    assert "█" in out
    assert err.splitlines()[0] == f"5 groups from 5,000 rows · {talk.key[:7]}…"


def test_the_last_result_comes_again(talk: Talk) -> None:
    first = talk.say(BY_REGION)

    assert talk.say("_") == first
    assert talk.say("/last") == first
    assert talk.say(".last") == first
    assert talk.say(f"/show {talk.key}")[1] == first[1]


def test_rows_change_what_is_shown_from_now_on(talk: Talk) -> None:
    talk.say("/sql SELECT order_id FROM sales")
    code, out, _ = talk.say("/rows 2")

    assert code == ExitCode.ANSWERED
    assert (
        out
        == "order_id\n────────\n  100002\n  100003\n2 of 5,000 rows shown · /rows 5000 · /export out.csv\n"
    )
    assert talk.say("_")[1] == out
    assert talk.say("/rows")[2] == "Tables show 2 rows.\n"
    assert talk.say("/rows 1,000")[0] == ExitCode.ANSWERED
    assert talk.shell.rows == 1000


def test_more_rows_than_an_engine_counts_are_all_rows(talk: Talk) -> None:
    talk.say(BY_REGION)
    code, out, _ = talk.say("/rows 99999999999999999999")

    assert code == ExitCode.ANSWERED
    assert "South America" in out


def test_source_rows_of_results_old_and_new(talk: Talk) -> None:
    talk.say(BY_REGION)
    code, out, err = talk.say("/source 1")

    assert code == ExitCode.ANSWERED
    assert out.startswith("row  order_id  ")
    assert "1 of 5,000 rows shown · /source 5000 · /export --source out.csv" in out
    assert err.startswith(f"5,000 source rows behind {talk.key[:7]}…")
    talk.say(f"/show {talk.key}")
    assert talk.say("/source 1")[1] == out
    talk.say("/sql SELECT * FROM sales")
    assert talk.say("/source")[0] == ExitCode.USAGE


def test_columns_that_did_not_fit_are_shown_below_or_by_name(talk: Talk) -> None:
    _, out, _ = talk.say("/sql SELECT * FROM sales LIMIT 1")
    assert "+5 more columns: quantity, unit_price, discount, revenue, … · /columns\n" in out

    _, blocks, _ = talk.say("/columns")
    headers = " ".join(blocks.splitlines()[::4]).split()
    assert headers == [column.name for column in talk.shell.session.current.schema]
    _, chosen, _ = talk.say('/columns "revenue", region')
    assert chosen == "revenue  region\n───────────────\n  52.87  Europe\n"
    code, _, err = talk.say("/columns revenu")
    assert code == ExitCode.USAGE
    assert "'revenu'" in err
    assert "revenue" in err.splitlines()[1]


def test_chosen_columns_draw_no_bars_of_others(talk: Talk) -> None:
    talk.say(BY_REGION)

    assert "█" not in talk.say("/columns region")[1]


def test_bars_can_be_drawn_alone(talk: Talk) -> None:
    talk.say(BY_REGION)
    code, out, _ = talk.say("/chart")

    assert code == ExitCode.ANSWERED
    assert len([line for line in out.splitlines() if "█" in line]) == 5
    talk.say("/sql SELECT * FROM sales")
    assert talk.say("/chart")[0] == ExitCode.USAGE


def test_results_are_exported_by_name_by_key_and_with_their_source(talk: Talk, tmp_path: Path) -> None:
    talk.say(BY_REGION)
    target = tmp_path / "my file.csv"

    assert talk.say(f"/export '{target}'")[2] == f"5 rows written to {target}.\n"
    with target.open(newline="") as file:
        assert [row["region"] for row in csv.DictReader(file)] == [
            "Asia",
            "Europe",
            "North America",
            "Oceania",
            "South America",
        ]
    code, _, err = talk.say(f"/export '{target}'")
    assert code == ExitCode.USAGE
    assert "--force" in err
    key = talk.key
    talk.say("/sql SELECT 1 AS one")
    assert talk.say(f"/export {key} '{target}' --source --force")[2] == f"5,000 rows written to {target}.\n"


def test_an_answer_in_words_has_no_table(talk: Talk) -> None:
    talk.shell.last = Answer(question="?", text="Hello.")

    assert talk.say("/last")[1] == "Hello.\n"
    assert "no table behind it" in talk.say("/export a.csv")[2]


def test_hints_name_the_columns_of_the_table_alone(talk: Talk) -> None:
    _, _, err = talk.say('/analyze control-chart --value zzz --where "qqq = 1"')
    assert err.count("Columns: order_id, ") == 2
    assert "__" not in err


def test_plans_are_run_and_refused_with_every_error(talk: Talk) -> None:
    assert talk.say('/query {"select": "count()",\n "where": "country == \'Germany\'"}')[1] == "count: 636\n"
    for wrong in ("{", "[]", "", '{"wher": "a"}'):
        assert talk.say(f"/query {wrong}")[0] == ExitCode.PLAN_REFUSED


def test_tables_are_listed_opened_used_and_described(
    talk: Talk, example: Example, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    opened = talk.say(f"/load {example('tovary_ua.csv')}")
    assert opened[2].splitlines()[-1] == f"tovary_ua: 400 rows × 9 columns from {example('tovary_ua.csv')}"

    _, out, _ = talk.say(".tables")
    assert [line.split()[:-1] for line in out.splitlines()[2:]] == [
        ["sales", "5,000", "13"],
        ["*", "tovary_ua", "400", "9"],
    ]
    assert "Назва" in talk.say(".schema")[1]
    assert "order_id    integer  BIGINT" in talk.say("/schema sales")[1]
    assert talk.say("/use sales")[2] == f"sales: 5,000 rows × 13 columns from {example('sales.csv')}\n"
    assert talk.say("/use Sales.CSV") == talk.say("/use sales")
    assert talk.say("/schema SALES") == talk.say("/schema sales")
    assert talk.say("/load /nowhere/at/all.csv")[0] == ExitCode.INPUT_UNREADABLE


def test_a_profile_describes_every_column(talk: Talk) -> None:
    code, out, err = talk.say("/profile")

    assert code == ExitCode.ANSWERED
    assert [line.split()[0] for line in out.splitlines()[2:]] == [
        column.name for column in talk.shell.session.current.schema
    ]
    assert "8.08 … 14508.59" in out
    assert err == "sales: 5,000 rows × 13 columns\n"


def test_results_are_listed_newest_first(talk: Talk) -> None:
    talk.say("/sql SELECT 1 AS one")
    first = talk.key
    talk.say("how many orders in Germany?")
    lines = talk.say("/results")[1].splitlines()

    assert [line.split()[0] for line in lines[2:4]] == [talk.key, first]
    assert "how many orders in" in lines[2]


def test_help_names_every_command(talk: Talk) -> None:
    _, out, _ = talk.say("/help")

    assert [line.split()[0] for line in out.splitlines()] == [f"/{name}" for name in commands()]
    assert all(len(line) <= 80 for line in out.splitlines())
    assert talk.say("/help export")[1] == (
        "/export [KEY] FILE\n  write a whole result; --source --force --guard-formulas\n"
    )
    assert talk.say("/?")[1] == out


def test_commands_are_known_by_their_beginning(talk: Talk) -> None:
    assert talk.say("/tab")[0] == ExitCode.ANSWERED
    for entry in ("/quit", "/exit", ".quit", "/q", "/QUIT"):
        with pytest.raises(LeaveRepl):
            talk.say(entry)


def test_an_entry_with_a_dot_may_be_a_question(talk: Talk) -> None:
    assert talk.say(".5 frobs")[0] == ExitCode.NOT_UNDERSTOOD


def test_an_unexpected_failure_ends_the_entry_only(
    talk: Talk, monkeypatch: pytest.MonkeyPatch, isolated_home: Path
) -> None:
    monkeypatch.setattr(talk.shell.session, "results", lambda: 1 / 0)
    code, out, err = talk.say("/results")

    assert (code, out) == (ExitCode.INTERNAL, "")
    assert err.startswith("tabchat: internal error: ZeroDivisionError")
    assert "Traceback" not in err


def test_ctrl_c_stops_the_entry_only(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(talk.shell.session, "results", interrupted)

    assert talk.say("/results") == (ExitCode.INTERRUPTED, "", "Stopped.\n")
    assert talk.say("/sql SELECT 1 AS one")[1] == "one: 1\n"


def test_the_last_result_is_drawn_as_a_kind_and_to_a_file(talk: Talk, tmp_path: Path) -> None:
    talk.say("average revenue by region")
    target = tmp_path / "out.svg"

    assert talk.say("/chart box")[1].splitlines()[1] == "mean_revenue by all rows"
    assert talk.say(f"/chart line {target}") == (ExitCode.ANSWERED, "", f"Drawn to {target}.\n")
    assert talk.say(f"/chart {target}")[0] == ExitCode.USAGE
    assert talk.say(f"/chart {target} --force")[0] == ExitCode.ANSWERED
    code, _, err = talk.say("/chart pie")
    assert (code, "/chart cannot use 'pie'" in err) == (ExitCode.USAGE, True)


def test_a_result_is_opened_as_text_where_there_is_no_screen(talk: Talk) -> None:
    assert "order_id" in talk.say("/open")[1]
    asked = talk.say("average revenue by region")[1]
    assert talk.say("/open")[1] in asked
    assert talk.say(f"/open {talk.key}")[1] in asked
    assert "order_id" in talk.say("/open source")[1]
    code, _, err = talk.say("/open nowhere.csv")
    assert (code, "/load nowhere.csv reads a file" in err) == (ExitCode.USAGE, True)


def test_a_result_is_named_by_its_place_or_the_beginning_of_its_key(talk: Talk, tmp_path: Path) -> None:
    keys = []
    for number in range(33):
        talk.say(f"/sql SELECT {number} AS n")
        keys.append(talk.key)
    assert talk.say(f"/show {keys[0][:14]}")[1] == "n: 0\n"
    assert talk.say(f"/export {keys[1][:14]}… {tmp_path / 'one.csv'}")[0] == ExitCode.ANSWERED
    assert (tmp_path / "one.csv").read_text() == "n\n1\n"
    assert talk.say(f"/export _ {tmp_path / 'last.csv'}")[0] == ExitCode.ANSWERED
    # Thirty-three keys over thirty-two letters: two of them begin alike.
    begun = [key[:4] for key in keys]
    several = next(begin for begin in begun if begun.count(begin) > 1)
    code, _, err = talk.say(f"/show {several}")
    assert code == ExitCode.KEY_UNKNOWN
    assert f"kept results have a key that begins with '{several}'." in err


def test_the_notes_on_reading_are_listed_on_request(talk: Talk, example: Example) -> None:
    assert talk.say("/notes")[2].startswith("There are no notes on reading ")
    opened = talk.say(f"/load {example('messy.csv')}")[2]
    assert opened.startswith("messy.csv: 15 notes on reading: /notes\n")
    listed = talk.say("/notes")[2]
    assert "Columns that repeat a name got a number: Amount_2." in listed


def test_a_table_is_checked_and_the_rows_of_a_finding_are_shown(talk: Talk) -> None:
    code, out, err = talk.say("/check")
    assert code == ExitCode.ANSWERED
    assert "missing    discount: 149 rows without a value.\n" in out
    assert err.endswith("findings in 5,000 rows\n")
    show = out.partition("discount: 149 rows without a value.\n")[2].split()[:2]
    assert "50 of 149 rows shown" in talk.say(" ".join(show))[1]
