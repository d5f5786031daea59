import datetime as dt
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import duckdb
import pytest
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.backends.duckdb_errors import output_error, query_error
from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.types import ColumnKind
from tabchat.errors import InterruptedByUserError, OutputError, QueryFailedError, TabchatError
from tests.effort import THOROUGH
from tests.sql import parsed

ENDLESS = "SELECT count(*) FROM range(100000000) a, range(100000000) b WHERE (a.range * b.range) % 7 = 3"


def reading(function: str, path: Path) -> exp.Select:
    return exp.select("*").from_(exp.func(function, exp.Literal.string(str(path)), dialect="duckdb"))


@pytest.fixture
def allowed(tmp_path: Path) -> Path:
    folder = tmp_path / 'it\'s "ours" [1] дані'
    folder.mkdir()
    return folder


@pytest.fixture(params=["in this process", "in a process of its own"])
def engine(tmp_path: Path, allowed: Path, request: pytest.FixtureRequest) -> Iterator[DuckDBEngine]:
    """Return an engine; who asks cannot tell which process runs the query."""
    made = BoundedDuckDBEngine(
        spill=tmp_path / "spill", folders=(allowed,), limits=Limits(memory=2**30, threads=2)
    )
    yield made if request.param == "in this process" else made.for_sql()
    made.close()


@pytest.fixture(scope="module", params=["in this process", "in a process of its own"])
def standing(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[DuckDBEngine]:
    """Return one engine for all the statements that leave nothing behind: to start a process takes the longest."""
    folder = tmp_path_factory.mktemp("standing")
    made = BoundedDuckDBEngine(
        spill=folder / "spill", folders=(folder,), limits=Limits(memory=2**30, threads=2)
    )
    yield made if request.param == "in this process" else made.for_sql()
    made.close()


# How far a query is


def test_the_share_of_a_long_query_is_known_to_whoever_watches(tmp_path: Path) -> None:
    engine = DuckDBEngine(spill=tmp_path / "spill")
    long = parsed("SELECT sum(sqrt(i)) FROM range(10000000000) t(i)")
    seen: list[float | None] = []

    def look() -> None:
        until = time.monotonic() + 60
        while not any(seen) and time.monotonic() < until:
            seen.append(engine.share_done())
            time.sleep(0.05)
        engine.cancel()

    assert engine.share_done() is None
    engine.watch()
    watcher = threading.Thread(target=look)
    watcher.start()
    with pytest.raises(InterruptedByUserError):
        engine.rows(long)
    watcher.join()
    assert all(share is None or 0.01 <= share < 1 for share in seen)
    assert any(seen)
    assert engine.share_done() is None
    engine.close()


# The lock


@pytest.mark.parametrize(
    "statement",
    [
        "SET threads = 1",
        "SET memory_limit = '100GB'",
        "RESET memory_limit",
        "SET GLOBAL allowed_directories = ['/']",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET allowed_configs = ['enable_external_access']",
        "SET progress_bar_time = 1",
        "SET temp_directory = '/tmp'",
        "PRAGMA enable_profiling",
        "INSTALL httpfs",
        "INSTALL spatial FROM community",
        "LOAD httpfs",
        "LOAD '/tmp/x.duckdb_extension'",
        "ATTACH '/tmp/outside.db'",
        "EXPORT DATABASE '/tmp/outside'",
        "COPY (SELECT 1) TO '/tmp/outside.csv'",
        "COPY (SELECT 1) TO '/dev/stdout' (FORMAT csv)",
        "CREATE SECRET (TYPE s3)",
        "CREATE PERSISTENT SECRET (TYPE s3)",
    ],
)
def test_the_configuration_is_locked_and_nothing_outside_is_in_reach(
    standing: DuckDBEngine, statement: str
) -> None:
    with pytest.raises(QueryFailedError):
        standing._run(statement)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_blob('/proc/self/environ')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM read_parquet('https://example.org/x.parquet')",
        "SELECT * FROM '/etc/passwd'",
        "SELECT getenv('HOME')",
    ],
)
def test_files_and_variables_outside_the_folders_are_refused(standing: DuckDBEngine, sql: str) -> None:
    with pytest.raises(QueryFailedError):
        standing.rows(parsed(sql))


def test_a_folder_is_not_left_through_its_parent_or_a_longer_name(
    engine: DuckDBEngine, allowed: Path
) -> None:
    outside = allowed.parent / f"{allowed.name} too"
    outside.mkdir()
    for path in (outside / "x.parquet", allowed / ".." / "x.parquet"):
        with pytest.raises(QueryFailedError):
            engine.write_parquet(parsed("SELECT 1 AS a"), path)
        assert not path.exists()


def test_a_single_file_can_be_allowed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "b.csv").write_text("x\n2\n")
    engine = DuckDBEngine(spill=tmp_path / "spill", files=(tmp_path / "a.csv",))
    assert engine.rows(reading("read_csv", tmp_path / "a.csv")) == [(1,)]
    with pytest.raises(QueryFailedError, match="disabled by configuration"):
        engine.rows(reading("read_csv", tmp_path / "b.csv"))
    engine.close()


def test_variables_of_this_program_are_no_tables(engine: DuckDBEngine) -> None:
    frame = [1, 2, 3]
    with pytest.raises(QueryFailedError):
        engine.rows(parsed("SELECT * FROM frame"))
    assert frame == [1, 2, 3]


# Rows, schemas, streams


@pytest.mark.parametrize(
    "sql_type, kind",
    [
        ("BIGINT", ColumnKind.INTEGER),
        ("DECIMAL(18,3)", ColumnKind.NUMBER),
        ("DOUBLE", ColumnKind.NUMBER),
        ("VARCHAR", ColumnKind.TEXT),
        ("ENUM('a', 'b')", ColumnKind.TEXT),
        ("BOOLEAN", ColumnKind.BOOLEAN),
        ("DATE", ColumnKind.DATE),
        ("TIMESTAMP WITH TIME ZONE", ColumnKind.DATETIME),
        ("TIMESTAMP_NS", ColumnKind.DATETIME),
        ("TIME", ColumnKind.TIME),
        ("TIME WITH TIME ZONE", ColumnKind.TIME),
        ("INTEGER[]", ColumnKind.OTHER),
        ("DECIMAL(18,3)[]", ColumnKind.OTHER),
        ("STRUCT(a INTEGER)", ColumnKind.OTHER),
        ("MAP(VARCHAR, INTEGER)", ColumnKind.OTHER),
        ("BLOB", ColumnKind.OTHER),
    ],
)
def test_types_mean_kinds(sql_type: str, kind: ColumnKind) -> None:
    assert column_kind(sql_type) is kind


def test_a_schema_is_known_without_running(engine: DuckDBEngine) -> None:
    columns = engine.schema(parsed(f'SELECT ({ENDLESS}) AS n, \'x\' AS "a ""b""", DATE \'2024-01-01\' AS d'))
    assert [(column.name, column.kind.value, column.sql_type) for column in columns] == [
        ("n", "integer", "BIGINT"),
        ('a "b"', "text", "VARCHAR"),
        ("d", "date", "DATE"),
    ]


def test_times_with_a_zone_are_read_in_utc(engine: DuckDBEngine) -> None:
    rows = engine.rows(parsed("SELECT TIMESTAMPTZ '2024-01-02 03:04:05+02' AS at, 1 AS n"))
    assert rows == [(dt.datetime(2024, 1, 2, 1, 4, 5, tzinfo=dt.UTC), 1)]
    assert engine.rows(parsed("SELECT TIMESTAMPTZ '2024-01-02 03:04:05+02' AS at WHERE false")) == []
    assert engine.rows(parsed("SELECT [TIMESTAMPTZ '2024-01-02 03:00:00+02'] AS at")) == [
        ([dt.datetime(2024, 1, 2, 1, 0, 0, tzinfo=dt.UTC)],)
    ]


def test_rows_can_be_streamed_some_at_a_time(engine: DuckDBEngine) -> None:
    parts = list(engine.stream(parsed("SELECT range AS i, 'x' AS t FROM range(25) ORDER BY i DESC"), 10))
    assert [len(part) for part in parts] == [10, 10, 5]
    assert [row for part in parts for row in part] == [(i, "x") for i in range(24, -1, -1)]
    assert list(engine.stream(parsed("SELECT 1 WHERE false"))) == []
    zoned = "SELECT TIMESTAMPTZ '2024-01-02 00:00:00+00' AS at, i FROM range(25) t(i) ORDER BY i"
    rows = [row for part in engine.stream(parsed(zoned), 10) for row in part]
    assert rows == [(dt.datetime(2024, 1, 2, tzinfo=dt.UTC), i) for i in range(25)]


def test_a_stream_has_every_row_in_order(engine: DuckDBEngine) -> None:
    batches = list(engine.execute(parsed("SELECT range AS i FROM range(250000) ORDER BY i DESC")))
    assert [value for batch in batches for value in batch.column(0).to_pylist()] == list(
        range(249_999, -1, -1)
    )
    assert len(batches) > 1


def test_a_stream_without_rows_still_has_its_columns(engine: DuckDBEngine) -> None:
    (batch,) = engine.execute(parsed("SELECT 1 AS a, 'x' AS b WHERE false"))
    assert (batch.num_rows, batch.schema.names) == (0, ["a", "b"])


def test_a_stream_goes_on_while_other_queries_run(engine: DuckDBEngine) -> None:
    stream = engine.execute(parsed("SELECT range AS i FROM range(300000)"))
    other = engine.execute(parsed("SELECT range AS i FROM range(300000)"))
    first, second = next(stream), next(other)
    assert engine.rows(parsed("SELECT 42")) == [(42,)]
    kept = engine.materialise(parsed("SELECT 43 AS a"))
    assert engine.rows(kept) == [(43,)]
    assert first.num_rows + sum(batch.num_rows for batch in stream) == 300_000
    assert second.num_rows + sum(batch.num_rows for batch in other) == 300_000


def test_an_abandoned_stream_is_released(engine: DuckDBEngine) -> None:
    stream = engine.execute(parsed("SELECT range AS i FROM range(300000)"))
    next(stream)
    assert engine._running
    stream.close()  # type: ignore[attr-defined] # it is a generator
    assert engine._running == set()


def test_a_failure_in_the_middle_of_a_stream_is_an_error_of_this_program(engine: DuckDBEngine) -> None:
    stream = engine.execute(
        parsed("SELECT CASE WHEN i < 900000 THEN 1 ELSE error('boom') END AS x FROM range(1000000) t(i)")
    )
    with pytest.raises(QueryFailedError, match="boom"):
        list(stream)
    assert engine._running == set()


def test_kept_rows_stay_in_order(engine: DuckDBEngine) -> None:
    kept = engine.materialise(parsed("SELECT i, md5(i::VARCHAR) AS m FROM range(300000) t(i) ORDER BY m"))
    digests = [str(digest) for _, digest in engine.rows(kept)]
    assert digests == sorted(digests)
    assert len(digests) == 300_000
    assert engine.rows(exp.select("m").from_(kept.subquery("k")).limit(1).offset(299_999)) == [(digests[-1],)]


def test_a_name_can_be_attached_again(engine: DuckDBEngine) -> None:
    engine.attach('a "b"', parsed("SELECT 1 AS x"))
    engine.attach('a "b"', parsed("SELECT 2 AS y"))
    assert engine.rows(exp.select("*").from_(exp.to_identifier('a "b"', quoted=True))) == [(2,)]


def test_threads_share_what_is_attached_and_kept(engine: DuckDBEngine) -> None:
    engine.attach("numbers", parsed("SELECT range AS i FROM range(1000)"))

    def work(step: int) -> list[object]:
        engine.attach("shared", parsed("SELECT 7 AS x"))
        chosen = exp.select("i").from_("numbers").where(f"i % {step + 1} = 0", dialect="duckdb")
        kept = engine.materialise(chosen.order_by("i DESC"))
        streamed = sum(batch.num_rows for batch in engine.execute(kept))
        return [engine.rows(kept)[0][0], streamed, engine.rows(parsed("SELECT * FROM shared"))]

    threads, steps = (8, 32) if THOROUGH else (4, 16)
    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(work, range(steps)))
    assert results == [
        [max(range(0, 1000, step + 1)), len(range(0, 1000, step + 1)), [(7,)]] for step in range(steps)
    ]


# Stopping


def cancelled(engine: DuckDBEngine, work: Callable[[], object]) -> BaseException | None:
    """Run `work` in a thread, cancel the engine until it ends, and return what it raised."""
    raised: list[BaseException | None] = []

    def run() -> None:
        try:
            work()
            raised.append(None)
        except TabchatError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        engine.cancel()
        thread.join(0.02)
    return raised[0]


def test_cancel_stops_a_query_from_another_thread(engine: DuckDBEngine, allowed: Path) -> None:
    endless = parsed(ENDLESS)
    grouped = parsed("SELECT a.range, sum(b.range) FROM range(1000000) a, range(1000000) b GROUP BY 1")
    for work in (
        lambda: engine.rows(endless),
        lambda: engine.materialise(endless),
        lambda: engine.write_parquet(endless, allowed / "x.parquet"),
        lambda: list(engine.execute(grouped)),
    ):
        assert isinstance(cancelled(engine, work), InterruptedByUserError)
    assert engine.rows(parsed("SELECT 1")) == [(1,)]
    assert list(allowed.iterdir()) == []


def test_cancel_without_a_query_does_nothing(engine: DuckDBEngine) -> None:
    engine.cancel()
    assert engine.rows(parsed("SELECT 1")) == [(1,)]


@pytest.mark.skipif(
    threading.current_thread() is not threading.main_thread(), reason="signals reach only the main thread"
)
@pytest.mark.usefixtures("takes_ctrl_c")
@pytest.mark.parametrize("ends_calls", [True, False])
def test_ctrl_c_stops_the_query_and_nothing_else(engine: DuckDBEngine, *, ends_calls: bool) -> None:
    def interrupt() -> None:
        while not engine._running:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    # Some libraries let interrupted system calls start again, for the whole process.
    signal.siginterrupt(signal.SIGINT, ends_calls)
    sender = threading.Thread(target=interrupt)
    try:
        sender.start()
        with pytest.raises(InterruptedByUserError):
            engine.rows(parsed(ENDLESS))
    finally:
        sender.join()
    assert engine._running == set()
    assert engine.rows(parsed("SELECT 1")) == [(1,)]


# Files and folders


def test_parquet_is_written_into_a_folder_of_any_name(engine: DuckDBEngine, allowed: Path) -> None:
    path = allowed / "résultat 'x'.parquet"
    engine.write_parquet(parsed("SELECT range AS i FROM range(3) ORDER BY i DESC"), path)
    scan = reading("read_parquet", path)
    assert engine.rows(scan) == [(2,), (1,), (0,)]
    engine.write_parquet(parsed("SELECT 9 AS i"), path)
    assert engine.rows(scan) == [(9,)]
    assert [child.name for child in allowed.iterdir()] == [path.name]


def test_a_failed_write_leaves_what_was_there(engine: DuckDBEngine, allowed: Path) -> None:
    path = allowed / "x.parquet"
    engine.write_parquet(parsed("SELECT 1 AS i"), path)
    before = path.read_bytes()
    with pytest.raises(QueryFailedError, match="boom"):
        engine.write_parquet(parsed("SELECT error('boom') AS i"), path)
    assert path.read_bytes() == before
    (allowed / "folder").mkdir()
    for target in (allowed / "missing" / "x.parquet", allowed / "folder"):
        with pytest.raises(OutputError) as failure:
            engine.write_parquet(parsed("SELECT 1 AS i"), target)
        assert failure.value.message.startswith(f"{target} cannot be written: ")
        assert failure.value.hint == "Check the folder and its permissions."
    assert sorted(child.name for child in allowed.iterdir()) == ["folder", "x.parquet"]


def test_spill_files_are_private_and_gone_after_closing(tmp_path: Path) -> None:
    spill = tmp_path / "deep" / "spill"
    engine = DuckDBEngine(spill=spill, limits=Limits(memory=60_000_000, threads=1))
    engine.materialise(parsed("SELECT range AS i, md5(range::VARCHAR) AS m FROM range(2000000)"))
    assert any(child.stat().st_size for child in spill.rglob("*") if child.is_file())
    assert stat.S_IMODE(spill.stat().st_mode) == 0o700
    engine.close()
    assert not spill.exists()
    engine.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from sqlglot import parse_one
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits

engine = DuckDBEngine(spill=Path(sys.argv[1]), limits=Limits(memory=60_000_000, threads=1))
engine.materialise(parse_one("SELECT range AS i, md5(range::VARCHAR) AS m FROM range(2000000)", dialect="duckdb"))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_engine_spilled_goes_when_the_next_starts(tmp_path: Path) -> None:
    spill = tmp_path / "spill"
    other = DuckDBEngine(spill=spill, limits=Limits(memory=60_000_000, threads=1))
    other.materialise(parsed("SELECT range AS i, md5(range::VARCHAR) AS m FROM range(2000000)"))
    own = {path for path in spill.rglob("*") if path.is_file()}
    assert own
    subprocess.run([sys.executable, "-c", KILLED, str(spill)], check=False)
    left = {path for path in spill.rglob("*") if path.is_file()} - own
    assert left
    third = DuckDBEngine(spill=spill)
    assert {path for path in spill.rglob("*") if path.is_file()} & left == set()
    # Those of an engine that lives stay.
    assert other.rows(parsed("SELECT count(DISTINCT m) FROM __kept_1")) == [(2_000_000,)]
    third.close()
    other.close()
    assert not spill.exists()


def test_the_spill_folder_is_bounded(tmp_path: Path) -> None:
    engine = DuckDBEngine(
        spill=tmp_path / "spill", limits=Limits(memory=60_000_000, spill=10_000_000, threads=1)
    )
    with pytest.raises(QueryFailedError) as failure:
        engine.materialise(parsed("SELECT range AS i, md5(range::VARCHAR) AS m FROM range(4000000)"))
    assert (
        failure.value.message
        == "The query does not fit in memory, and needs more than it may spill to disk (9.5 MiB)."
    )
    assert (
        failure.value.hint
        == "Allow more with TABCHAT_SPILL_SIZE or TABCHAT_MEMORY_LIMIT, or ask for fewer rows or columns."
    )
    assert failure.value.plain == "The query does not fit in memory, and needs more than it may spill to disk"
    assert engine.rows(parsed("SELECT 1")) == [(1,)]
    engine.close()


def test_a_spill_folder_that_cannot_be_made_is_no_obstacle_until_it_is_needed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    engine = DuckDBEngine(spill=tmp_path / "file" / "spill")
    assert engine.rows(parsed("SELECT 1")) == [(1,)]
    engine.close()


def test_a_closed_engine_says_so(engine: DuckDBEngine) -> None:
    engine.close()
    engine.close()
    with pytest.raises(QueryFailedError, match="The engine is closed"):
        engine.rows(parsed("SELECT 1"))


# Errors


OTHERWISE = "Change that part of the query, and run it again."


@pytest.mark.parametrize(
    "sql, message, hint",
    [
        ("SELECT revenu FROM t", "There is no column 'revenu'.", "Did you mean revenue?"),
        ("SELECT t.revenu FROM t", "There is no column 'revenu'.", OTHERWISE),
        ("SELECT zzz FROM t", "There is no column 'zzz'.", "Nearest names: "),
        ("SELECT * EXCLUDE (revenu) FROM t", "There is no column 'revenu'.", "Did you mean revenue?"),
        ("SELECT zz.revenue FROM t", "There is no table 'zz' in this query.", "Nearest names: t."),
        ("SELECT meen(revenue) FROM t", "There is no function meen().", "Did you mean mean?"),
        ("SELECT qqqqqq(revenue) FROM t", "There is no function qqqqqq().", OTHERWISE),
        ("SELECT * FROM nowhere", "Table with name nowhere does not exist!", OTHERWISE),
        (
            "SELECT sum(region) FROM t",
            "No function matches the given name and argument types 'sum(VARCHAR)'.",
            "The values are of the wrong type or number for it; convert them, for example with try_cast(x AS DOUBLE).",
        ),
        (
            "SELECT region, count(*) FROM t",
            'column "region" must appear in the GROUP BY clause or must be part of an aggregate function.',
            'Either add it to the GROUP BY list, or use ANY_VALUE("region") ',
        ),
        (
            "SELECT revenue FROM t WHERE sum(revenue) > 1",
            "WHERE clause cannot contain aggregates!",
            OTHERWISE,
        ),
        (
            "SELECT region::INT FROM t",
            "Could not convert string 'x' to INT32 when casting from source column region",
            "Use try_cast(x AS type): it gives null where a value cannot be converted.",
        ),
        (
            "SELECT 9223372036854775807 + revenue FROM t",
            "Overflow in addition of INT64 (9223372036854775807 + 1)!",
            "Compute with DOUBLE, for example x::DOUBLE.",
        ),
        (
            "SELECT 5 // 0",
            "Division by zero in expression (5 // 0).",
            "Divide by nullif(x, 0): it gives null where x is 0.",
        ),
        (
            "SELECT strptime('a', '%Y')",
            'Could not parse string "a" according to format specifier "%Y"',
            OTHERWISE,
        ),
        (
            "SELECT * FROM read_csv('/etc/passwd')",
            'Cannot access file "/etc/passwd" - file system operations are disabled by configuration',
            "Queries read only the open tables.",
        ),
    ],
)
def test_failures_name_the_cause_and_what_to_try(
    standing: DuckDBEngine, sql: str, message: str, hint: str
) -> None:
    standing.attach("t", parsed("SELECT 1::BIGINT AS revenue, 'x' AS region"))
    with pytest.raises(QueryFailedError) as failure:
        standing.rows(parsed(sql))
    assert failure.value.message == message
    assert (failure.value.hint or "").startswith(hint)


def test_hidden_columns_are_never_suggested(engine: DuckDBEngine) -> None:
    engine.attach("t", parsed("SELECT 1 AS __row__, 2 AS __row_flag__"))
    with pytest.raises(QueryFailedError) as failure:
        engine.rows(parsed("SELECT __row FROM t"))
    assert failure.value.hint == OTHERWISE


def test_too_little_memory_is_said(tmp_path: Path) -> None:
    engine = DuckDBEngine(spill=tmp_path / "spill", limits=Limits(memory=40_000_000, threads=1))
    with pytest.raises(QueryFailedError) as failure:
        engine.rows(parsed("SELECT array_agg(md5(range::VARCHAR)) FROM range(3000000)"))
    assert failure.value.message == "The query needs more memory than it may use."
    assert failure.value.hint == "Allow more with TABCHAT_MEMORY_LIMIT, or ask for fewer rows or columns."
    engine.close()


def test_stored_rows_that_cannot_be_read_lead_to_the_cache(engine: DuckDBEngine, allowed: Path) -> None:
    def read(path: Path) -> QueryFailedError:
        with pytest.raises(QueryFailedError) as failure:
            engine.rows(reading("read_parquet", path))
        return failure.value

    assert read(allowed / "gone.parquet").hint == "Check the cache with: tabchat cache check."
    (allowed / "broken.parquet").write_bytes(b"PAR1 this is not a table PAR1 at all")
    broken = read(allowed / "broken.parquet")
    assert broken.hint == "Check the cache with: tabchat cache check."


@pytest.mark.parametrize(
    "error, message, hint",
    [
        (
            duckdb.OutOfMemoryException(
                "Out of Memory Error: failed to offload data block of size 256.0 KiB\n…"
            ),
            "The query does not fit in memory, and there is no room on disk to spill to.",
            "Free some disk space, or ask for fewer rows or columns.",
        ),
        (
            duckdb.IOException('IO Error: Could not write file "x": No space left on device'),
            'The disk is full: Could not write file "x": No space left on device',
            "Free some space on that disk.",
        ),
        (
            duckdb.InternalException("INTERNAL Error: assertion failed\nstack"),
            "The engine failed inside: assertion failed",
            "Ask in another way, and report this as a bug.",
        ),
        (duckdb.NotImplementedException("Not implemented Error: no\nmore"), "no", OTHERWISE),
        # What a message that is no text becomes under some versions of Python.
        (duckdb.InvalidInputException(), "The query failed on a value of the data.", OTHERWISE),
    ],
)
def test_rare_failures_are_told_too(error: Exception, message: str, hint: str) -> None:
    told = query_error(error)
    assert isinstance(told, QueryFailedError)
    assert (told.message, told.hint) == (message, hint)


def test_a_full_disk_is_told_when_a_file_is_written() -> None:
    error = duckdb.IOException(
        'IO Error: Async write failed for range [offset=0, size=5]: {"exception_type":"IO",'
        '"exception_message":"Could not write file \\"/x\\": No space left on device","errno":"28"}'
    )
    told = output_error(error, "/x")
    assert isinstance(told, OutputError)
    assert told.message == '/x cannot be written: Could not write file "/x": No space left on device'
    assert told.hint == "Free some space on that disk."


def test_an_interruption_inside_a_stream_is_one_of_this_program() -> None:
    assert isinstance(query_error(OSError("INTERRUPT Error: Interrupted!")), InterruptedByUserError)
