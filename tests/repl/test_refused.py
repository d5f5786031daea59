"""Entries that are refused: what was said before them stays as it was, so they share a talk."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.errors import ExitCode
from tests.repl.conftest import Talk, talk_in


@pytest.fixture(scope="module")
def answered(home_that_read: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """A talk with one result, which is there at the end as well."""
    with talk_in(tmp_path_factory.mktemp("answered"), home_that_read) as talk:
        talk.say("/sql SELECT 1 AS one")
        key = talk.key
        yield talk
        assert talk.key == key
        assert talk.say("_")[1] == "one: 1\n"


@pytest.fixture(scope="module")
def unanswered(home_that_read: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    """A talk without a result."""
    with talk_in(tmp_path_factory.mktemp("unanswered"), home_that_read) as talk:
        yield talk
        assert talk.shell.last is None


@pytest.mark.parametrize(
    "entry, named",
    [
        ("/export", "a file"),
        ("/export 'open", "never closed"),
        ("/export a.csv --frob", "'--frob'"),
        ("/export a b c", "a file"),
        ("/export ds_rkbx2mwy6eddaalqkz3m", "a file"),
        ("/rows many", "'many'"),
        (f"/rows {'9' * 5000}", "is no number of rows"),
        (f"/trace {'9' * 5000}", "is no number of a figure"),
        ("/source many", "'many'"),
        ("/use", "/use"),
        ("/use nowhere", "'nowhere'"),
        ("/schema nowhere", "'nowhere'"),
        ("/show", "/results"),
        ("/sql", "SELECT"),
        ("/undo 3", "/undo takes nothing behind it"),
        ("/tables sales", "/tables takes nothing behind it"),
        ("/load", "/load"),
        ("/exprot", "/export"),
        ("/", "/help"),
        ("/s", "/schema"),
        ("/help frob", "/help"),
    ],
)
def test_what_cannot_be_carried_out_says_what_can(answered: Talk, entry: str, named: str) -> None:
    code, out, err = answered.say(entry)

    assert (code, out) == (ExitCode.USAGE, "")
    assert named in err


@pytest.mark.parametrize(
    "entry, code, hint",
    [
        ("/query", ExitCode.PLAN_REFUSED, '/query {"select": "count()"}'),
        ("/sql DESCRIBE sales", ExitCode.PLAN_REFUSED, "Look at the columns with: /profile"),
        ("/sql SELECT 5 // 0", ExitCode.PLAN_REFUSED, "Divide by nullif(x, 0): it gives null where x is 0."),
        (
            "/sql SELECT * FROM sales LIMIT -1",
            ExitCode.PLAN_REFUSED,
            "Change that part of the query, and run it again.",
        ),
    ],
)
def test_a_query_that_is_refused_names_what_to_type_here(
    answered: Talk, entry: str, code: ExitCode, hint: str
) -> None:
    said, out, err = answered.say(entry)

    assert (said, out) == (code, "")
    assert err.splitlines()[-1] == f"  try: {hint}"


@pytest.mark.parametrize("entry", ["_", "/last", "/source", "/chart", "/columns", "/export a.csv"])
def test_without_a_result_there_is_nothing_to_show(unanswered: Talk, entry: str) -> None:
    code, out, err = unanswered.say(entry)

    assert (code, out) == (ExitCode.USAGE, "")
    assert "no result yet" in err
