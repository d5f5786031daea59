import pytest

from tabchat.repl.entry import is_complete, joined, whole_number


@pytest.mark.parametrize(
    "text, complete",
    [
        ("how many rows?", True),
        ('what is 5" wide', True),
        ("it's", True),
        ("first line \\", False),
        ("first line \\\nsecond", True),
        ("", True),
        ("/sql SELECT 1", True),
        ("/sql SELECT 'it''s'", True),
        ("/sql SELECT 'open", False),
        ('/sql SELECT "open', False),
        ("/sql SELECT (1 + 2", False),
        ("/sql SELECT 1)", True),
        ('/query {"select": ["count()"', False),
        ('/query {"where": "a == \'x\'"}', True),
        (r'/query {"where": "a == \"(\""}', True),
        (".sql SELECT (", False),
    ],
)
def test_an_entry_goes_on_while_something_is_open(text: str, *, complete: bool) -> None:
    assert is_complete(text) is complete


def test_line_ends_that_only_continue_are_taken_out() -> None:
    assert joined("/sql SELECT 1,\\\n2 \n") == "/sql SELECT 1,\n2"


def test_numbers_are_digits_and_not_endless() -> None:
    assert [whole_number(text) for text in ("12", "٣", "", "-1", "1.5", "²", "9" * 101)] == [12, 3] + [
        None
    ] * 5
