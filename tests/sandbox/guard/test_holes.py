"""What no reading of the code can see is closed in the libraries themselves."""

import numpy as np
import pandas as pd
import pytest

from tabchat.sandbox.guard import Operation, check_code
from tabchat.sandbox.worker.names import code_namespace

SECRET = np.arange(4)
LAYOUT = "{'data': (%d, False), 'shape': (4,), 'typestr': '<i8', 'version': 3}"
KEY = "'__arr' + 'ay_inter' + 'face__'"


def result(code: str, *, with_stats: bool = False) -> object:
    """Run what the guard lets through."""
    guarded = check_code(code, op=Operation.READ, columns=["a"], with_stats=with_stats)
    names = code_namespace(pd.DataFrame({"a": [1, 2]}), with_stats=with_stats)
    exec(compile(guarded.code, "<code>", "exec"), names)  # noqa: S102 - these attacks are ours
    return names["result"]


def layout() -> str:
    return str(LAYOUT % SECRET.__array_interface__["data"][0])


def test_a_label_is_no_way_to_memory() -> None:
    code = f"result = np.asarray(pd.Series([{layout()}], index=[{KEY}], dtype=object))"
    found = result(code)
    assert isinstance(found, np.ndarray)
    assert (found.dtype, found.shape) == (np.dtype(object), (1,))


def test_a_label_still_is_an_attribute() -> None:
    assert result("s = pd.Series([5], index=['a'])\nresult = s.a") == 5


@pytest.mark.parametrize(
    "made",
    [
        "scipy.optimize.minimize_scalar(lambda x: x * x)",
        "permutation_importance(LinearRegression().fit(df, df.a), df, df.a, n_repeats=1)",
    ],
)
def test_the_key_of_a_result_is_no_way_to_memory(made: str) -> None:
    pytest.importorskip("sklearn")
    code = f"b = {made}\nb[{KEY}] = {layout()}\nresult = np.asarray(b)"
    found = result(code, with_stats=True)
    assert isinstance(found, np.ndarray)
    assert found.shape == ()


@pytest.mark.parametrize(
    "zone",
    [
        "'date' + 'util//etc/localtime'",
        "''.join(['date', 'util//etc/localtime'])",
    ],
)
def test_a_time_zone_reads_no_file(zone: str) -> None:
    # A stamp's constructor is handed on as a value, so that nothing checks what it is called with.
    code = f"f = [pd.Series][0]\nresult = f([], None, 'datetime64[ns, ' + {zone} + ']')"
    with pytest.raises((TypeError, ValueError)):
        result(code)


@pytest.mark.parametrize(
    "code",
    [
        "k = type(int)\nresult = k('A', (), {})",
        "k = type(df.a.values)\nresult = k((2,), 'O', df.a.values)",
        "k = type(pd.MultiIndex.from_tuples([(1, 2)]))\nresult = k([[1]], [[9]])",
        "result = list(map(type, [int]))[0]('A', (), {})",
    ],
)
def test_no_class_can_be_made_and_no_array_laid_over_memory(code: str) -> None:
    with pytest.raises(TypeError, match="use `isinstance`"):
        result(code)


def test_a_pipeline_keeps_nothing_in_a_folder() -> None:
    pytest.importorskip("sklearn")
    code = """
pipe = Pipeline([("scale", StandardScaler()), ("line", LinearRegression())])
search = GridSearchCV(pipe, {"mem" + "ory": ["made"]}, cv=2, error_score="raise")
result = search.fit(np.arange(20).reshape(-1, 1), np.arange(20)).best_score_
"""
    with pytest.raises(ValueError, match="a cache in a folder is not available here"):
        result(code, with_stats=True)
