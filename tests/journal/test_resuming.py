"""A conversation goes on where it ended: what was said, its results, its edits; and says what is not as it was."""

import os
import stat
from pathlib import Path

import pytest

from tabchat.config import PrivacyLevel
from tabchat.errors import DataKeyError, ExitCode, UsageError
from tests.journal.conftest import TABLE, Home

DELETE = '/edit --yes {"operation": "delete_rows", "where": "region == \'west\'"}'


def test_the_next_run_goes_on_with_results_and_follow_ups(home: Home) -> None:
    with home.talk() as talk:
        talk.says("total amount by region", "/sql select count(*) from shop", "total amount by region")
        keys = list(talk.session.conversation.numbers.keys)
        last = talk.session.conversation.numbers.latest
    with home.goes_on() as talk:
        assert talk.told == ()
        assert talk.session.conversation.numbers.keys == keys
        assert talk.session.key("_") == last
        assert talk.shell.asked == ["total amount by region"] * 2
        assert talk.shell.last is not None
        assert talk.shell.last.text.startswith("3 groups.")
        talk.says("/last", "/trace", "only online")
        answer = talk.shell.last
        assert answer is not None
        assert answer.interpretation == "sum of amount · by region · channel = online"
    assert [turn.entry for turn in home.kept().turns][-2:] == ["total amount by region", "only online"]


def test_edits_that_no_file_has_are_there_again_and_can_be_undone(home: Home) -> None:
    with home.talk() as talk:
        talk.says(DELETE, '/edit --yes {"operation": "drop_columns", "columns": ["note"]}', "/undo")
        assert talk.session.current.row_count == 4
        before = talk.session.current.version
    with home.goes_on() as talk:
        versions = talk.session.versions
        assert (talk.session.current.version, versions.undoable, versions.redoable) == (before, 1, 1)
        assert [table.name for table in talk.session.unsaved] == ["shop"]
        talk.says("/redo")
        assert "note" not in talk.session.current.by_name
        talk.says("/undo", "/undo")
        assert talk.session.current.row_count == 6
        assert talk.session.unsaved == ()


def test_lost_versions_are_made_again_from_the_file(home: Home) -> None:
    with home.talk() as talk:
        talk.says(DELETE)
        version = talk.session.current.version
    for path in (home.path / "cache" / "tables").iterdir():
        path.unlink()
    with home.goes_on() as talk:
        assert talk.session.current.version == version
        assert talk.session.current.row_count == 4


def test_a_changed_file_is_told_and_not_read_in_its_place(home: Home) -> None:
    with home.talk() as talk:
        talk.says("total amount")
    home.table.write_text(TABLE.replace("10.5", "99"))
    with home.goes_on() as talk:
        (told,) = talk.told
        assert "shop.csv has changed since (source_changed)" in told
        talk.says("total amount")
        assert talk.shell.last is not None
        assert talk.shell.last.block is not None
        assert talk.shell.last.block.result.value == 115.0
    for path in (home.path / "cache" / "tables").iterdir():
        path.unlink()
    with pytest.raises(DataKeyError) as error, home.goes_on():
        pass
    assert (error.value.code, error.value.exit_code) == ("source_changed", ExitCode.KEY_UNKNOWN)


def test_a_file_that_is_gone_is_told(home: Home) -> None:
    with home.talk() as talk:
        talk.says("total amount")
    home.table.unlink()
    with home.goes_on() as talk:
        assert "is not there any more" in talk.told[0]
        talk.says("how many rows")


def test_a_session_of_several_tables_comes_back_whole(home: Home) -> None:
    other = home.path / "people.csv"
    other.write_text("name,age\nAnn,30\n")
    with home.talk() as talk:
        talk.says(f"/load {other}", "how many rows")
    with home.goes_on() as talk:
        assert list(talk.session.tables) == ["shop", "people"]
        assert talk.session.current.name == "people"
    with home.goes_on(other) as talk:
        assert talk.session.current.name == "people"
    with pytest.raises(DataKeyError, match=r"nothing\.csv is kept"), home.goes_on(home.path / "nothing.csv"):
        pass


def test_what_was_hidden_stays_hidden_and_what_was_said_before_stays_untold(home: Home) -> None:
    with home.talk() as talk:
        talk.says("total amount by region", "/hide note", "total amount")
    with home.goes_on() as talk:
        assert talk.session.settings.hide == ("note",)
        assert [turn.answer.question for turn in talk.session.conversation.turns] == ["total amount"]
    with home.goes_on(hide=["channel"]) as talk:
        assert set(talk.session.settings.hide) == {"note", "channel"}
        assert talk.session.conversation.turns == []
    strict = home.with_settings(privacy=PrivacyLevel.STRICT)
    with home.goes_on(settings=strict) as talk:
        assert talk.session.conversation.turns == []


def test_two_conversations_at_once_do_not_mix(home: Home) -> None:
    with home.talk() as first, home.talk() as second:
        first.says("total amount")
        second.says("how many rows")
        first.says("total amount by region")
        with pytest.raises(UsageError, match="is open in another tabchat"), home.goes_on():
            pass
    with home.opened() as session:
        kept = home.folder(session).list()
    assert sorted([turn.entry for turn in item.turns] for item in kept) == [
        ["how many rows"],
        ["total amount", "total amount by region"],
    ]
    with home.goes_on() as first, home.goes_on() as second:
        assert "is open in another tabchat" in second.told[0]
        assert first.shell.asked != second.shell.asked


def test_what_is_kept_is_private_sealed_and_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabchat.journal.journal.MOST_TURNS", 2)
    with home.talk() as talk:
        talk.says("total amount", "how many rows", "total amount by region")
    folder = home.path / "cache" / "sessions"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (path,) = folder.glob("*.json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    kept = home.kept()
    assert (len(kept.turns), kept.dropped) == (2, 1)
    text = path.read_text()
    path.write_text(text.replace("how many rows", "how many cats"))
    with pytest.raises(DataKeyError, match="No session is kept"):
        home.kept()


def test_old_sessions_make_room(home: Home) -> None:
    few = home.with_settings(session_count=2)
    for _ in range(3):
        with home.talk(settings=few) as talk:
            talk.says("how many rows")
    with home.opened() as session:
        kept = home.folder(session).list()
    assert len(kept) == 2
    for path in (home.path / "cache" / "sessions").glob("*.json"):
        os.utime(path, (0, 0))
    with home.talk() as talk:
        talk.says("total amount")
    with home.opened() as session:
        assert len(home.folder(session).list()) == 1


def test_a_look_is_no_turn_and_a_failure_keeps_the_question(home: Home) -> None:
    with home.talk() as talk:
        talk.says("/tables", "/schema")
        assert not list((home.path / "cache").glob("sessions/*.json"))
        assert talk.say("average frobnication by region") == ExitCode.NOT_UNDERSTOOD
    (turn,) = home.kept().turns
    assert (turn.asked, turn.code, turn.answer) == ("average frobnication by region", 4, None)


def test_a_folder_that_cannot_be_written_costs_the_session_not_the_conversation(
    home: Home, tmp_path: Path
) -> None:
    with home.talk() as talk:
        (tmp_path / "cache" / "sessions").write_text("in the way")
        talk.says("total amount", "how many rows")
        told = talk.shell.consoles.err.file.getvalue()  # type: ignore[attr-defined]
    assert told.count("cannot be kept") == 1
