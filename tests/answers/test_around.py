"""What stands around a reference never makes another number of its figure: it is sent back, or the figure stays what it is."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.engine.backends.duckdb import DuckDBEngine
from tests.answers.tables import result_of

ASIA: Final = '{r1.revenue["Asia"]:,.0f}'
COLUMNS: Final[Mapping[str, Sequence[Any]]] = {
    "region": ["Asia", "Europe"],
    "revenue": [345222.26, 543120.29],
    "orders": [964, 1459],
    "part": [0.4, 0.6],
    "growth": [1.5, 12.0],
    "returned_pct": [6.04, 7.5],
}


@pytest.fixture(scope="module")
def context(engine: DuckDBEngine) -> AnswerContext:
    return AnswerContext(results=[result_of(engine, COLUMNS, keys=["region"])], arguments=["0 or 10 or 3"])


@pytest.mark.parametrize(
    "text, reason",
    [
        *((f"{ASIA}{after}", "stands against other digits") for after in ("e6", "E+6", "⁶", "½", "²", "‰", " ‰", " 000", "'000", "**000", " × 10^3", "·10³", "^3", ",000")),
        *(
            (f"{ASIA}{after}", "multiplied by the word after it")
            for after in (
                " hundred", " Hundreds", " dozen", "-dozen", " crore", " cr", " lakh", " lakhs", " bil", " bln", " Million", " thousands", "-million",
                "** million", " mn", "K", " bn", " сотень", " лакхів", " десятків", " дюжин", " крор", " сотен", " десятков", " тис", " тыс", " млн",
            )
        ),
        *((f"${ASIA}{after}", "multiplied by the word after it") for after in ("m", "mm", "b", "tn")),
        *((f"{ASIA}{after}", "no percentage") for after in ("%", " %", " per cent", " percent", " відсотків", " процентов")),
        *(
            (f"{before}{ASIA}", "stands after a minus")
            for before in ("-$", "-€", "–", "−", "-US$", "−USD ", "- minus ", "minus ", "Minus $", "мінус ", "минус ", "-**", "–**$", "(-", ": -₴", "‑")
        ),
        ('{r1.revenue["Asia"]:.0%}', "no percentage"),
        ('{r1.orders["Asia"]:.0%}', "no percentage"),
        ("{mean(r1.revenue):.0%}", "no percentage"),
        (f"{ASIA}e{ASIA}", "stands against other digits"),
    ],
)  # fmt: skip
def test_what_changes_a_figure_is_sent_back(context: AnswerContext, text: str, reason: str) -> None:
    checked = check_answer(f"Asia made {text} in all", context)
    assert any(reason in issue for issue in checked.issues), checked
    assert checked.verification.status == "unverified"
    assert checked.feedback is not None


@pytest.mark.parametrize(
    "text, read",
    [
        (f"- {ASIA}", "- 345,222"),
        (f"- ${ASIA}", "- $345,222"),
        (f"Asia - {ASIA}", "Asia - 345,222"),
        (f"Asia – {ASIA}; {ASIA}–{ASIA}", "Asia – 345,222; 345,222–345,222"),
        (f"**{ASIA}** orders, {ASIA} metres, {ASIA}m", "**345,222** orders, 345,222 metres, 345,222m"),
        (f"{ASIA} minus {ASIA}", "345,222 minus 345,222"),
        (f"({ASIA}), {ASIA}x", "(345,222), 345,222x"),
        (f"{ASIA} hundredweight, {ASIA} credits", "345,222 hundredweight, 345,222 credits"),
        ('{r1.revenue["Asia"] / 1000:,.0f} thousand', "345 thousand"),
        ('{r1.revenue["Asia"] / 100000:,.2f} lakh', "3.45 lakh"),
        ('{r1.revenue["Asia"] / 10000000:,.3f} crore', "0.035 crore"),
        ('{r1.revenue["Asia"]:,.0k} тис.', "345 тис."),
        ('{r1.part["Asia"]:.0%}, {r1.part["Asia"]:.0%} per cent', "40%, 40 per cent"),
        ('{r1.growth["Asia"]:.0%} or {r1.growth["Asia"]:.1f}%', "150% or 1.5%"),
        ('{r1.revenue["Europe"] / r1.revenue["Asia"] - 1:.1%}', "57.3%"),
        ("{max(r1.growth) - min(r1.growth):.1f} percentage points", "10.5 percentage points"),
    ],
)
def test_what_does_not_change_it_is_left(engine: DuckDBEngine, text: str, read: str) -> None:
    context = AnswerContext(
        results=[result_of(engine, COLUMNS, keys=["region"])], question="100000 or 10000000?"
    )
    checked = check_answer(text, context)
    assert checked.issues == ()
    assert checked.text == read


@pytest.mark.parametrize(
    "text, status",
    [
        ("Asia made 345,222%.", "unverified"),
        ("Asia has 964%.", "unverified"),
        ("Asia made 345,222 per cent.", "unverified"),
        ("Asia made 345,222‰.", "unverified"),
        ("Asia gave back 6.04%.", "linked"),
        ("Asia has 40% of it.", "linked"),
    ],
)
def test_a_typed_percentage_is_no_amount(engine: DuckDBEngine, text: str, status: str) -> None:
    context = AnswerContext(results=[result_of(engine, COLUMNS, keys=["region"])])
    assert [one.status for one in check_answer(text, context).verification.receipts] == [status]


def test_at_level_strict_a_percentage_that_is_none_tells_nothing_of_the_cell(engine: DuckDBEngine) -> None:
    context = AnswerContext(results=[result_of(engine, COLUMNS, keys=["region"])], shows_values=False)
    checked = check_answer("{r1.revenue[0]:.0%}", context)
    assert checked.feedback is not None
    assert "no percentage" not in checked.feedback


def test_a_count_that_was_told_is_no_percentage_and_takes_no_scale() -> None:
    told = AnswerContext(results=[], told={"sales.rows": 5000, "sales.missing_pct": 12.5})
    texts = ("5,000 rows", "12.5%", "5,000 million rows", "5,000%", "5,000 dozen rows")
    found = [check_answer(text, told).verification.receipts[0].status for text in texts]
    assert found == ["linked", "linked", "unverified", "unverified", "unverified"]
