"""Parquet files are read where they lie: nothing is copied, and nothing is answered from a file that has changed."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from sqlglot import exp, parse_one

from tabchat.engine.reader import lying
from tabchat.errors import DataKeyError, InputError, TabchatError, UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.config import Settings

ROWS = "SELECT i AS n, ['a', 'b', 'c'][1 + i % 3] AS letter, i * 1.5 AS x FROM range({low}, {high}) t(i)"


def write(path: Path, low: int = 0, high: int = 300, sql: str = ROWS) -> Path:
    """Write rows to a Parquet file; its name is quoted, as it may hold anything."""
    path.parent.mkdir(parents=True, exist_ok=True)
    plain = Path(tempfile.mkdtemp()) / "written"
    duckdb.execute(
        f"COPY ({sql.format(low=low, high=high)}) TO '{plain}' (FORMAT parquet, ROW_GROUP_SIZE 10000)"
    )
    shutil.move(plain, path)
    return path


def rewrite(path: Path) -> None:
    """Put another table of the same size in a file's place, as if nothing had happened."""
    before = path.stat()
    write(path, 1000, 1300)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def swap(path: Path) -> None:
    """Let a link stand where the file was."""
    other = write(path.with_name("other.bin"), 5, 305)
    path.unlink()
    path.symlink_to(other)


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


@pytest.mark.parametrize("change", [rewrite, swap, cut, lambda path: path.unlink()])
def test_what_has_changed_is_not_answered_from(
    tmp_path: Path, settings: Settings, change: Callable[[Path], None]
) -> None:
    path = write(tmp_path / "rows.parquet")
    with Session.open([path], settings=settings) as session:
        answer = session.query({"select": "sum(n)", "group_by": "letter"})
        assert answer.block is not None
        key = answer.block.data_key
        assert key is not None
        source = session.source(key)
        assert source is not None
        change(path)
        with pytest.raises(DataKeyError) as fetched:
            session.engine.rows(source.query)
        assert fetched.value.code == "source_changed"
        assert "rows.parquet" in fetched.value.message
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.sql("SELECT sum(n) FROM rows")
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.query({"select": "max(n)"})
    with Session.open([], settings=settings) as session, pytest.raises(DataKeyError) as gone:
        session.source(key)
    assert gone.value.code in {"source_changed", "key_expired"}


def test_what_is_opened_again_is_read_again(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.parquet")
    with Session.open([path], settings=settings) as session:
        assert session.engine.rows(session.frame().query)[0][0] == 0
        rewrite(path)
        again = session.add(path)
        # Of the same size and time of writing: nothing of the first may be left in the engine's own caches.
        assert session.engine.rows(session.frame(again.name).query)[0][0] == 1000


def test_a_change_amid_a_stream_ends_it(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.parquet", 0, 400_000)
    with Session.open([path], settings=settings) as session:
        batches = session.engine.stream(session.frame().query, 1000)
        assert next(batches)[0][0] == 0
        rewrite(path)
        with pytest.raises(DataKeyError, match="has changed"):
            next(batches)


def test_a_key_outlives_its_session_while_the_file_stays(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.parquet")
    with Session.open([path], settings=settings) as session:
        answer = session.query({"where": "n < 5", "select": "sum(n)", "group_by": "letter"})
        assert answer.block is not None
        key = answer.block.data_key
        assert key is not None
    with Session.open([], settings=settings) as session:
        source = session.source(key)
        assert source is not None
        assert source.engine.rows(source.query)[4] == (5, 4, "b", 6)
    assert not list((tmp_path / "cache" / "tables").glob("*.parquet"))


def test_only_an_edit_writes(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.parquet")
    before = path.read_bytes()
    with Session.open([path], settings=settings) as session:
        session.commit(session.preview_edit({"operation": "delete_rows", "where": "n >= 10"}))
        assert session.current.row_count == 10
        assert session.engine.rows(session.frame().query)[9][0] == 9
        session.undo()
        assert session.current.files is not None
        assert session.current.row_count == 300
    assert path.read_bytes() == before
    assert len(list((tmp_path / "cache" / "tables").glob("*.parquet"))) == 1


def test_sql_of_a_person_reads_that_file_and_no_other(tmp_path: Path, settings: Settings) -> None:
    path, other = write(tmp_path / "rows.parquet"), write(tmp_path / "secret.parquet")
    with Session.open([path], settings=settings) as session:
        assert session.sql("SELECT count(*) AS c FROM rows").block is not None
        with pytest.raises(TabchatError):
            session.sql(f"SELECT * FROM read_parquet('{other}')")
        for engine in (session.engine, session.engine.for_sql()):
            # Past the allowlist: the engine itself is locked.
            for place in (other, tmp_path / "*.parquet"):
                query = duckdb_query(f"SELECT * FROM read_parquet('{place}')")
                with pytest.raises(TabchatError, match="disabled by configuration"):
                    engine.rows(query)


def duckdb_query(sql: str) -> exp.Query:
    found = parse_one(sql, dialect="duckdb")
    assert isinstance(found, exp.Query)
    return found


def test_files_that_are_opened_later_can_be_read_too(tmp_path: Path, settings: Settings) -> None:
    path, later = write(tmp_path / "rows.parquet"), write(tmp_path / "later.parquet", 0, 50)
    with Session.open([path], settings=settings) as session:
        first = session.sql("SELECT letter, sum(n)::HUGEINT AS total FROM rows GROUP BY letter")
        kept = session.engine.materialise(duckdb_query("SELECT 1::HUGEINT << 100 AS h, 'a'::ENUM('a') AS e"))
        session.add(later)
        assert session.engine.rows(kept) == [(1 << 100, "a")]
        assert session.engine.schema(kept)[1].sql_type == "ENUM('a')"
        joined = session.sql("SELECT count(*) AS c FROM rows JOIN later USING (n)")
        assert joined.block is not None
        assert joined.block.result.value == 50
        assert first.block is not None
        assert len(session.engine.rows(first.block.result.frame.query)) == 3


def test_a_large_table_is_sampled_first_and_surveyed_when_asked(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lying, "SURVEYED_CELLS", 100)
    path = write(tmp_path / "rows.parquet", 0, 50_000)
    with Session.open([path], settings=settings) as session:
        facts = session.facts()
        assert (facts.exact, facts.row_count) == (False, 50_000)
        column = facts.column("n")
        assert column is not None
        # From the footer, which knows them of every row.
        assert (column.low, column.high, column.filled) == (0, 49_999, 50_000)
        session.survey()
        assert session.facts().exact
    with Session.open([path], settings=settings) as session:
        assert session.facts().exact


def test_a_profile_is_made_once(tmp_path: Path, settings: Settings) -> None:
    sql = (
        "SELECT i AS n, i / 4 AS x, (i % 3)::DECIMAL(9, 2) AS d, DATE '2024-01-01' + (i % 2)::INT AS day,"
        " TIMESTAMP '2024-01-01 12:00:00' AS at, TIME '12:00:00.5' AS t, i % 2 = 0 AS b, 'a' AS s"
        " FROM range({low}, {high}) t(i)"
    )
    path = write(tmp_path / "rows.parquet", 0, 1000, sql)
    with Session.open([path], settings=settings) as session:
        made = session.profile()
        kept = session.profile()
        assert kept == made
        assert (len(kept.columns), kept.rows, kept.exact) == (8, 1000, True)
        rewrite(path)
        with pytest.raises(DataKeyError, match="has changed"):
            session.profile()
    (folder,) = (tmp_path / "cache").glob("profiles")
    (entry,) = folder.iterdir()
    assert entry.stat().st_mode & 0o777 == 0o600


def test_a_folder_is_one_table(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "sales"
    for part in range(3):
        write(folder / f"year={2022 + part}" / "part.parquet", part * 100, part * 100 + 100)
    with Session.open([folder], settings=settings) as session:
        table = session.current
        assert (table.name, table.row_count) == ("sales", 300)
        assert {c.name: c.sql_type for c in table.schema}["year"] == "BIGINT"
        answer = session.answer("total n by year")
        assert answer.block is not None
        assert sorted(answer.block.result.frame.rows()) == [(2022, 4950), (2023, 14950), (2024, 24950)]
        rows = session.engine.rows(table.scan)
        assert [row[0] for row in rows] == list(range(1, 301))
        assert [row[1] for row in rows] == list(range(300))
        key = answer.block.data_key
        assert key is not None
        with pytest.raises(UsageError, match="source file is never touched"):
            session.export(key, folder / "year=2022" / "out.parquet")
        write(folder / "year=2025" / "part.parquet", 300, 310)
        with pytest.raises(DataKeyError, match="was added"):
            session.engine.rows(table.scan)
        (folder / "year=2025" / "part.parquet").unlink()
        assert len(session.engine.rows(table.scan)) == 300
        (folder / "year=2022" / "part.parquet").unlink()
        with pytest.raises(DataKeyError, match="was removed"):
            session.engine.rows(table.scan)
    with Session.open([], settings=settings) as session, pytest.raises(DataKeyError) as caught:
        session.source(key)
    assert caught.value.code == "source_changed"


def test_a_pattern_is_one_table_and_runs_of_rows_cross_its_files(tmp_path: Path, settings: Settings) -> None:
    for part in range(4):
        write(tmp_path / f"part-{part}.parquet", part * 10, part * 10 + 10)
    with Session.open([tmp_path / "part-[0-2].parquet"], settings=settings) as session:
        files = session.current.files
        assert files is not None
        assert session.current.row_count == 30
        assert session.engine.rows(files.runs(["n"], [9, 19], 4)) == [
            (n,) for n in (8, 9, 10, 11, 18, 19, 20, 21)
        ]


@pytest.mark.parametrize(
    "name",
    ["a*b", "q'uote", "new\nline", "semi;colon", "[x]", 'double"', "--", "ünï", "%41", "$1", "year=1999"],
)
def test_names_are_only_names(tmp_path: Path, settings: Settings, name: str) -> None:
    folder = tmp_path / name
    write(folder / f"{name}.parquet", 0, 10)
    write(folder / f"k={name.replace('=', '')}" / "b.parquet", 10, 20)
    (folder / "ab.parquet").write_bytes(b"no table")
    with Session.open([folder / f"{name}.parquet"], settings=settings) as session:
        assert session.engine.rows(session.frame().query)[9][0] == 9
    with Session.open([folder / f"k={name.replace('=', '')}"], settings=settings) as session:
        assert [column.name for column in session.current.schema] == ["n", "letter", "x"]
        assert session.sql(f'SELECT max(n) AS m FROM "{session.current.name}"').block is not None
    (folder / "ab.parquet").unlink()
    (folder / f"{name}.parquet").unlink()
    with Session.open([folder], settings=settings) as session:
        # A cell that looks like a number is one, as the engine says.
        assert str(session.engine.rows(session.frame().query)[0][3]) == name.replace("=", "").replace(
            "%41", "A"
        )


def test_damage_names_the_file(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lying, "SURVEYED_CELLS", 100)
    path = write(
        tmp_path / "rows.parquet", 0, 1_000_000, "SELECT hash(i)::VARCHAR AS h FROM range({low}, {high}) t(i)"
    )
    content = bytearray(path.read_bytes())
    # Amid the file, in a group of rows that is not looked at first.
    place = len(content) * 5 // 9
    content[place : place + 2_000] = b"\xff" * 2_000
    path.write_bytes(content)
    with Session.open([path], settings=settings) as session:
        for engine in (session.engine, session.engine.for_sql()):
            with pytest.raises(InputError, match=r"rows\.parquet"):
                engine.rows(session.frame().query)
