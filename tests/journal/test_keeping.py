"""Kept sessions on the command line: counted, checked and cleared with the rest of the cache."""

from pathlib import Path

from tests.command import tabchat
from tests.journal.conftest import TABLE

EDIT = '/edit --yes {"operation": "delete_rows", "where": "amount < 6"}'


def test_the_cache_knows_sessions(tmp_path: Path, isolated_home: Path) -> None:
    path = tmp_path / "shop.csv"
    path.write_text(TABLE)
    assert tabchat("repl", path, stdin=f"{EDIT}\n").code == 0
    assert "sessions        1 in " in tabchat("cache", "info").out
    assert "1 session (1 with edits that no file has)" in tabchat("cache", "clear").err
    (kept,) = (isolated_home / ".cache" / "tabchat" / "sessions").glob("*.json")
    text = kept.read_text()
    kept.write_text(text.replace("delete_rows", "delete_cols"))
    assert f"Session {kept.stem} is damaged" in tabchat("cache", "check").err
    assert tabchat("repl", "-c").code == 7
    kept.write_text(text)
    done = tabchat("repl", "-c", path, "--delimiter", ";")
    assert (done.code, "reads its files as it did" in done.err) == (2, True)
    assert tabchat("cache", "clear", "--sessions", "--yes").err == "1 session deleted.\n"
    assert tabchat("session", "list").err == "No sessions are kept.\n"
    assert tabchat("session", "list", "--json").json == {"ok": True, "sessions": []}


def test_columns_hidden_by_a_setting_are_in_no_way_of_what_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "shop.csv"
    path.write_text(TABLE)
    hidden = {"TABCHAT_HIDE": "note"}
    assert tabchat("repl", path, stdin="total amount by region\n", env=hidden).code == 0
    assert tabchat("results", env=hidden).out.count("total amount by region") == 1
    assert tabchat("repl", "-c", stdin="only online\n", env=hidden).code == 0
    done = tabchat("repl", "-c", env={"TABCHAT_HIDE": "nothing"})
    assert (done.code, "There is no column 'nothing' to hide." in done.err) == (2, True)
