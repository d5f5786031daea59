"""The results that the hand-written answers speak of; the tables are small enough to know by heart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import DataBlock
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.engine.types import JsonValue
    from tabchat.tools.envelope import ToolOutcome

REGIONS = """region,revenue,orders,margin_pct,growth_pct,return_rate
Asia,345222.26,1203,18.4,12.5,0.045
Europe,543120.29,1850,22.1,-3.2,0.062
North America,611714.50,2010,25.6,4.8,0.051
Oceania,160272.76,590,15.0,0.7,0.03
South America,181150.18,640,9.3,-11.4,0.083
Africa,98540.00,410,11.7,21.9,0.071
"""
MONTHS = """month,revenue
2024-01-01,100000
2024-02-01,92000
2024-03-01,115000
2024-04-01,121000
2024-05-01,118500
2024-06-01,130250
2024-07-01,127800
2024-08-01,119400
2024-09-01,133600
2024-10-01,141000
2024-11-01,158750
2024-12-01,149200
"""
GAPS = "dow,gap\nMon,89.5\nTue,64.2\nWed,55.0\nThu,41.8\nFri,32.1\n"
CITIES = """Місто,Канал,Виручка,Замовлення
Київ,онлайн,812450.5,2310
Київ,магазин,401200.25,1205
Львів,онлайн,298400,870
Львів,магазин,350120.75,990
Одеса,онлайн,187300.4,560
Одеса,магазин,92410,301
"""
DEPARTMENTS = """отдел,зарплата,сотрудники
Продажи,84500,40
Разработка,153500,65
Маркетинг,97200.5,18
Логистика,71300,27
Бухгалтерия,88000,12
"""


def results(folder: Path) -> dict[str, DataBlock]:
    """Run the queries behind the answers."""
    sources = {
        "regions": REGIONS,
        "months": MONTHS,
        "gaps": GAPS,
        "cities": CITIES,
        "departments": DEPARTMENTS,
    }
    paths = []
    for name, text in sources.items():
        path = folder / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    executor = make_executor(make_workspace(folder / "home", *paths))

    def run(table: str, **plan: JsonValue) -> DataBlock:
        return _block(executor.run("run_query", {"table": table, **plan}, question=""))

    def sql(text: str) -> DataBlock:
        return _block(executor.run("run_sql", {"sql": text}, question=""))

    return {
        "by_region": run("regions", select="sum(revenue)", group_by="region"),
        "two": run("regions", select=["sum(revenue)", "sum(orders)"], group_by="region"),
        "table": run("regions", sort="revenue desc"),
        "growth": run("regions", columns=["region", "growth_pct"], sort="growth_pct desc"),
        "margin": sql("select region, margin_pct from regions order by margin_pct desc"),
        "returns": sql("select region, avg(return_rate) as return_rate from regions group by region"),
        "total": run("regions", select="sum(revenue)"),
        "orders": run("regions", select="sum(orders)"),
        "rows": run("regions", select="count()", where="revenue > 150000"),
        "asia": run("regions", select="sum(revenue)", where="region == 'Asia'"),
        "europe": run("regions", select="sum(revenue)", where="region == 'Europe'"),
        "dict": run(
            "regions", select=["count()", "sum(revenue)", "mean(revenue)", "max(revenue)", "min(revenue)"]
        ),
        "top3": run("regions", sort="revenue desc", limit=3, columns=["region", "revenue"]),
        "months": run("months", columns=["month", "revenue"]),
        "by_month": sql(
            "select strftime(month, '%Y-%m') as month, sum(revenue) as revenue from months group by 1 order by 1"
        ),
        "days": run("gaps", select="mean(gap)", group_by="dow"),
        "empty": run("regions", where="revenue > 9e9"),
        "cities": run("cities", select="sum(Виручка)", group_by="Місто"),
        "channels": run("cities", select=["sum(Виручка)", "sum(Замовлення)"], group_by=["Місто", "Канал"]),
        "salaries": run("departments", select="mean(зарплата)", group_by="отдел"),
        "staff": run("departments", columns=["отдел", "зарплата", "сотрудники"], sort="зарплата desc"),
        "head": run("departments", select="sum(сотрудники)"),
    }


def _block(outcome: ToolOutcome) -> DataBlock:
    envelope = outcome.envelope
    assert outcome.result is not None, envelope
    return DataBlock(
        tool="run_query", result=outcome.result, data_key=envelope.data_key, summary=envelope.summary
    )
