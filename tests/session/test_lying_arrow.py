"""Arrow files are read where they lie: numbered rows, batches, and the SQL of a person over them."""

import struct
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import ipc
from sqlglot import exp

from tabchat.config import Settings
from tabchat.engine.reader import arrow, lying
from tabchat.errors import DataKeyError, InputError, TabchatError
from tabchat.session import Session
from tabchat.viewer.arranged import arrange
from tabchat.viewer.ground import ground_of
from tests.session.lying_files import rewrite_arrow, write_arrow


def test_sql_of_a_person_reads_that_file_and_no_other(tmp_path: Path, settings: Settings) -> None:
    path, later = write_arrow(tmp_path / "rows.arrow"), write_arrow(tmp_path / "later.feather", 0, 50)
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
    path = write_arrow(tmp_path / "rows.arrow")
    with Session.open([path], settings=settings) as session:
        files = session.current.files
        assert files is not None
        runs = files.runs(["n"], [1, 49, 299], 4)
        assert session.engine.rows(runs) == [(n,) for n in (0, 1, 2, 3, 48, 49, 50, 51, 298, 299)]
        shown = arrange(ground_of(session.frame()))
        assert [row[0] for row in shown.window(99, 3)] == [99, 100, 101]
        profile = session.profile()
        assert (profile.rows, profile.exact, profile == session.profile()) == (300, True, True)
        rewrite_arrow(path)
        with pytest.raises(DataKeyError, match="has changed"):
            session.profile()


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
    path = write_arrow(tmp_path / "rows.arrow", 0, 50_000, 2_000)
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
