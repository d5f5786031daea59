"""Past entries: private, bounded, sorted by table, and safe with several programs at once."""

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabchat.repl.line import past
from tabchat.repl.line.past import LONGEST_ENTRY, PastEntries, PastEntry

WRITER = """
import sys
from pathlib import Path
from tabchat.repl.line.past import PastEntries, PastEntry

kept = PastEntries(Path(sys.argv[1]), print)
for number in range(200):
    kept.add(PastEntry(text=f"{sys.argv[2]} {number}\\nsecond line", table=sys.argv[2]))
"""


def entries(folder: Path) -> PastEntries:
    return PastEntries(folder, pytest.fail)


def test_entries_over_a_table_come_before_all_others_and_each_once(tmp_path: Path) -> None:
    kept = entries(tmp_path)
    for text, table in [("a", "/x"), ("b", "/y"), ("c", "/x"), ("a", "/x"), ("b", ""), ("d", "/y")]:
        kept.add(PastEntry(text=text, table=table))
    for seen in (kept, entries(tmp_path)):
        assert (seen.over("/x"), seen.elsewhere("/x")) == (("a", "c"), ("d", "b"))
        assert (seen.over("/y"), seen.elsewhere("/y")) == (("d", "b"), ("a", "c"))
        assert (seen.over("/z"), seen.elsewhere("/z")) == ((), ("d", "b", "a", "c"))


def test_what_another_conversation_adds_is_seen_at_once(tmp_path: Path) -> None:
    one, other = entries(tmp_path), entries(tmp_path)
    one.add(PastEntry(text="asked here", table="/x"))
    assert other.over("/x") == ("asked here",)


# What could end an entry or a line of the file, among letters and what steers terminals.
TEXTS = st.text(st.sampled_from("+# \n\r\t\\\"'[]aЖ字\0\x1b\x85\u2028\u202e\U0001f600"), max_size=12)


@given(st.lists(st.tuples(TEXTS.filter(bool), TEXTS), max_size=8))
def test_every_text_comes_back_as_it_was_typed(typed: list[tuple[str, str]]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        kept = entries(Path(folder))
        for text, table in typed:
            kept.add(PastEntry(text=text, table=table))
        read = entries(Path(folder))
        for table in {table for _, table in typed}:
            own = [text for text, where in reversed(typed) if where == table]
            assert read.over(table) == tuple(dict.fromkeys(own))


def test_the_file_is_private_and_stays_readable_to_others_of_its_form(tmp_path: Path) -> None:
    from prompt_toolkit.history import FileHistory

    (tmp_path / "history").write_text("\n# 2024-01-01 00:00:00.000000\n+an entry of before\n")
    (tmp_path / "history").chmod(0o644)
    kept = entries(tmp_path)
    kept.add(PastEntry(text="first\nsecond", table='/data/evil\n+forged\x1b[31m".csv'))
    assert kept.elsewhere("/x") == ("first\nsecond", "an entry of before")
    assert list(FileHistory(str(tmp_path / "history")).load_history_strings()) == [
        "first\nsecond",
        "an entry of before",
    ]
    assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o600}


def test_two_programs_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name]) for name in ("one", "other")
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    kept = entries(tmp_path)
    for name in ("one", "other"):
        assert kept.over(name) == tuple(f"{name} {number}\nsecond line" for number in reversed(range(200)))


def test_the_oldest_entries_go_when_the_file_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MOST_BYTES", 5_000)
    kept = entries(tmp_path)
    for number in range(300):
        kept.add(PastEntry(text=f"question {number}\n\nof lines", table="/x"))
        assert (tmp_path / "history").stat().st_size <= 5_000
    left = [f"question {number}\n\nof lines" for number in reversed(range(300))]
    assert 5 < len(kept.over("/x")) < 100
    assert list(kept.over("/x")) == left[: len(kept.over("/x"))]
    assert kept.elsewhere("/x") == ()


def test_an_endless_entry_is_remembered_and_not_written(tmp_path: Path) -> None:
    kept = entries(tmp_path)
    kept.add(PastEntry(text="x" * (LONGEST_ENTRY + 1), table="/x"))
    assert len(kept.over("/x")) == 1
    assert (tmp_path / "history").stat().st_size == 0


def test_a_link_in_the_place_of_the_file_is_refused_and_told_once(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("")
    (tmp_path / "history").symlink_to(tmp_path / "elsewhere")
    told: list[str] = []
    kept = PastEntries(tmp_path, told.append)
    kept.add(PastEntry(text="a", table="/x"))
    assert kept.over("/x") == ("a",)
    assert len(told) == 1
    assert told[0].startswith("The history cannot be kept: ")
    assert (tmp_path / "elsewhere").read_text() == ""


@pytest.mark.parametrize(
    "content", [b"\xff\xfe+x\n", b"+\x00\x1b]52;c;x\x07\n", b"# table {}\n+a\n", b"+" * 50]
)
def test_a_damaged_file_is_read_as_far_as_it_goes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "history").write_bytes(content + b"\n\n+whole\n")
    assert "whole" in entries(tmp_path).elsewhere("/x")
