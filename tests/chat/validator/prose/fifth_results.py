"""Results of long everyday answers: statistics, ranges of time, lists of rows, two groupings, counts."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from tabchat.config import Planner, Settings
from tabchat.session import Session
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import FULL
from tests.chat.validator.prose.results import Known, run_calls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from tabchat.engine.types import JsonValue

_FILES = ("sales.csv", "prices.csv", "stations.csv", "installations.csv", "tovary_ua.csv", "employees_ru.csv")
_QUERIES: dict[str, dict[str, JsonValue]] = {
    "v_countries": {
        "table": "sales",
        "group_by": "country",
        "select": ["sum(revenue)", "count()", "mean(revenue)"],
        "sort": "sum_revenue desc",
    },
    "v_channels": {
        "table": "sales",
        "group_by": "channel",
        "select": ["sum(revenue)", "count()", "mean(revenue)", "pct(returned == true)"],
    },
    "v_months": {
        "table": "sales",
        "map": {"month": "period_month(order_date)"},
        "group_by": "month",
        "select": ["sum(revenue)", "count()"],
        "period": "2024",
    },
    "v_year_channel": {
        "table": "sales",
        "map": {"y": "year(order_date)"},
        "group_by": ["y", "channel"],
        "select": ["sum(revenue)", "count()"],
    },
    "v_discounted": {
        "table": "sales",
        "select": ["count()", "sum(revenue)", "mean(revenue)"],
        "where": "discount >= 0.2",
    },
    "v_all_orders": {"table": "sales", "select": ["count()", "sum(revenue)", "mean(revenue)"]},
    "v_big_orders": {
        "table": "sales",
        "where": "revenue > 3000 and channel == 'online'",
        "sort": "revenue desc",
        "limit": 10,
        "columns": ["order_id", "order_date", "customer", "product", "revenue"],
    },
    "v_top_customers": {
        "table": "sales",
        "group_by": "customer",
        "select": ["sum(revenue)", "count()"],
        "sort": "sum_revenue desc",
        "limit": 10,
    },
    "v_products": {
        "table": "sales",
        "group_by": "product",
        "select": ["sum(quantity)", "sum(revenue)"],
        "sort": "sum_quantity desc",
        "limit": 8,
    },
    "v_close_years": {
        "table": "prices",
        "map": {"year": "year(date)"},
        "group_by": "year",
        "select": ["first(close)", "last(close)", "mean(volume)", "count()"],
    },
    "v_drops": {
        "table": "prices",
        "map": {"chg": "change_pct(close)"},
        "where": "chg < -2.5",
        "sort": "chg",
        "columns": ["date", "close", "chg"],
    },
    "v_drops_count": {
        "table": "prices",
        "map": {"chg": "change_pct(close)"},
        "where": "chg < -2",
        "select": ["count()", "mean(chg)", "min(chg)"],
    },
    "v_stations": {
        "table": "stations",
        "group_by": "station",
        "select": ["count()", "pct(result == 'FAIL')", "mean(measurement)"],
        "sort": "count desc",
    },
    "v_technology": {
        "table": "installations",
        "group_by": "technology",
        "select": ["sum(capacity_mw)", "sum(cost_musd)", "count()"],
        "sort": "sum_capacity_mw desc",
    },
    "v_solar_countries": {
        "table": "installations",
        "where": "technology == 'Solar PV'",
        "group_by": "country",
        "select": ["sum(capacity_mw)", "count()"],
        "sort": "sum_capacity_mw desc",
        "limit": 5,
    },
    "v_goods": {
        "table": "tovary_ua",
        "group_by": "Бренд",
        "select": ["count()", "mean(Ціна)", "sum(Кількість)"],
        "sort": "count desc",
    },
    "v_cheap": {"table": "tovary_ua", "where": "Ціна < 1000", "select": ["count()", "mean(Ціна)"]},
    "v_city": {
        "table": "employees_ru",
        "group_by": "Город",
        "select": ["count()", "mean(Зарплата)", "max(Зарплата)"],
        "sort": "count desc",
    },
    "v_hired": {
        "table": "employees_ru",
        "map": {"year": "year(`Дата_найма`)"},
        "group_by": "year",
        "select": "count()",
    },
    "v_high_pay": {
        "table": "employees_ru",
        "where": "Зарплата > 200000",
        "sort": "Зарплата desc",
        "limit": 5,
        "columns": ["Сотрудник", "Отдел", "Должность", "Зарплата"],
    },
}


@contextmanager
def fifth_results(folder: Path, example: Callable[[str], Path]) -> Iterator[Mapping[str, Known]]:
    """Run everything that the fifth prose speaks of; a key names each, while the session is open."""
    settings = Settings(
        cache_dir=folder / "cache", data_dir=folder / "data", planner=Planner.RULES, threads=1
    )
    with Session.open([example(name) for name in _FILES], settings=settings) as session:
        executor = ToolExecutor.for_workspace(session.kept.workspace(settings).for_model(()), profile=FULL)
        yield run_calls(executor, {key: ("run_query", plan) for key, plan in _QUERIES.items()})
