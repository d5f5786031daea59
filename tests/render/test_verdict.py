"""The verdict on an answer: where doubtful figures stand, and what is said of the figures and their cost."""

from typing import Any

import pytest

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer, Usage
from tabchat.render.answer import AnswerView
from tabchat.render.commands import REPL
from tabchat.render.verdict import describe_usage, describe_verdict, dollars, find_doubtful, narrate_verdict
from tests.render.screens import screen

KEY = "ds_rkbx2mwy6eddaalqkz3m"


def claim(text: str, status: str = "verified", **fields: Any) -> Receipt:
    return Receipt(text=text, value=text, status=status, **fields)  # type: ignore[arg-type]


def answer(text: str, *claims: Receipt) -> Answer:
    return Answer(question="?", text=text, planner="llm", verification=Verification(receipts=claims))


def cell(region: str) -> tuple[CitedCell, ...]:
    return (CitedCell(data_key=KEY, column="mean", row={"region": region}),)


def test_only_doubtful_figures_are_marked_and_where_they_stand() -> None:
    given = answer(
        "7 of 12 in Asia, 7 in Europe",
        claim("7", start=0),
        claim("12", "derived", start=5),
        claim("7", "unverified", start=17),
    )
    assert find_doubtful(given) == ((17, 18),)


def test_a_doubtful_figure_without_a_place_is_marked_wherever_it_stands() -> None:
    given = answer("12, 112, 12.5, x12, 12 and 12", claim("12", "unverified"))
    assert find_doubtful(given) == ((0, 2), (20, 22), (27, 29))
    assert find_doubtful(answer("nothing", claim("12", "unverified"), claim("", "unverified"))) == ()


def test_a_place_that_does_not_hold_the_figure_is_not_believed() -> None:
    assert find_doubtful(answer("about 12", claim("12", "unverified", start=1))) == ((6, 8),)


@pytest.mark.parametrize("commands, more", [(None, "--receipts lists them"), (REPL, "/trace lists them")])
def test_the_verdict_says_where_the_receipts_are(commands: Any, more: str) -> None:
    shown = screen()
    given = answer("100", claim("100"))
    narrate_verdict(shown.consoles, given, AnswerView(commands=commands) if commands else AnswerView())
    assert shown.err.splitlines() == [f"checked: 1 figure verified · {more}"]


def test_receipts_are_listed_when_they_are_asked_for() -> None:
    shown = screen()
    cell = CitedCell(data_key=KEY, column="mean", row={"region": "Asia"}, value=100)
    narrate_verdict(shown.consoles, answer("100", claim("100", cells=(cell,))), AnswerView(receipts=True))
    assert "mean · region = Asia" in shown.err
    assert shown.err.splitlines()[-1] == "checked: 1 figure verified"


@pytest.mark.parametrize(
    "status, claims, said",
    [
        ("not_applicable", (), ("", "")),
        ("verified", (), ("", "")),
        ("verified", ("verified",), ("checked: 1 figure verified", "")),
        ("verified", ("verified", "verified", "derived"), ("checked: 2 figures verified, 1 derived", "")),
        ("verified", ("derived",), ("checked: 1 figure derived", "")),
        ("verified", ("linked", "verified"), ("checked: 2 figures verified", "")),
        (
            "unverified",
            ("unverified",),
            ("", "1 figure is unverified: treat it as wrong until you have checked it"),
        ),
        (
            "unverified",
            ("verified", "unverified", "unverified"),
            (
                "checked: 1 figure verified",
                "2 figures are unverified: treat them as wrong until you have checked them",
            ),
        ),
        (
            "unverified",
            (),
            ("", "The answer could not be checked: treat it as wrong until you have checked it."),
        ),
    ],
)
def test_the_verdict_counts_every_figure(status: Any, claims: tuple[str, ...], said: tuple[str, str]) -> None:
    given = Verification(status=status, receipts=tuple(claim("1", each) for each in claims))

    assert describe_verdict(given) == said


@pytest.mark.parametrize(
    "usage, parts",
    [
        (
            Usage(model="m", prompt_tokens=1_830, completion_tokens=120, cost_usd=0.0012, requests=2),
            ["m", "2 requests", "1,830 + 120 tokens", "$0.0012"],
        ),
        (
            Usage(model="m", prompt_tokens=1, completion_tokens=2, requests=1, priced=False),
            ["m", "1 request", "1 + 2 tokens", "cost unknown"],
        ),
        (Usage(model="m", prompt_tokens=9), ["m", "from the cache"]),
    ],
)
def test_usage_is_told_in_parts(usage: Usage, parts: list[str]) -> None:
    assert describe_usage(usage) == parts


@pytest.mark.parametrize(
    "amount, said",
    [(0, "$0.0000"), (0.0012, "$0.0012"), (0.00003, "$3e-05"), (0.5, "$0.5000"), (1234.5, "$1,234.50")],
)
def test_small_amounts_of_money_stay_visible(amount: float, said: str) -> None:
    assert dollars(amount) == said


def test_the_verdict_tells_names_from_figures() -> None:
    doubted = (claim("Narnia", "unverified"), claim("Atlantis", "unverified"), claim("12", "unverified"))
    given = Verification(status="unverified", receipts=doubted)

    assert describe_verdict(given)[1].startswith("1 figure and 2 names are unverified")
