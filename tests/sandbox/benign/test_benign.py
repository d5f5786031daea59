"""Ordinary pandas code passes the guard as it is, and finds all the names that it needs."""

import io
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tabchat.sandbox.guard import Operation, check_code
from tabchat.sandbox.worker.names import code_namespace
from tests.sandbox.benign.frames import FRAMES
from tests.sandbox.benign.snippets import SNIPPETS, Snippet


def equal(found: Any, expected: Any) -> bool:
    """Compare results of any shape; NaN equals NaN."""
    if type(found) is not type(expected):
        return False
    if isinstance(expected, pd.DataFrame | pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        compared: Any = expected
        return bool(compared.equals(found))
    if isinstance(expected, np.ndarray):
        return bool(np.array_equal(found, expected))
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(equal(found[key], expected[key]) for key in expected)
    if isinstance(expected, list | tuple):
        return len(found) == len(expected) and all(map(equal, found, expected))
    return bool(found == expected) or (expected != expected and found != found)  # noqa: PLR0124 - NaN


def run(code: str, namespace: dict[str, object]) -> object:
    with redirect_stdout(io.StringIO()):
        exec(compile(code, "<code>", "exec"), namespace)  # noqa: S102 - these snippets are ours
    return namespace["result"]


def test_there_are_enough_of_them_each_with_a_name_of_its_own() -> None:
    assert len(SNIPPETS) >= 120
    assert len({snippet.name for snippet in SNIPPETS}) == len(SNIPPETS)


@pytest.mark.parametrize("snippet", SNIPPETS, ids=lambda snippet: snippet.name)
@pytest.mark.filterwarnings("ignore")  # outside, too, libraries may warn
def test_passes_the_guard_unchanged_and_equals_the_plain_run(snippet: Snippet) -> None:
    make = FRAMES[snippet.frame]
    if snippet.with_stats:
        pytest.importorskip("statsmodels")
        pytest.importorskip("sklearn")
    guarded = check_code(
        snippet.code, op=Operation.READ, columns=list(make().columns), with_stats=snippet.with_stats
    )
    assert guarded.repairs == ()
    assert guarded.code == snippet.code
    plain = code_namespace(make(), with_stats=snippet.with_stats)
    del plain["__builtins__"]  # the interpreter's own take their place
    expected = run(snippet.code, plain)
    found = run(guarded.code, code_namespace(make(), with_stats=snippet.with_stats))
    assert equal(found, expected)
