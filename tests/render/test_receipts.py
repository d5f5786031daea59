"""Every figure of an answer with its expression and the cells that it was computed from."""

import datetime as dt
from dataclasses import replace

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer
from tabchat.render.receipts import render_receipts
from tests.render.screens import screen

KEY = "ds_rkbx2mwy6eddaalqkz3m"
ASIA = CitedCell(data_key=KEY, column="mean", row={"region": "Asia"}, value=120.5)
EUROPE = CitedCell(
    data_key=KEY, column="mean", row={"region": "Europe", "day": dt.date(2024, 3, 1)}, value=80.25
)
RECEIPTS = (
    Receipt(text="99", value="99", status="unverified", start=30),
    Receipt(
        text="120.5", value=120.5, status="verified", expression='r1.mean["Asia"]', start=0, cells=(ASIA,)
    ),
    Receipt(
        text="40",
        value=40.25,
        status="derived",
        expression='r1.mean["Asia"] - r1.mean["Europe"]',
        start=10,
        cells=(ASIA, EUROPE),
    ),
    Receipt(text="5", value=5, status="verified", evidence="ds_x.rows", start=20),
)
ANSWER = Answer(question="?", text="text", verification=Verification(receipts=RECEIPTS))


def test_every_figure_is_listed_with_its_cells_in_the_order_of_the_text() -> None:
    shown = screen(160)
    assert render_receipts(shown.consoles, ANSWER, shown.consoles.out) == 5
    lines = shown.out.splitlines()
    assert lines[0].split() == ["figure", "verdict", "cell", "found", "in", "expression", "key"]
    assert [line.split()[:2] for line in lines[2:]] == [
        ["120.5", "verified"],
        ["40", "derived"],
        ["80.25", "mean"],
        ["5", "verified"],
        ["99", "unverified"],
    ]
    assert "mean · region = Europe, day = 2024-03-01" in lines[4]
    assert "ds_x.rows" in lines[5]


def test_one_figure_is_asked_for_by_its_number() -> None:
    shown = screen(120)
    assert render_receipts(shown.consoles, ANSWER, shown.consoles.out, number=2) == 2
    assert render_receipts(shown.consoles, ANSWER, shown.consoles.out, number=9) == 0
    assert render_receipts(shown.consoles, ANSWER, shown.consoles.out, number=0) == 0


def test_a_figure_over_many_cells_lists_some_of_them() -> None:
    shown = screen(120)
    many = Receipt(text="7", value=7, status="derived", expression="sum(r1.x)", cells=(ASIA,) * 30)
    answer = replace(ANSWER, verification=Verification(receipts=(many,)))
    assert render_receipts(shown.consoles, answer, shown.consoles.out) == 13
    assert "… 18 more cells" in shown.out
