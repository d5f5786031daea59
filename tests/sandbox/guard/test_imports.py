"""Imports of what is there already are taken out; all others are refused."""

from __future__ import annotations

import pytest

from tests.sandbox.guard.verdicts import allowed, problems


def test_known_imports_are_taken_out_and_no_line_moves() -> None:
    guarded = allowed("import pandas as pd, numpy as np\nimport re; import math\nresult = math.pi\n")
    assert guarded.code == "pass\npass; pass\nresult = math.pi\n"
    assert guarded.repairs == (
        "left out `import pandas as pd, numpy as np`, which is there already",
        "left out `import re`, which is there already",
        "left out `import math`, which is there already",
    )


def test_an_import_over_several_lines_leaves_as_many() -> None:
    code = """\
from sklearn.linear_model import (
    LinearRegression,
    Ridge,
)  # models
from scipy import stats
import scipy.stats as stats
import scipy.optimize
import statsmodels.api as sm, statsmodels.formula.api as smf
result = Ridge(); x = RandomForestClassifier(n_jobs=2, max_depth=2)
"""
    guarded = allowed(code, with_stats=True)
    assert guarded.code == (
        "pass\n\n\n# models\npass\npass\npass\npass\n"
        "result = Ridge(); x = RandomForestClassifier(n_jobs=1, max_depth=2)\n"
    )
    assert problems(code)


@pytest.mark.parametrize(
    "code, hint",
    [
        ("import os", "Leave imports out: what is available is there already."),
        ("import pandas as pd, os", "Write `pd`: the module is there already."),
        ("import pandas", "Write `pd`: the module is there already."),
        ("import numpy.lib", "Leave imports out: what is available is there already."),
        ("import datetime as dt", "Write `datetime`: the module is there already."),
        ("from datetime import datetime", "Write `datetime.datetime`: the module is there already."),
        ("from math import *", "Write `math.*`: the module is there already."),
        ("from scipy.stats import norm", "Write `stats.norm`: the module is there already."),
        ("from . import pd", "Leave imports out: what is available is there already."),
        ("from sklearn.utils import Ridge", "Leave imports out: what is available is there already."),
        (
            "from sklearn.linear_model import Lasso as Ridge",
            "Leave imports out: what is available is there already.",
        ),
    ],
)
def test_other_imports_are_refused_with_what_to_write(code: str, hint: str) -> None:
    (problem,) = problems(f"{code}\nresult = 1", with_stats=True)
    assert (problem.what, problem.hint) == ("`import` is not available here.", hint)


def test_an_import_that_gives_a_name_back_is_refused() -> None:
    assert problems("re = df\nimport re\nresult = re")
