"""Tables of any size whose prompt can be measured, and the tokens of a question with one query over them."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp, parse_one

from tabchat.audit import EgressLedger
from tabchat.chat.prompt import PromptContext, model_tools, system_prompt
from tabchat.chat.provider.litellm_model import LiteLLMModel
from tabchat.chat.turn.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import ModelRequest
from tabchat.config import PrivacyLevel
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.profile.sketch import sketch_table
from tabchat.engine.table import LoadReport, Table
from tabchat.engine.types import ROW
from tabchat.sandbox.policy import SandboxRequest
from tabchat.sandbox.reply.outcome import SandboxOutcome
from tabchat.store import InMemoryDataStore
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.registry import Workspace

MODEL = "gpt-4o"
TWELVE_ROWS = 12
TWELVE = "SELECT {number} % 12 + 1 AS month, count(*) AS orders, avg({value}) AS average FROM {table} GROUP BY 1 ORDER BY 1"
QUESTION = "What is the average price_1 in each region_2?"
ORDERS_QUESTION = "What is the average revenue in each region?"
ORDERS = (
    "i + 1 AS order_id",
    "DATE '2020-01-01' + (i * 1500 // {n})::INT AS order_date",
    "['North', 'South', 'East', 'West', 'Centre'][1 + i % 5] AS region",
    "'customer ' || (i * least({n}, 50000) // {n}) AS customer",
    "['online', 'store', 'partner'][1 + i % 3] AS channel",
    "(i % 40)::INT AS quantity",
    "round((i % 1000) * 99.99 / 1000, 2) AS price",
    "CASE WHEN i % 50 <> 7 THEN round((i % 1000) * 4711.5 / 1000, 2) END AS revenue",
    "i % 20 = 0 AS returned",
)
MEASURES = (
    "(i * 40 // {n})::INT AS quantity_{k}",
    "round((i * 1000 // {n}) / 7.0, 2) AS price_{k}",
    "['North', 'South', 'East', 'West', 'Centre'][1 + (i * (50 + {k}) // {n} % 5)::INT] AS region_{k}",
    "(i * 60 // {n}) % 2 = 0 AS flag_{k}",
    "DATE '2020-01-01' + (i * 900 // {n})::INT AS day_{k}",
    "'customer ' || (i * least({n}, 50000) // {n}) AS customer_{k}",
    "CASE WHEN i % 10 <> 0 THEN (i * 7 // {n})::INT END AS score_{k}",
    "(i * 1000 // {n}) / 1000.0 AS measure_{k}",
)


@dataclass(frozen=True)
class Sizes:
    """Tokens of what is sent."""

    first: int
    grouped: int
    """What the result of a grouped query of 12 rows adds to a request."""
    whole: int
    """Both requests of a question that needs one query, with the call and the answer that the model writes."""


def write_table(path: Path, rows: int, columns: int) -> None:
    """Write a Parquet file in the form of a stored table version: 9 columns of orders, or any number of measures.

    Values are spread over the rows in the same way whatever their number, in runs, so that files stay small.
    """
    import duckdb

    columns_sql: tuple[str, ...] = ORDERS
    if columns != len(ORDERS):
        columns_sql = tuple(MEASURES[k % len(MEASURES)] for k in range(columns))
    listed = ", ".join(text.format(n=rows, k=k) for k, text in enumerate(columns_sql))
    part = path.with_suffix(".part")
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT i + 1 AS {ROW}, {listed} FROM range({rows}) t(i)) TO '{part}'"
            " (FORMAT parquet, COMPRESSION zstd)"
        )
    part.rename(path)


@contextmanager
def opened(path: Path, spill: Path) -> Iterator[Workspace]:
    """Open what `write_table` wrote."""
    engine = DuckDBEngine(spill=spill, folders=(path.parent,))
    scan = parse_one(f"SELECT * FROM read_parquet('{path}')", dialect="duckdb")
    assert isinstance(scan, exp.Query)
    ((rows,),) = engine.rows(exp.select(exp.Count(this=exp.Star())).from_(scan.subquery("t")))
    assert isinstance(rows, int)
    table = Table(
        name=path.stem.partition("_")[0],
        version=path.stem,
        source=path,
        scan=scan,
        stored=True,
        schema=tuple(column for column in engine.schema(scan) if column.name != ROW),
        row_count=rows,
        report=LoadReport(input_format="parquet"),
    )
    engine.attach(table.name, table.scan)
    try:
        yield Workspace(
            engine=engine,
            tables={table.name: table},
            store=InMemoryDataStore(),
            scratch=InMemoryDataStore(),
            privacy=PrivacyLevel.SUMMARY,
            sessions={},
            run_code=no_code,
        )
    finally:
        engine.close()


def no_code(request: SandboxRequest) -> SandboxOutcome:
    """Stands for a complete sandbox, so that code is offered."""
    raise AssertionError(request)


def counter(folder: Path) -> LiteLLMModel:
    """Return a model that counts tokens and is never asked."""
    ledger = EgressLedger(folder / "egress", max_bytes=10**6)
    return LiteLLMModel(model=MODEL, api_base=None, ledger=ledger, retries=0)


def measure(workspace: Workspace, model: LiteLLMModel) -> Sizes:
    """Count the tokens of a question that one query answers."""
    executor = ToolExecutor.for_workspace(workspace)
    (table,) = workspace.tables.values()
    asks_orders = "revenue" in table.by_name
    question, key, value, number = (
        (ORDERS_QUESTION, "region", "revenue", "order_id")
        if asks_orders
        else (QUESTION, "region_2", "price_1", "quantity_0")
    )
    context = PromptContext(
        question=question,
        tables=workspace.tables,
        current=table.name,
        sketch_of=lambda seen: sketch_table(workspace.engine, seen),
    )
    system, tools = system_prompt(context), model_tools(executor, context)

    def count(*messages: Message) -> int:
        return model.count_tokens(ModelRequest(messages=messages, system=system, tools=tools))

    asked = UserMessage(text=question)
    call = ToolCall(
        id="call_x7Hq2mV9sLw0Zb4k",
        name="run_query",
        arguments={"group_by": [key], "select": [f"mean({value}) as average"], "title": "Average by region"},
    )
    result = ToolMessage(call=call, envelope=executor.execute(call.name, call.arguments))
    assert result.envelope.ok, result.envelope.summary
    called = (asked, AssistantMessage(tool_calls=(call,)), result)
    answer = AssistantMessage(text="The average is highest in the North, at 57.14, and lowest in the West.")
    first, second, written = count(asked), count(*called), count(*called, answer)
    spoken = count(asked, called[1]) - first + written - second
    months = ToolMessage(
        call=call,
        envelope=executor.execute(
            "run_sql", {"sql": TWELVE.format(table=table.name, number=number, value=value)}
        ),
    )
    assert months.envelope.metrics["row_count"] == TWELVE_ROWS, months.envelope.summary
    grouped = count(asked, called[1], months) - count(asked, called[1])
    return Sizes(first=first, grouped=grouped, whole=first + second + spoken)
