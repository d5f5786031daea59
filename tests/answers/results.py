"""Results over the example tables, as a model has them in a conversation: the scenes that answers are written about."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tabchat.answers.check import AnswerContext
from tabchat.answers.results import NumberedResult
from tabchat.chat.turn.answer import DataBlock
from tabchat.tools.executor import ToolExecutor
from tests.workspace import make_executor, make_workspace

Call = tuple[str, "Mapping[str, Any]"]

SCENES: Final[Mapping[str, tuple[str, Sequence[Call]]]] = {
    "sales": (
        "sales.csv",
        (
            (
                "run_query",
                {
                    "group_by": "region",
                    "select": ["sum(revenue) as revenue", "count() as orders"],
                    "sort": "revenue desc",
                },
            ),
            ("run_query", {"select": "sum(revenue) as total"}),
            (
                "run_query",
                {"map": {"y": "year(order_date)"}, "group_by": "y", "select": "sum(revenue) as revenue"},
            ),
        ),
    ),
    "years": (
        "sales.csv",
        (
            (
                "run_sql",
                {
                    "sql": "SELECT region, year(order_date) AS year, sum(revenue) AS revenue FROM sales "
                    "WHERE region IN ('Europe', 'Asia') GROUP BY ALL ORDER BY ALL"
                },
            ),
        ),
    ),
    "months": (
        "sales.csv",
        (
            (
                "run_query",
                {"period": "2024", "resample": "monthly", "columns": ["order_date", "revenue", "quantity"]},
            ),
        ),
    ),
    "orders": (
        "sales.csv",
        (
            (
                "run_query",
                {
                    "columns": ["order_id", "order_date", "country", "product", "revenue"],
                    "sort": "revenue desc",
                    "limit": 60,
                },
            ),
            (
                "run_query",
                {
                    "select": [
                        "mean(revenue) as mean",
                        "max(revenue) as max",
                        "pct(returned) as returned",
                        "mean(discount) as discount",
                    ]
                },
            ),
        ),
    ),
    "goods": (
        "tovary_ua.csv",
        (
            (
                "run_query",
                {
                    "group_by": "Категорія",
                    "select": ["mean(Ціна) as ціна", "sum(Кількість) as кількість"],
                    "sort": "ціна desc",
                },
            ),
            ("run_query", {"select": "count()"}),
        ),
    ),
    "staff": (
        "employees_ru.csv",
        (
            (
                "run_query",
                {
                    "group_by": "Отдел",
                    "select": ["mean(Зарплата) as зарплата", "count() as людей"],
                    "sort": "зарплата desc",
                },
            ),
            (
                "run_query",
                {
                    "group_by": "Город",
                    "select": ["share() as доля", "count() as людей"],
                    "sort": "людей desc",
                },
            ),
        ),
    ),
    "plants": (
        "installations.csv",
        (
            (
                "run_query",
                {
                    "group_by": "country",
                    "select": ["sum(capacity_mw) as capacity_mw", "sum(cost_musd) as cost_musd"],
                    "sort": "capacity_mw desc",
                    "limit": 6,
                },
            ),
        ),
    ),
    "prices": (
        "prices.csv",
        (
            (
                "run_query",
                {
                    "map": {"change_pct": "change_pct()"},
                    "where": "change_pct < -2.5",
                    "columns": ["date", "change_pct", "close"],
                },
            ),
        ),
    ),
    "stations": (
        "stations.csv",
        (
            (
                "run_query",
                {
                    "group_by": "station",
                    "select": ["pct(result == 'PASS') as pass_rate", "count() as tests"],
                    "sort": "station",
                },
            ),
        ),
    ),
}


def scene(folder: Path, name: str) -> tuple[ToolExecutor, AnswerContext]:
    """Compute the results of a scene; the context is what an answer to it may rest on."""
    from tests.conftest import EXAMPLES

    source, calls = SCENES[name]
    workspace = make_workspace(folder, EXAMPLES / source)
    executor = make_executor(workspace)
    results = []
    for number, (tool, arguments) in enumerate(calls, 1):
        outcome = executor.run(tool, arguments)
        block = DataBlock.of(tool, outcome)
        assert block is not None, outcome.envelope.summary
        key, shown = f"ds_{number}", block.shown_rows
        results.append(NumberedResult(number=number, result=block.result, data_key=key, shown_rows=shown))
    (table,) = workspace.tables.values()
    return executor, AnswerContext(
        results=results,
        told={f"{table.name}.rows": table.row_count},
        arguments=[str(dict(arguments)) for _, arguments in calls],
        names=[table.name, *table.by_name],
    )
