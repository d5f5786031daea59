"""Questions that go on from the one before: changes of its plan, or refusals; never another question's meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.chat.turn.messages import AssistantMessage, UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import NotUnderstoodError
from tabchat.planner.lexicon import open_languages, shipped_languages
from tabchat.planner.plans import Draft
from tabchat.planner.router import OfflinePlanner
from tests.planner.gold import EXAMPLES, GoldQuestion, gold_rows, is_correct, read_questions
from tests.planner.talking import GoldConversation, read_conversations, turn_of

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from tabchat.chat.turn.messages import Message
    from tests.planner.asking import Asker

SALES = EXAMPLES / "sales.csv"
_QUESTIONS = tuple(question for question in read_questions("dev.jsonl") if question.file == "sales.csv")
_PREVIOUS = (
    "total revenue by region",
    "how many orders in Germany in 2023",
    "top 5 products by revenue",
    "which region has the highest revenue",
    "show orders from Japan in 2024",
    "revenue growth by year",
)


def talked(planner: OfflinePlanner, *questions: str) -> tuple[Draft, list[Message]]:
    """Ask questions in a row; return the last reading and the messages before it."""
    earlier: list[Message] = []
    for question in questions[:-1]:
        earlier += turn_of(question, planner.plan(question, None, earlier))
    return planner.plan(questions[-1], None, earlier), earlier


def outcome(planner: OfflinePlanner, question: str, earlier: list[Message]) -> Draft | str:
    """Return the reading of a question, or the words of its refusal."""
    try:
        return planner.plan(question, None, earlier)
    except NotUnderstoodError as refusal:
        return refusal.message


@pytest.fixture(scope="module")
def connections() -> dict[str, duckdb.DuckDBPyConnection]:
    return {}


@pytest.mark.parametrize("conversation", read_conversations(), ids=str)
def test_each_turn_gives_what_its_query_gives_or_is_refused(
    asker: Asker, connections: dict[str, duckdb.DuckDBPyConnection], conversation: GoldConversation
) -> None:
    planner = asker.planner(EXAMPLES / conversation.file)
    earlier: list[Message] = []

    for turn in conversation.turns:
        if not turn.answerable:
            with pytest.raises(NotUnderstoodError):
                planner.plan(turn.question, None, earlier)
            continue
        draft = planner.plan(turn.question, None, earlier)
        result = asker.run(asker.tables[conversation.file], draft)

        assert is_correct(turn, gold_rows(turn, connections), result), draft.interpretation
        earlier += turn_of(turn.question, draft)


def test_what_was_carried_over_is_said(asker: Asker) -> None:
    planner = asker.planner(SALES)

    draft, _ = talked(
        planner, "total revenue in 2022", "and in Germany?", "by month instead", "top 3", "only online"
    )

    assert draft.interpretation == (
        "sum of revenue · by month · country = Germany · channel = online · period 2022"
        " · sorted by sum_revenue desc · first 3"
    )


@pytest.mark.parametrize(
    "question",
    ["and in Germany?", "only online", "by month instead", "what about the median?", "in 2023", "the other way round",
     "as a percentage", "sort by revenue", "а за 2023?", "только online", "натомість по місяцях"],
)  # fmt: skip
def test_without_an_earlier_question_there_is_nothing_to_go_on_from(asker: Asker, question: str) -> None:
    with pytest.raises(NotUnderstoodError, match="nothing that it refers to"):
        asker.planner(SALES).plan(question)


@pytest.mark.parametrize(
    "question,words",
    [
        ("and in Narnia?", ("Narnia",)),
        ("only blue ones", ("blue",)),
        ("by planet instead", ("planet",)),
        ("what about the frobnication?", ("frobnication",)),
        ("а в Нарнии?", ("Нарнии",)),
    ],
)
def test_every_word_of_a_follow_up_is_accounted_for(
    asker: Asker, question: str, words: tuple[str, ...]
) -> None:
    planner = asker.planner(SALES)
    earlier = turn_of("total revenue", planner.plan("total revenue"))

    with pytest.raises(NotUnderstoodError) as refusal:
        planner.plan(question, None, earlier)

    assert refusal.value.words == words


@pytest.mark.parametrize(
    "questions,readings",
    [
        (
            ("total revenue by region", "and by month?"),
            ("sum of revenue · by month", "sum of revenue · by region, month"),
        ),
        (
            ("total revenue in Germany", "in France too"),
            ("sum of revenue · country = France", "sum of revenue · country in Germany, France"),
        ),
        (
            ("average revenue in March 2023", "and for 2022?"),
            ("mean of revenue · period 2022", "mean of revenue · period 2022-03"),
        ),
        (
            ("total revenue in 2023", "and how many orders in France?"),
            ("number of rows · country = France · period 2023", "number of rows · country = France"),
        ),
        (
            ("top 3 regions by revenue", "the other way round"),
            (
                "sum of revenue · by region · sorted by sum_revenue asc · first 3",
                "sum of revenue · by region · sorted by sum_revenue desc · first 3 · sorted by sum_revenue asc",
            ),
        ),
    ],
)
def test_a_reading_that_is_listed_can_be_chosen_by_its_words(
    asker: Asker, questions: tuple[str, ...], readings: tuple[str, ...]
) -> None:
    planner = asker.planner(SALES)
    with pytest.raises(NotUnderstoodError) as refusal:
        talked(planner, *questions)

    assert refusal.value.readings == readings
    assert [planner.plan(reading).interpretation for reading in readings] == list(readings)


@pytest.mark.parametrize(
    "questions,reason",
    [
        (("which region has the highest revenue", "by country instead"), "grouping"),
        (("show orders from Japan", "by month"), "computed for each group"),
        (("total revenue", "sort by country"), "sort by"),
        (("percentage of orders that were returned", "and not returned?"), "already looks at returned"),
        (("top 5 products by revenue", "show the rows"), "rows of the groups"),
        (("how many columns are there", "in Germany"), "run_sql"),
    ],
)
def test_a_change_that_the_last_answer_does_not_allow_is_refused(
    asker: Asker, questions: tuple[str, ...], reason: str
) -> None:
    with pytest.raises(NotUnderstoodError, match=re.escape(reason)):
        talked(asker.planner(SALES), *questions)


def test_a_plan_that_a_model_wrote_is_gone_on_from(asker: Asker) -> None:
    planner = asker.planner(SALES)
    written = Draft(
        tool="run_query",
        arguments={
            "table": "sales",
            "where": "country == 'Germany' and not returned and revenue between 10 and 500",
            "group_by": "region",
            "select": "mean(revenue) as typical",
            "title": "Typical revenue",
        },
        shape="",
        read_as=(),
    )

    draft = planner.plan("and in France?", None, turn_of("typical revenue?", written))

    assert draft.arguments == {
        "table": "sales",
        "where": "(country == 'France') and (not returned) and (revenue between 10 and 500)",
        "group_by": "region",
        "select": "mean(revenue) as typical",
    }


def test_a_plan_over_another_table_is_not_gone_on_from(asker: Asker) -> None:
    planner = asker.planner(SALES)
    other = Draft(tool="run_query", arguments={"table": "ds_x", "select": "count()"}, shape="", read_as=())

    with pytest.raises(NotUnderstoodError, match="another table"):
        planner.plan("in Germany", None, turn_of("how many?", other))


def test_an_answer_of_words_or_of_several_queries_is_not_gone_on_from(asker: Asker) -> None:
    planner = asker.planner(SALES)
    first, second = (planner.plan(f"total revenue in {year}") for year in (2022, 2023))
    words = [*turn_of("total revenue in 2022", first), UserMessage(text="hm"), AssistantMessage(text="yes")]
    both = [*turn_of("compare", first), *turn_of("", second)[1:]]

    for earlier in (words, both):
        with pytest.raises(NotUnderstoodError, match="not from one plan"):
            planner.plan("and in Germany?", None, earlier)


def test_conversations_that_share_a_planner_never_mix(asker: Asker) -> None:
    planner = asker.planner(SALES)
    one = [UserMessage(text="x"), *turn_of("total revenue", planner.plan("total revenue"))]
    two = turn_of("number of orders by region", planner.plan("number of orders by region"))

    (first,), (second,) = (
        planner.respond(ModelRequest(messages=(*earlier, UserMessage(text="and in 2023?")), table="sales"))
        for earlier in (one, two)
    )

    assert isinstance(first, Reply)
    assert isinstance(second, Reply)
    assert first.interpretation == "sum of revenue · period 2023"
    assert second.interpretation == "number of rows · by region · period 2023"


@settings(
    deadline=None,
    max_examples=150,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(question=st.sampled_from(_QUESTIONS), previous=st.sampled_from(_PREVIOUS))
def test_a_question_that_is_understood_alone_keeps_its_meaning(
    asker: Asker, question: GoldQuestion, previous: str
) -> None:
    planner, text = asker.planner(SALES), question.question
    earlier = turn_of(previous, planner.plan(previous))

    assert outcome(planner, text, earlier) == outcome(planner, text, [])


_START = st.sampled_from(("", "and ", "what about ", "now ", "only "))
_CHANGE = st.sampled_from(
    ("in Germany", "for 2023", "online", "by month", "without returns", "revenue over 100", "in Q1")
)


@settings(
    deadline=None,
    max_examples=100,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(start=_START, change=_CHANGE, word=st.sampled_from(("zorp", "planet", "qwxz", "Атлантида")))
def test_one_unknown_word_refuses_the_whole(asker: Asker, start: str, change: str, word: str) -> None:
    planner = asker.planner(SALES)
    earlier = turn_of("total revenue by region", planner.plan("total revenue by region"))

    with pytest.raises(NotUnderstoodError) as refusal:
        planner.plan(f"{start}{change} {word}", None, earlier)

    assert word in refusal.value.words


def test_a_language_without_follow_up_words_still_loads_and_reads_fragments(
    asker: Asker, tmp_path: Path
) -> None:
    english = shipped_languages().folder.joinpath("en.toml").read_text(encoding="utf-8")
    before, _, after = english.partition("[follow_ups]")
    tiny = before + after[after.index("[phrasing]") :]
    (tmp_path / "eo.toml").write_text(tiny.replace('language = "en"', 'language = "eo"'), encoding="utf-8")
    (tmp_path / "languages.toml").write_text(
        '[eo]\nletters = "abcdefghijklmnopqrstuvz"\nmarks = ""\n', encoding="utf-8"
    )
    languages = open_languages(tmp_path)
    planner = OfflinePlanner(tables=asker.planner(SALES).tables, results=pytest.fail, languages=languages)

    draft, earlier = talked(planner, "total revenue", "in Germany")

    assert languages.load("eo").follow_ups == {}
    assert draft.interpretation == "sum of revenue · country = Germany"
    with pytest.raises(NotUnderstoodError, match="instead"):
        planner.plan("by month instead", None, earlier)
