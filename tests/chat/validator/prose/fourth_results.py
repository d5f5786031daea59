"""Results of everyday questions, of code in the sandbox and of an edit, made by a session."""

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
    "products": {
        "table": "sales",
        "group_by": "product",
        "select": ["sum(revenue)", "sum(quantity)"],
        "sort": "sum_revenue desc",
        "limit": 5,
    },
    "nations": {
        "table": "sales",
        "group_by": "country",
        "select": ["sum(revenue)", "count()"],
        "sort": "sum_revenue desc",
        "limit": 6,
    },
    "quarters": {
        "table": "sales",
        "map": {"q": "period_quarter(order_date)"},
        "group_by": "q",
        "select": ["sum(revenue)", "count()"],
    },
    "years": {
        "table": "sales",
        "map": {"y": "year(order_date)"},
        "group_by": "y",
        "select": ["sum(revenue)", "sum(quantity)", "count()"],
    },
    "categories": {
        "table": "sales",
        "group_by": "category",
        "select": ["sum(revenue)", "count()"],
        "sort": "sum_revenue desc",
    },
    "returns": {
        "table": "sales",
        "group_by": "category",
        "select": ["pct(returned == true)", "count()"],
        "sort": "count desc",
    },
    "office_2024": {
        "table": "sales",
        "select": "sum(revenue)",
        "where": "category == 'Office'",
        "period": "2024",
    },
    "office_2023": {
        "table": "sales",
        "select": "sum(revenue)",
        "where": "category == 'Office'",
        "period": "2023",
    },
    "big_online": {
        "table": "sales",
        "select": "count()",
        "where": "revenue > 500 and channel == 'online'",
    },
    "mean_order": {"table": "sales", "select": "mean(revenue)"},
    "top_rows": {
        "table": "sales",
        "sort": "quantity desc",
        "limit": 4,
        "where": "category == 'Garden'",
        "columns": ["order_id", "order_date", "product", "quantity", "revenue"],
    },
    "closes": {
        "table": "prices",
        "map": {"y": "year(date)"},
        "group_by": "y",
        "select": ["mean(close)", "max(high)", "min(low)"],
    },
    "built": {
        "table": "installations",
        "group_by": "year",
        "select": ["sum(capacity_mw)", "count()"],
    },
    "fails": {
        "table": "stations",
        "group_by": "test_step",
        "select": ["pct(result == 'FAIL')", "count()"],
    },
    "remote": {
        "table": "employees_ru",
        "group_by": "Удалённо",
        "select": ["count()", "mean(Зарплата)"],
    },
    "jobs": {
        "table": "employees_ru",
        "group_by": "Должность",
        "select": ["mean(Зарплата)", "count()"],
        "sort": "mean_Зарплата desc",
    },
    "stock": {
        "table": "tovary_ua",
        "group_by": "Категорія",
        "select": ["sum(Кількість)", "max(Ціна)"],
        "sort": "sum_Кількість desc",
    },
    "costly": {
        "table": "tovary_ua",
        "sort": "Ціна desc",
        "limit": 3,
        "columns": ["Назва", "Бренд", "Ціна"],
    },
}
_CODE = {
    "py_median": "result = float(df['revenue'].median())",
    "py_share": "result = round(float((df['quantity'] >= 5).mean() * 100), 2)",
    "py_named": (
        "r = df['revenue']\n"
        "result = {'mean': float(r.mean()), 'median': float(r.median()), 'p95': float(r.quantile(0.95)), "
        "'orders_above_mean': int((r > r.mean()).sum())}"
    ),
    "py_frame": (
        "g = df.groupby('channel')\n"
        "result = g.agg(orders=('revenue', 'size'), total_revenue=('revenue', 'sum'), "
        "avg_order=('revenue', 'mean')).reset_index()"
    ),
    "py_wide": (
        "t = df.assign(year=df['order_date'].dt.year)\n"
        "result = t.pivot_table(index='region', columns='year', values='revenue', aggfunc='sum').reset_index()"
    ),
    "py_series": (
        "s = df.set_index('order_date')['revenue'].resample('YE').sum()\n"
        "result = s.pct_change().mul(100).round(1).rename('growth_pct').reset_index()"
    ),
}
_EDIT: dict[str, JsonValue] = {
    "operation": "delete_rows",
    "table": "sales",
    "where": "returned == true",
}
_FILL: dict[str, JsonValue] = {
    "operation": "fill_missing",
    "table": "installations",
    "columns": "capacity_mw",
    "method": "median",
}


@contextmanager
def fourth_results(folder: Path, example: Callable[[str], Path]) -> Iterator[Mapping[str, Known]]:
    """Run everything that the fourth prose speaks of; a key names each, while the session is open."""
    settings = Settings(
        cache_dir=folder / "cache", data_dir=folder / "data", planner=Planner.RULES, threads=1
    )
    calls: dict[str, tuple[str, dict[str, JsonValue]]] = {
        **{key: ("run_query", plan) for key, plan in _QUERIES.items()},
        **{key: ("run_python", {"table": "sales", "code": code}) for key, code in _CODE.items()},
        "edit_rows": ("edit_table", _EDIT),
        "edit_cells": ("edit_table", _FILL),
    }
    with Session.open([example(name) for name in _FILES], settings=settings) as session:
        session.versions.confirm = lambda _: True
        known: dict[str, Known] = {}
        for key, call in calls.items():
            workspace = session.kept.workspace(settings).for_model(())
            executor = ToolExecutor.for_workspace(workspace, profile=FULL)
            known |= run_calls(executor, {key: call})
        yield known
