"""A screen to render on, real frames to render, and byte-exact snapshots to compare with."""

import io
import os
from dataclasses import dataclass
from pathlib import Path

from sqlglot import exp, parse_one

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Frame
from tabchat.render.terminal.console import Consoles, make_consoles

SNAPSHOTS = Path(__file__).parent / "snapshots"


@dataclass(frozen=True)
class Screen:
    """Two streams in memory, at a fixed width, without colour."""

    consoles: Consoles
    out_file: io.StringIO
    err_file: io.StringIO

    @property
    def out(self) -> str:
        return self.out_file.getvalue()

    @property
    def err(self) -> str:
        return self.err_file.getvalue()

    @property
    def both(self) -> str:
        return f"--- stdout\n{self.out}--- stderr\n{self.err}"


def screen(width: int = 80, *, color: str = "never") -> Screen:
    out, err = io.StringIO(), io.StringIO()
    consoles = make_consoles(color, out=out, err=err, environ={"COLUMNS": str(width)})
    return Screen(consoles, out, err)


def frame_of(engine: DuckDBEngine, sql: str) -> Frame:
    """Return the frame of a query in DuckDB's dialect."""
    query: exp.Query = parse_one(sql, read="duckdb")  # type: ignore[assignment]
    ((count,),) = engine.rows(exp.select("count(*)").from_(query.subquery("counted")))
    assert isinstance(count, int)
    return Frame(engine=engine, query=query, schema=engine.schema(query), row_count=count)


def assert_snapshot(name: str, text: str) -> None:
    """Compare `text` with the snapshot `name`; UPDATE_SNAPSHOTS=1 writes it instead."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")
