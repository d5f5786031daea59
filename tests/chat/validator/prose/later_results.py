"""More results that the prose speaks of: two groupings at once, recipes, missing names, wide ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.tools.registry import FULL
from tests.chat.validator.prose.results import Known, run_calls
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tabchat.engine.types import JsonValue

_FILES = ("sales.csv", "prices.csv", "stations.csv", "installations.csv", "tovary_ua.csv", "employees_ru.csv")
_WORLD = """city,balance_eur,error_rate,users
Oslo,-125400.50,0.00042,3481200450
Lima,88300.25,0.00137,129004
Cairo,-4310.00,0.00009,54200318
Quito,15200.75,0.00051,7755000
Delhi,240150.00,0.00218,981420077
"""
_QUERIES: dict[str, dict[str, JsonValue]] = {
    "regions_by_year": {
        "table": "sales",
        "map": {"y": "year(order_date)"},
        "group_by": ["y", "region"],
        "select": "sum(revenue)",
    },
    "category_by_channel": {
        "table": "sales",
        "group_by": ["category", "channel"],
        "select": ["sum(revenue)", "count()"],
    },
    "months": {
        "table": "sales",
        "map": {"m": "period_month(order_date)"},
        "group_by": "m",
        "select": ["sum(revenue)", "count()"],
        "period": "2024",
    },
    "technology": {
        "table": "installations",
        "group_by": "technology",
        "select": ["sum(capacity_mw)", "sum(cost_musd)", "count()"],
        "sort": "sum_capacity_mw desc",
    },
    "chile": {
        "table": "installations",
        "group_by": "year",
        "select": "sum(capacity_mw)",
        "where": "country == 'Chile'",
    },
    "countries": {
        "table": "installations",
        "group_by": "country",
        "select": "sum(cost_musd)",
        "sort": "sum_cost_musd desc",
        "limit": 5,
    },
    "weekdays": {
        "table": "prices",
        "map": {"dow": "dayofweek()", "chg": "change_pct(close)"},
        "group_by": "dow",
        "select": ["mean(chg)", "count()"],
    },
    "prices_in_all": {
        "table": "prices",
        "select": ["min(close)", "max(close)", "mean(volume)", "first(close)", "last(close)"],
    },
    "price_months": {"table": "prices", "resample": "monthly", "period": "2024"},
    "discounts": {"table": "sales", "group_by": "discount", "select": "count()"},
    "operators": {
        "table": "stations",
        "group_by": "operator",
        "select": ["pct(result == 'FAIL')", "count()"],
    },
    "failures": {
        "table": "stations",
        "group_by": "station",
        "select": "count()",
        "where": "result == 'FAIL'",
    },
    "customers": {
        "table": "sales",
        "group_by": "customer",
        "select": "sum(revenue)",
        "sort": "sum_revenue desc",
        "limit": 5,
    },
    "brands": {
        "table": "tovary_ua",
        "group_by": "Бренд",
        "select": ["sum(Кількість)", "mean(Ціна)", "count()"],
        "sort": "sum_Кількість desc",
    },
    "suppliers": {
        "table": "tovary_ua",
        "group_by": "Постачальник",
        "select": "count()",
        "sort": "count desc",
    },
    "available": {"table": "tovary_ua", "group_by": "Наявність", "select": "count()"},
    "cities": {
        "table": "employees_ru",
        "group_by": "Город",
        "select": ["mean(Зарплата)", "count()"],
        "sort": "mean_Зарплата desc",
    },
    "world": {
        "table": "world",
        "group_by": "city",
        "select": ["sum(balance_eur)", "mean(error_rate)", "sum(users)"],
    },
}
_RECIPES: dict[str, tuple[str, dict[str, JsonValue]]] = {
    "yield": ("analyze_ratio", {"table": "stations", "success": "result == 'PASS'", "by": "station"}),
    "pareto": ("analyze_pareto", {"table": "installations", "by": "technology", "weight": "cost_musd"}),
    "change": (
        "explain_change",
        {"table": "sales", "measure": "revenue", "by": ["region"], "from": "2023", "to": "2024"},
    ),
    "steps": ("measurement_statistics", {"table": "stations", "value": "measurement", "by": "test_step"}),
}
_EDIT: dict[str, JsonValue] = {
    "tool": "edit_table",
    "table": "sales",
    "rows": 4698,
    "rows_before": 5000,
    "removed": 302,
}
"""What an edit tells: the counts of `edit_table`."""


def later_results(folder: Path, example: Callable[[str], Path]) -> Mapping[str, Known]:
    """Run everything that the later prose speaks of; a key names each."""
    world = folder / "world.csv"
    world.write_text(_WORLD, encoding="utf-8")
    executor = make_executor(make_workspace(folder, *map(example, _FILES), world), FULL)
    calls = {**{key: ("run_query", plan) for key, plan in _QUERIES.items()}, **_RECIPES}
    return {**run_calls(executor, calls), "told_edit": Known(block=None, facts=_EDIT)}
