"""Whatever was said in a conversation: its report, repeated on the same files, comes to the same."""

import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.journal.document.export import ReportFormat, write_report
from tabchat.journal.replay.testing import SessionTest
from tests.effort import examples
from tests.journal.conftest import home_in

ENTRIES = (
    "total amount by region",
    "only online",
    "and by channel",
    "how many rows",
    "average amount by month",
    "top 2 rows by amount",
    "what is in here",
    "average frobnication",
    '/query {"where": "amount > 8", "map": {"half": "amount / 3"}}',
    '/query {"table": "_", "limit": 2}',
    "/sql select channel, avg(amount) from shop group by channel",
    "/sql select * from _",
    '/edit --yes {"operation": "delete_rows", "where": "amount < 6"}',
    '/edit --yes {"operation": "add_column", "name": "twice", "expression": "amount * 2"}',
    "/undo",
    "/redo",
    "/hide note",
    "/privacy strict",
    "/rerun",
    "/set",
    "/analyze ratio --success \"channel = 'online'\" --by region",
    "1",
)


@settings(
    max_examples=examples(12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(entries=st.lists(st.sampled_from(ENTRIES), min_size=1, max_size=7), again=st.booleans())
def test_a_report_passes_on_unchanged_files(entries: list[str], again: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = home_in(Path(folder))
        with home.talk() as talk:
            for entry in entries:
                talk.say(entry)
            said = [answer.text for answer in talk.session.conversation.answers]
        if not list((home.path / "cache").glob("sessions/*.json")):
            return
        if again:
            with home.goes_on() as talk:
                assert [answer.text for answer in talk.session.conversation.answers] == said
                for entry in entries:
                    talk.say(entry)
        with home.opened() as session:
            kept = home.folder(session).get()
            path = home.path / "session.md"
            parts = write_report(session, kept, path, ReportFormat.MD, folder=home.path, force=False)
        assert [section.untold for section in parts.sections if section.untold] == []
        tested = SessionTest.read(path)
        with tested.opened(home.with_settings(cache_dir=home.path / "elsewhere")) as session:
            outcomes = tested.run(session)
        assert [(item.step.title, item.differences, item.error) for item in outcomes if not item.ok] == []
