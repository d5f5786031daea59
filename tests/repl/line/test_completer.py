from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.completion import CompleteEvent, Completion
from prompt_toolkit.document import Document

from tabchat.errors import ExitCode
from tabchat.planner.edits import is_edit
from tabchat.planner.setting import PARTS as KNOWN_PARTS
from tabchat.repl.line.choices import EDITS, PARTS
from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.hints import Hints
from tabchat.repl.line.words import identifier
from tabchat.tools.recipes.typed import PLAIN_NAMES
from tests.conftest import Example
from tests.repl.conftest import Talk, talk_in


@pytest.fixture(scope="module")
def completer(home_that_read: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ShellCompleter]:
    """The completer of a talk in which nothing is said: it looks up what can stand in a line, and changes nothing."""
    with talk_in(tmp_path_factory.mktemp("silent"), home_that_read) as talk:
        yield knowing(talk)


def knowing(talk: Talk) -> ShellCompleter:
    """Return the completer of a talk once it knows the table."""
    hints = Hints(talk.shell.session)
    hints.current()
    hints.wait()
    return ShellCompleter(talk.shell, hints)


def offered(talk: Talk, text: str) -> list[Completion]:
    """Return what is offered behind `text` once the table is known."""
    return list(knowing(talk).get_completions(Document(text), CompleteEvent()))


def completed(talk: Talk, text: str) -> list[str]:
    """Return the whole entries that completing `text` offers."""
    return entries_of(offered(talk, text), text)


def entries_of(completions: Iterable[Completion], text: str) -> list[str]:
    return [text[: len(text) + item.start_position] + item.text for item in completions]


@pytest.mark.parametrize(
    "text, entries",
    [
        ("/ex", ["/export"]),
        ("/so", ["/source"]),
        ("/help cha", ["/help chart"]),
        ("/use sa", ["/use sales"]),
        ("/schema s", ["/schema sales"]),
        ("/rows 1", []),
        ("/tables ", []),
        ("/frob x", []),
        ("total rev", ["total revenue"]),
        ("orders in Ger", ["orders in Germany"]),
        ("orders in north am", ["orders in North America"]),
        ("orders in north ", ["orders in North America"]),
        ("orders in the north of am", []),
        ("orders in nor", ["orders in North America"]),
        ("/sql SELECT sum(rev", ["/sql SELECT sum(revenue"]),
        ('/sql SELECT "rev', ["/sql SELECT revenue"]),
        ('/query {"select": "mean(unit_', ['/query {"select": "mean(unit_price']),
        ("", []),
        ("total ", []),
        ("/analyze par", ["/analyze pareto"]),
        ("/analyze pareto --wei", ["/analyze pareto --weight"]),
        ("/analyze pareto --weight rev", ["/analyze pareto --weight revenue"]),
        ("/analyze test --alternative le", ["/analyze test --alternative less"]),
        ("/analyze frob --by ", []),
        ("/set li", ["/set limit"]),
        ("/set by reg", ["/set by region"]),
        ("/set filter country = Ger", ["/set filter country = Germany"]),
        ("/edit del", ["/edit delete rows where"]),
        ("/edit rename unit_", ["/edit rename unit_price"]),
        ("/edit convert order_id to te", ["/edit convert order_id to text"]),
        ("/edit fill missing discount with med", ["/edit fill missing discount with median"]),
        ("/edit delete rows where country is united k", []),
        ("/edit delete rows where country is united s", ["/edit delete rows where country is United States"]),
        ("/set by mo", ["/set by month"]),
        ("/set sort revenue de", ["/set sort revenue desc"]),
        ("/set sort revenue ", ["/set sort revenue asc", "/set sort revenue desc"]),
        ("/set limit no", ["/set limit none"]),
        ("/privacy su", ["/privacy summary"]),
        ("/planner r", ["/planner rules"]),
        ("/model lm", ["/model lm_studio/"]),
        ("/model of", ["/model off"]),
        ("/hide of", ["/hide off"]),
        ("/chart sc", ["/chart scatter"]),
        ("/open so", ["/open source"]),
        ("/open sal", ["/open sales"]),
        ("/run df['unit", ["/run df['unit_price"]),
        ('/query {"group', ['/query {"group_by']),
        ("/sql SELECT count(*) FROM sales GRO", ["/sql SELECT count(*) FROM sales GROUP BY"]),
        ("SELECT max(unit_", ["SELECT max(unit_price"]),
        (
            "/sql SELECT * FROM sales WHERE country = 'united",
            ["/sql SELECT * FROM sales WHERE country = 'United States'"],
        ),
        ("/analyze pareto --by chan", ["/analyze pareto --by channel"]),
        ("ORDERS IN GERM", ["ORDERS IN Germany"]),
    ],
)
def test_each_place_offers_what_can_stand_there(
    completer: ShellCompleter, text: str, entries: list[str]
) -> None:
    assert entries_of(completer.get_completions(Document(text), CompleteEvent()), text) == entries


def test_the_parts_that_are_offered_are_those_that_can_be_set(talk: Talk) -> None:
    assert tuple(PARTS) == KNOWN_PARTS
    assert len(completed(talk, "/analyze ")) == len(PLAIN_NAMES)


@pytest.mark.parametrize("beginning, such_as", EDITS.items())
def test_edits_that_are_offered_are_read_as_edits(beginning: str, such_as: str) -> None:
    assert is_edit(f"{beginning} {such_as.removeprefix('such as ')}")


def test_keys_and_files_are_offered_for_export(talk: Talk, tmp_path: Path) -> None:
    talk.say("/sql SELECT 1 AS one")
    (tmp_path / "out.csv").touch()

    assert completed(talk, "/show ds_") == [f"/show {talk.key}"]
    assert completed(talk, "/show ") == ["/show _", f"/show {talk.key}"]
    assert completed(talk, f"/export _ -o {tmp_path}/ou") == [f"/export _ -o {tmp_path}/out.csv"]
    assert completed(talk, "/export ds_") == [f"/export {talk.key}"]
    assert completed(talk, f"/export {talk.key} {tmp_path}/ou") == [f"/export {talk.key} {tmp_path}/out.csv"]
    assert completed(talk, f"/load {tmp_path}/ou") == [f"/load {tmp_path}/out.csv"]


@pytest.mark.parametrize("typed", ["my", "my\\ ta", '"my ta', "'my ta"])
def test_files_whose_names_have_blanks_are_offered_as_a_shell_takes_them(
    talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my ta'ble.csv").write_text("a\n1\n")
    (entry,) = completed(talk, f"/load {typed}")
    assert entry == "/load my\\ ta\\'ble.csv"
    assert [item.display_text for item in offered(talk, f"/load {typed}")] == ["my ta'ble.csv"]
    assert talk.say(entry)[0] == ExitCode.ANSWERED
    assert talk.say("/load my ta'ble.csv")[0] == ExitCode.ANSWERED


def test_options_are_offered_once_each(talk: Talk) -> None:
    assert completed(talk, "/save --f") == ["/save --force"]
    assert completed(talk, "/export _ --g") == ["/export _ --guard-formulas"]
    assert completed(talk, "/export --force out.csv -") == [
        "/export --force out.csv --source",
        "/export --force out.csv --guard-formulas",
        "/export --force out.csv -o",
    ]
    assert completed(talk, "/edit --") == ["/edit --yes"]
    assert completed(talk, "/tables --") == []


def test_columns_of_the_last_result_are_offered(talk: Talk) -> None:
    assert completed(talk, "/columns re") == []
    talk.say("/sql SELECT region, revenue FROM sales LIMIT 1")

    assert completed(talk, "/columns region, re") == ["/columns region, region", "/columns region, revenue"]


def test_names_in_any_script_are_completed_and_quoted_for_sql(talk: Talk, example: Example) -> None:
    talk.say(f"/load {example('tovary_ua.csv')}")

    assert completed(talk, "середня ці") == ["середня Ціна"]
    assert completed(talk, "/sql SELECT Ці") == ['/sql SELECT "Ціна"']
    # The column with the fewest cells comes first, and those of products after it.
    assert completed(talk, "ціна для ноут")[:2] == ["ціна для Ноутбуки", "ціна для Ноутбук Верба Лайт 42"]
    assert completed(talk, "ціна для ноутбуки") == ["ціна для Ноутбуки"]


def test_what_the_menu_draws_is_inert(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "evil.csv"
    path.write_text("name,value\nevil\x1b[31m one,1\nevil two,2\n")
    talk.say(f"/load {path}")
    completions = offered(talk, "evi")

    assert completions
    assert all("\x1b" not in item.display_text + item.display_meta_text for item in completions)


@pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\u2066", "\u00ad", "\u200d", "\U000e0041"])
def test_nothing_in_the_menu_turns_or_hides_text(talk: Talk, tmp_path: Path, hidden: str) -> None:
    path = tmp_path / f"evil{hidden}gpj.csv"
    path.write_text(f"evil{hidden}name,evil\nevil{hidden}one,x\nevil{hidden}two,y\n")
    talk.say(f"/load {path}")
    for typed in ("evi", f"/load {tmp_path}/evi", "/schema evi"):
        completions = offered(talk, typed)
        assert completions
        assert all(hidden not in item.display_text + item.display_meta_text for item in completions)
        assert any(hidden in item.text for item in completions) or typed == "/schema evi"


@pytest.mark.parametrize(
    "name, sql",
    [
        ("plain_1", "plain_1"),
        ("Upper", '"Upper"'),
        ('a "b"', '"a ""b"""'),
        ("Ціна", '"Ціна"'),
        ("order", '"order"'),
    ],
)
def test_identifiers_are_quoted_when_they_must_be(name: str, sql: str) -> None:
    assert identifier(name) == sql
