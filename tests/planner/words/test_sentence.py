"""A question is taken apart without loss, whatever is typed."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.planner.words import TokenKind, read_sentence, shipped_languages
from tests.effort import examples
from tests.planner.words.sentences import read

PIECES = (
    "last 3 months", "in March", "2023", "between", "and", "from", "to", "5", "June", "since", "over", "an hour",
    "twenty", "hundred", "million", "%", "$", "°C", "18:00", "Q1", "«x", "-", "за останні", "у березні", "тис.", "із",
    "двісті", "після", "с 5 по 12", "мая", "первая неделя", "того же", ",", "/", "0", "1990-ті", "mid", "\u0301", "ß",
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=9).map(" ".join)))
@settings(max_examples=examples(150), deadline=None)
def test_anything_is_read_and_every_span_lies_within_the_words(text: str) -> None:
    sentence = read(text)
    words = sentence.words

    assert all(0 <= word.start < word.end <= len(text) for word in words)
    assert all(one.end <= other.start for one, other in pairwise(words))
    for spans in (sentence.concepts, sentence.times, sentence.quantities):
        assert all(0 <= span.start < span.end <= len(words) for span in spans)
        assert [(span.start, -span.end) for span in spans] == sorted(
            (span.start, -span.end) for span in spans
        )
    for span in sentence.times:
        for period in (*span.periods, *([span.period] if span.period else [])):
            assert period.start is None or period.end is None or period.start <= period.end
    assert read(text) == sentence


@pytest.mark.parametrize(
    "text,language",
    [
        ("total revenue", "en"),
        ("скільки рядків", "uk"),
        ("сколько строк", "ru"),
        ("топ 5 product за кількістю", "uk"),
        ("максимальна temp_max", "uk"),
        ("двадцать пять заказов", "ru"),
        ("оклад по полу", "ru"),
        ("топ 3 контрагенти по приходу", "uk"),
    ],
)
def test_the_language_is_the_one_that_knows_the_words(text: str, language: str) -> None:
    assert read(text).language == language


def test_the_headers_decide_where_the_words_leave_it_open() -> None:
    languages = shipped_languages()
    read_for = {
        prefer: read_sentence("план", lexicons=languages, prefer=prefer).language for prefer in ("uk", "ru")
    }

    assert read_for == {"uk": "uk", "ru": "ru"}


def test_capitals_count_inside_a_sentence_only() -> None:
    words = read("Show Rome. Then Paris").words

    assert [word.norm for word in words if word.capital] == ["rome", "paris"]


def test_a_time_of_day_is_one_word() -> None:
    assert [word.kind for word in read("after 18:30").words] == [TokenKind.WORD, TokenKind.TIME]
