"""Ordinary pandas code passes the guard as it is, and gives behind guard and lock what it gives outside."""

import io
import math
from contextlib import redirect_stdout

import pyarrow as pa
import pytest

from tabchat.sandbox.reply.outcome import SandboxOutcome
from tabchat.sandbox.reply.wire import untagged
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.worker.frame_in import to_frame
from tabchat.sandbox.worker.names import code_namespace
from tabchat.sandbox.worker.restore import restored
from tabchat.sandbox.worker.result_out import Found, found
from tabchat.sandbox.worker.result_table import to_arrow
from tests.sandbox.asking import run
from tests.sandbox.benign.frames import FRAMES
from tests.sandbox.benign.snippets import SNIPPETS, Snippet


def outside(snippet: Snippet, table: pa.Table) -> tuple[Found, str]:
    """Run a snippet in this process and return what it leaves and prints."""
    names = code_namespace(to_frame(table), with_stats=snippet.with_stats)
    del names["__builtins__"]  # the interpreter's own take their place
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(snippet.code, "<code>", "exec"), names)  # noqa: S102 - these snippets are ours
    return found(names["result"], table.num_rows, frozenset(table.column_names)), printed.getvalue()


def close(one: object, other: object) -> bool:
    """Compare cells; a sum may differ in its last digits where libraries here use several threads."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return type(one) is type(other) and one == other


def same(outcome: SandboxOutcome, expected: Found, table: pa.Table) -> bool:
    if expected.frame is None:
        stated = {name: untagged(pair) for name, pair in expected.entries}
        value = untagged(expected.value) if expected.value else None
        return (
            (outcome.form, outcome.text) == (expected.form, expected.text)
            and close(outcome.value, value)
            and list(outcome.values) == list(stated)
            and all(close(outcome.values[name], stated[name]) for name in stated)
        )
    rows, _ = to_arrow(expected.frame)
    missing = frozenset(name for name in table.column_names if table.column(name).null_count)
    rows = restored(rows, table.schema, missing)
    assert outcome.table is not None
    return outcome.table.schema == rows.schema and all(
        close(one, other)
        for left, right in zip(outcome.table.columns, rows.columns, strict=True)
        for one, other in zip(left.to_pylist(), right.to_pylist(), strict=True)
    )


def test_there_are_enough_of_them_each_with_a_name_of_its_own() -> None:
    assert len(SNIPPETS) >= 120
    assert len({snippet.name for snippet in SNIPPETS}) == len(SNIPPETS)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.name)
@pytest.mark.filterwarnings("ignore")  # outside, too, libraries may warn
def test_a_snippet_gives_the_same_behind_the_walls(sandbox: Sandbox, snippet: Snippet) -> None:
    if snippet.with_stats:
        pytest.importorskip("statsmodels")
        pytest.importorskip("sklearn")
    table = pa.Table.from_pandas(FRAMES[snippet.frame](), preserve_index=False).replace_schema_metadata(None)
    expected, printed = outside(snippet, table)
    outcome = run(sandbox, snippet.code, table=table)
    outcome.raise_for_ending()
    assert outcome.repairs == ()
    assert same(outcome, expected, table)
    assert outcome.stdout == printed[:8000]
