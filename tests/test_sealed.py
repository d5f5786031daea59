"""Sealed texts: given back under their own name and secret alone, and nothing else of a folder is touched."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabchat.sealed import BrokenSealError, SealedFolder, bears_stamp, file_stamp
from tests.seals import OTHER_SEAL, SEAL

NAME = "0" * 40


@given(st.text(), st.recursive(st.none() | st.text() | st.integers(), st.lists))
def test_what_is_sealed_comes_back_and_is_json(name: str, value: object) -> None:
    body = json.dumps(value)
    text = SEAL.sealed(name, body)
    assert SEAL.opened(name, text) == body
    assert json.loads(text)["kept"] == value


def test_another_name_another_secret_and_another_text_break_the_seal() -> None:
    text = SEAL.sealed("a", "[1]")
    for seal, name, changed in (
        (OTHER_SEAL, "a", text),
        (SEAL, "b", text),
        (SEAL, "a", text.replace("[1]", "[2]")),
        (SEAL, "a", text.replace("[1]", "[1 ]")),
    ):
        with pytest.raises(BrokenSealError):
            seal.opened(name, changed)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"mac": "", "kept": []}', "[" * 100_000])
def test_what_nobody_sealed_is_told_from_what_somebody_else_did(text: str) -> None:
    with pytest.raises(ValueError, match="it is not sealed") as caught:
        SEAL.opened("a", text)
    assert not isinstance(caught.value, BrokenSealError)


def test_where_a_part_ends_counts() -> None:
    assert SEAL.mac("ab", "c") != SEAL.mac("a", "bc")


def test_a_stamp_notices_every_write_and_forgives_a_move(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"one")
    stamp = file_stamp(path)
    times = path.stat()
    moved = path.rename(tmp_path / "b")
    assert bears_stamp(moved, stamp)
    moved.write_bytes(b"two")
    os.utime(moved, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert not bears_stamp(moved, stamp)


def test_a_pipe_in_the_place_of_a_file_ends_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a")
    with pytest.raises(OSError, match="it is not a regular file"):
        file_stamp(tmp_path / "a")


def test_those_used_longest_ago_make_room_and_nothing_else_goes(tmp_path: Path) -> None:
    folder = SealedFolder(path=tmp_path / "words", seal=SEAL, kept=2)
    folder.path.mkdir(mode=0o700)
    (folder.path / "settings.json").write_text("{}")
    for number in range(3):
        folder.write(f"{number:040d}", "[]")
        os.utime(folder.path / f"{number:040d}.json", (number, number))
    folder.write(NAME, "[]")
    assert sorted(path.name for path in folder.path.iterdir()) == [
        f"{0:040d}.json",
        f"{2:040d}.json",
        "settings.json",
    ]


def test_a_link_is_neither_written_through_nor_narrowed(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o755)
    (tmp_path / "words").symlink_to(tmp_path / "own")
    folder = SealedFolder(path=tmp_path / "words", seal=SEAL, kept=2)
    folder.write(NAME, "[]")
    assert folder.read(NAME) is None
    assert ((tmp_path / "own").stat().st_mode & 0o777, list((tmp_path / "own").iterdir())) == (0o755, [])
