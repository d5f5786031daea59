"""Figures and their evidence: where they stand, which number they share, and what is said of them."""

from __future__ import annotations

from typing import Any

import pytest

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer, Usage
from tabchat.render.answer import AnswerView
from tabchat.render.commands import REPL
from tabchat.render.evidence import (
    Evidence,
    describe_usage,
    describe_verdict,
    dollars,
    find_figures,
    legend_lines,
    list_evidence,
    narrate_verdict,
)
from tabchat.render.text import UNICODE
from tests.render.screens import screen

KEY = "ds_rkbx2mwy6eddaalqkz3m"


def claim(text: str, status: str = "verified", **fields: Any) -> Receipt:
    return Receipt(text=text, value=text, status=status, **fields)  # type: ignore[arg-type]


def answer(text: str, *claims: Receipt) -> Answer:
    return Answer(question="?", text=text, planner="llm", verification=Verification(receipts=claims))


def cell(region: str) -> tuple[CitedCell, ...]:
    return (CitedCell(data_key=KEY, column="mean", row={"region": region}),)


def test_figures_are_numbered_in_order_of_appearance_and_the_same_cell_has_one_number() -> None:
    text = "7 of 12 in Asia, 7 in Europe, then 12 again"
    given = answer(
        text,
        claim("12", start=35, cells=cell("Asia"), evidence="written one way"),
        claim("7", start=17, cells=cell("Europe")),
        claim("12", start=5, cells=cell("Asia"), evidence="written another way"),
        claim("7", start=0, cells=cell("Oceania")),
    )

    figures = find_figures(given)
    assert [(figure.start, figure.end, figure.number) for figure in figures] == [
        (0, 1, 1),
        (5, 7, 2),
        (17, 18, 3),
        (35, 37, 2),
    ]
    assert [item.number for item in list_evidence(figures)] == [1, 2, 3]


def test_derivations_differ_though_their_cells_are_the_same() -> None:
    both = cell("Asia") + cell("Europe")
    given = answer(
        "3 and 4",
        claim("3", "derived", start=0, evidence="difference of a and b", cells=both),
        claim("4", "derived", start=6, evidence="ratio of a and b", cells=both),
    )

    assert [figure.number for figure in find_figures(given)] == [1, 2]


def test_a_claim_without_a_place_is_looked_for() -> None:
    given = answer("12, 112, 12.5, x12, 12 and 12", claim("12", "unverified"))
    assert [figure.start for figure in find_figures(given)] == [0, 20, 27]

    given = answer("12, 112, 12.5, x12, 12 and 12", claim("12"))
    assert [figure.start for figure in find_figures(given)] == [0]
    assert find_figures(answer("nothing", claim("12"), claim(""))) == ()


def test_a_place_that_does_not_hold_the_figure_is_not_believed() -> None:
    (figure,) = find_figures(answer("about 12", claim("12", "unverified", start=1)))

    assert (figure.start, figure.end) == (6, 8)


def test_doubt_wins_where_two_claims_overlap() -> None:
    given = answer(
        "from 5 to 12 %", claim("12 %", "unverified", start=10), claim("12", start=10, cells=cell("a"))
    )

    assert [(figure.claim.text, figure.number) for figure in find_figures(given)] == [("12 %", None)]


@pytest.mark.parametrize(
    "given, lines",
    [
        (claim("1", cells=cell("Asia")), ["[3] ds_rkbx2m… · mean · region = Asia"]),
        (
            claim("1", cells=(CitedCell(data_key=KEY),), evidence=f"{KEY}.row_count"),
            ["[3] ds_rkbx2m… · row_count"],
        ),
        (claim("1", cells=(CitedCell(data_key=None, column="rows"),)), ["[3] rows"]),
        (claim("1", evidence="the question"), ["[3] the question"]),
        (claim("1"), ["[3] no cell is named"]),
        (
            claim("1", "derived", cells=cell("Asia") + cell("Europe")),
            ["[3] ds_rkbx2m… mean region = Asia,", "    ds_rkbx2m… mean region = Europe"],
        ),
    ],
)
def test_evidence_is_told_in_lines_that_fit(given: Receipt, lines: list[str]) -> None:
    assert legend_lines(Evidence(number=3, claim=given), 40, UNICODE) == lines


def test_long_evidence_is_cut_after_a_few_lines() -> None:
    given = claim("1", "derived", evidence="sum of " + " and ".join(f"{KEY}[n={n}].value" for n in range(30)))
    lines = legend_lines(Evidence(number=3, claim=given), 40, UNICODE)

    assert len(lines) == 4
    assert all(len(line) <= 40 for line in lines)
    assert lines[-1].endswith("…")


@pytest.mark.parametrize("commands, more", [(None, "--json has all"), (REPL, "/trace")])
def test_a_long_legend_says_where_the_rest_is(commands: Any, more: str) -> None:
    shown = screen()
    text = " ".join(str(number) for number in range(100, 115))
    claims = tuple(claim(str(number), cells=cell(f"r{number}")) for number in range(100, 115))
    given = answer(text, *claims)
    view = AnswerView(commands=commands) if commands else AnswerView()
    narrate_verdict(shown.consoles, given, find_figures(given), view)

    lines = shown.err.splitlines()
    assert lines[9] == "[10] ds_rkbx2m… · mean · region = r109"
    assert lines[10:] == [f"… 5 more: {more}", "checked: 15 figures verified"]


@pytest.mark.parametrize(
    "status, claims, said",
    [
        ("not_applicable", (), ("", "")),
        ("verified", (), ("", "")),
        ("verified", ("verified",), ("checked: 1 figure verified", "")),
        ("verified", ("verified", "verified", "derived"), ("checked: 2 figures verified, 1 derived", "")),
        ("verified", ("derived",), ("checked: 1 figure derived", "")),
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
