import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.render.layout.text import (
    ASCII,
    UNICODE,
    cut,
    fold,
    glyphs_for,
    pack,
    sanitise,
    sanitise_lines,
    width_of,
)
from tests.effort import examples

ANY_TEXT = st.text(st.characters(exclude_categories=())) | st.text(
    st.sampled_from("\x1b[31m\x07\r\n\t\x9b\u202e\u2066\u200b\u200d\ufeff\U000e0041\udc80a日👨🏽́ї")
)


@pytest.mark.parametrize(
    "hostile, shown",
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b2J", r"\x9b2J"),
        ("two\r\nlines\nand\ttab", "two⏎lines⏎and⇥tab"),
        ("over\rwrite", r"over\x0dwrite"),
        ("user\u202etxt.exe", r"user\u202etxt.exe"),
        ("in\u200bvisible\ufeff", r"in\u200bvisible\ufeff"),
        ("pay\u200dload", r"pay\u200dload"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("name\udcff", r"name\udcff"),
        ("[bold red]markup[/] :smile:", "[bold red]markup[/] :smile:"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("Назва — ціна ₴", "Назва — ціна ₴"),
    ],
)
def test_controls_become_visible_and_everything_else_stays(hostile: str, shown: str) -> None:
    assert sanitise(hostile) == shown


@given(ANY_TEXT)
@settings(deadline=None, max_examples=examples(300))
def test_no_control_of_any_kind_survives(text: str) -> None:
    for glyphs in (UNICODE, ASCII):
        safe = sanitise(text, glyphs)
        kinds = {unicodedata.category(character) for character in safe} - {"Cf"}
        assert not kinds & {"Cc", "Cs", "Zl", "Zp"}
        assert not set(safe) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\ufeff")
        safe.encode("utf-8")


@given(ANY_TEXT)
@settings(deadline=None, max_examples=examples(100))
def test_making_text_inert_twice_changes_nothing(text: str) -> None:
    once = sanitise(text)

    assert sanitise(once) == once


def test_lines_of_a_text_stay_lines() -> None:
    assert sanitise_lines("one\r\ntwo\x1b\nthree\t") == "one\ntwo\\x1b\nthree⇥"


@given(ANY_TEXT, st.integers(1, 40))
@settings(deadline=None, max_examples=examples(200))
def test_cut_text_fits(text: str, width: int) -> None:
    shown = cut(sanitise(text), width)

    assert width_of(shown) <= width


@pytest.mark.parametrize(
    "text, width, shown",
    [
        ("short", 5, "short"),
        ("longer", 5, "long…"),
        ("日本語テキスト", 7, "日本語…"),
        ("日本語テキスト", 6, "日本…"),
        ("trailing space", 10, "trailing…"),
        ("abc", 1, "…"),
    ],
)
def test_text_is_cut_at_whole_characters(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown


def test_a_letter_under_endless_marks_is_bounded() -> None:
    shown = cut("a" + "\u0301" * 100_000, 10)

    assert len(shown) < 60
    assert shown.endswith("…")


def test_headers_fold_after_underscores_and_spaces() -> None:
    assert fold("total_transaction_value", 12) == ["total_", "transaction_", "value"]
    assert fold("two words", 5) == ["two", "words"]
    assert fold("unbreakable", 4) == ["unbr", "eaka", "ble"]


@given(st.text(st.sampled_from("ab_ -日ї"), max_size=60), st.integers(2, 20))
@settings(deadline=None, max_examples=examples(100))
def test_folding_loses_no_character_but_spaces(text: str, width: int) -> None:
    lines = fold(text, width)

    assert all(width_of(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_parts_are_packed_without_breaking_any() -> None:
    assert pack(["5 groups", "key ds_x", "tabchat export ds_x"], 20) == [
        "5 groups · key ds_x",
        "tabchat export ds_x",
    ]


def test_an_encoding_without_the_signs_gets_plain_ones() -> None:
    assert glyphs_for("utf-8") is UNICODE
    assert glyphs_for("koi8-r") is ASCII
    assert glyphs_for("no-such-encoding") is ASCII
    assert sanitise("a\nb\tc", ASCII) == r"a\nb\tc"
