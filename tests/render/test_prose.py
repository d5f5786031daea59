"""A model's prose in a terminal: wrapped between words, Markdown made readable, figures marked where they stand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer
from tabchat.render.layout.prose import plain_text, render_prose
from tabchat.render.layout.text import UNICODE, width_of
from tabchat.render.layout.wrapping import Line, Piece, wrap, wrap_text
from tests.effort import examples
from tests.render.screens import screen


def shown(text: str, *claims: Receipt, width: int = 40, color: str = "never") -> str:
    on = screen(width, color=color)
    answer = Answer(question="?", text=text, planner="llm", verification=Verification(receipts=claims))
    render_prose(on.consoles, answer)
    return on.out


def found(text: str, start: int | None = None) -> Receipt:
    return Receipt(text=text, value=text, status="verified", start=start, cells=(CitedCell(data_key="k"),))


def doubtful(text: str, start: int | None = None) -> Receipt:
    return Receipt(text=text, value=text, status="unverified", start=start)


@pytest.mark.parametrize(
    "text, out",
    [
        ("plain", "plain\n"),
        ("\n\n  two\n\nparts \n\n", "  two\n\nparts\n"),
        ("# Heading\ntext", "Heading\ntext\n"),
        ("### Heading ##", "Heading ##\n"),
        ("#1 in sales, #tag", "#1 in sales, #tag\n"),
        ("**bold** and 2**3**4 and ** loose **", "bold and 234 and ** loose **\n"),
        ("a `code` with snake_case and *stars*", "a `code` with snake_case and *stars*\n"),
        (
            "- a point that is longer than one line of it",
            "- a point that is longer than one line\n  of it\n",
        ),
        (
            "  12. a point that is longer than one line",
            "  12. a point that is longer than one\n      line\n",
        ),
        ("| a | b |\n|---|---|\n| **1** | 2 |", "| a | b |\n|---|---|\n| **1** | 2 |\n"),
        (
            "```sql\nSELECT **1** FROM a_table_of_some_length WHERE x\n```\n**b**",
            "```sql\nSELECT **1** FROM a_table_of_some_length WHERE x\n```\nb\n",
        ),
        ("one\r\ntwo\ttabs", "one\ntwo tabs\n"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_markdown_becomes_readable_text(text: str, out: str) -> None:
    assert shown(text) == out


@pytest.mark.parametrize(
    "text, claims, out",
    [
        ("There are 12.", [found("12", 10)], "There are 12.\n"),
        ("12 of 12", [found("12", 6)], "12 of 12\n"),
        ("It is **12** now", [found("12", 8)], "It is 12 now\n"),
        ("Up by 12.5 %, no", [found("12.5 %", 6)], "Up by 12.5 %, no\n"),
        ("12 and 12", [doubtful("12")], "12 [unverified] and 12 [unverified]\n"),
        ("# 12 orders", [found("12", 2)], "12 orders\n"),
        ("`12`", [found("12", 1)], "`12`\n"),
        (
            "| a     | b |\n| 12    | 3 |\n| 4 | 5 |",
            [found("12", 18), doubtful("4", 30)],
            "| a     | b |\n| 12    | 3 |\n| 4 [unverified] | 5 |\n",
        ),
        ("```\n12\n```", [doubtful("12", 4)], "```\n12 [unverified]\n```\n"),
        ("a\r\n12\r\nb", [doubtful("12", 3)], "a\n12 [unverified]\nb\n"),
        ("\n\n12", [found("12", 2)], "12\n"),
    ],
)
def test_marks_stand_right_after_their_figures(text: str, claims: list[Receipt], out: str) -> None:
    assert shown(text, *claims) == out


def test_a_mark_never_parts_from_its_figure_nor_a_figure_in_two() -> None:
    assert shown("The whole of it is now 12.5 % high", doubtful("12.5 %", 23), width=34) == (
        "The whole of it is now\n12.5 % [unverified] high\n"
    )
    assert shown("The whole of it is now 12", doubtful("12", 23), width=30) == (
        "The whole of it is now\n12 [unverified]\n"
    )


def test_emphasis_and_doubt_are_styles() -> None:
    out = shown("# T\n**b** 1 2", found("1", 10), doubtful("2", 12), color="always")

    assert out == ("\x1b[1mT\x1b[0m\n\x1b[1mb\x1b[0m 1 \x1b[1;31m2\x1b[0m\x1b[1;31m [unverified]\x1b[0m\n")


def test_a_text_that_is_not_laid_out_keeps_its_form() -> None:
    text = "## 12  spaced **out**\n  and 12"
    answer = Answer(
        question="?", text=text, verification=Verification(status="unverified", receipts=(doubtful("12"),))
    )

    assert plain_text(answer, UNICODE) == "## 12 [unverified]  spaced **out**\n  and 12 [unverified]"


WORDS = st.lists(st.text(alphabet="abcЩ-漢", min_size=1, max_size=12), min_size=1, max_size=30)


@settings(deadline=None, max_examples=examples(100))
@given(words=WORDS, width=st.integers(1, 60), hang=st.integers(0, 6))
def test_lines_fit_unless_a_word_alone_does_not_and_no_word_is_lost(
    words: list[str], width: int, hang: int
) -> None:
    rows = wrap_text(" ".join(words), width, hang=hang)

    assert " ".join(row.strip() for row in rows).split() == words
    for row in rows:
        assert width_of(row) <= width or len(row.split()) == 1


def test_a_word_may_change_its_style_on_the_way() -> None:
    line = Line(pieces=(Piece(text="aa b", style="bold"), Piece(text="b cc")))

    assert list(wrap(line, 5)) == [
        [Piece(text="aa", style="bold"), Piece(text=" "), Piece(text="b", style="bold"), Piece(text="b")],
        [Piece(text="cc")],
    ]


def test_a_monstrous_line_takes_no_monstrous_time() -> None:
    # Openings that never close made the search for emphasis quadratic.
    text = "**a " * 100_000 + "12"

    assert shown(text, doubtful("12", len(text) - 2)).endswith("12 [unverified]\n")
