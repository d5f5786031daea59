"""However a question is put, its answer stays the same or becomes a refusal."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.errors import NotUnderstoodError
from tabchat.planner.draft import Draft
from tests.effort import examples

Planned = Callable[[str, str], Draft]

_relaxed = settings(
    deadline=None,
    max_examples=examples(25),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)

_MEASURES = {
    "sum(revenue) as sum_revenue": ("total revenue", "sum of revenue", "revenue", "the total revenue"),
    "mean(unit_price) as mean_unit_price": ("average unit price", "mean unit price", "avg unit_price"),
    "count() as count": ("number of orders", "how many orders", "count of orders"),
    "max(quantity) as max_quantity": ("maximum quantity", "max quantity"),
}
_GROUPS = ("by region", "per region", "for each region", "grouped by region")
_FILTERS = ("in Germany", "for Germany", "where country is Germany", "from Germany")
_TIMES = ("in 2023", "during 2023", "for the year 2023")


@_relaxed
@given(
    measure=st.sampled_from(sorted(_MEASURES)),
    wording=st.integers(0, 10),
    clauses=st.permutations([st.sampled_from(_GROUPS), st.sampled_from(_FILTERS), st.sampled_from(_TIMES)]),
    data=st.data(),
)
def test_clauses_in_any_order_and_wording_give_one_plan(
    plan: Planned, measure: str, wording: int, clauses: list[st.SearchStrategy[str]], data: st.DataObject
) -> None:
    words = _MEASURES[measure]
    question = " ".join([words[wording % len(words)], *(data.draw(clause) for clause in clauses)])

    try:
        draft = plan("sales.csv", question)
    except NotUnderstoodError:
        return

    assert dict(draft.call.arguments) == {
        "table": "sales",
        "period": "2023",
        "where": "country == 'Germany'",
        "group_by": "region",
        "select": measure,
    }


@_relaxed
@given(
    question=st.sampled_from(
        ("total revenue by region in 2023", "how many online orders from Japan", "top 5 products by revenue")
    ),
    data=st.data(),
)
def test_a_typing_error_never_changes_the_plan(plan: Planned, question: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(question) - 2))
    kind = data.draw(st.sampled_from(("drop", "swap", "double")))
    if question[place].isdigit() or question[place + 1].isdigit():
        return
    head, one, two, tail = question[:place], question[place], question[place + 1], question[place + 2 :]
    typed = {
        "drop": head + two + tail,
        "swap": head + two + one + tail,
        "double": head + one + one + two + tail,
    }[kind]

    try:
        draft = plan("sales.csv", typed)
    except NotUnderstoodError:
        return

    assert draft.call.arguments == plan("sales.csv", question).call.arguments


@_relaxed
@given(
    question=st.sampled_from(
        (
            "total revenue by region",
            "orders per quarter",
            "how many orders from germany",
            "which region has the highest average revenue?",
        )
    ),
    data=st.data(),
)
def test_case_and_politeness_change_nothing(plan: Planned, question: str, data: st.DataObject) -> None:
    change = data.draw(st.sampled_from((str.upper, str.title, str.lower, str.capitalize)))
    polite = data.draw(st.sampled_from(("{}", "please, {}", "{} please", "{}?", "  {}  ")))

    assert (
        plan("sales.csv", polite.format(change(question))).call.arguments
        == plan("sales.csv", question).call.arguments
    )
