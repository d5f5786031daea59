"""A session composes tables, engine and store; what it keeps can be looked at and computed again."""

import io
import tempfile
import time
from pathlib import Path

import pytest

from tabchat import Session, TabchatError
from tabchat.chat.turn.messages import ToolCall
from tabchat.chat.turn.model import Reply, ScriptedModel
from tabchat.config import Settings, load_settings
from tabchat.errors import (
    DataKeyError,
    InputError,
    NotUnderstoodError,
    PlanValidationError,
    QueryFailedError,
    QueryTimeoutError,
    SqlRefusedError,
    UsageError,
)
from tabchat.export import ExportFormat
from tests.command import tabchat
from tests.conftest import Example

pytestmark = pytest.mark.examples_read

SLOW = "SELECT count(*) FROM sales a, sales b, sales c WHERE a.revenue + b.revenue > c.revenue"


@pytest.fixture
def settings() -> Settings:
    return load_settings()


def test_a_session_that_cannot_open_leaves_no_folder(
    example: Example, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    settings = Settings(no_cache=True, threads=2**63)
    with pytest.raises(QueryFailedError):
        Session.open([example("sales.csv")], settings=settings)
    with pytest.raises(InputError):
        Session.open([tmp_path / "absent.csv"], settings=Settings(no_cache=True))
    assert list(tmp_path.iterdir()) == []


def test_questions_plans_and_sql_agree(example: Example, settings: Settings) -> None:
    with Session.open([example("sales.csv")], settings=settings) as session:
        asked = session.answer("how many orders in Germany?")
        planned = session.query({"where": "country == 'Germany'", "select": "count()"})
        selected = session.sql("SELECT count(*) FROM sales WHERE country = 'Germany'")
        values = [answer.block.result.value for answer in (asked, planned, selected) if answer.block]
        assert values == [636, 636, 636]
        assert list(session.conversation.answers) == [asked, planned, selected]
        assert session.last is selected


def test_failures_are_in_the_answer_or_raised_as_their_own_kind(example: Example, settings: Settings) -> None:
    with Session.open([example("sales.csv")], settings=settings) as session:
        assert isinstance(session.answer("total frobnication").error, NotUnderstoodError)
        with pytest.raises(PlanValidationError):
            session.query({"select": "sum(revenu)"})
        with pytest.raises(SqlRefusedError):
            session.sql("DROP TABLE sales")
        assert session.conversation.answers == []


def test_a_session_without_tables_says_so(settings: Settings) -> None:
    with Session.open([], settings=settings) as session, pytest.raises(UsageError, match="No table is open"):
        session.answer("how many rows?")


def test_one_bad_file_opens_no_session(example: Example, settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        Session.open([example("sales.csv"), tmp_path / "absent.csv"], settings=settings)


def test_the_current_table_can_be_changed(example: Example, settings: Settings) -> None:
    with Session.open([example("sales.csv"), example("prices.csv")], settings=settings) as session:
        assert session.current.name == "sales"
        assert session.use("prices").name == "prices"
        answer = session.answer("how many rows?")
        assert answer.block is not None
        assert answer.block.result.value == 756
        with pytest.raises(UsageError, match="no table 'orders'"):
            session.use("orders")


def test_a_query_past_its_time_limit_is_told_from_an_interruption(example: Example) -> None:
    with (
        Session.open([example("sales.csv")], settings=load_settings({"timeout": 0.3})) as session,
        pytest.raises(QueryTimeoutError, match=r"longer than 0\.3 s") as caught,
    ):
        session.sql(SLOW)
    assert "--timeout" in str(caught.value.hint)


def test_a_question_past_its_time_limit_says_so_in_its_answer(example: Example) -> None:
    slow = ToolCall(id="1", name="run_sql", arguments={"sql": SLOW})
    model = ScriptedModel([Reply(tool_calls=(slow,))], planner="rules")
    with Session.open(
        [example("sales.csv")], settings=load_settings({"timeout": 0.3}), models=[model]
    ) as session:
        answer = session.answer("anything")
    assert isinstance(answer.error, QueryTimeoutError)


def test_a_kept_result_is_shown_by_another_session(example: Example, settings: Settings) -> None:
    with Session.open([example("sales.csv")], settings=settings) as session:
        block = session.answer("total revenue by region").block
        assert block is not None
        assert block.data_key is not None
        key, rows = block.data_key, block.result.frame.rows()
    with Session.open([], settings=settings) as other:
        shown = other.show(key)
        assert shown.block is not None
        assert shown.block.result.frame.rows() == rows
        assert shown.block.result.chart == block.result.chart
        source = other.source(key)
        assert source is not None
        assert source.row_count == len(source.rows()) == 5000
        assert [entry.key for entry in other.results()] == [key]


def test_a_key_of_an_older_version_does_not_disturb_the_open_table(
    settings: Settings, tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a\n1\n2\n")
    with Session.open([path], settings=settings) as session:
        old = session.query({"select": "count()"}).block
        assert old is not None
        assert old.data_key is not None
    path.write_text("a\n1\n2\n3\n")
    with Session.open([path], settings=settings) as session:
        source = session.source(old.data_key)
        assert source is not None
        assert source.row_count == 2
        new = session.query({"select": "count()"}).block
        assert new is not None
        assert (new.result.value, new.data_key == old.data_key) == (3, False)
    with Session.open([], settings=settings) as session:
        session.cache.clear()
    with (
        Session.open([], settings=settings) as session,
        pytest.raises(DataKeyError, match="has changed") as caught,
    ):
        session.source(old.data_key)
    assert caught.value.code == "source_changed"
    path.unlink()
    with (
        Session.open([], settings=settings) as session,
        pytest.raises(DataKeyError, match="cannot be read again") as caught,
    ):
        session.source(old.data_key)
    assert caught.value.code == "key_expired"
    assert caught.value.hint == f"Put the file back first. Ask the question again: tabchat ask {path} …"


def test_a_table_has_no_source_rows_of_its_own(example: Example, settings: Settings) -> None:
    with Session.open([example("sales.csv")], settings=settings) as session:
        block = session.query({"limit": 3}).block
        assert block is not None
        assert block.data_key is not None
        with pytest.raises(UsageError, match="no separate source rows"):
            session.export(block.data_key, io.BytesIO(), ExportFormat.CSV, source=True)


def test_a_store_that_cannot_be_written_costs_the_key_not_the_answer(
    example: Example, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabchat.errors import OutputError
    from tabchat.store import DiskStore

    def full(*_: object) -> None:
        message = "no space"
        raise OutputError(message)

    monkeypatch.setattr(DiskStore, "put", full)
    with Session.open([example("sales.csv")], settings=settings) as session:
        answer = session.query({"select": "count()"})
        assert answer.block is not None
        assert (answer.block.result.value, answer.block.data_key) == (5000, None)


def write_large(path: Path, *, last: str, blocks: int = 2) -> int:
    """Write a CSV of 3 MB a block, whose last amount is `last`; return its number of rows."""
    block = "".join(f"{n % 7},customer number {n},{n}.25\n" for n in range(100_000))
    with path.open("w") as file:
        file.write("region,customer,amount\n")
        for _ in range(blocks):
            file.write(block)
        file.write(f"9,the last,{last}\n")
    return blocks * 100_000 + 1


@pytest.fixture
def smaller_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take files of two blocks for those that are answered before they are read."""
    monkeypatch.setattr("tabchat.engine.reader.loading.DIRECT_BYTES", 1_000_000)


@pytest.mark.usefixtures("smaller_is_large")
def test_a_large_file_is_answered_where_it_lies(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    rows = write_large(path, last="1.25")
    with Session.open([path], settings=settings, direct=True) as session:
        assert not session.current.stored
        block = session.answer("total amount by region").block
        assert block is not None
        assert block.result.source_row_count == rows
        assert block.result.frame.rows()[-1] == (9, 1.25)
        direct_key = block.data_key
    with Session.open([path], settings=settings) as session:
        assert session.current.stored
        block = session.answer("total amount by region").block
        assert block is not None
        assert block.data_key == direct_key


@pytest.mark.usefixtures("smaller_is_large")
def test_a_late_surprise_in_a_large_file_is_read_whole(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    write_large(path, last="unknown to all")
    with Session.open([path], settings=settings, direct=True) as session:
        answer = session.answer("how many rows where region = 9?")
        assert answer.block is not None
        assert answer.block.result.value == 1
        failed = session.answer("total amount")
        assert session.current.stored
        assert not failed.ok
        assert session.current.by_name["amount"].kind == "text"


@pytest.mark.examples_read(False)
def test_a_large_file_is_cached_behind_the_first_question(tmp_path: Path, isolated_home: Path) -> None:
    path = tmp_path / "large.csv"
    write_large(path, last="1.25", blocks=18)
    assert tabchat("ask", path, "total amount by region").code == 0
    tables = isolated_home / ".cache" / "tabchat" / "tables"
    until = time.monotonic() + 60
    while not list(tables.glob("*.json")):
        assert time.monotonic() < until
        time.sleep(0.1)
    with Session.open([path], settings=load_settings(), direct=True) as session:
        assert session.current.stored


def test_public_errors_have_one_root() -> None:
    assert issubclass(InputError, TabchatError)


def test_the_digits_that_a_long_sum_shows_are_right(settings: Settings, tmp_path: Path) -> None:
    import duckdb

    path = tmp_path / "long.parquet"
    cell = "(hash(i) % 10000000)::BIGINT"
    duckdb.execute(
        f"COPY (SELECT {cell} / 100.0 AS x FROM range(2000000) AS t(i)) TO '{path}' (FORMAT parquet)"
    )
    ((cents,),) = duckdb.execute(f"SELECT sum({cell})::BIGINT FROM range(2000000) AS t(i)").fetchall()
    with Session.open([path], settings=settings) as session:
        block = session.query({"select": ["sum(x)", "mean(x)"]}).block
        assert block is not None
        expected = {"sum": cents / 100, "mean": cents / 100 / 2_000_000}
        assert block.result.values == pytest.approx(expected, rel=1e-15)
