"""Results that the prose speaks of, all over the example tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import DataBlock
from tabchat.record import record
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tabchat.engine.types import JsonValue
    from tabchat.tools.executor import ToolExecutor

_FILES = ("sales.csv", "prices.csv", "tovary_ua.csv", "employees_ru.csv")
_CALLS: dict[str, tuple[str, dict[str, JsonValue]]] = {
    "region": (
        "sales",
        {"group_by": "region", "select": ["sum(revenue)", "count()"], "sort": "sum_revenue desc"},
    ),
    "quarter": (
        "sales",
        {
            "map": {"q": "period_quarter(order_date)"},
            "group_by": "q",
            "select": "sum(revenue)",
            "period": "2024",
        },
    ),
    "year": ("sales", {"map": {"y": "year(order_date)"}, "group_by": "y", "select": "sum(revenue)"}),
    "channel": ("sales", {"group_by": "channel", "select": ["mean(discount)", "sum(quantity)"]}),
    "total": ("sales", {"select": ["sum(revenue)", "count()"]}),
    "in_2023": ("sales", {"select": "sum(revenue)", "period": "2023"}),
    "in_march": ("sales", {"select": "count()", "period": "2024-03"}),
    "in_asia": ("sales", {"select": "sum(revenue)", "where": "region == 'Asia'"}),
    "online": (
        "sales",
        {"select": "sum(revenue)", "where": "channel == 'online'", "group_by": "category"},
    ),
    "big": ("sales", {"select": "count()", "where": "revenue > 1000"}),
    "returned": ("sales", {"select": "pct(returned == true)"}),
    "orders": (
        "sales",
        {"sort": "revenue desc", "limit": 3, "columns": ["order_id", "customer", "product", "revenue"]},
    ),
    "worst": (
        "prices",
        {
            "map": {"chg": "change_pct(close)"},
            "sort": "chg",
            "limit": 3,
            "columns": ["date", "close", "chg"],
        },
    ),
    "goods": (
        "tovary_ua",
        {
            "group_by": "Категорія",
            "select": ["mean(Ціна)", "sum(Кількість)", "count()"],
            "sort": "mean_Ціна desc",
        },
    ),
    "brand": ("tovary_ua", {"select": "mean(Ціна)", "where": "Бренд == 'Верба'"}),
    "staff": (
        "employees_ru",
        {"group_by": "Отдел", "select": ["mean(Зарплата)", "count()"], "sort": "count desc"},
    ),
    "pay": ("employees_ru", {"select": ["mean(Зарплата)", "max(Зарплата)", "min(Зарплата)"]}),
}
_SQL = {
    "sql_europe": "select sum(revenue) as revenue from sales where region = 'Europe'",
    "sql_2022": (
        "select channel, sum(revenue) as revenue from sales "
        "where order_date >= '2022-01-01' and order_date < '2023-01-01' group by 1 order by 2 desc"
    ),
}
_TOLD: dict[str, tuple[str, dict[str, JsonValue]]] = {
    "told_table": ("describe_table", {"table": "sales"}),
    "told_region": ("describe_column", {"table": "sales", "column": "region"}),
    "told_revenue": ("describe_column", {"table": "sales", "column": "revenue"}),
}


@record
class Known:
    """What was computed and told before an answer."""

    block: DataBlock | None
    facts: Mapping[str, JsonValue] | None


def known_results(folder: Path, example: Callable[[str], Path]) -> dict[str, Known]:
    """Run everything that the prose speaks of; a key names each."""
    executor = make_executor(make_workspace(folder, *(example(name) for name in _FILES)))
    calls: dict[str, tuple[str, dict[str, JsonValue]]] = {
        **{key: ("run_query", {"table": table, **plan}) for key, (table, plan) in _CALLS.items()},
        **{key: ("run_sql", {"sql": sql}) for key, sql in _SQL.items()},
        **_TOLD,
    }
    return run_calls(executor, calls)


def run_calls(
    executor: ToolExecutor, calls: Mapping[str, tuple[str, dict[str, JsonValue]]]
) -> dict[str, Known]:
    """Run each call, which must succeed."""
    found = {}
    for key, (tool, arguments) in calls.items():
        outcome = executor.run(tool, arguments, question="")
        assert outcome.envelope.error is None, outcome.envelope
        block = None
        if outcome.result is not None:
            block = DataBlock(tool=tool, result=outcome.result, data_key=f"ds_{key}", summary="")
        found[key] = Known(block=block, facts=outcome.facts or None)
    return found
