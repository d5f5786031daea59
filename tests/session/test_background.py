"""The background reader: one at a time, and gone when its work is done."""

import fcntl
import os
from pathlib import Path
from unittest.mock import ANY

from tabchat.config import load_settings
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions, Table
from tabchat.session.background import LOCK_FILE, cache_in_background
from tests.conftest import Example
from tests.seals import SEAL


def opened(path: Path, folder: Path) -> Table:
    """Read a table into another cache, so that the one of the settings stays empty."""
    return open_table(path, options=ReadOptions(), cache=TableCache(folder, max_bytes=10**9, seal=SEAL))


def versions(root: Path) -> list[str]:
    return [path.name for path in root.glob("tables/*.json")]


def test_the_reader_leaves_the_version_behind_and_lets_go_of_the_lock(
    example: Example, tmp_path: Path
) -> None:
    root = load_settings().cache_dir
    root.mkdir(parents=True)
    table = opened(example("sales.csv"), tmp_path)
    reader = cache_in_background(table, root, load_settings().data_dir)
    assert reader is not None
    assert cache_in_background(table, root, load_settings().data_dir) is None
    assert os.getpriority(os.PRIO_PROCESS, reader.pid) == 19
    group = Path(f"/proc/{reader.pid}/autogroup")
    if group.exists() and (shares := group.read_text()):
        # Among sessions that have shares of their own, the number of a process counts for nothing.
        assert shares.split() == [ANY, "nice", "19"]
    assert reader.wait(60) == 0
    assert len(versions(root)) == 1
    lock = os.open(root / LOCK_FILE, os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    finally:
        os.close(lock)


def test_a_second_reader_is_not_started_beside_the_first(example: Example, tmp_path: Path) -> None:
    root = load_settings().cache_dir
    root.mkdir(parents=True)
    lock = os.open(root / LOCK_FILE, os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert (
            cache_in_background(opened(example("sales.csv"), tmp_path), root, load_settings().data_dir)
            is None
        )
    finally:
        os.close(lock)


def test_a_folder_that_cannot_be_written_starts_no_reader(example: Example, tmp_path: Path) -> None:
    assert cache_in_background(opened(example("sales.csv"), tmp_path), tmp_path / "absent", tmp_path) is None
