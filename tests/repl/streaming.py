"""A model's turn that goes on when it is told to: for looking at a terminal in the middle of one.

python -m tests.repl.streaming FOLDER     # `touch FOLDER/1`, `touch FOLDER/2` … let it go on
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer, DataBlock, Usage
from tabchat.chat.turn.events import Asking, DataReady, Done, Rewriting, TextDelta, ToolEnd, ToolStart
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Chart, Result, ResultKind, ResultMetadata
from tabchat.render.answer import AnswerView, render_events
from tabchat.render.terminal.console import make_consoles
from tests.render.screens import frame_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.turn.events import Event

KEY = "ds_rkbx2mwy6eddaalqkz3m"
MODEL = "openai/gpt-5-mini"
BY_REGION = "SELECT * FROM (VALUES ('Asia', 120.5), ('Europe', 80.25)) AS t(region, mean_revenue)"
DRAFT = "Asia had a mean revenue of 999.9, which is a figure that nobody has checked so far. " * 3
CHECKED = "**Asia** leads with 120.5; Europe has 80.3, and Mars 77."


def answer_of(block: DataBlock) -> Answer:
    """Return an answer with two figures that were found in `block`, and one that was not."""
    claims = tuple(
        Receipt(
            text=figure,
            value=figure,
            status="verified",
            evidence=f"{KEY}[region={region}].mean_revenue",
            start=CHECKED.index(figure),
            cells=(CitedCell(data_key=KEY, column="mean_revenue", row={"region": region}),),
        )
        for figure, region in (("120.5", "Asia"), ("80.3", "Europe"))
    )
    doubtful = Receipt(text="77", value="77", status="unverified", start=CHECKED.index("77"))
    return Answer(
        question="?",
        text=CHECKED,
        blocks=(block,),
        planner="llm",
        verification=Verification(status="unverified", receipts=(*claims, doubtful)),
        usage=Usage(model=MODEL, prompt_tokens=1_830, completion_tokens=120, cost_usd=0.0012, requests=2),
    )


def block_of(engine: DuckDBEngine) -> DataBlock:
    """Return a grouped result of two regions."""
    result = Result(
        kind=ResultKind.GROUPED,
        frame=frame_of(engine, BY_REGION),
        source_row_count=5_000,
        chart=Chart(category="region", value="mean_revenue"),
        group_by=("region",),
        metadata=ResultMetadata(rows=2),
        sql=BY_REGION,
    )
    return DataBlock(
        tool="run_query", result=result, data_key=KEY, summary="", title="Mean revenue by region"
    )


def turn(block: DataBlock, folder: Path) -> Iterator[Event]:
    """Yield a turn, waiting three times for the next file in `folder`."""
    yield Asking(model=MODEL)
    _wait_for(folder / "1")
    plan = {"select": "mean(revenue)", "group_by": "region"}
    yield ToolStart(tool="run_query", input=plan)
    yield ToolEnd(tool="run_query", duration_ms=12.4)
    yield DataReady(input=plan, block=block)
    yield Asking(model=MODEL)
    for word in DRAFT.split():
        yield TextDelta(text=f"{word} ")
    _wait_for(folder / "2")
    yield Rewriting(attempt=1, issues=('999.9: is typed; write {r1.mean_revenue["Asia"]:,.1f}',))
    yield Asking(model=MODEL)
    yield TextDelta(text=CHECKED)
    _wait_for(folder / "3")
    yield Done(answer=answer_of(block))


def _wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.01)


def main() -> None:
    """Show the turn on this process's own streams."""
    folder = Path(sys.argv[1])
    engine = DuckDBEngine(spill=folder / "spill")
    print("$ before")  # noqa: T201 - stands for what was on the screen already
    try:
        render_events(make_consoles(), turn(block_of(engine), folder), AnswerView())
    except KeyboardInterrupt:
        print("stopped")  # noqa: T201 - likewise
    finally:
        engine.close()


if __name__ == "__main__":
    main()
