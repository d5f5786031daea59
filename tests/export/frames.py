"""Frames to export, and byte-exact snapshots to compare with."""

import os
from collections.abc import Sequence
from pathlib import Path

from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Frame
from tabchat.engine.types import Row
from tests.sql import parsed

SNAPSHOTS = Path(__file__).parent / "snapshots"

HOSTILE = """
SELECT * FROM (VALUES
    (1, 'Kyiv', 1.5::DOUBLE, DATE '2024-01-31', TIMESTAMP '2024-01-31 09:30:00', TRUE, 9007199254740993, NULL),
    (2, 'a "quoted", <b>bold</b> | pipe', 'nan'::DOUBLE, NULL, NULL, FALSE, -1, 'x'),
    (3, 'two' || chr(10) || 'lines, ' || chr(92) || ' and ' || chr(13), 1e300::DOUBLE, DATE '1899-12-31',
        TIMESTAMP '0999-01-01 00:00:00.25', NULL, 0, ''),
    (4, '=HYPERLINK("http://evil")', -0.1::DOUBLE, DATE '9999-12-31', NULL, TRUE, NULL, '-5'),
    (5, '[red]не розмітка[/red] *md* _x_ a_b', 0.1::DOUBLE, NULL, NULL, TRUE, 1, ' padded '),
    (6, 'שלום ' || chr(8238) || ' 😀 ' || chr(27) || '[2J' || chr(155) || chr(9), NULL, NULL, NULL, NULL, 2,
        '&amp;')
) AS t("id", "місто", "value, €", "day", "at", "ok", "big", "=note|""x\\")
ORDER BY id
"""


def frame_of(engine: DuckDBEngine, sql: str) -> Frame:
    """Return the frame of a query."""
    query = parsed(sql)
    ((count,),) = engine.rows(exp.select("count(*)").from_(query.subquery("counted")))
    assert isinstance(count, int)
    return Frame(engine=engine, query=query, schema=engine.schema(query), row_count=count)


def table_of(engine: DuckDBEngine, columns: Sequence[tuple[str, str]], rows: Sequence[Row]) -> Frame:
    """Return a frame with `(name, SQL type)` columns that holds `rows`."""
    declared = ", ".join(f"c{index} {sql_type}" for index, (_, sql_type) in enumerate(columns))
    connection = engine._database.connection
    assert connection is not None
    connection.execute(f"CREATE OR REPLACE TABLE t ({declared})")
    if rows:
        marks = ", ".join("?" for _ in columns)
        connection.executemany(f"INSERT INTO t VALUES ({marks})", [list(row) for row in rows])
    query = exp.select(
        *(exp.alias_(exp.column(f"c{index}"), name, quoted=True) for index, (name, _) in enumerate(columns))
    ).from_("t")
    return Frame(engine=engine, query=query, schema=engine.schema(query), row_count=len(rows))


def assert_snapshot(name: str, content: bytes) -> None:
    """Compare `content` with the snapshot `name`; UPDATE_SNAPSHOTS=1 writes it instead."""
    path = SNAPSHOTS / name
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_bytes(content)
    assert content == path.read_bytes()
