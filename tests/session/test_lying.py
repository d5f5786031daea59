"""Files that know their types are read where they lie: nothing is copied, and nothing is answered from one that has changed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tabchat.config import Settings
from tabchat.errors import DataKeyError
from tabchat.session import Session
from tests.session.lying_files import ARROW, PARQUET, Kind, cut, remove, rewrite, swap


@pytest.fixture(params=[PARQUET, ARROW], ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> Kind:
    found = request.param
    assert isinstance(found, Kind)
    return found


@pytest.fixture
def path(tmp_path: Path, kind: Kind) -> Path:
    return kind.write(tmp_path / f"rows.{kind.name}", 0, 300)


@pytest.mark.parametrize("change", [rewrite, swap, cut, remove])
def test_what_has_changed_is_not_answered_from(
    path: Path, settings: Settings, kind: Kind, change: Callable[[Kind, Path], None]
) -> None:
    with Session.open([path], settings=settings) as session:
        answer = session.query({"select": "sum(n)", "group_by": "letter"})
        assert answer.block is not None
        key = answer.block.data_key
        assert key is not None
        source = session.source(key)
        assert source is not None
        change(kind, path)
        with pytest.raises(DataKeyError) as fetched:
            session.engine.rows(source.query)
        assert fetched.value.code == "source_changed"
        assert path.name in fetched.value.message
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.sql("SELECT sum(n) FROM rows")
        with pytest.raises(DataKeyError, match="since it was opened"):
            session.query({"select": "max(n)"})
    with Session.open([], settings=settings) as session, pytest.raises(DataKeyError) as gone:
        session.source(key)
    assert gone.value.code in {"source_changed", "key_expired"}


def test_what_is_opened_again_is_read_again(path: Path, settings: Settings, kind: Kind) -> None:
    with Session.open([path], settings=settings) as session:
        assert session.engine.rows(session.frame().query)[0][0] == 0
        kind.rewrite(path)
        again = session.add(path)
        # Of the same size and time of writing: nothing of the first may be left in the engine's own caches.
        assert session.engine.rows(session.frame(again.name).query)[0][0] == 1000


@pytest.mark.parametrize("change", [rewrite, swap, cut, remove])
@pytest.mark.parametrize("is_sql", [False, True])
def test_a_change_amid_a_stream_ends_it(
    tmp_path: Path, settings: Settings, kind: Kind, change: Callable[[Kind, Path], None], is_sql: bool
) -> None:
    path = kind.write(tmp_path / f"rows.{kind.name}", 0, 400_000)
    with Session.open([path], settings=settings) as session:
        engine = session.engine.for_sql() if is_sql else session.engine
        batches = engine.stream(session.frame().query, 1000)
        assert next(batches)[0][0] == 0
        change(kind, path)
        with pytest.raises(DataKeyError, match=r"has changed|was removed"):
            next(batches)
        with pytest.raises(DataKeyError, match=r"has changed|was removed"):
            engine.rows(session.frame().query)


def test_a_key_outlives_its_session_while_the_file_stays(
    tmp_path: Path, path: Path, settings: Settings
) -> None:
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


def test_only_an_edit_writes(tmp_path: Path, path: Path, settings: Settings) -> None:
    before = path.read_bytes()
    with Session.open([path], settings=settings) as session:
        session.commit(session.preview_edit({"operation": "delete_rows", "where": "n >= 10"}))
        assert session.current.row_count == 10
        assert session.engine.rows(session.frame().query)[9][0] == 9
        session.undo()
        assert session.current.files is not None
        assert session.engine.rows(session.current.scan)[299] == (300, 299, "c", 448.5)
    assert path.read_bytes() == before
    assert len(list((tmp_path / "cache" / "tables").glob("*.parquet"))) == 1


@pytest.mark.parametrize(
    "name",
    ["a*b", "q'uote", "new\nline", "semi;colon", "[x]", 'double"', "--", "ünï", "%41", "$1", "year=1999"],
)
def test_names_are_only_names(tmp_path: Path, settings: Settings, kind: Kind, name: str) -> None:
    path = kind.write(tmp_path / name / f"{name}.{kind.name}", 0, 10)
    with Session.open([path], settings=settings) as session:
        assert session.current.files is not None
        for engine in (session.engine, session.engine.for_sql()):
            assert engine.rows(session.frame().query)[9][0] == 9
