"""The cache of tables: reuse, damage, room, concurrent processes, and versions that follow the file."""

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlglot

from tabchat.config import Settings
from tabchat.engine.limits import Limits
from tabchat.engine.reader import CacheInfo, TableCache, fingerprint, loading, open_table
from tabchat.engine.reader.connection import Connection
from tabchat.engine.table import ReadOptions
from tabchat.errors import InputError
from tabchat.session import Session
from tests.engine.reader.conftest import Reader
from tests.seals import OTHER_SEAL, SEAL


def test_a_second_opening_reads_nothing(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    path = reader.write("a,b\n1,x \n")
    first = open_table(path, options=ReadOptions(), cache=reader.cache)

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(loading, "Connection", refuse)
    again = open_table(
        path,
        options=ReadOptions(),
        cache=TableCache(reader.cache.directory, 1 << 30, seal=SEAL),
        name="other",
    )
    assert (again.name, again.version, again.schema, again.row_count, again.report, again.source) == (
        "other",
        first.version,
        first.schema,
        first.row_count,
        first.report,
        first.source,
    )
    assert again.scan == first.scan
    assert reader.look(again).rows == [(1, "x")]


def test_the_version_follows_content_time_place_and_options(reader: Reader) -> None:
    path = reader.write("a,b\n1,2\n")
    plain = fingerprint(path, ReadOptions())
    assert plain == fingerprint(path, ReadOptions())
    assert fingerprint(path, ReadOptions(header=False)) != plain
    times = (path.stat().st_atime_ns, path.stat().st_mtime_ns)
    assert fingerprint(reader.write("a,b\n1,2\n", "other.csv"), ReadOptions()) != plain
    path.write_text("a,b\n1,3\n")
    os.utime(path, ns=times)
    assert fingerprint(path, ReadOptions()) != plain


def test_a_write_in_the_middle_of_a_large_file_is_noticed_whatever_its_times_say(reader: Reader) -> None:
    path = reader.write("a,b\n" + "".join(f"{n:06d},100\n" for n in range(100_000)))
    before, times = fingerprint(path, ReadOptions()), path.stat()
    with path.open("r+b") as file:
        file.seek(4 + 11 * 30_000 + 7)
        file.write(b"999")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    assert fingerprint(path, ReadOptions()) != before


def test_a_cache_that_was_copied_is_read_once_and_then_believed(reader: Reader, tmp_path: Path) -> None:
    version = reader.text("a,b\n1,2\n").table.version
    reader.cache.close()
    copied = shutil.copytree(reader.cache.directory, tmp_path / "copied")
    cache = TableCache(copied, 1 << 30, seal=SEAL)
    before = (copied / f"{version}.json").read_text()
    assert cache.load(version, name="t") is not None
    signed_again = (copied / f"{version}.json").read_text()
    assert signed_again != before
    assert cache.load(version, name="t") is not None
    assert (copied / f"{version}.json").read_text() == signed_again


def test_a_version_of_somebody_else_is_not_believed(reader: Reader) -> None:
    version = reader.text("a,b\n1,2\n").table.version
    other = TableCache(reader.cache.directory, 1 << 30, seal=OTHER_SEAL)
    assert other.load(version, name="t") is None
    assert other.check() == (
        f"Table version {version} is damaged: it does not bear the mark of your own secret",
    )


def test_one_version_is_not_taken_for_another(reader: Reader) -> None:
    one, two = (reader.open(reader.write(f"a,b\n{n},2\n", f"{n}.csv")).table.version for n in (1, 2))
    for suffix in ("parquet", "json"):
        shutil.copy2(reader.cache.directory / f"{one}.{suffix}", reader.cache.directory / f"{two}.{suffix}")
    assert TableCache(reader.cache.directory, 1 << 30, seal=SEAL).load(two, name="t") is None


def test_only_names_of_the_caches_own_form_are_touched(reader: Reader) -> None:
    folder = reader.cache.directory
    (folder / ".work-projects").mkdir(parents=True)
    for name in (
        "settings.json",
        "settings.parquet",
        "settings.lock",
        f"{'z' * 40}.json",
        ".work-projects/a",
    ):
        (folder / name).write_text("{}")
    os.utime(folder / ".work-projects", (1, 1))
    kept = sorted(folder.rglob("*"))
    full = TableCache(folder, 0, seal=SEAL)
    open_table(reader.write("a,b\n1,2\n"), options=ReadOptions(), cache=full)
    assert (full.check(), full.info().entries, full.clear()) == ((), 1, 1)
    assert sorted(folder.rglob("*")) == kept


def test_a_link_in_the_place_of_the_folder_is_refused(reader: Reader, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o755)
    (tmp_path / "linked").symlink_to(tmp_path / "own")
    cache = TableCache(tmp_path / "linked", 1 << 30, seal=SEAL)
    with pytest.raises(InputError, match="it is a link"):
        open_table(reader.write("a,b\n1,2\n"), options=ReadOptions(), cache=cache)
    assert (list((tmp_path / "own").iterdir()), (tmp_path / "own").stat().st_mode & 0o777) == ([], 0o755)


def test_a_changed_file_is_read_anew(reader: Reader) -> None:
    path = reader.write("a,b\n1,2\n")
    before = reader.open(path)
    path.write_text("a,b\n1,2\n3,4\n")
    after = reader.open(path)
    assert (len(before.rows), len(after.rows)) == (1, 2)
    assert before.table.version != after.table.version
    assert reader.look(before.table).rows == [(1, 2)]


@pytest.mark.parametrize("damage", ["cut", "gone", "overwritten", "no json", "other facts"])
def test_a_damaged_entry_is_built_again(reader: Reader, damage: str) -> None:
    path = reader.write("a,b\n1,2\n")
    version = reader.open(path).table.version
    parquet = reader.cache.directory / f"{version}.parquet"
    description = parquet.with_suffix(".json")
    assert reader.cache.check() == ()
    match damage:
        case "cut":
            parquet.write_bytes(parquet.read_bytes()[:-10])
        case "gone":
            parquet.unlink()
        case "overwritten":
            parquet.write_bytes(bytes(parquet.stat().st_size))
        case "no json":
            description.write_text("{")
        case _:
            description.write_text(description.read_text().replace('"row_count": 1', '"row_count": 7'))
    assert len(reader.cache.check()) == 1
    cache = TableCache(reader.cache.directory, 1 << 30, seal=SEAL)
    assert cache.load(version, name="t") is None
    assert reader.look(open_table(path, options=ReadOptions(), cache=cache)).rows == [(1, 2)]
    assert cache.check() == ()


def test_damage_inside_a_file_of_the_right_size_is_found_by_a_check(reader: Reader) -> None:
    path = reader.write("a,b\n1,2\n")
    version = reader.open(path).table.version
    parquet = reader.cache.directory / f"{version}.parquet"
    content = parquet.read_bytes()
    parquet.write_bytes(content[:4] + bytes(len(content) - 8) + content[-4:])
    assert reader.cache.check() == (
        f"Table version {version} is damaged: its file of rows is not the one that was kept",
    )


def test_the_least_recently_used_tables_make_room(tmp_path: Path) -> None:
    directory = tmp_path / "cache"
    paths = []
    for i in range(4):
        path = tmp_path / f"t{i}.csv"
        path.write_text(f"a,b\n{i},2\n")
        paths.append(path)
    versions = []
    earlier = TableCache(directory, 1 << 30, seal=SEAL)
    for i, path in enumerate(paths[:3]):
        table = open_table(path, options=ReadOptions(), cache=earlier)
        versions.append(table.version)
        moment = time.time() - 100 + i
        os.utime(directory / f"{table.version}.json", (moment, moment))
    size = TableCache(directory, 1, seal=SEAL).info().size // 3
    # The oldest is used again, so the second goes.
    assert earlier.load(versions[0], name="t") is not None
    earlier.close()
    cache = TableCache(directory, 3 * size + size // 2, seal=SEAL)
    newest = open_table(paths[3], options=ReadOptions(), cache=cache).version
    kept = {path.stem for path in directory.glob("*.parquet")}
    assert kept == {versions[0], versions[2], newest}
    assert cache.info() == CacheInfo(
        directory=directory, entries=3, size=cache.info().size, limit=cache.max_bytes
    )


def test_what_is_in_use_is_never_evicted(reader: Reader) -> None:
    cache = TableCache(reader.cache.directory, 1, seal=SEAL)
    one = open_table(reader.write("a,b\n1,2\n", "1.csv"), options=ReadOptions(), cache=cache)
    two = open_table(reader.write("a,b\n3,4\n", "2.csv"), options=ReadOptions(), cache=cache)
    assert reader.look(one).rows == [(1, 2)]
    other = TableCache(reader.cache.directory, 1, seal=SEAL)
    open_table(reader.write("a,b\n5,6\n", "3.csv"), options=ReadOptions(), cache=other)
    assert reader.look(two).rows == [(3, 4)]
    assert other.clear() == 1
    assert cache.clear() == 2
    assert list(reader.cache.directory.iterdir()) == []


def test_the_folder_is_private_and_left_overs_are_swept(reader: Reader) -> None:
    stale = reader.cache.directory / f".work-{'0' * 32}"
    stale.mkdir(parents=True)
    (stale / "half.parquet").write_text("x")
    unsigned = reader.cache.directory / f"{'0' * 40}.parquet"
    unsigned.write_text("x")
    with reader.cache.workspace() as at_work:
        reader.text("a,b\n1,2\n")
        assert at_work.exists()
    assert not stale.exists()
    assert not unsigned.exists()
    assert not at_work.exists()
    assert reader.cache.directory.stat().st_mode & 0o777 == 0o700


def test_a_version_that_is_removed_while_it_is_taken_is_taken_again(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reader.write("a,b\n1,2\n")
    version = reader.open(path).table.version
    lock = reader.cache.directory / f"{version}.lock"
    other = TableCache(reader.cache.directory, 1 << 30, seal=SEAL)
    flock = fcntl.flock

    def removed_first(descriptor: int, operation: int) -> None:
        monkeypatch.undo()
        lock.unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", removed_first)
    assert other.load(version, name="t") is not None
    assert not reader.cache.clear()


def test_processes_that_open_the_same_file_at_once_agree(reader: Reader) -> None:
    path = reader.write("a,b\n" + "1,x\n" * 50_000)
    script = (
        "import sys; from pathlib import Path\n"
        "from tabchat.engine.reader import TableCache, open_table\n"
        "from tabchat.engine.table import ReadOptions\n"
        "from tabchat.sealed import Seal\n"
        "cache = TableCache(Path(sys.argv[2]), 1 << 30, seal=Seal(secret=bytes(range(32))))\n"
        "t = open_table(sys.argv[1], options=ReadOptions(), cache=cache)\n"
        "print(t.version, t.row_count)\n"
    )
    command = [sys.executable, "-c", script, str(path), str(reader.cache.directory)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate()[0] for process in running}
    assert len(outputs) == 1
    assert outputs.pop().split()[1] == "50000"
    assert reader.cache.check() == ()
    assert [p for p in reader.cache.directory.iterdir() if p.name.startswith(".work")] == []


def test_reading_keeps_to_the_limits_of_the_session(tmp_path: Path) -> None:
    names = ("memory_limit", "max_temp_directory_size", "threads")
    asked = sqlglot.parse_one("SELECT " + ", ".join(f"current_setting('{name}')" for name in names))
    connection = Connection(tmp_path, "sales.csv", Limits(memory=64 << 20, spill=32 << 20, threads=1))
    try:
        assert connection.rows(asked) == [("64.0 MiB", "32.0 MiB", 1)]
    finally:
        connection.close()


def test_a_session_reads_files_within_its_limits(tmp_path: Path) -> None:
    settings = Settings(
        cache_dir=tmp_path / "cache",
        data_dir=tmp_path / "data",
        memory_limit=300 << 20,
        spill_size=200 << 20,
        threads=1,
    )
    with Session.open([], settings=settings) as session:
        assert session.cache.limits == Limits(memory=240 << 20, spill=200 << 20, threads=1)
