"""`/word` teaches, lists and forgets the person's own words, and the next question is read with them."""

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from tabchat.errors import ExitCode
from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.hints import Hints
from tests.repl.conftest import Talk


def test_a_word_holds_from_the_next_entry_on(talk: Talk) -> None:
    code, _, err = talk.say("total takings by region")
    assert code == ExitCode.NOT_UNDERSTOOD
    assert err.splitlines()[-1] == "       or teach the word: /word takings = <column or value>"

    assert talk.say("/word takings = REVENUE") == (0, "", "“takings” is revenue from now on.\n")
    assert talk.say("total takings by region")[2].startswith("read as: sum of revenue · by region\n")
    assert talk.say("/word the States = north america")[2] == (
        "“the States” is region: North America from now on.\n"
    )
    # A question that goes on from one before does so with the new words, too.
    assert talk.say("only in the States")[2].startswith(
        "read as: sum of revenue · by region · region = North America\n"
    )
    assert talk.say("/word takings = discount")[2] == ("“takings” is discount from now on; it was revenue.\n")
    assert [line.split("  ")[0] for line in talk.say("/word")[1].splitlines()[2:]] == [
        "takings",
        "the States",
    ]
    assert talk.say("/word takings =")[2] == "“takings” is no more discount.\n"
    assert talk.say("total takings by region")[0] == ExitCode.NOT_UNDERSTOOD


def test_edits_are_read_with_the_words(talk: Talk) -> None:
    assert talk.say("/edit drop the column gizmo")[0] == ExitCode.NOT_UNDERSTOOD
    talk.say("/word gizmo = discount")
    assert "discount" in talk.say("/edit --yes drop the column gizmo")[2]
    assert "discount" not in [column.name for column in talk.shell.session.current.schema]


def test_what_names_nothing_is_refused_with_the_nearest(talk: Talk) -> None:
    code, _, err = talk.say("/word takings = revenu")
    assert code == ExitCode.USAGE
    assert err.startswith("tabchat: error: sales has no column and no known cell 'revenu'.\n  try: revenue")
    assert "/word needs a word" in talk.say("/word takings")[2]
    assert talk.say("/word takings =")[0] == ExitCode.USAGE


def test_tab_offers_words_then_columns_and_cells(talk: Talk) -> None:
    talk.say("/word takings = revenue")
    hints = Hints(talk.shell.session)
    hints.current()
    hints.wait()
    completer = ShellCompleter(talk.shell, hints)

    def offered(text: str) -> list[str]:
        return [item.text for item in completer.get_completions(Document(text), CompleteEvent())]

    assert "word" in offered("/wo")
    assert offered("/word ta") == ["takings"]
    assert {"revenue", "region"} <= set(offered("/word x = "))
    assert offered("/word x = north am") == ["North America"]
