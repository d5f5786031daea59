"""Questions that go on from the one before: changes of its intent, or refusals; never another question's meaning."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.chat.turn.messages import AssistantMessage, ToolCall, UserMessage
from tabchat.chat.turn.model import ModelRequest, Reply
from tabchat.errors import NotUnderstoodError
from tabchat.planner import OfflinePlanner
from tabchat.planner.intent import Intent, Measure, Output
from tabchat.planner.wording import read_as
from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.gold import EXAMPLES, GoldQuestion, gold_rows, read_questions
from tests.planner.judging import is_correct
from tests.planner.talking import GoldConversation, called, read_conversations, turn_of

SALES = EXAMPLES / "sales.csv"
TOTAL = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="revenue"),))
_QUESTIONS = tuple(question for question in read_questions("dev.jsonl") if question.file == "sales.csv")


def outcome(planner: OfflinePlanner, question: str, previous: Intent | None) -> str:
    """Return the reading of a question, or the words of its refusal."""
    try:
        return planner.plan(question, None, previous).interpretation
    except NotUnderstoodError as refusal:
        return refusal.message


class Talk:
    """A conversation that goes on from the right reading of each turn, whether it was answered or offered."""

    def __init__(self, asker: Asker, gold: dict[str, duckdb.DuckDBPyConnection]) -> None:
        self._asker = asker
        self._gold = gold

    def turns(self, conversation: GoldConversation) -> Iterator[tuple[GoldQuestion, str | None, bool]]:
        """Yield (turn, its answer as `read as` or none, whether that is right); ends where nothing is right."""
        path = EXAMPLES / conversation.file
        planner = self._asker.planner(path)
        previous: Intent | None = None
        for turn in conversation.turns:
            try:
                draft = planner.plan(turn.question, None, previous)
            except NotUnderstoodError:
                yield turn, None, not turn.answerable
                previous = self._meant(turn, planner, previous) if turn.answerable else previous
            else:
                assert draft.intent is not None
                right = turn.answerable and self._is_right(turn, draft.intent)
                yield turn, draft.interpretation, right
                previous = draft.intent if right else None
            if turn.answerable and previous is None:
                return

    def _meant(self, turn: GoldQuestion, planner: OfflinePlanner, previous: Intent | None) -> Intent | None:
        found = planner.interpreter().read(turn.question, previous).candidates[:3]
        return next((item.intent for item in found if self._is_right(turn, item.intent)), None)

    def _is_right(self, turn: GoldQuestion, intent: Intent) -> bool:
        answer = self._asker.answer(turn.path, self._asker.call(turn.path, intent))
        return is_correct(turn, gold_rows(turn, self._gold), answer.kind, answer.columns, answer.rows)


def test_no_turn_is_answered_wrongly_and_most_are_answered(asker: Asker) -> None:
    talk = Talk(asker, {})
    later = [
        (f"{conversation} -> {turn.question}: {read}", turn.answerable, read is not None, right)
        for conversation in read_conversations()
        for turn, read, right in list(talk.turns(conversation))[1:]
    ]

    assert [told for told, _, answered, right in later if answered and not right] == []
    answerable = [answered for _, answerable, answered, _ in later if answerable]
    assert sum(answerable) >= 0.85 * len(answerable)
    assert len(answerable) > 140


def test_what_was_carried_over_is_said(asker: Asker) -> None:
    planner, intent = asker.planner(SALES), TOTAL
    for question in ("in 2022", "and in Germany?", "by month instead", "only online"):
        found = planner.plan(question, None, intent)
        assert found.intent is not None
        intent = found.intent

    assert read_as(intent, asker.open(SALES), "en") == (
        "sum of revenue · by month · country = Germany · channel = online · 2022"
    )


def test_what_means_the_same_alone_and_as_a_change_is_not_in_doubt(asker: Asker) -> None:
    planner = asker.planner(SALES)
    before = planner.plan("total revenue in Germany").intent

    found = planner.interpreter().read("what about average quantity in France?", before)

    assert found.certain
    assert len(set(found.candidates)) == len({candidate.intent for candidate in found.candidates})
    assert planner.plan("what about average quantity in France?", None, before).interpretation == (
        "mean of quantity · country = France"
    )


@pytest.mark.parametrize(
    "question",
    ["and in Germany?", "by month instead", "what about the median?", "the other way round", "as a percentage",
     "а за 2023?", "натомість по місяцях"],
)  # fmt: skip
def test_without_an_earlier_question_nothing_is_gone_on_from(asker: Asker, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(SALES).plan(question)


@pytest.mark.parametrize(
    "question,word",
    [
        ("and in Narnia?", "Narnia"),
        ("only frobnicated ones", "frobnicated"),
        ("by planet instead", "planet"),
        ("what about the frobnication?", "frobnication"),
        ("а в Нарнии?", "Нарнии"),
    ],
)
def test_every_word_of_a_follow_up_is_accounted_for(asker: Asker, question: str, word: str) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        asker.planner(SALES).plan(question, None, TOTAL)

    assert word in refusal.value.words


@pytest.mark.parametrize(
    "before,question,readings",
    [
        ("by region", "and by month?", {"sum of revenue · by month", "sum of revenue · by region, month"}),
        ("filter Germany", "in France too", {"sum of revenue · country = France", "sum of revenue · country is one of Germany, France"}),
        ("period March 2023", "and for 2022?", {"sum of revenue · 2022", "sum of revenue · 2022-03"}),
        ("by region", "first 3", {"sum of revenue · by region · top 3", "sum of revenue · by region · lowest 3"}),
        ("filter Germany", "and Asia?", {"sum of revenue · region = Asia", "sum of revenue · country = Germany · region = Asia"}),
    ],
)  # fmt: skip
def test_a_change_that_can_be_made_in_two_ways_is_offered(
    asker: Asker, before: str, question: str, readings: set[str]
) -> None:
    from tabchat.planner.setting import with_part

    planner = asker.planner(SALES)
    name, _, text = before.partition(" ")
    previous = with_part(TOTAL, name, text, planner.interpreter())

    with pytest.raises(NotUnderstoodError) as refusal:
        planner.plan(question, None, previous)

    assert {reading.interpretation for reading in refusal.value.readings} >= readings


def test_a_plan_that_a_model_wrote_is_gone_on_from(asker: Asker) -> None:
    planner = asker.planner(SALES)
    plan = {
        "table": "sales",
        "where": "country == 'Germany' and not returned",
        "group_by": "region",
        "select": "mean(revenue) as typical",
        "title": "Typical revenue",
    }
    earlier = called("typical revenue?", ToolCall(id="model-1", name="run_query", arguments=plan))

    (reply,) = planner.respond(
        ModelRequest(messages=(*earlier, UserMessage(text="and in France?")), table="sales")
    )

    assert isinstance(reply, Reply)
    assert reply.interpretation == "mean of revenue · by region · returned = no · country = France"


@pytest.mark.parametrize("calls", [0, 2])
def test_an_answer_of_words_or_of_several_queries_is_not_gone_on_from(asker: Asker, calls: int) -> None:
    planner = asker.planner(SALES)
    one, two = (
        ToolCall(
            id=f"x-{year}",
            name="run_query",
            arguments={"table": "sales", "period": year, "select": "count()"},
        )
        for year in ("2022", "2023")
    )
    earlier = (
        called("compare", one, two)
        if calls
        else [*called("?", one), UserMessage(text="hm"), AssistantMessage(text="yes")]
    )

    assert planner.previous(earlier, asker.open(SALES)) is None
    assert planner.previous(called("?", one), asker.open(SALES)) is not None


def test_a_plan_over_another_table_is_not_gone_on_from(asker: Asker) -> None:
    other = ToolCall(id="x", name="run_query", arguments={"table": "ds_x", "select": "count()"})

    assert asker.planner(SALES).previous(called("how many?", other), asker.open(SALES)) is None


def test_conversations_that_share_a_planner_never_mix(asker: Asker) -> None:
    planner = asker.planner(SALES)
    facts = asker.open(SALES)
    one = turn_of("", planner.plan("average revenue by channel"))
    two = turn_of("", planner.plan("average revenue by month"))

    first, second = planner.previous(one, facts), planner.previous([*one, *two], facts)

    assert first is not None
    assert second is not None
    assert [key.column for key in first.keys] == ["channel"]
    assert [key.unit for key in second.keys] == ["month"]


@settings(
    deadline=None,
    max_examples=examples(30),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(question=st.sampled_from(_QUESTIONS))
def test_a_question_that_is_certain_alone_keeps_its_meaning(asker: Asker, question: GoldQuestion) -> None:
    planner = asker.planner(SALES)
    alone = planner.interpreter().read(question.question)
    if not alone.certain:
        return

    assert outcome(planner, question.question, TOTAL) == outcome(planner, question.question, None)


@pytest.mark.parametrize(
    "before", ["total revenue by region", "share of Europe in revenue", "orders in Germany"]
)
@pytest.mark.parametrize(
    "question",
    [
        "top 3 categories by revenue in Europe",
        "bottom 3 regions by revenue",
        "top 3 channels by revenue in North America",
        "which countries are there",
        "how many orders in France",
        "sum of quantity by channel",
        "average quantity in 2023",
        "cheapest product in Germany",
    ],
)
def test_a_whole_question_takes_nothing_from_the_one_before(asker: Asker, before: str, question: str) -> None:
    planner = asker.planner(SALES)
    previous = planner.plan(before).intent

    assert outcome(planner, question, previous) == outcome(planner, question, None)


BOATS = """boat,model year,minutes,race_date,crew,age
Aurora,1998,52,2024-05-01,Ihor,40
Boreas,2005,47,2024-05-02,Olena,31
Cirrus,1998,61,2024-06-01,Ihor,40
Delta,2011,45,2024-06-09,Marta,25
Echo,2005,58,2024-07-03,Olena,31
Foam,2011,49,2024-07-04,Marta,25
"""


@pytest.mark.parametrize(
    "turns,reading",
    [
        (["orders in Germany", "by channel"], "number of rows · by channel · country = Germany"),
        (["revenue in Germany in 2023", "without the filter"], "sum of revenue"),
        (["orders in Germany", "how many of those are online"],
         "number of rows · country = Germany · channel = online"),
        (["how many customers in Germany", "list them"], "different customer · country = Germany"),
        (["how many orders over 3000", "show them"], "rows · revenue > 3000"),
        (["average discount in Asia", "which products"], "different product · region = Asia"),
        (["average discount in Asia", "which products are there"], "different product"),
        (["revenue by product", "highest first"],
         "sum of revenue · by product · sorted by sum of revenue, highest first"),
        (["revenue by product, highest first", "first 3"], "sum of revenue · by product · top 3"),
    ],
)  # fmt: skip
def test_what_goes_on_from_the_question_before(asker: Asker, turns: list[str], reading: str) -> None:
    planner, intent = asker.planner(SALES), None
    for question in turns:
        draft = planner.plan(question, None, intent)
        intent = draft.intent

    assert draft.interpretation == reading


@pytest.mark.parametrize(
    "before,question",
    [
        ("revenue by product", "first 3"),
        ("revenue by product", "list them"),
        ("revenue by region", "by average quantity"),
        ("revenue by region", "the fastest"),
        ("revenue by month", "last 2"),
    ],
)
def test_what_can_be_taken_in_two_ways_is_not_answered(asker: Asker, before: str, question: str) -> None:
    planner = asker.planner(SALES)
    previous = planner.plan(before).intent

    assert not planner.interpreter().read(question, previous).certain


@pytest.mark.parametrize(
    "before,question,readings",
    [
        ("rows", "sort by minutes, fastest first", ["rows · sorted by minutes, lowest first"]),
        ("average age by crew", "the oldest", ["mean of age · by crew · top 1", "maximum of age · by crew"]),
        ("average minutes by crew", "the fastest",
         ["mean of minutes · by crew · lowest 1", "minimum of minutes · by crew"]),
    ],
)  # fmt: skip
def test_a_word_of_speed_has_the_direction_of_its_column(
    asker: Asker, tmp_path: Path, before: str, question: str, readings: list[str]
) -> None:
    path = tmp_path / "boats.csv"
    path.write_text(BOATS)
    planner, facts = asker.planner(path), asker.open(path)
    previous = planner.interpreter().read(before).candidates[0].intent

    found = planner.interpreter().read(question, previous)

    assert found.certain == (len(readings) == 1)
    assert {read_as(item.intent, facts, "en") for item in found.offered} >= {*readings}


def test_what_loses_the_limit_that_a_follow_up_says_is_not_certain(asker: Asker) -> None:
    planner = asker.planner(SALES)
    previous = planner.plan("total revenue by region").intent

    found = planner.interpreter().read("and top 3 countries by revenue in Europe", previous)

    assert not found.certain
    assert planner.interpreter().read("and top 3?", previous).certain


def test_a_part_exchanges_the_part_of_a_share(asker: Asker) -> None:
    planner = asker.planner(SALES)
    previous = planner.plan("share of Europe in revenue").intent

    assert outcome(planner, "and Asia?", previous) == ("percentage of the sum of revenue where region = Asia")


_START = st.sampled_from(("", "and ", "what about ", "now ", "only "))
_CHANGE = st.sampled_from(
    ("in Germany", "for 2023", "online", "by month", "without returns", "revenue over 100", "in Q1")
)


@settings(
    deadline=None,
    max_examples=examples(20),
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(start=_START, change=_CHANGE, word=st.sampled_from(("zorp", "planet", "qwxz", "Атлантида")))
def test_one_unknown_word_is_never_passed_over(asker: Asker, start: str, change: str, word: str) -> None:
    with pytest.raises(NotUnderstoodError) as refusal:
        asker.planner(SALES).plan(f"{start}{change} {word}", None, TOTAL)

    assert word in refusal.value.words
