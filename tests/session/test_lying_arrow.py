"""Arrow files are read where they lie: nothing is copied, and nothing is answered from one that has changed or is damaged."""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyarrow import ipc
from sqlglot import exp

from tabchat.engine.reader import arrow, lying
from tabchat.errors import DataKeyError, InputError, TabchatError
from tabchat.session import Session
from tabchat.viewer.arranged import arrange
from tabchat.viewer.ground import ground_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.config import Settings


def write(path: Path, low: int = 0, high: int = 300, batch: int = 50) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    numbers = range(low, high)
    table = pa.table(
        {
            "n": pa.array(numbers),
            "letter": pa.array(["abc"[n % 3] for n in numbers]),
            "x": pa.array([n * 1.5 for n in numbers]),
        }
    )
    with ipc.new_file(path, table.schema) as out:
        out.write_table(table, max_chunksize=batch)
    return path


def rewrite(path: Path) -> None:
    """Put other rows of the same size into the same file, as if nothing had happened."""
    before = path.stat()
    other = write(path.with_name("other.bin"), 1000, 1300)
    with path.open("r+b") as file:
        file.write(other.read_bytes())
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
    path = write(tmp_path / "rows.arrow")
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
        assert (fetched.value.code, "rows.arrow" in fetched.value.message) == ("source_changed", True)
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.sql("SELECT sum(n) FROM rows")
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.query({"select": "max(n)"})
    with Session.open([], settings=settings) as session, pytest.raises(DataKeyError) as gone:
        session.source(key)
    assert gone.value.code in {"source_changed", "key_expired"}


@pytest.mark.parametrize("change", [rewrite, swap, cut, lambda path: path.unlink()])
@pytest.mark.parametrize("is_sql", [False, True])
def test_a_change_amid_a_stream_ends_it(
    tmp_path: Path, settings: Settings, change: Callable[[Path], None], is_sql: bool
) -> None:
    path = write(tmp_path / "rows.arrow", 0, 400_000, 20_000)
    with Session.open([path], settings=settings) as session:
        engine = session.engine.for_sql() if is_sql else session.engine
        batches = engine.stream(session.frame().query, 1000)
        assert next(batches)[0][0] == 0
        change(path)
        with pytest.raises(DataKeyError, match=r"has changed|was removed"):
            next(batches)
        with pytest.raises(DataKeyError, match=r"has changed|was removed"):
            engine.rows(session.frame().query)


def test_a_key_outlives_its_session_and_only_an_edit_writes(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.arrow")
    before = path.read_bytes()
    with Session.open([path], settings=settings) as session:
        answer = session.query({"where": "n < 5", "select": "sum(n)", "group_by": "letter"})
        assert answer.block is not None
        key = answer.block.data_key
        assert key is not None
    assert not list((tmp_path / "cache" / "tables").glob("*.parquet"))
    with Session.open([], settings=settings) as session:
        source = session.source(key)
        assert source is not None
        assert source.engine.rows(source.query)[4] == (5, 4, "b", 6)
    with Session.open([path], settings=settings) as session:
        session.commit(session.preview_edit({"operation": "delete_rows", "where": "n >= 10"}))
        assert session.engine.rows(session.frame().query)[9][0] == 9
        session.undo()
        assert session.current.files is not None
        assert session.engine.rows(session.current.scan)[299] == (300, 299, "c", 448.5)
    assert path.read_bytes() == before
    assert len(list((tmp_path / "cache" / "tables").glob("*.parquet"))) == 1


def test_sql_of_a_person_reads_that_file_and_no_other(tmp_path: Path, settings: Settings) -> None:
    path, later = write(tmp_path / "rows.arrow"), write(tmp_path / "later.feather", 0, 50)
    with Session.open([path], settings=settings) as session:
        found = session.sql("SELECT letter, count(*) AS c, min(n) AS low FROM rows GROUP BY letter")
        assert found.block is not None
        assert sorted(found.block.result.frame.rows()) == [("a", 100, 0), ("b", 100, 1), ("c", 100, 2)]
        session.add(later)
        joined = session.sql("SELECT count(*) AS c FROM rows JOIN later USING (n) JOIN rows AS r USING (n)")
        assert joined.block is not None
        assert joined.block.result.value == 50
        files = session.current.files
        assert files is not None
        for hidden in (files.name, files.arrow_name):
            with pytest.raises(TabchatError):
                session.sql(f'SELECT * FROM "{hidden}"')
        for engine in (session.engine, session.engine.for_sql()):
            # Past the allowlist: the engine itself opens no file, not even this one.
            read = exp.func("read_blob", exp.Literal.string(str(path)))
            with pytest.raises(TabchatError, match="disabled by configuration"):
                engine.rows(exp.select("*").from_(read))


def test_runs_windows_and_profiles(tmp_path: Path, settings: Settings) -> None:
    path = write(tmp_path / "rows.arrow")
    with Session.open([path], settings=settings) as session:
        files = session.current.files
        assert files is not None
        runs = files.runs(["n"], [1, 49, 299], 4)
        assert session.engine.rows(runs) == [(n,) for n in (0, 1, 2, 3, 48, 49, 50, 51, 298, 299)]
        shown = arrange(ground_of(session.frame()))
        assert [row[0] for row in shown.window(99, 3)] == [99, 100, 101]
        profile = session.profile()
        assert (profile.rows, profile.exact, profile == session.profile()) == (300, True, True)
        rewrite(path)
        with pytest.raises(DataKeyError, match="has changed"):
            session.profile()


@pytest.mark.parametrize(
    "name", ["a*b", "q'uote", "new\nline", "[x]", 'double"', "--", "ünï", "%41", "$1", "y=1"]
)
def test_names_are_only_names(tmp_path: Path, settings: Settings, name: str) -> None:
    path = write(tmp_path / name / f"{name}.arrow", 0, 10)
    with Session.open([path], settings=settings) as session:
        assert session.current.files is not None
        assert session.engine.rows(session.frame().query)[9][0] == 9
        assert session.engine.for_sql().rows(session.frame().query)[9][0] == 9


def test_the_largest_batch_that_lies_fits_into_the_least_memory(tmp_path: Path, settings: Settings) -> None:
    numbers = pa.array(range(arrow.MOST_BYTES // 64))
    table = pa.table([numbers] * 8, names=list("abcdefgh"))
    with ipc.new_file(tmp_path / "rows.arrow", table.schema) as out:
        out.write_table(pa.concat_tables([table] * 2))
    small = replace(settings, memory_limit=60_000_000)
    with Session.open([tmp_path / "rows.arrow"], settings=small) as session:
        assert session.current.files is not None
        found = session.sql("SELECT sum(a + b + c + d + e + f + g + h) AS s, count(*) AS n FROM rows")
        assert found.block is not None
        count = len(numbers)
        assert found.block.result.frame.rows() == [(8 * count * (count - 1), 2 * count)]


def test_a_large_table_is_sampled_first_and_damage_names_the_file(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lying, "SURVEYED_CELLS", 100)
    path = write(tmp_path / "rows.arrow", 0, 50_000, 2_000)
    with Session.open([path], settings=settings) as session:
        assert (session.facts().exact, session.facts().row_count) == (False, 50_000)
        session.survey()
        assert session.facts().exact
    content = bytearray(path.read_bytes())
    # The offsets of texts, which come after the numbers, in a batch that is not looked at first.
    place = content.index(struct.pack("<qq", 4_000, 4_001)) + 2_000 * 8 + 100
    content[place : place + 1_000] = b"\xff" * 1_000
    path.write_bytes(content)
    with Session.open([path], settings=settings) as session:
        # What is asked by its number is found without a look at the batches before it.
        assert arrange(ground_of(session.frame())).window(49_000, 1) == [(49_000, (49_000, "b", 73_500.0))]
        for engine in (session.engine, session.engine.for_sql()):
            with pytest.raises(InputError) as caught:
                engine.rows(session.frame().query)
            told = f"'{path}' cannot be read as Arrow data: Offset invariant failure"
            assert caught.value.message.startswith(told)
            assert "Python" not in caught.value.message
            assert "copy or write it again" in (caught.value.hint or "")
