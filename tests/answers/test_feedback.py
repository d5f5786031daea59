"""Feedback names a reference only where it gives what was typed: a model that obeys writes no wrong figure."""

import pytest

from tabchat.answers.check import AnswerContext, check_answer

NOWHERE = (
    "no row named beside it holds it: query for it, write an expression that computes it, or leave it out"
)
OPEN = "is never closed: end it with }, its quotes and brackets before"


@pytest.mark.parametrize(
    "text, issue",
    [
        ("Asia: the total is 14,000,000.", f"14,000,000: is typed; {NOWHERE}"),
        ("In 2023 Europe had 543120.29.", f"2023: is typed; {NOWHERE}"),
        ("Europe's share is 29.5%.", f"29.5%: is typed; {NOWHERE}"),
        ("Europe's share is 51.8%.", '51.8%: is typed; write {r1.revenue["Europe"] / sum(r1.revenue):.1%}'),
        ("It is {r1.revenue[0] in all.", f"{{r1.revenue[0]: {OPEN}"),
        ("It is {sum(r1.revenue) in all.", f"{{sum(r1.revenue): {OPEN}"),
        ('It is {r1.revenue["Asia]:,.0f} in all.', f'{{r1.revenue["Asia]:,.0f}}: {OPEN}'),
    ],
)
def test_what_is_told_of_a_figure_that_nothing_backs(context: AnswerContext, text: str, issue: str) -> None:
    checked = check_answer(text, context)
    assert checked.issues == (issue,)
    assert checked.verification.status == "unverified"


def test_a_brace_that_is_no_reference_is_text(context: AnswerContext) -> None:
    assert check_answer("The set {a, b} and {r1} in a sentence {", context).issues == (
        "{r1}: is the whole of r1: name a column, or write {r1} alone on a line",
    )
