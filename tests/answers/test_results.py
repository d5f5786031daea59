"""What a reference reaches beside plain cells: figures of the whole, months by name, columns of one name, and what it may not."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlglot import exp, parse_one

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.answers.evaluate import Evaluator
from tabchat.answers.figures import EvaluationError
from tabchat.answers.results import NumberedResult
from tabchat.chat.turn.answer import DataBlock
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result import lookup
from tabchat.engine.result.result import Frame, Result, ResultKind, ResultMetadata
from tests.answers.tables import result_of
from tests.workspace import make_executor, make_workspace

MONTHS = "SELECT month(order_date) AS m, count(*) AS orders FROM sales GROUP BY 1 ORDER BY 1"
WELCH = {"test": "welch", "value": "revenue", "by": "region", "groups": ["Asia", "Europe"]}
RATIO = {"success": "quantity > 3", "by": "region"}


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., NumberedResult]:
    """Compute one result over the example of sales, as a model has it."""
    from tests.conftest import EXAMPLES

    executor = make_executor(make_workspace(tmp_path_factory.mktemp("results"), EXAMPLES / "sales.csv"))

    def compute(tool: str, **arguments: Any) -> NumberedResult:
        outcome = executor.run(tool, arguments)
        block = DataBlock.of(tool, outcome)
        assert block is not None, outcome.envelope.summary
        return NumberedResult(
            result=block.result, number=1, data_key=block.data_key, shown_rows=block.shown_rows
        )

    return compute


@pytest.fixture(params=[lookup.FETCHED, 0], ids=["fetched", "queried"])
def _fetched(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "FETCHED", request.param)
        yield


def value_of(result: NumberedResult, source: str, *, by_label: bool = True) -> Any:
    return Evaluator({1: result}, by_label=by_label).evaluate(source).value


def reason(result: NumberedResult, source: str, *, by_label: bool = True) -> str:
    with pytest.raises(EvaluationError) as raised:
        Evaluator({1: result}, by_label=by_label).evaluate(source)
    return raised.value.message


def checked(result: NumberedResult, text: str) -> list[tuple[str, str, str | None]]:
    found = check_answer(text, AnswerContext(results=[result])).verification.receipts
    return [(receipt.text, receipt.status, receipt.expression) for receipt in found]


def test_what_a_recipe_computed_over_all_rows_is_referred_to_by_its_name(
    computed: Callable[..., NumberedResult],
) -> None:
    result = computed("hypothesis_test", **WELCH)
    assert value_of(result, "r1.p_value") == result.result.values["p_value"]
    assert value_of(result, "r1.p_value", by_label=False) == result.result.values["p_value"]
    text = (
        "The difference is {r1.difference:.2f}, p = {r1.p_value:.3f}; Asia's mean is {r1.mean['Asia']:.2f}."
    )
    assert [status for _, status, _ in checked(result, text)] == ["verified"] * 3
    assert check_answer(text, AnswerContext(results=[result])).text == (
        "The difference is -14.14, p = 0.678; Asia's mean is 358.11."
    )
    assert checked(result, "The test gives p = 0.678 and d = -0.018.") == [
        ("0.678", "linked", "r1.p_value"),
        ("-0.018", "linked", "r1.cohens_d"),
    ]
    assert checked(result, "The test gives p = 0.679.") == [("0.679", "unverified", None)]


def test_a_figure_of_the_whole_with_the_name_of_a_column_has_the_whole_for_its_label(
    computed: Callable[..., NumberedResult],
) -> None:
    result = computed("analyze_ratio", **RATIO)
    assert value_of(result, 'r1.rate["Of the whole"]') == pytest.approx(44.16)
    assert value_of(result, 'r1.rate["asia"]') == pytest.approx(40.5602, abs=1e-4)
    assert value_of(result, 'r1.success["of the whole"] / r1.n["of the whole"]') == pytest.approx(0.4416)
    assert reason(result, "r1.rate") == 'has 5 values: write r1.rate[LABEL or 0], or r1.rate["of the whole"]'
    assert checked(result, "The rate is 44.16% in all.") == [
        ("44.16%", "linked", 'r1.rate["of the whole"]'),
    ]
    assert checked(result, "The rate of Asia is 44.16%.") == [("44.16%", "unverified", None)]


@pytest.mark.usefixtures("_fetched")
@pytest.mark.parametrize("label", ["3", "March", "march", "3 (March)"])
def test_a_month_is_found_by_its_number_and_by_its_name(
    computed: Callable[..., NumberedResult], label: str
) -> None:
    assert value_of(computed("run_sql", sql=MONTHS), f'r1.orders["{label}"]') == 384


def test_a_month_is_called_by_its_name(computed: Callable[..., NumberedResult]) -> None:
    result = computed("run_sql", sql=MONTHS)
    assert value_of(result, "argmax(r1.orders)") == "December"
    assert value_of(result, "r1.orders[argmax(r1.orders)]") == value_of(result, "max(r1.orders)") == 613
    assert checked(result, "In March there were 384 orders.") == [("384", "linked", 'r1.orders["3"]')]
    assert checked(result, "У березні було 384 замовлення, в квітні 396.") == [
        ("384", "linked", 'r1.orders["3"]'),
        ("396", "linked", 'r1.orders["4"]'),
    ]
    assert checked(result, "In April there were 384 orders.") == [("384", "unverified", None)]
    assert checked(result, 'April: {r1.orders["March"]}') == [("384", "unverified", 'r1.orders["March"]')]


@pytest.mark.usefixtures("_fetched")
def test_two_columns_of_one_name_are_told_apart(engine: DuckDBEngine) -> None:
    query = parse_one("SELECT * FROM (VALUES ('a', 1, 20), ('b', 2, 10)) AS t(k, n, m)", dialect="duckdb")
    assert isinstance(query, exp.Select)
    schema = tuple(replace(column, name=column.name.replace("m", "n")) for column in engine.schema(query))
    frame = Frame(engine=engine, query=query, schema=schema, row_count=2)
    made = Result(kind=ResultKind.TABLE, frame=frame, metadata=ResultMetadata(rows=2), sql="SELECT 1")
    result = NumberedResult(result=made, number=1)
    assert list(result.columns) == ["k", "n", "n_1"]
    assert [value_of(result, f"{name}['a']") for name in ("r1.n", "r1.n_1")] == [1, 20]
    assert [value_of(result, f"sum({name})") for name in ("r1.n", "r1.n_1")] == [3, 30]
    assert [value_of(result, f"argmax({name})") for name in ("r1.n", "r1.n_1")] == ["b", "a"]


def test_names_that_may_be_cells_are_listed_nowhere_and_at_strict_reach_nothing(
    engine: DuckDBEngine,
) -> None:
    plain = result_of(engine, {"k": ["x", "y"], "total": [1, 2], "Ann Lee": [3, 4], "Bob": [5, 6]})
    named = replace(plain.result.metadata, cell_names=("Ann Lee", "Bob"))
    made = replace(plain.result, metadata=named, values={"Bob": 7})
    result = NumberedResult(result=made, number=1)
    assert reason(result, "r1.Anne") == 'r1 has no column "Anne"; columns: k, total'
    assert value_of(result, 'r1["Ann Lee"][1]') == 4
    strict = NumberedResult(result=made, number=1, unnamed=named.cell_names)
    for name in ("Ann Lee", "ann lee", "Bob", "Cleo"):
        by_place = "name a row by its position [0], [-1], or by argmax(…) and argmin(…)"
        assert reason(strict, f'r1["{name}"][1]', by_label=False) == by_place
    for name in ("Bob", "Cleo"):
        wrong = f'r1 has no column "{name}"; columns: k, total'
        assert reason(strict, f"r1.{name}", by_label=False) == wrong
        assert reason(strict, f"sum(r1.{name})", by_label=False) == wrong
    feedback = check_answer("There were 4 of them.", AnswerContext(results=[result])).feedback
    assert feedback is not None
    assert "Ann" not in feedback
    assert "Bob" not in feedback
