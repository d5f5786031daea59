"""Every numeral that a model types is a figure, unless a closed list says why not; a wrong one is never without a mark."""

import itertools
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.answers.check import AnswerContext, CheckedAnswer, check_answer
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.languages.notation import ENGLISH, LANGUAGES
from tabchat.languages.written import is_numeral, read_numbers
from tests.answers.tables import result_of
from tests.effort import examples

REVENUE: Final[Mapping[str, Sequence[Any]]] = {
    "region": ["Asia", "Europe"],
    "revenue": [345222.26, 543120.29],
    "orders": [964, 1459],
}
SIGNS: Final = "$€£¥₴₽₹₩%‰-−–+±~≈<>=#№×.,:;!?…'’\"«»()[]/\\|_*&@^`°"
WORDS: Final = (
    "US$",
    "R$",
    "HK$",
    "CHF",
    "EURO",
    "INR",
    "грн",
    "гривень",
    "approx.",
    "rev-",
    "Q",
    "n.",
    "COVID-",
)
LETTERS: Final = "abkmxBMKéабвгдіїжωλЖ"
AROUND: Final = st.lists(st.sampled_from([*SIGNS, *WORDS, *LETTERS, " ", "\u00a0"]), max_size=4).map("".join)
WRONG: Final = ("999,999", "999999", "888.75", "77777", "999 999", "①②③", "½", "⁹⁹⁹", "٩٩٩٩", "９９９", "Ⅻ")


@pytest.fixture(scope="module")
def context(engine: DuckDBEngine) -> AnswerContext:
    """Return what an answer about two regions may rest on."""
    return AnswerContext(results=[result_of(engine, REVENUE, keys=["region"])], names=list(REVENUE))


def doubted(checked: CheckedAnswer) -> list[str]:
    receipts = checked.verification.receipts
    assert (checked.verification.status == "unverified") == any(
        one.status == "unverified" for one in receipts
    )
    return [receipt.text for receipt in receipts if receipt.status == "unverified"]


@pytest.mark.parametrize("category", ["Nd", "No", "Nl"])
def test_every_numeral_of_unicode_is_read_as_a_number(category: str) -> None:
    numerals = [
        char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.category(char) == category
    ]
    assert len(numerals) > 200
    assert all(map(is_numeral, numerals))
    text = " and ".join(numerals)
    covered = {place for number in read_numbers(text, ENGLISH) for place in range(number.start, number.end)}
    assert all(place in covered for place, char in enumerate(text) if is_numeral(char))


@settings(max_examples=examples(300), deadline=None)
@given(text=st.text(alphabet=st.sampled_from("0129" + SIGNS + LETTERS + "½²①Ⅻ٣９ \n"), max_size=30))
def test_no_numeral_is_passed_over_and_none_is_read_twice(text: str) -> None:
    for language in LANGUAGES:
        numbers = list(read_numbers(text, language))
        assert all(one.end <= other.start for one, other in itertools.pairwise(numbers))
        assert all(number.text == text[number.start : number.end] for number in numbers)
        covered = {place for number in numbers for place in range(number.start, number.end)}
        assert all(place in covered for place, char in enumerate(text) if is_numeral(char))


@settings(max_examples=examples(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(before=AROUND, after=AROUND, wrong=st.sampled_from(WRONG), place=st.integers(0, 5))
def test_a_wrong_figure_is_marked_whatever_stands_around_it(
    context: AnswerContext, before: str, after: str, wrong: str, place: int
) -> None:
    form = (
        "Asia made {}.",
        "{}",
        "- {} in Asia",
        "| Asia | {} |",
        "Region,revenue\nAsia,{}",
        "42. {} orders",
    )[place]
    checked = check_answer(form.format(f"{before}{wrong}{after}"), context)
    assert doubted(checked), checked
    assert checked.feedback is not None


@pytest.mark.parametrize(
    "text, marked",
    [
        ("Asia leads with US$999,999.", ["US$999,999"]),
        ("Asia leads with US$ 999,999.", ["US$ 999,999"]),
        ("US$999.5M in Asia, A$12,000 and C$1.2M", ["US$999.5M", "A$12,000", "C$1.2M"]),
        ("| Asia | R$999,999 | HK$888,888 |", ["R$999,999", "HK$888,888"]),
        ("Asia: CHF999,999, EURO999 and INR999,999", ["CHF999,999", "EURO999", "INR999,999"]),
        ("Азія має гривень999999", ["гривень999999"]),
        ("Region,revenue\nAsia,999999", ["999999"]),
        ("Asia grew by .5% and fell by .75 points", [".5%", ".75"]),
        ("Asia made approx.999,999 (n.999)", ["999,999", "999"]),
        ("Asia:,999", ["999"]),
        ("Asia: Revenue/999999, rev-999999", ["999999", "999999"]),
        ("Asia has ½ of all, ³⁴ more, ①②③", ["½", "³⁴", "①②③"]),
        ("42. orders were returned", ["42"]),
        ("42. orders\n43. returns", ["42", "43"]),
        ("1. orders were returned", ["1"]),
        ("Asia made -US$345,222 and minus 345,222", ["-US$345,222", "minus 345,222"]),
        ("Asia made $345,222m", ["$345,222m"]),
        ("Asia made 345,222 hundred", ["345,222 hundred"]),
        ("Asia made 345,222⁶", ["⁶"]),
        ("Азія (Asia): 345 222 лакхів", ["345 222 лакхів"]),
    ],
)
def test_what_was_taken_for_a_name_is_a_figure(context: AnswerContext, text: str, marked: list[str]) -> None:
    assert doubted(check_answer(text, context)) == marked


@pytest.mark.parametrize(
    "text",
    [
        "In Q3 and in H1 Asia led.",
        "B2B-channels and iPhone15's buyers come from Asia; see ab-7/x2.",
        "By H&M24, in m² and km³; R² is high.",
        "Asia made US$345,222.26 from 964 orders, CHF 345,222 or INR345,222.",
        "1. Asia\n   1. one\n   2. two\n2. Europe\n\n1) Asia\n2) Europe",
        "**1.** Asia\n**2.** Europe",
    ],
)
def test_what_somebody_else_wrote_is_a_name(context: AnswerContext, text: str) -> None:
    said = AnswerContext(
        results=context.results,
        names=context.names,
        question="What of B2B and H&M24?",
        texts=("iPhone15: 3 of them, AB-7/x2",),
    )
    assert doubted(check_answer(text, said)) == []


@pytest.mark.parametrize(
    "text", ["Q3.5 of Asia", "Asia: Q3 %", "B2B,5", "USD5 in Asia", "xB2B", "Q9", "COVID-19", "M²"]
)
def test_a_name_is_one_letter_for_letter(context: AnswerContext, text: str) -> None:
    said = AnswerContext(results=context.results, names=context.names, texts=("B2B, USD5",))
    assert doubted(check_answer(text, said))


@pytest.mark.parametrize(
    "text", ["$2024", "2024 million", "2024,5", "2024 %", "2024⁶", "2024K", "in 2024 -5"]
)
def test_a_header_of_digits_or_a_label_of_digits_ends_where_it_ends(engine: DuckDBEngine, text: str) -> None:
    years = result_of(engine, {"y": [2023, 2024], "n": [7, 8]}, keys=["y"])
    for said in (AnswerContext(results=[years]), AnswerContext(results=[years], names=["2024"])):
        assert doubted(check_answer(f"It made {text} with {{r1.n[1]}}", said))
        assert doubted(check_answer("In 2024 it made {r1.n[1]}.", said)) == []


def test_an_answer_without_a_figure_has_no_verdict(context: AnswerContext) -> None:
    assert check_answer("Asia leads.", context).verification.to_json() == {
        "status": "not_applicable",
        "claims": [],
    }
    assert check_answer('{r1.region["Asia"]} leads.', context).verification.status == "verified"
    asked = AnswerContext(results=context.results, question="Is it 200?")
    assert check_answer("It is 200.", asked).verification.status == "verified"


def test_titles_and_earlier_drafts_of_a_model_make_no_names(tmp_path: Path) -> None:
    from tabchat.chat.turn.judge import Judge
    from tabchat.chat.turn.messages import (
        AssistantMessage,
        FeedbackMessage,
        Message,
        ToolCall,
        ToolMessage,
        UserMessage,
    )
    from tabchat.chat.turn.model import Reply, ScriptedModel
    from tabchat.chat.turn.speaker import Speaker
    from tabchat.chat.turn.turn import Turn
    from tabchat.tools.envelope import ToolResultEnvelope
    from tests.workspace import make_executor, make_workspace

    (tmp_path / "t.csv").write_text("name,x\nab,1\ncd,2\n")
    speaker = Speaker.plain(
        ScriptedModel(replies=[]), make_executor(make_workspace(tmp_path, tmp_path / "t.csv"))
    )
    told = ToolResultEnvelope(ok=True, summary="names: AB12", metrics={"title": "rev777"})
    failed = ToolResultEnvelope(ok=False, summary="there is no rev888", error="PlanError")
    call = ToolCall(id="1", name="run_query", arguments={"title": "rev777"})
    messages: list[Message] = [
        UserMessage(text="And CD34?"),
        AssistantMessage(text="It is rev999"),
        FeedbackMessage(text="rev999"),
        ToolMessage(call=call, envelope=told),
        ToolMessage(call=call, envelope=failed),
    ]
    turn = Turn("q", speaker, messages, asked=0)
    text = "CD34 AB12 rev777 rev888 rev999"
    receipts = Judge().judge(turn, Reply(text=text)).verification.receipts
    assert [receipt.text for receipt in receipts] == ["rev777", "rev888", "rev999"]
