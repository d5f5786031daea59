"""Typing errors are offered a spelling; what is a word of the language or of the table is left alone."""

import pytest

from tests.planner.words.sentences import read

KNOWN = frozenset({"laptops", "horses", "germany", "смартфонів", "ковалева"})


@pytest.mark.parametrize(
    "text,typed,meant",
    [
        ("avergae price", "avergae", "average"),
        ("hwo many rows", "hwo", "how"),
        ("revenue by coutnry", "coutnry", "country"),
        ("show laptps", "laptps", "laptops"),
        ("orders in Germnay", "germnay", "germany"),
        ("скількі смарфонів", "смарфонів", "смартфонів"),
        ("максмальна ціна", "максмальна", "максимальна"),
        ("колличество заказов", "колличество", "количество"),
    ],
)
def test_a_misspelt_word_is_offered_what_it_may_have_been(text: str, typed: str, meant: str) -> None:
    spellings = {word.norm: word.spellings for word in read(text, KNOWN).words}

    assert spellings[typed][0] == meant


@pytest.mark.parametrize(
    "text",
    [
        "how many houses",
        "sand and bonds",
        "laptops in total",
        "players of Leeds",
        "коти й собаки",
        "кошки и собаки",
    ],
)
def test_a_real_word_and_a_name_are_left_alone(text: str) -> None:
    assert not any(word.spellings for word in read(text, KNOWN).words)


def test_what_the_table_knows_is_never_corrected() -> None:
    assert read("avergae", frozenset({"avergae"})).words[0].spellings == ()


def test_a_table_may_tell_its_words_by_a_function() -> None:
    from tabchat.planner.words import read_sentence, shipped_languages

    sentence = read_sentence(
        "avergae xqzzy", lexicons=shipped_languages(), known=lambda word: word == "avergae"
    )

    assert [word.spellings for word in sentence.words] == [(), ()]
