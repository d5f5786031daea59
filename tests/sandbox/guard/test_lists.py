"""The guard's lists fit the installed libraries."""

import subprocess
import sys
from importlib import import_module
from types import ModuleType

import pandas as pd
import pytest

from tabchat.sandbox.guarding.attributes import OBJECTS, STATISTICS
from tabchat.sandbox.guarding.paths import BASE
from tabchat.sandbox.guarding.reserved import RESERVED
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS, STATS
from tabchat.sandbox.guarding.words import BUILTINS, MODULES, STATS_MODULES, listed
from tabchat.sandbox.worker.names import code_namespace
from tests.forkserver.client import ROOT

ONLY_IN_NEWER_PYTHON = {"math.fma", "math.sumprod", "statistics.kde", "statistics.kde_random"}

HARMLESS = listed("""
alpha axis bins c calendar char col_count column convention coords density exclude f field fields fill_value holidays
how identity ids include indexer key keep label limit mapping metadata method num o observed offset on order orig r
characters_written code encoding end_lineno end_offset errno filename filename2 lineno message msg name_from path reason strerror text
reset root roots signature sizeof times type types variable variation weekmask coef release
""")
"""Attributes that are plain words and hold no more than a value: a column may be reached as `df.name`."""


def test_every_attribute_of_the_libraries_is_allowed_or_reserved() -> None:
    # In a process of its own: it tells of what is imported, and other tests have pandas import more than code is given.
    command = [sys.executable, "-m", "tests.sandbox.guard.public_names"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    _, _, *names = told.split()
    assert HARMLESS.intersection(names)
    assert frozenset(names) - HARMLESS - RESERVED == frozenset()


def test_nothing_is_on_two_lists() -> None:
    assert not (OBJECTS | STATISTICS) & RESERVED
    assert not HARMLESS & RESERVED


@pytest.mark.parametrize("with_stats", [False, True])
def test_every_path_leads_to_a_value_and_no_value_is_a_module(with_stats: bool) -> None:
    if with_stats:
        pytest.importorskip("statsmodels")
        pytest.importorskip("sklearn")
    names = code_namespace(pd.DataFrame(), with_stats=with_stats)
    for path, members in (STATS if with_stats else BASE).items():
        module: object = names[path.split(".")[0]]
        for part in path.split(".")[1:]:
            module = getattr(module, part)
        assert isinstance(module, ModuleType), path
        for member in members:
            if f"{path}.{member}" not in ONLY_IN_NEWER_PYTHON:
                assert not isinstance(getattr(module, member), ModuleType), f"{path}.{member}"


def test_the_namespace_holds_what_the_guard_knows_and_no_more() -> None:
    plain = set(code_namespace(pd.DataFrame(), with_stats=False)) - {"__builtins__"}
    assert plain == MODULES | {"df"}


def test_with_the_extra_the_namespace_holds_more() -> None:
    pytest.importorskip("statsmodels")
    pytest.importorskip("sklearn")
    names = code_namespace(pd.DataFrame(), with_stats=True)
    assert set(names) - {"__builtins__"} == MODULES | STATS_MODULES | set(ESTIMATORS) | {"df"}
    for name, module in ESTIMATORS.items():
        assert names[name] is getattr(import_module(module), name)


def test_the_builtins_are_few() -> None:
    builtins = code_namespace(pd.DataFrame(), with_stats=False)["__builtins__"]
    assert isinstance(builtins, dict)
    assert set(builtins) == BUILTINS | {"__import__"}
    assert builtins["type"](1) is int
    with pytest.raises(TypeError):
        builtins["type"]("A", (), {})
    with pytest.raises(ImportError, match="tabnanny is not available here"):
        builtins["__import__"]("tabnanny")
