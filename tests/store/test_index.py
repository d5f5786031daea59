"""The database of kept results, open more than once in a process and in others."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tabchat.store.parquet_disk import INDEX_FILE, open_index

ELSEWHERE: Final = """
import sys
from pathlib import Path
from tabchat.store.parquet_disk import open_index

cache = open_index(Path(sys.argv[1]), busy_seconds=20)
print(*[cache.get(key) for key in sys.argv[2:]])
cache.close()
"""


def opened(folder: Path) -> closing[Any]:
    return closing(open_index(folder, busy_seconds=20))


def seen_elsewhere(folder: Path, *keys: str) -> str:
    """Return what another process, which then closes the database, finds under some keys."""
    words = [sys.executable, "-c", ELSEWHERE, str(folder), *keys]
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout.strip()


def test_nothing_is_lost_when_a_process_opens_the_database_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as one:
        one.set("a", "1")
        with opened(tmp_path) as other:
            # Were the locks of this process gone, the other one would take the log away that is written to next.
            assert seen_elsewhere(tmp_path, "a") == "1"
            one.set("a", "2")
            other.set("b", "3")
            assert seen_elsewhere(tmp_path, "a", "b") == "2 3"
            assert (one.get("b"), other.get("a")) == ("3", "2")
            assert not one.check()


def test_the_database_is_private_whoever_made_it(tmp_path: Path) -> None:
    with opened(tmp_path):
        assert stat.S_IMODE((tmp_path / INDEX_FILE).stat().st_mode) == 0o600
    (tmp_path / INDEX_FILE).chmod(0o644)
    with opened(tmp_path):
        assert stat.S_IMODE((tmp_path / INDEX_FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("elsewhere")])
def test_what_is_no_file_is_refused_in_its_place(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / INDEX_FILE)
    with pytest.raises(OSError, match="it is not a regular file"):
        open_index(tmp_path, busy_seconds=1)
    assert not (tmp_path / "elsewhere").exists()
