"""Cells that are looked up in a stored version: whatever their case, and in no text file."""

import pytest

from tabchat.engine.facts.lookup import find_texts
from tabchat.engine.reader import loading
from tests.engine.facts.conftest import Reader

CSV = "name,town\nBob Ross,Київ\nBOB ROSS,Lviv\nbob,Straßburg\nJo Bobson,Здоров'я\nTom O’Neil,ЁЛКИНО\nBob Ross,100%\nJo,GROẞE GASSE\n"


@pytest.mark.parametrize(
    "texts, found",
    [
        (["bob ross"], [("name", "Bob Ross"), ("name", "BOB ROSS")]),
        (["bob"], [("name", "bob")]),
        (["київ", "lviv"], [("town", "Lviv"), ("town", "Київ")]),
        (["strassburg"], [("town", "Straßburg")]),
        (["здоровя"], [("town", "Здоров'я")]),
        (["tom o'neil"], [("name", "Tom O’Neil")]),
        (["елкино"], [("town", "ЁЛКИНО")]),
        (["grosse gasse"], [("town", "GROẞE GASSE")]),
        (["%"], []),
        (["rob"], []),
        (["", " "], []),
        ([], []),
    ],
)
def test_cells_are_found_by_how_they_are_said(
    reader: Reader, texts: list[str], found: list[tuple[str, str]]
) -> None:
    table = reader.open(CSV)
    assert list(find_texts(reader.engine, table, ["name", "town"], texts)) == found


def test_only_the_named_columns_are_searched(reader: Reader) -> None:
    table = reader.open(CSV)
    assert find_texts(reader.engine, table, ["town"], ["bob ross"]) == ()


def test_a_text_is_no_pattern_and_no_sql(reader: Reader) -> None:
    table = reader.open('name,n\n"it\'s; DROP TABLE x --",1\na.c,2\nabc,3\n')
    assert find_texts(reader.engine, table, ["name"], ["a.c"]) == (("name", "a.c"),)
    found = find_texts(reader.engine, table, ["name"], ["it's; drop table x --"])
    assert found == (("name", "it's; DROP TABLE x --"),)


def test_a_file_that_was_never_read_is_not_scanned(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "DIRECT_BYTES", 10)
    table = reader.open("name,n\n" + "Bob,1\nEve,2\n" * 50, direct=True)
    assert not table.stored
    assert find_texts(None, table, ["name"], ["bob"]) == ()  # type: ignore[arg-type]  # it is not asked
