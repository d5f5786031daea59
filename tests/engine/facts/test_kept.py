"""Facts beside their version: read back as they were, bounded, gone with it, and never believed when damaged."""

import datetime as dt
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabchat.engine.facts import MOST_BYTES, ColumnFacts, Figures, TableFacts, asking, facts_of
from tabchat.engine.facts.asking import facts_bytes, read_facts
from tabchat.engine.facts.bounded import PARTLY_BYTES, TEXT_BYTES, bounded
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import LoadReport, ReadOptions, Table
from tabchat.engine.types import Column, ColumnKind
from tests.engine.facts.conftest import Reader
from tests.seals import SEAL

CSV = "city,size,built\nKyiv,1,2001-02-03\nLviv,2,\nKyiv,,2003-04-05\n"


def _path(reader: Reader, table: Table) -> Path:
    return reader.cache.directory / f"{table.version}.facts"


@pytest.fixture
def unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the engine refuse to be asked for facts."""

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(asking, "_looked_at", refuse)


@pytest.mark.usefixtures("unasked")
def test_facts_are_gathered_while_a_file_is_read_and_need_no_query_later(reader: Reader) -> None:
    found = reader.facts(reader.open(CSV))
    assert [(c.name, c.filled, c.distinct) for c in found.columns] == [
        ("city", 3, 2),
        ("size", 2, 2),
        ("built", 2, 2),
    ]
    assert found.columns[2].high == dt.date(2003, 4, 5)


@pytest.mark.parametrize("damage", ["gone", "empty", "cut", "one byte", "another format", "of another table"])
def test_damaged_facts_are_gathered_anew_and_kept_again(reader: Reader, damage: str) -> None:
    table = reader.open(CSV)
    path = _path(reader, table)
    whole = path.read_bytes()
    before = reader.facts(table)
    match damage:
        case "gone":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "cut":
            path.write_bytes(whole[:-20])
        case "one byte":
            path.write_bytes(whole.replace(b"Lviv", b"Lvov"))
        case "another format":
            path.write_bytes(whole.replace(b"facts 1", b"facts 9"))
        case _:
            other = reader.open("a,b\n1,2\n", "other.csv")
            path.write_bytes(_path(reader, other).read_bytes())
    assert reader.facts(table) == before
    assert path.read_bytes() == whole


def test_facts_go_with_their_version(reader: Reader) -> None:
    table = reader.open(CSV)
    assert _path(reader, table).exists()
    reader.cache.clear()
    assert list(reader.cache.directory.glob("*.facts")) == []


def test_facts_of_a_version_that_was_let_go_are_not_kept(reader: Reader) -> None:
    table = reader.open(CSV)
    _path(reader, table).unlink()
    reader.cache.release(table.version)
    assert reader.facts(table).row_count == 3
    assert not _path(reader, table).exists()


def test_the_room_that_facts_take_is_counted(reader: Reader) -> None:
    table = reader.open(CSV)
    parquet = reader.cache.directory / f"{table.version}.parquet"
    assert reader.cache.info().size == parquet.stat().st_size + _path(reader, table).stat().st_size


def test_processes_that_ask_at_once_agree_and_leave_nothing_half_written(reader: Reader) -> None:
    path = reader.write("a,b\n" + "1,x\n2,y\n" * 5_000, "shared.csv")
    script = (
        "import sys; from pathlib import Path\n"
        "from tabchat.engine.backends.duckdb import DuckDBEngine\n"
        "from tabchat.engine.facts import facts_of\n"
        "from tabchat.engine.reader import TableCache, open_table\n"
        "from tabchat.engine.table import ReadOptions\n"
        "folder = Path(sys.argv[2])\n"
        "from tests.seals import SEAL\ncache = TableCache(folder, 1 << 30, seal=SEAL)\n"
        "table = open_table(sys.argv[1], options=ReadOptions(), cache=cache)\n"
        "(folder / f'{table.version}.facts').unlink(missing_ok=True)\n"
        "engine = DuckDBEngine(spill=folder / 'spill', folders=[folder])\n"
        "print([facts_of(engine, table, cache) for _ in range(5)][-1])\n"
    )
    command = [sys.executable, "-c", script, str(path), str(reader.cache.directory)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate()[0].strip() for process in running]
    table = open_table(path, options=ReadOptions(), cache=reader.cache)
    assert said == [repr(reader.facts(table))] * 2
    assert [p.name for p in reader.cache.directory.iterdir() if p.name.startswith(".work")] == []


def test_hidden_columns_are_in_no_fact(reader: Reader) -> None:
    table = reader.open("id,city,land\n1,Kyiv,UA\n2,Lviv,UA\n3,Wien,AT\n4,Kyiv,UA\n5,Linz,AT\n")
    seen = replace(
        table, schema=tuple(c for c in table.schema if c.name != "city"), whole_schema=table.schema
    )
    found = reader.facts(seen)
    assert [column.name for column in found.columns] == ["id", "land"]
    assert "city" not in repr(found)
    assert "Linz" not in repr(found)
    whole = reader.facts(table)
    assert whole.determined == {"city": ("land",)}
    assert whole.without({"city"}) == found
    # The whole table's facts stay, for whoever may see it.
    assert reader.facts(table) == whole


@given(
    texts=st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=8), max_size=6, unique=True),
    number=st.none() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    moment=st.none() | st.datetimes(),
    flag=st.booleans(),
)
def test_what_is_kept_reads_back_as_it_was(
    texts: list[str], number: float | None, moment: dt.datetime | None, flag: bool
) -> None:
    figures = Figures(
        decimal=",", scaled=flag, whole=flag, unit="€", low=-1.5, high=2e9, distinct=3, doubled=not flag
    )
    columns = (
        ColumnFacts(
            name="текст \x7f",
            kind=ColumnKind.TEXT,
            unit=None,
            filled=9,
            distinct=len(texts),
            texts=tuple(texts),
            counts=tuple(range(len(texts))),
            complete=flag,
            low=min(texts, default=None),
            figures="," if flag else None,
            noted=figures if flag else None,
            average_length=1.25,
        ),
        ColumnFacts(name="n", kind=ColumnKind.NUMBER, unit="%", low=number, high=number, exact=flag),
        ColumnFacts(
            name="at", kind=ColumnKind.DATETIME, low=moment, high=moment, ascending=flag, unique=flag
        ),
        ColumnFacts(name="time", kind=ColumnKind.TIME, low=dt.time(1, 2, 3), numbers_rows=flag, years=flag),
    )
    facts = TableFacts(
        name="t",
        row_count=7,
        columns=columns,
        row_nouns=("замовлення",),
        exact=flag,
        determined={"n": ("at",)},
    )
    table = _table(columns)
    kept = facts_bytes(facts)
    assert kept is not None
    assert read_facts(kept, table) == facts
    assert read_facts(kept, replace(table, name="other")) == replace(facts, name="other")
    assert read_facts(kept, replace(table, schema=table.schema[1:])) is None


def test_sound_bytes_of_another_shape_are_no_facts() -> None:
    table = _table(())
    shapes: tuple[object, ...] = ([], {}, {"rows": 1}, {"rows": 1, "columns": [[1]], "nouns": []}, "x")
    for shape in shapes:
        written = json.dumps(shape).encode()
        assert read_facts(asking._head(written) + written, table) is None


def _table(columns: tuple[ColumnFacts, ...]) -> Table:
    from pathlib import Path

    from sqlglot import exp

    return Table(
        name="t",
        version="v",
        source=Path("t.csv"),
        scan=exp.select("1"),
        stored=True,
        schema=tuple(Column(name=c.name, kind=c.kind, sql_type="", unit=c.unit) for c in columns),
        row_count=7,
        report=LoadReport(input_format="csv"),
    )


def test_many_texts_are_cut_to_the_frequent_ones_and_short_columns_stay_whole() -> None:
    long = tuple(f"{'text' * 5} {n:06}" for n in range(3_000))
    columns = (
        *(ColumnFacts(name=f"c{i}", kind=ColumnKind.TEXT, texts=long, complete=False) for i in range(400)),
        ColumnFacts(
            name="short", kind=ColumnKind.TEXT, texts=("ä", "b"), counts=(2, 1), distinct=2, complete=True
        ),
        ColumnFacts(
            name="wordy", kind=ColumnKind.TEXT, texts=("x" * 1_001, "y"), counts=(2, 1), complete=True
        ),
    )
    facts = bounded(TableFacts(name="t", row_count=100_000, columns=columns))
    kept = facts_bytes(facts)
    assert kept is not None
    assert PARTLY_BYTES / 2 < len(kept) <= PARTLY_BYTES + 100_000
    assert [column.name for column in facts.columns] == [column.name for column in columns]
    for column in facts.columns[:400]:
        assert not column.complete
        assert 0 < len(column.texts) < 3_000
        assert column.texts == long[: len(column.texts)]
    assert facts.columns[400] == columns[400]
    assert (facts.columns[401].texts, facts.columns[401].counts, facts.columns[401].complete) == (
        ("y",),
        (1,),
        False,
    )


def test_complete_columns_that_are_too_much_together_are_cut_and_say_so() -> None:
    texts = tuple(f"{'текст' * 4} {n:06}" for n in range(3_000))
    column = ColumnFacts(name="c", kind=ColumnKind.TEXT, texts=texts, counts=(1,) * 3_000, complete=True)
    short = replace(column, name="short", texts=texts[:50], counts=(1,) * 50)
    columns = (*(replace(column, name=f"c{i}") for i in range(60)), short)
    facts = bounded(TableFacts(name="t", row_count=3_000, columns=columns))
    kept = facts_bytes(facts)
    assert kept is not None
    assert TEXT_BYTES / 2 < len(kept) <= MOST_BYTES
    assert {column.complete for column in facts.columns[:60]} == {False}
    assert {len(column.texts) == len(column.counts) for column in facts.columns} == {True}
    assert facts.columns[60] == short


def test_facts_beyond_the_bound_are_not_kept() -> None:
    columns = tuple(
        ColumnFacts(name=f"{'a name that is long ' * 10}{n}", kind=ColumnKind.NUMBER) for n in range(20_000)
    )
    assert facts_bytes(TableFacts(name="t", row_count=1, columns=columns)) is None


def test_an_edited_version_has_facts_of_its_own(tmp_path: Path) -> None:
    from tests.workspace import make_workspace

    source = tmp_path / "towns.csv"
    source.write_text(CSV, encoding="utf-8")
    workspace = make_workspace(tmp_path, source)
    table = workspace.tables["towns"]
    cache = TableCache(tmp_path / "tables", max_bytes=1 << 30, seal=SEAL)
    from tabchat.engine.edits.versions import edit_for, edit_version

    edit = edit_for({"operation": "delete_rows", "where": "city == 'Kyiv'"}, table.schema)
    after = edit_version(workspace.engine, cache, table, edit).after
    found = facts_of(workspace.engine, after, cache)
    assert (found.row_count, found.columns[0].texts, found.row_nouns) == (1, ("Lviv",), ("town",))
    kept = cache.facts(after.version)
    assert kept is not None
    assert read_facts(kept, after) == found
