"""What reads hostile text, each as a function of bytes that fails only where it should not.

A target passes over the errors that a person or a model is told, and nothing else. The tests call them with Hypothesis'
bytes, `python -m tests.fuzz TARGET` with those that atheris finds to reach new code.
"""

import atexit
import contextlib
import json
import tempfile
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from tabchat.answers.evaluate import Evaluator
from tabchat.answers.fill import fill
from tabchat.answers.results import NumberedResult
from tabchat.answers.template import parse_template
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.compile import compile_plan
from tabchat.engine.edits.reading import read_edit_json
from tabchat.engine.plan.expressions import ExpressionError, parse_expression
from tabchat.engine.plan.query_plan import read_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.sql.policy import check_sql
from tabchat.engine.table import ReadOptions
from tabchat.engine.types import Column, ColumnKind
from tabchat.errors import InputError, PlanValidationError, SqlRefusedError
from tabchat.inert import UNSAFE
from tabchat.languages.notation import language_of
from tabchat.render.layout.text import ASCII, UNICODE, sanitise, sanitise_lines
from tests.answers.tables import result_of
from tests.seals import SEAL

SCHEMA: Final = (
    Column(name="region", kind=ColumnKind.TEXT, sql_type="VARCHAR"),
    Column(name="revenue", kind=ColumnKind.NUMBER, sql_type="DOUBLE"),
    Column(name="day", kind=ColumnKind.DATE, sql_type="DATE"),
)
STEERING: Final = frozenset("\u200b\u200e\u200f\u2028\u2029\u061c\ufeff") | frozenset(
    map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
)
"""Written anew rather than taken from the code under test: separators, marks, embeddings, overrides, isolates."""


def _text(data: bytes) -> str:
    # As the command line has it: bytes that are no text become lone surrogates.
    return data.decode("utf-8", "surrogateescape")


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return _text(data)


def csv(data: bytes) -> None:
    """Any bytes are a table or no table, and nothing of the second kind stays behind."""
    _opened(data, "table.csv", None)


def json_table(data: bytes) -> None:
    """Any bytes that are said to be JSON likewise."""
    _opened(data, "table.json", "json")


def _opened(data: bytes, name: str, input_format: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        tables = TableCache(Path(folder, "cache"), 1 << 30, seal=SEAL)
        try:
            table = open_table(path, options=ReadOptions(input_format=input_format), cache=tables)
        except InputError:
            pass
        else:
            assert table.row_count >= 0
            assert len({column.name.casefold() for column in table.schema}) == len(table.schema)
            assert not any(unicodedata.category(sign) == "Cc" for c in table.schema for sign in c.name)
        finally:
            tables.close()


def plan(data: bytes) -> None:
    """A plan is compiled, or there are issues that say why not."""
    found, issues = read_plan(_json(data))
    if issues:
        return
    try:
        compile_plan(found, SCHEMA, relation="t")
    except PlanValidationError as error:
        issues = error.issues
    else:
        return
    assert issues


def sql(data: bytes) -> None:
    """What the allowlist lets through, it lets through again as it was written from its tree."""
    try:
        query = check_sql(_text(data), {"t"})
    except SqlRefusedError:
        return
    check_sql(query.sql("duckdb", identify=True), {"t"})


def expression(data: bytes) -> None:
    """An expression of a plan is read, or the error says where it breaks."""
    with contextlib.suppress(ExpressionError):
        parse_expression(_text(data))


def edit(data: bytes) -> None:
    """An edit is read, or there are issues that say why not."""
    found, issues = read_edit_json(_json(data))
    assert found is not None or issues


def template(data: bytes) -> None:
    """An answer is filled in, its places lie inside of it, and a figure that is in none has an issue."""
    filled = fill(parse_template(_text(data)), Evaluator(_results()), language_of("en"), lambda _: False)
    for place in filled.places:
        assert 0 <= place.start <= place.end <= len(filled.text)
        assert place.figure is not None or place.receipt is None or filled.issues


@cache
def _results() -> Mapping[int, NumberedResult]:
    folder = tempfile.TemporaryDirectory()
    engine = DuckDBEngine(spill=Path(folder.name))
    atexit.register(folder.cleanup)
    atexit.register(engine.close)
    atexit.register(_results.cache_clear)
    return {1: result_of(engine, {"region": ["North", "South"], "revenue": [1.5, 2.0]}, keys=["region"])}


def terminal(data: bytes) -> None:
    """Nothing that is written for a terminal steers it, turns its text or hides in it."""
    text = _text(data)
    for glyphs in (UNICODE, ASCII):
        shown, lines = sanitise(text, glyphs), sanitise_lines(text, glyphs)
        for written in (shown, lines.replace("\n", "")):
            assert not any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in written)
            assert not STEERING & set(written)
            assert UNSAFE.search(written) is None


TARGETS: Final[Mapping[str, Callable[[bytes], None]]] = {
    "csv": csv,
    "json": json_table,
    "plan": plan,
    "sql": sql,
    "expression": expression,
    "edit": edit,
    "template": template,
    "terminal": terminal,
}
SEEDS: Final[Mapping[str, tuple[bytes, ...]]] = {
    "csv": (b'a;b\n1,5;"x\ny"\n', b"a,b\r\n1,\xff\n", b"\xff\xfea\0,\0b\0\n\0"),
    "json": (b'[{"a": 1, "b": {"c": [null]}}]', b'{"a": [1, 2]}\n{"a": 1e400}'),
    "plan": (
        b'{"where": "revenue > 1", "group_by": "region", "select": "sum(revenue)", "sort": "region desc"}',
        b'{"steps": [{"map": {"x": "lag(revenue)"}}, {"period": "2024-03", "limit": 3}]}',
    ),
    "sql": (
        b"WITH a AS (SELECT region, sum(revenue) OVER (ORDER BY day) s FROM t) SELECT * FROM a WHERE s > 1",
        b"SELECT * FROM read_csv('/etc/passwd')",
        b"SELECT 1; DROP TABLE t",
    ),
    "expression": (
        b"1 < revenue ** 2 <= 5 and region in ['a', 'b']",
        b"case when day == '2024-01-01' then 1 end",
    ),
    "edit": (
        b'{"operation": "update", "set": {"revenue": "revenue * 2"}, "where": "region == \'North\'"}',
        b'{"operation": "delete_rows", "where": "revenue > 1"}',
    ),
    "template": (
        b'North has {r1.revenue["North"] / sum(r1.revenue):.1%} of {r1.revenue[-1]:,.0f}.',
        b"{{x}} {r1} {argmax(r1.revenue):>9} {r1[0]!r} {r9.x:.999999999f}",
    ),
    "terminal": ("\x1b[31m\x9b2J\u202eabc\u200d\u0a2a\x07\r\n".encode(),),
}
"""Inputs that reach deep, to begin with."""
