"""Every function, plan and recipe of the language gives the same frame on Spark as on DuckDB.

Many expressions share a query: what a small query costs on Spark is its planning.
"""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.functions import FUNCTIONS
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.recipes import MODULES, run_recipe
from tabchat.engine.recipes.request import Request
from tabchat.engine.result.result import Result
from tabchat.engine.table import Table
from tabchat.errors import QueryFailedError
from tests.engine import oracle, test_functions
from tests.engine.plan_family import SCHEMA, aggregates, conditions, numbers, rows
from tests.engine.tables import read_example, store
from tests.spark.both import ComparingEngine


def _expressions(test: Any, column: int = 0) -> list[str]:
    """Return the expressions that a parametrised test is about."""
    (mark,) = test.pytestmark
    return [case[column] if isinstance(case, tuple) else case for case in mark.args[1]]


ROWWISE = [text for text in _expressions(test_functions.test_a_function_of_one_row) if text != "a == 4 == ok"]
GROUPED = _expressions(test_functions.test_an_aggregate_over_a_small_table)
ROWWISE += [
    "isnan(b)",
    "figure(name)",
    "magnitude(name)",
    "without_notes(name)",
    "month_start(name)",
    "month_start('Mar 2024')",
    "month_start('2 кв. 2024')",
    "file_row()",
    "period_hour(at)",
    "in_period('2024-03', at)",
    "in_period('last_30_days', at)",
]
GROUPED += [
    "skewness(b)",
    "kurtosis(b)",
    "covariance(a, b)",
    "regr_slope(a, b)",
    "regr_intercept(a, b)",
    "regr_r2(a, b)",
]
PATTERNS = _expressions(test_functions.test_patterns_by_hand)


def _batches(texts: list[str], size: int = 45) -> list[list[str]]:
    return [texts[start : start + size] for start in range(0, len(texts), size)]


def _mapped(engine: ComparingEngine, table: Table, texts: list[str]) -> Result:
    plan = {"map": {f"m{place}": text for place, text in enumerate(texts)}}
    return run_plan(engine, table, parse_plan(plan))


@pytest.fixture(scope="module")
def mixed(engine: ComparingEngine, folder: Path) -> Table:
    return store(engine, folder, test_functions.MIXED, "mixed")


@pytest.fixture(scope="module")
def prices(engine: ComparingEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("prices.csv"), "prices")


@pytest.fixture(scope="module")
def sales(engine: ComparingEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("sales.csv"), "sales")


@pytest.mark.parametrize("texts", _batches(ROWWISE), ids=len)
def test_functions_of_a_row_agree(engine: ComparingEngine, mixed: Table, texts: list[str]) -> None:
    before = engine.compared
    _mapped(engine, mixed, texts)
    assert engine.compared > before


@pytest.mark.parametrize("texts", _batches(list(test_functions.REFERENCES), 12), ids=len)
def test_functions_of_many_rows_agree(engine: ComparingEngine, prices: Table, texts: list[str]) -> None:
    before = engine.compared
    _mapped(engine, prices, texts)
    assert engine.compared > before


def test_patterns_agree(engine: ComparingEngine, folder: Path) -> None:
    cells = {"up": [True, True, None, True, False, True], "n": [1, 2, None, 4, 1, 2], "m": [1, 1, 1, 1, 2, 1]}
    _mapped(engine, store(engine, folder, pa.table(cells), "patterns"), PATTERNS)


@pytest.mark.parametrize("where", [None, "a > 100"])
def test_aggregates_agree_over_rows_and_over_none(
    engine: ComparingEngine, mixed: Table, where: str | None
) -> None:
    plan = {"select": [f"{text} as s{place}" for place, text in enumerate(GROUPED)]}
    run_plan(engine, mixed, parse_plan(plan | ({"where": where} if where else {})))


PLANS: list[dict[str, Any]] = [
    {"map": {"z": "zscore(revenue)"}, "sort": "z desc", "limit": 3, "columns": ["order_id", "z"]},
    {"group_by": "region", "select": ["mean(revenue)", "sum(quantity)", "count()"], "sort": "mean_revenue desc"},
    {"group_by": ["region", "channel"], "select": ["median(revenue)", "first(customer)", "last(customer)", "share()"]},
    {"group_by": "region", "select": "sum(revenue)", "having": "count() > 900", "limit": 2, "sort": "count() desc"},
    {"period": "last_90_days", "map": {"m": "period_month()"}, "group_by": "m", "select": ["sum(revenue)", "pct(returned)"]},
    {"resample": "weekly", "sort": "order_date desc", "limit": 7},
    {"resample": "quarterly", "map": {"grown": "change_pct(revenue)"}},
    {"where": "revenue > 900 and not returned", "columns": ["order_id", "customer", "revenue"], "limit": 9},
    {"where": "country in ['Germany', 'France']", "sort": "revenue desc", "limit": 12},
    {"where": "(region == 'Asia') and (zscore(if(region == 'Asia', revenue, null)) > 0)", "sort": "order_id", "limit": 12},
    {"group_by": "region", "select": ["sum(revenue) - sum(quantity) as less", "(sum(revenue) - sum(quantity)) / nullif(count(), 0) as each"]},
    {"map": {"r": "rank(revenue, 'desc')", "t": "total(quantity)"}, "where": "r <= 5", "columns": ["r", "t", "revenue"]},
    {"map": {"odd": "outlier(revenue)"}, "group_by": ["odd", "returned"], "select": ["count()", "mode(product)"]},
    {
        "steps": [
            {"map": {"m": "period_month()"}, "group_by": ["m", "region"], "select": "sum(revenue) as total"},
            {"group_by": "region", "select": ["max(total)", "std(total)"], "sort": "region desc"},
        ]
    },
]  # fmt: skip


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_plans_over_the_sales_agree(engine: ComparingEngine, sales: Table, plan: dict[str, Any]) -> None:
    result = run_plan(engine, sales, parse_plan(plan))
    assert result.frame.row_count
    if result.source is not None:
        assert len(result.source.rows(5, 3)) == 5


FEW = settings(
    deadline=None,
    max_examples=8,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@FEW
@given(data=st.data(), records=rows)
def test_the_family_of_plans_agrees(
    data: st.DataObject, records: list[dict[str, Any]], engine: ComparingEngine, folder: Path
) -> None:
    stored = [{**record, "x": oracle.frame_of([record])["x"][0]} for record in records]
    cells = [{name: oracle.plain(value) for name, value in record.items()} for record in stored]
    table = store(engine, folder, pa.Table.from_pylist(cells, schema=SCHEMA), "family")
    mapped = data.draw(st.lists(numbers(), min_size=4, max_size=8))
    chosen = data.draw(st.lists(aggregates(), min_size=3, max_size=8, unique_by=lambda item: item.name))
    kept = data.draw(conditions())
    _mapped(engine, table, [item.text for item in mapped])
    plan = {"where": kept.text, "group_by": "g", "select": [item.text for item in chosen]}
    run_plan(engine, table, parse_plan(plan))


RECIPES: list[tuple[str, dict[str, Any]]] = [
    ("analyze_ratio", {"success": "returned", "by": ["region"]}),
    ("analyze_pareto", {"by": ["product"], "weight": "revenue"}),
    ("measurement_statistics", {"value": "revenue", "by": ["channel"]}),
    ("control_chart", {"value": "revenue", "rules": "nelson", "where": "region == 'Oceania'"}),
    ("control_chart", {"value": "quantity", "subgroup": "region"}),
    ("process_capability", {"value": "revenue", "usl": 2000, "lsl": 0, "by": ["region"]}),
    ("explain_change", {"measure": "revenue", "by": ["region"], "from": "2022", "to": "2023"}),
    (
        "explain_change",
        {"measure": "revenue", "statistic": "mean", "by": ["region"], "from": "2022", "to": "2023"},
    ),
    (
        "explain_change",
        {"measure": "returned", "statistic": "rate", "by": ["channel"], "from": "2022", "to": "2023"},
    ),
    (
        "hypothesis_test",
        {"test": "welch", "value": "revenue", "by": "channel", "groups": ["online", "store"]},
    ),
    ("hypothesis_test", {"test": "anova", "value": "revenue", "by": "region"}),
    ("hypothesis_test", {"test": "mann_whitney", "value": "revenue", "by": "returned"}),
    ("hypothesis_test", {"test": "spearman", "value": "quantity", "other": "revenue"}),
    ("hypothesis_test", {"test": "chi_square", "value": "region", "other": "channel"}),
    ("describe_unit", {"key": "order_id", "value": 100002}),
]


def test_every_recipe_is_here() -> None:
    assert {name for name, _ in RECIPES} == set(MODULES)


@pytest.mark.parametrize("name, arguments", RECIPES)
def test_recipes_agree(engine: ComparingEngine, sales: Table, name: str, arguments: dict[str, Any]) -> None:
    before = engine.compared
    run_recipe(name, Request(engine=engine, table=sales, arguments=arguments))
    assert engine.compared > before


def test_every_function_is_in_a_plan_here() -> None:
    said = " ".join([*ROWWISE, *GROUPED, *PATTERNS, *test_functions.REFERENCES, str(PLANS)])
    assert {name for name in FUNCTIONS if f"{name}(" not in said} == set()


def test_case_of_letters_is_the_same_or_an_error(engine: ComparingEngine, folder: Path) -> None:
    plain = store(engine, folder, pa.table({"t": ["Їжак", "ÉTÉ", "ж1", "ǆ", None]}), "plain_letters")
    before = engine.compared
    _mapped(engine, plain, ["upper(t)", "lower(t)"])
    assert engine.compared > before
    for text, letters in (("upper(t)", ["straße"]), ("lower(t)", ["ΟΔΟΣ"])):
        name = f"letters_{text[0]}"
        growing = store(engine, folder, pa.table({"t": letters}), name)
        with pytest.raises(QueryFailedError, match="letters like"):
            tuple(_mapped(engine, growing, [text]).frame.rows())
