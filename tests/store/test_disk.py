import multiprocessing
import os
import pickle
import sqlite3
import stat
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import diskcache
import pytest
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.errors import DataKeyError, OutputError
from tabchat.store import DiskStore
from tabchat.store.index import ResultIndex
from tabchat.store.parquet_disk import ForeignKey, ForeignRowError, ParquetDisk
from tests.store.conftest import DAY, Bench, recipe


def exploded(path: str) -> None:
    Path(path).write_text("a pickle was loaded")


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[[str], None], tuple[str]]:
        return exploded, (str(self.path),)


def index(bench: Bench) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(bench.root / "results" / "cache.db", isolation_level=None))


def age(bench: Bench, seconds: float) -> None:
    """Let `seconds` pass for everything in the index."""
    with index(bench) as connection:
        connection.execute("UPDATE Cache SET expire_time = expire_time - ?", (seconds,))


def big(number: int, rows: int = 20_000) -> str:
    return f"SELECT hash(i + {number}) AS x FROM range({rows}) AS t(i)"


# Keeping and finding


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 17014118346046923173168730371588410572::HUGEINT AS big, 'a' AS name, DATE '2024-01-02' AS day",
        'SELECT 1 AS a, 2 AS a, 3 AS "A", 4::HUGEINT AS a',
        "SELECT '101'::BIT AS bits, TIMESTAMP_S '2024-01-01 00:00:00' AS s, '10:00:00+02'::TIMETZ AS z",
        "SELECT [1, NULL] AS list, {'a': 1, 'b': 'x'} AS struct, MAP {'k': 1} AS pairs, 'x'::BLOB AS bytes",
        "SELECT 'nan'::DOUBLE IS NULL AS missing, 1.50::DECIMAL(10, 2) AS price, NULL AS nothing",
        'SELECT 1 AS " a ""b" , 2 AS "колонка", 3 AS "\U0001f600" WHERE false',
        "SELECT i FROM range(5) AS t(i) ORDER BY i DESC",
    ],
)
def test_a_kept_result_comes_back_with_its_rows_and_types(bench: Bench, store: DiskStore, sql: str) -> None:
    entry = bench.entry(store, sql)
    kept = store.put(entry, bench.frame(sql))
    assert kept == replace(entry, frame_bytes=kept.frame_bytes)
    assert kept.frame_bytes > 0
    assert store.get(entry.key) == kept
    frame = store.frame(entry.key, bench.engine)
    assert frame is not None
    assert frame.rows() == bench.frame(sql).rows()
    assert [column.sql_type for column in bench.engine.schema(frame.query)] == [
        column.sql_type for column in entry.schema
    ]
    assert store.list() == (kept,)


def test_another_process_finds_what_was_kept(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    with closing(bench.store()) as other:
        assert other.get(key) == store.get(key)
        assert other.frame_path(key) == store.frame_path(key)


def test_the_same_rows_are_not_written_twice(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    path = store.frame_path(key)
    store.put(replace(bench.entry(store, "SELECT 1 AS a"), title="Again"), bench.frame("SELECT 1 AS a"))
    assert store.frame_path(key) == path
    assert store.get(key).title == "Again"


class Overtaken(DuckDBEngine):
    """Lets something happen between writing rows and keeping them."""

    meanwhile: Callable[[], object] = staticmethod(lambda: None)

    def write_parquet(self, query: exp.Query, path: Path) -> None:
        super().write_parquet(query, path)
        self.meanwhile()


def test_rows_that_another_process_kept_meanwhile_stay(
    bench: Bench, store: DiskStore, tmp_path: Path
) -> None:
    slow = Overtaken(spill=tmp_path / "slow", folders=[bench.root / "results"], limits=Limits(threads=1))
    with closing(slow), closing(bench.store()) as other:
        entry = bench.entry(store, "SELECT 1 AS a")
        paths: list[Path | None] = []
        slow.meanwhile = lambda: paths.append(other.frame_path(bench.keep(other, "SELECT 1 AS a")))
        frame = bench.frame("SELECT 1 AS a")
        store.put(entry, replace(frame, engine=slow))
        assert paths == [store.frame_path(entry.key)]
        assert store.check() == ()
        assert len(list(store.directory.glob("??/??/*.parquet"))) == 1


def test_rows_that_go_while_they_are_looked_at_are_gone(
    bench: Bench, store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    path = store.frame_path(key)
    assert path is not None
    path.unlink()
    # It was there when it was asked for.
    monkeypatch.setattr(ResultIndex, "frame_path", lambda _self, _key: path)
    assert store.get(key).frame_bytes == 0
    assert store.frame(key, bench.engine) is None


def test_rows_of_another_shape_replace_the_kept_ones(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    before = store.frame_path(key)
    assert before is not None
    frame = bench.frame("SELECT 1 AS a, 2 AS b")
    store.put(replace(bench.entry(store, "SELECT 1 AS a"), schema=frame.schema), frame)
    kept = store.frame(key, bench.engine)
    assert kept is not None
    assert kept.rows() == [(1, 2)]
    assert not before.exists()


def test_a_key_that_is_not_the_recipes_own_is_never_kept(bench: Bench, store: DiskStore) -> None:
    entry = replace(bench.entry(store, "SELECT 1 AS a"), recipe=recipe("SELECT 2 AS a"))
    with pytest.raises(ValueError, match="is not the key of its recipe"):
        store.put(entry, bench.frame("SELECT 1 AS a"))
    assert store.list() == ()


def test_results_are_listed_newest_first(bench: Bench, store: DiskStore) -> None:
    keys = [
        bench.keep(store, f"SELECT {n} AS a", created_at=when)
        for n, when in ((1, 10.0), (2, 30.0), (3, 20.0))
    ]
    assert [entry.key for entry in store.list()] == [keys[1], keys[2], keys[0]]
    info = store.info()
    assert (info.entries, info.pinned, info.limit) == (3, 0, 10**9)
    assert info.bytes > sum(entry.frame_bytes for entry in store.list())


def test_an_empty_store_says_so(store: DiskStore) -> None:
    info = store.info()
    assert (info.entries, info.pinned) == (0, 0)
    assert store.list() == ()
    assert store.check() == ()
    assert store.clear() == 0


def test_a_deleted_result_is_gone_with_its_rows(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    path = store.frame_path(key)
    assert path is not None
    store.delete(key)
    assert not path.exists()
    with pytest.raises(DataKeyError, match="There is no result"):
        store.delete(key)


# Who may name a result


def test_an_unknown_key_is_an_error_with_a_next_step(store: DiskStore) -> None:
    key = "ds_" + "a" * 20
    for use in (store.get, store.frame_path, store.delete, lambda key: store.pin(key, on=True)):
        with pytest.raises(DataKeyError) as caught:
            use(key)
        assert caught.value.message == f"There is no result {key}."
        assert caught.value.code == "key_unknown"
        assert caught.value.hint == "List the kept results with: tabchat results"


def test_another_persons_secret_cannot_name_a_result(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    with closing(bench.store(owner="somebody else")) as other:
        with pytest.raises(DataKeyError) as caught:
            other.get(key)
        assert caught.value.message == f"There is no result {key}."
        assert other.list() == ()
        assert other.key_for(recipe("SELECT 1 AS a")) != key
        assert other.check() == (f"{key} was made under another secret, or was changed, and cannot be used.",)
    assert store.get(key).key == key


def test_everything_in_the_store_is_private(bench: Bench, store: DiskStore) -> None:
    previous = os.umask(0)
    try:
        bench.keep(store, "SELECT 1 AS a")
    finally:
        os.umask(previous)
    for path in (store.directory, *store.directory.rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


# Age, size and pins


def test_rows_expire_and_leave_an_entry_that_can_compute_them_again(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    age(bench, 31 * DAY)
    entry = store.get(key)
    assert entry.frame_bytes == 0
    assert entry.recipe == recipe("SELECT 1 AS a")
    assert store.frame_path(key) is None
    assert store.frame(key, bench.engine) is None
    age(bench, 400 * DAY)
    with pytest.raises(DataKeyError, match="There is no result"):
        store.get(key)


@pytest.mark.parametrize("use", ["get", "frame_path"])
def test_every_use_lets_a_result_live_on(bench: Bench, store: DiskStore, use: str) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    for _ in range(3):
        age(bench, 20 * DAY)
        getattr(store, use)(key)
    assert store.frame_path(key) is not None


def test_looking_through_the_list_is_no_use(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    age(bench, 20 * DAY)
    store.list()
    age(bench, 20 * DAY)
    assert store.frame_path(key) is None


def test_the_rows_used_longest_ago_make_room(bench: Bench) -> None:
    with closing(bench.store(max_bytes=500_000)) as store:
        keys = [bench.keep(store, big(number)) for number in range(2)]
        age(bench, 60.0)
        store.get(keys[0])
        keys.append(bench.keep(store, big(2)))
        assert [store.get(key).frame_bytes > 0 for key in keys] == [True, False, True]
        assert store.info().bytes <= 500_000
        assert store.check() == ()


def test_rows_that_were_used_meanwhile_are_not_evicted(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    with store._opened() as opened:
        ((expiry, evictable),) = opened._evictable(spare="")
        assert evictable == key
        store.get(key)
        assert opened._evict(key, expiry) == 0
    assert store.frame_path(key) is not None


def test_rows_larger_than_the_store_are_not_kept_and_push_nothing_out(bench: Bench) -> None:
    with closing(bench.store(max_bytes=250_000)) as store:
        small = bench.keep(store, "SELECT 1 AS a")
        large = bench.keep(store, big(0, rows=60_000))
        assert store.frame_path(large) is None
        assert store.get(large).row_count == 60_000
        assert store.frame_path(small) is not None
        assert [path.name for path in store.directory.iterdir() if path.name.startswith("incoming")] == []


def test_a_pinned_result_neither_expires_nor_makes_room(bench: Bench) -> None:
    with closing(bench.store(max_bytes=500_000)) as store:
        pinned = bench.keep(store, big(0))
        assert store.pin(pinned, on=True).pinned
        age(bench, 10_000 * DAY)
        others = [bench.keep(store, big(number)) for number in range(1, 4)]
        assert store.frame_path(pinned) is not None
        assert [store.frame_path(key) is not None for key in others] == [False, False, True]
        assert store.info().pinned == 1
        # Asking the same question again does not unpin it, and a plan that says the same does not take its words away.
        store.put(replace(bench.entry(store, big(0)), question=None), bench.frame(big(0)))
        assert store.get(pinned).pinned
        assert store.get(pinned).question == "which?"
        assert store.clear() == 3
        assert [entry.key for entry in store.list()] == [pinned]
        assert not store.pin(pinned, on=False).pinned
        age(bench, 31 * DAY)
        assert store.frame_path(pinned) is None


def test_rows_that_are_gone_cannot_be_pinned(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    age(bench, 31 * DAY)
    with pytest.raises(DataKeyError, match="are not kept any more") as caught:
        store.pin(key, on=True)
    assert caught.value.code == "key_expired"


# Never a pickle


@pytest.mark.parametrize("value", [{"a": 1}, None, b"bytes", [1], 1 << 70, Path("x")])
def test_nothing_that_needs_a_pickle_is_written(tmp_path: Path, value: Any) -> None:
    disk = ParquetDisk(str(tmp_path))
    with pytest.raises(ForeignRowError, match="would have to be pickled"):
        disk.store(value, read=False)
    with pytest.raises(ForeignRowError, match="would have to be pickled"):
        disk.store(value, read=True)
    with pytest.raises(ForeignRowError, match="keys are text"):
        disk.put((value,))


def test_numbers_and_text_need_no_pickle(tmp_path: Path) -> None:
    disk = ParquetDisk(str(tmp_path))
    for value in ("text" * 50_000, 5, -1.5):
        size, mode, filename, stored = disk.store(value, read=False)
        assert (size, filename) == (0, None)
        assert disk.fetch(mode, filename, stored, read=False) == value


@pytest.mark.parametrize(
    "filename", ["../../../etc/passwd", "/etc/passwd", "aa/bb/x.parquet", "cache.db", None]
)
def test_a_file_outside_is_neither_read_nor_removed(tmp_path: Path, filename: str | None) -> None:
    disk = ParquetDisk(str(tmp_path / "store"))
    with pytest.raises(ForeignRowError):
        disk.fetch(2, filename, None, read=False)
    victim = tmp_path / "victim"
    victim.write_text("still here")
    disk.remove("../victim")
    assert victim.exists()


def plant(bench: Bench, bomb: bytes, *, where: str, key: str) -> None:
    """Put a pickle into the index, as a value or as a key."""
    with index(bench) as connection:
        if where == "key":
            connection.execute(
                "INSERT INTO Cache (key, raw, store_time, mode, value) VALUES (?, 0, 1, 1, 'x')",
                (sqlite3.Binary(bomb),),
            )
            return
        changed = connection.execute(
            "UPDATE Cache SET mode = 4, value = ?, filename = NULL WHERE key = ?",
            (sqlite3.Binary(bomb), f"{where}:{key}"),
        )
        assert changed.rowcount == 1


@pytest.mark.parametrize("where", ["entry", "frame", "key"])
def test_a_planted_pickle_is_refused_and_removed_unread(bench: Bench, store: DiskStore, where: str) -> None:
    canary = bench.root / "canary"
    bomb = pickle.dumps(Bomb(canary))
    victim = bench.keep(store, "SELECT 1 AS a")
    sound = bench.keep(store, "SELECT 2 AS a")
    plant(bench, bomb, where=where, key=victim)
    assert sound in [entry.key for entry in store.list()]
    if where != "key":
        for use in (store.get, store.frame_path):
            with pytest.raises(DataKeyError) as caught:
                use(victim)
            assert caught.value.message == (
                f"The entry of {victim} is damaged: it is in a form that tabchat never writes, "
                "such as a pickle, and was not read."
            )
            assert caught.value.hint == "Remove what is damaged with: tabchat cache check"
    problems = store.check()
    assert problems[0].endswith("unread.") if where == "key" else "such as a pickle" in problems[0]
    assert store.check() == ()
    left = {sound, victim} if where == "key" else {sound}
    assert {entry.key for entry in store.list()} == left
    assert store.clear() == len(left)
    assert not canary.exists()
    pickle.loads(bomb)  # noqa: S301 - the bomb would have worked
    assert canary.exists()


def test_planted_rows_without_an_entry_are_removed_unread(bench: Bench, store: DiskStore) -> None:
    canary = bench.root / "canary"
    keys = [bench.keep(store, f"SELECT {n} AS a") for n in range(2)]
    plant(bench, pickle.dumps(Bomb(canary)), where="frame", key=keys[0])
    with index(bench) as connection:
        connection.execute("DELETE FROM Cache WHERE key IN (?, ?)", [f"entry:{key}" for key in keys])
    refusal = "it is in a form that tabchat never writes, such as a pickle, and was not read."
    assert set(store.check()) == {
        f"The rows of {keys[0]} were damaged and were removed: {refusal}",
        f"The rows of {keys[1]} belonged to no entry and were removed.",
    }
    assert store.check() == ()
    assert not canary.exists()


def test_a_key_that_is_no_text_stays_opaque(tmp_path: Path) -> None:
    disk = ParquetDisk(str(tmp_path))
    assert disk.get(b"\x80\x05", raw=False) == ForeignKey(stored=b"\x80\x05")
    assert disk.get(b"\x80\x05", raw=True) == ForeignKey(stored=b"\x80\x05")
    assert disk.put(ForeignKey(stored=b"\x80\x05")) == (b"\x80\x05", False)


# Damage


def test_missing_and_cut_rows_are_found_and_computed_again(bench: Bench, store: DiskStore) -> None:
    missing, cut, empty = (bench.keep(store, f"SELECT {n} AS a") for n in range(3))
    for key, damage in ((missing, None), (cut, b"PAR1 and no more"), (empty, b"")):
        path = store.frame_path(key)
        assert path is not None
        path.unlink() if damage is None else path.write_bytes(damage)
    problems = set(store.check())
    assert problems == {
        f"The rows of {missing} were missing; they will be computed again when asked for.",
        f"The rows of {cut} were not as they were kept; they will be computed again when asked for.",
        f"The rows of {empty} were not as they were kept; they will be computed again when asked for.",
    }
    assert store.check() == ()
    assert [store.get(key).frame_bytes for key in (missing, cut, empty)] == [0, 0, 0]


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 1}', "[" * 100_000])
def test_an_unreadable_entry_is_told_and_removed(bench: Bench, store: DiskStore, text: str) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    with index(bench) as connection:
        connection.execute("UPDATE Cache SET value = ? WHERE key = ?", (text, f"entry:{key}"))
    with pytest.raises(DataKeyError, match="is damaged"):
        store.get(key)
    assert store.list() == ()
    (problem,) = store.check()
    assert problem.startswith(f"The entry of {key} was damaged and was removed: ")
    assert store.check() == ()
    assert list(store.directory.glob("??/??/*")) == []
    # The same question mends it, too.
    assert bench.keep(store, "SELECT 1 AS a") == key
    assert store.get(key).row_count == 1


def test_an_entry_under_another_key_is_no_entry(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    other = store.key_for(recipe("SELECT 2 AS a"))
    with index(bench) as connection:
        connection.execute("UPDATE Cache SET key = ? WHERE key = ?", (f"entry:{other}", f"entry:{key}"))
    with pytest.raises(DataKeyError, match=f"There is no result {other}"):
        store.get(other)
    assert store.list() == ()
    assert f"{other} was made under another secret, or was changed, and cannot be used." in store.check()


def test_leftovers_of_a_crash_are_removed_when_they_are_old(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    orphan = store.directory / "ab" / "cd" / ("e" * 28 + ".parquet")
    incoming = store.directory / f".work-{'1' * 32}"
    for path in (orphan, incoming / "frame.parquet"):
        path.parent.mkdir(mode=0o700, parents=True)
        path.write_bytes(b"PAR1")
        path.chmod(0o600)
    for folder in (store.directory / "ab",):
        folder.chmod(0o700)
    assert store.check() == ()
    assert not incoming.exists()
    long_ago = time.time() - 2 * 3600
    os.utime(orphan, (long_ago, long_ago))
    assert store.check() == (f"{orphan} belonged to no result and was removed.",)
    assert store.frame_path(key) is not None


def test_rights_of_others_are_taken_away(bench: Bench, store: DiskStore) -> None:
    path = store.frame_path(bench.keep(store, "SELECT 1 AS a"))
    assert path is not None
    path.chmod(0o644)
    assert store.check() == (f"{path} could be read by others; now it cannot.",)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_destroyed_index_is_told_and_replaced(bench: Bench, store: DiskStore) -> None:
    key = bench.keep(store, "SELECT 1 AS a")
    store.close()
    (store.directory / "cache.db").write_bytes(b"this is no database at all, not even a little" * 100)
    with pytest.raises(OutputError, match="cannot be used") as caught:
        store.get(key)
    assert "tabchat cache check" in str(caught.value.hint)
    (problem,) = store.check()
    assert problem.startswith(f"The index {store.directory / 'cache.db'} was damaged (")
    assert store.check() == ()
    assert bench.keep(store, "SELECT 1 AS a") == key


def test_an_index_that_cannot_be_opened_is_not_thrown_away(bench: Bench, store: DiskStore) -> None:
    store.directory.mkdir()
    (store.directory / "cache.db").mkdir()
    with pytest.raises(OutputError, match="unable to open database file"):
        store.check()


# Full, read-only and busy disks


def test_a_store_that_cannot_be_opened_says_why(bench: Bench) -> None:
    (bench.root / "results").write_text("a file in its place")
    with closing(bench.store()) as store:
        for use in (store.list, store.info, store.check, store.clear, lambda: store.get("ds_" + "a" * 20)):
            with pytest.raises(OutputError) as caught:
                use()
            assert caught.value.message.startswith(f"The result store {store.directory} cannot be used: ")
            assert "--no-cache" in str(caught.value.hint)


def test_a_full_disk_keeps_what_was_kept(
    bench: Bench, store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = bench.keep(store, "SELECT 1 AS a")

    def full(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(diskcache.Cache, "set", full)
        patch.setattr(diskcache.Cache, "touch", full)
        with pytest.raises(OutputError, match="database or disk is full"):
            bench.keep(store, "SELECT 2 AS a")
        assert store.get(key).row_count == 1
    assert [entry.key for entry in store.list()] == [key]
    assert len(list(store.directory.glob("??/??/*.parquet"))) == 1
    assert list(store.directory.glob(".work-*")) == []


def test_rows_that_cannot_be_written_leave_nothing_behind(bench: Bench, store: DiskStore) -> None:
    bench.keep(store, "SELECT 1 AS a")
    with closing(DuckDBEngine(spill=bench.root / "other spill")) as elsewhere:
        frame = replace(bench.frame("SELECT 2 AS a"), engine=elsewhere)
        with pytest.raises(OutputError, match="The rows could not be written to"):
            store.put(bench.entry(store, "SELECT 2 AS a"), frame)
    assert len(store.list()) == 1
    assert list(store.directory.glob(".work-*")) == []


def test_a_failed_takeover_leaves_no_file_behind(
    bench: Bench, store: DiskStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.keep(store, "SELECT 1 AS a")

    def locked(*_: object, **__: object) -> None:
        raise diskcache.Timeout

    with monkeypatch.context() as patch:
        patch.setattr(diskcache.Cache, "_row_insert", locked)
        with pytest.raises(OutputError, match="another process is writing to it"):
            bench.keep(store, "SELECT 2 AS a")
    assert len(list(store.directory.glob("??/??/*.parquet"))) == 1
    assert store.check() == ()


def test_a_folder_that_diskcache_would_rename_is_refused(bench: Bench) -> None:
    kept = DiskStore(
        bench.root / "$HOME" / "results", secret_path=bench.root / "secret", max_bytes=10**9, ttl=DAY
    )
    with closing(kept), pytest.raises(OutputError, match="cannot hold a variable"):
        kept.list()


# Several processes


def _keep_many(root: str, worker: int) -> list[str]:
    engine = DuckDBEngine(
        spill=Path(root) / f"spill{worker}", folders=[Path(root) / "results"], limits=Limits(threads=1)
    )
    bench = Bench(Path(root), engine)
    with closing(engine), closing(bench.store()) as store:
        keys = []
        for number in range(6):
            keys.append(bench.keep(store, f"SELECT {number} AS shared"))
            keys.append(bench.keep(store, f"SELECT {number} AS own{worker}"))
            store.list()
        return keys


def test_processes_share_a_store(bench: Bench, store: DiskStore) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        keys = [
            key for keys in pool.starmap(_keep_many, [(str(bench.root), n) for n in range(3)]) for key in keys
        ]
    assert len(set(keys)) == 6 + 3 * 6
    assert {entry.key for entry in store.list()} == set(keys)
    assert all(entry.frame_bytes for entry in store.list())
    assert store.check() == ()
    assert len(list(store.directory.glob("??/??/*.parquet"))) == 24
