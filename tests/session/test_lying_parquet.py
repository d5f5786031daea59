"""Parquet files are read where they lie: what they say of themselves, the many of a folder, and the SQL of a person over them."""

from pathlib import Path

import pytest

from tabchat.config import Settings
from tabchat.engine.reader import lying
from tabchat.errors import DataKeyError, InputError, TabchatError, UsageError
from tabchat.session import Session
from tests.session.lying_files import rewrite_parquet, write_parquet
from tests.sql import parsed


def test_sql_of_a_person_reads_that_file_and_no_other(tmp_path: Path, settings: Settings) -> None:
    path, other = write_parquet(tmp_path / "rows.parquet"), write_parquet(tmp_path / "secret.parquet")
    with Session.open([path], settings=settings) as session:
        assert session.sql("SELECT count(*) AS c FROM rows").block is not None
        with pytest.raises(TabchatError):
            session.sql(f"SELECT * FROM read_parquet('{other}')")
        for engine in (session.engine, session.engine.for_sql()):
            # Past the allowlist: the engine itself is locked.
            for place in (other, tmp_path / "*.parquet"):
                query = parsed(f"SELECT * FROM read_parquet('{place}')")
                with pytest.raises(TabchatError, match="disabled by configuration"):
                    engine.rows(query)


def test_files_that_are_opened_later_can_be_read_too(tmp_path: Path, settings: Settings) -> None:
    path, later = write_parquet(tmp_path / "rows.parquet"), write_parquet(tmp_path / "later.parquet", 0, 50)
    with Session.open([path], settings=settings) as session:
        first = session.sql("SELECT letter, sum(n)::HUGEINT AS total FROM rows GROUP BY letter")
        kept = session.engine.materialise(parsed("SELECT 1::HUGEINT << 100 AS h, 'a'::ENUM('a') AS e"))
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
    path = write_parquet(tmp_path / "rows.parquet", 0, 50_000)
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
    path = write_parquet(tmp_path / "rows.parquet", 0, 1000, sql)
    with Session.open([path], settings=settings) as session:
        made = session.profile()
        kept = session.profile()
        assert kept == made
        assert (len(kept.columns), kept.rows, kept.exact) == (8, 1000, True)
        rewrite_parquet(path)
        with pytest.raises(DataKeyError, match="has changed"):
            session.profile()
    (folder,) = (tmp_path / "cache").glob("profiles")
    (entry,) = folder.iterdir()
    assert entry.stat().st_mode & 0o777 == 0o600


def test_a_folder_is_one_table(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "sales"
    for part in range(3):
        write_parquet(folder / f"year={2022 + part}" / "part.parquet", part * 100, part * 100 + 100)
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
        write_parquet(folder / "year=2025" / "part.parquet", 300, 310)
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
        write_parquet(tmp_path / f"part-{part}.parquet", part * 10, part * 10 + 10)
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
def test_names_of_folders_and_of_files_beside_are_only_names(
    tmp_path: Path, settings: Settings, name: str
) -> None:
    folder = tmp_path / name
    write_parquet(folder / f"{name}.parquet", 0, 10)
    write_parquet(folder / f"k={name.replace('=', '')}" / "b.parquet", 10, 20)
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
    path = write_parquet(
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
