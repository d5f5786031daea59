"""Results over the example tables that the hand-written answers speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import DataBlock
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.engine.types import JsonValue
    from tabchat.tools.envelope import ToolOutcome

_FILES = ("sales.csv", "prices.csv", "stations.csv", "installations.csv", "tovary_ua.csv")
_FAILURES = """
    select test_step as measurement, count(*) as n, avg(case when result = 'FAIL' then 1.0 else 0 end) as fail_rate
    from stations group by 1
"""
_CORRELATION = """
    select corr(revenue, quantity) as corr_rq, stddev(revenue) as stddev_revenue, avg(revenue) as avg_revenue,
        count(*) as n
    from sales
"""
_SHARES = """
    select region, sum(revenue) as revenue, 100.0 * sum(revenue) / sum(sum(revenue)) over () as share
    from sales group by region
"""


def example_results(folder: Path, example: Callable[[str], Path]) -> dict[str, DataBlock]:
    """Run the queries behind the answers."""
    executor = make_executor(make_workspace(folder, *(example(name) for name in _FILES)))

    def run(table: str, **plan: JsonValue) -> DataBlock:
        return _block(executor.run("run_query", {"table": table, **plan}, question=""))

    def sql(text: str) -> DataBlock:
        return _block(executor.run("run_sql", {"sql": text}, question=""))

    drop: dict[str, JsonValue] = {"map": {"change_pct": "change_pct()"}, "where": "change_pct < -2.5"}
    return {
        "dow": run("prices", map={"dow": "dayofweek()", "gap": "gap()"}, select="mean(gap)", group_by="dow"),
        "drops": run("prices", **drop),
        "dd": run("prices", **drop, select=["count()", "mean(change_pct)", "min(change_pct)"]),
        "mon": run("prices", resample="monthly"),
        "ch": run("sales", select=["sum(revenue)", "count()", "mean(discount)"], group_by="channel"),
        "yr": run("sales", map={"y": "year(order_date)"}, select="sum(revenue)", group_by=["y", "region"]),
        "qq": run(
            "sales",
            map={"q": "period_quarter(order_date)"},
            select="sum(revenue)",
            group_by="q",
            period="2024",
        ),
        "ret": run("sales", select="count()", group_by="returned"),
        "prod": run("sales", select="sum(revenue)", group_by="product", sort="sum_revenue desc", limit=5),
        "top": run(
            "sales",
            sort="revenue desc",
            limit=5,
            columns=["order_id", "order_date", "customer", "product", "revenue"],
        ),
        "cat": run("sales", select="mean(quantity)", group_by="category"),
        "inst": run("installations", select="sum(capacity_mw)", group_by="technology"),
        "ua": run("tovary_ua", select="mean(Ціна)", group_by="Категорія"),
        "st": sql(_FAILURES),
        "co": sql(_CORRELATION),
        "sh": sql(_SHARES),
        "tot": run("sales", select="sum(revenue)"),
        "cnt24": run("sales", select="count()", period="2024"),
        "tot23": run("sales", select="sum(revenue)", period="2023"),
        "tot24": run("sales", select="sum(revenue)", period="2024"),
        "bc": run("sales", select=["sum(revenue)", "count()"], group_by="customer"),
    }


def _block(outcome: ToolOutcome) -> DataBlock:
    envelope = outcome.envelope
    assert outcome.result is not None, envelope
    return DataBlock(
        tool="run_query", result=outcome.result, data_key=envelope.data_key, summary=envelope.summary
    )
