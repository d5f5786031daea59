"""Imports of what is listed are allowed, and looked at as what they stand for; all others are refused."""

import pytest

from tests.sandbox.guard.verdicts import allowed, problems

EXTRA = "It comes with the extra: `pip install 'tabchat[stats]'`."
LEAVE_OUT = "Leave imports out: what is available is there already."


@pytest.mark.parametrize(
    "code",
    [
        "import pandas as pd, numpy as np\nimport re; import math\nresult = math.pi",
        "import pandas\nresult = pandas.isna(df)",
        "import numpy.linalg\nresult = numpy.linalg.norm([1])",
        "import numpy.linalg as la\nresult = la.norm([1])",
        "import datetime as dt\nresult = dt.date(2024, 1, 1)",
        "from datetime import datetime, timedelta\nresult = datetime(2024, 1, 1) + timedelta(days=1)",
        "from math import sqrt as root\nresult = root(4)",
        "from pandas import DataFrame\nresult = df.apply(lambda row: DataFrame())",
        "def f():\n    from datetime import datetime\n    return datetime(2024, 1, 1)\nresult = f()",
        "try:\n    import numpy as np\nexcept ImportError:\n    pass\nresult = 1",
    ],
)
def test_what_is_listed_can_be_imported(code: str) -> None:
    guarded = allowed(code)
    assert (guarded.code, guarded.repairs) == (code, ())


@pytest.mark.parametrize(
    "code",
    [
        "from scipy import stats\nresult = stats.skew([1, 2])",
        "from scipy.stats import skew, kurtosis as k\nresult = k([1]) + skew([1, 2])",
        "import scipy.stats as st\nresult = st.norm.cdf(1)",
        "import scipy.optimize\nresult = scipy.optimize.brentq(lambda x: x, -1, 1)",
        "import statsmodels.api as sm, statsmodels.formula.api as smf\nresult = sm.add_constant(df)",
        "from statsmodels.formula.api import ols\nresult = ols('price ~ qty', data=df).fit()",
        "from statsmodels.stats.multitest import multipletests\nresult = multipletests([0.1])",
        "from sklearn.linear_model import (\n    LinearRegression,\n    Lasso as L,\n)\nresult = L()",
    ],
)
def test_with_the_extra_more_can_be_imported(code: str) -> None:
    assert allowed(code, with_stats=True).code == code
    assert problems(code)


@pytest.mark.parametrize(
    "code, hint",
    [
        ("import os", LEAVE_OUT),
        ("import pandas as pd, os", LEAVE_OUT),
        ("import statsmodels.api", LEAVE_OUT),
        ("from math import *", LEAVE_OUT),
        ("from . import pd", LEAVE_OUT),
        ("from pandas import read_csv", LEAVE_OUT),
        ("from pandas.io import common", LEAVE_OUT),
        ("from numpy import fromfile", "Did you mean `fromiter`?"),
        ("from scipy.stats import skw", "Did you mean `skew`?"),
        ("from scipy import io", LEAVE_OUT),
        ("from sklearn.utils import Ridge", LEAVE_OUT),
        ("from datetime import sys", LEAVE_OUT),
        ("from math import pi as df", "`df` stands for something else, too: give it another name."),
        ("from math import pi\npi = 3", "`pi` stands for something else, too: give it another name."),
        (
            "from math import pi\nf = lambda pi: pi",
            "`pi` stands for something else, too: give it another name.",
        ),
        ("from math import pi, e as pi", "`pi` stands for something else, too: give it another name."),
    ],
)
def test_other_imports_are_refused_with_what_to_write(code: str, hint: str) -> None:
    (problem,) = problems(f"{code}\nresult = 1", with_stats=True)
    assert (problem.what, problem.hint) == ("`import` is not available here.", hint)


def test_what_comes_with_the_extra_is_refused_with_its_name() -> None:
    (problem,) = problems("from scipy.stats import skew\nresult = 1")
    assert problem.hint == EXTRA


@pytest.mark.parametrize(
    "code",
    [
        "from numpy import ndarray\nresult = ndarray((2,), 'O')",
        "from numpy import ndarray as array\nresult = array((2,), 'O')",
        "from numpy import array as f\nresult = f([1], dtype=chr(79))",
        "from pandas import Series\nresult = Series([1], None, chr(79))",
        "from pandas import set_option\nset_option('io.excel.xlsx.reader', 'x')\nresult = 1",
        "from pandas import date_range\nresult = date_range('2024', None, 2, 'D', 'dateutil' '//x')",
        "from pandas import NamedAgg\nresult = df.agg(x=NamedAgg('price', 'to_' + 'csv'))",
        "import numpy as x\nresult = x",
        "import numpy as x\nresult = [x][0].load",
        "from datetime import datetime\nresult = datetime.now('dateutil' + chr(47))",
        "from numpy import lib\nresult = lib",
    ],
)
def test_what_is_imported_is_judged_by_its_own_rules(code: str) -> None:
    assert problems(code)


def test_with_the_extra_formulas_of_imported_models_are_judged() -> None:
    code = "from statsmodels.formula.api import ols as fit\nresult = fit('price ~ __import__(\"os\")', df)"
    assert problems(code, with_stats=True)


def test_more_threads_than_there_are_become_one() -> None:
    guarded = allowed("result = RandomForestClassifier(n_jobs=-1,\n    max_depth=2)", with_stats=True)
    assert guarded.code == "result = RandomForestClassifier(n_jobs=1,\n    max_depth=2)"
    assert guarded.repairs == ("wrote `n_jobs=1`: there is one thread",)
