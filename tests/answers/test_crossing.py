"""Figures that were exchanged between the labels of a sentence are sent back; every order that may be meant is left."""

from typing import Final

import pytest

from tabchat.answers.check import AnswerContext, check_answer

A: Final = '{r1.revenue["Asia"]:,.0f}'
E: Final = '{r1.revenue["Europe"]:,.0f}'
C: Final = '{r1.revenue["Oceania"]:,.0f}'


@pytest.mark.parametrize(
    "text, count",
    [
        (f"Asia made {E} and Europe made {A}.", 2),
        (f"Asia: {E}; Europe: {A}", 2),
        (f"| Asia | {E} | Europe | {A} |", 2),
        (f"Asia has {E}, а Europe — {A}.", 2),
        (f"Asia made {E}, Europe {C} and Oceania {A}.", 3),
        (f"Oceania made {C}, Asia {E} and Europe {A}.", 2),
        (f"{{r1.region[0]}} made {E} and {{r1.region[1]}} made {A}.", 2),
        (f"Asia made {E} ({E}), and Europe {A}.", 3),
    ],
)
def test_exchanged_references_are_sent_back(context: AnswerContext, text: str, count: int) -> None:
    checked = check_answer(text, context)
    statuses = [
        receipt.status
        for receipt in checked.verification.receipts
        if receipt.expression and "revenue" in receipt.expression
    ]
    assert statuses.count("unverified") == count
    assert checked.feedback is not None
    assert "is of another row than" in checked.feedback


@pytest.mark.parametrize(
    "text",
    [
        f"Asia made {A} and Europe made {E}.",
        f"It was {E} in Europe and {A} in Asia.",
        f"Asia and Europe made {A} and {E}; Asia lost to Europe, {A} to {E}.",
        f"Between Asia and Europe, the larger is {E} and the smaller {A}.",
        f"Asia trailed the {E} of Europe with {A}.",
        f"At {E}, ahead of Asia with {A}, Europe leads.",
        f"Asia made {A}, against the mean of {{mean(r1.revenue):,.0f}}, and Europe {E}.",
        f"Asia made {A}, Europe {{r1.revenue['Europe'] - r1.revenue['Asia']:,.0f}} more.",
        f"Asia is small. It made {A}. Europe made {E}.",
    ],
)
def test_every_order_that_may_be_meant_is_left(context: AnswerContext, text: str) -> None:
    checked = check_answer(text, context)
    assert checked.issues == ()
    assert checked.verification.status == "verified"
