"""A source that changes between a question and what is made of its answer."""

from pathlib import Path

import pytest

from tests.faults.person import QUESTION, WITNESS, Person


@pytest.fixture
def person(tmp_path: Path) -> Person:
    return Person(tmp_path, rows=500)


@pytest.mark.parametrize("change", ["appended", "replaced", "deleted", "emptied"])
@pytest.mark.parametrize("is_cached", [True, False], ids=["cached", "cleared"])
def test_a_key_gives_the_rows_it_was_made_for_or_says_why_not(
    person: Person, change: str, *, is_cached: bool
) -> None:
    kept = person.ask(QUESTION)
    behind = person.run("export", kept["data_key"], "--source").out
    if not is_cached:
        assert person.run("cache", "clear", "--tables", "--yes").code == 0
    match change:
        case "appended":
            with person.source.open("a") as file:
                file.write("501,north,1000000.0,late\n")
        case "replaced":
            person.source.unlink()
            person.write(person.source, 20)
        case "deleted":
            person.source.unlink()
        case _:
            person.source.write_text("")
    shown = person.run("show", kept["data_key"], "--json")
    assert (shown.code, shown.json["table"]) == (0, kept["table"])
    rows = person.run("export", kept["data_key"], "--source")
    if rows.code:
        assert (rows.code, rows.out) in {(7, ""), (3, "")}
        assert "try:" in rows.err
        assert not is_cached
    else:
        assert rows.out == behind
    again = person.run("ask", person.source, WITNESS, "--json")
    expected = {"appended": 0, "replaced": 0, "deleted": 3, "emptied": 3}[change]
    assert again.code == expected
    if again.code == 0:
        assert again.json["data_key"] != kept["data_key"]
        cells = [line.split(",") for line in person.source.read_text().splitlines()[1:]]
        assert again.json["table"]["rows"] == [[sum(float(cell[2]) for cell in cells)]]
