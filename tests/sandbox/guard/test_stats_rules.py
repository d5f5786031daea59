"""With the extra `stats`, the guard knows more names, and the formulas that are code."""

import pytest

from tests.sandbox.guard.verdicts import allowed, problems

STATS_NEIGHBOURS = {
    "formula with code": ("smf.ols('price ~ open(\"x\").read()', df)", "smf.ols('price ~ qty', df)"),
    "formula with a dunder": ("smf.ols('price ~ __import__', df)", "smf.ols('price ~ C(region)', df)"),
    "formula with an attribute": (
        "smf.ols('price ~ qty.__class__', df)",
        "smf.ols('price ~ qty:region + qty*date - 1', df)",
    ),
    "formula with a call": (
        "smf.ols('price ~ I(print(1))', df)",
        "smf.ols('price ~ I(qty ** 2) + np.log(qty)', df)",
    ),
    "formula with a subscript": ("smf.ols('price ~ qty[0]', df)", "smf.ols('price ~ Q(\"unit price\")', df)"),
    "formula with a module": ("smf.ols('price ~ np.load(qty)', df)", "smf.ols('np.log(price) ~ qty', df)"),
    "formula with a list": ("smf.ols('price ~ [qty]', df)", "smf.ols('price ~ (qty + date):region', df)"),
    "formula in braces": ("smf.ols('price ~ {qty}', df)", "smf.ols(formula='price ~ qty', data=df)"),
    "formula put together": (
        "smf.ols('price ~ ' + '+'.join(df.columns), df)",
        "f = 'price ~ qty'\nx = smf.ols(f, df)",
    ),
    "formula by a spread": ("smf.ols(**dict(formula='a'))", "smf.ols('price ~ qty', data=df)"),
    "model as a value": ("f = smf.ols", "f = sm.OLS"),
    "scope of a formula": (
        "smf.ols('price ~ qty', df, eval_env=0)",
        "smf.ols('price ~ qty', df, missing='drop')",
    ),
    "cache of a pipeline": (
        "make_pipeline(LinearRegression(), memory='/tmp')",
        "make_pipeline(LinearRegression(), memory=None)",
    ),
    "saved model": ("sm.OLS(df.price, df.qty).fit().save('x')", "sm.OLS(df.price, df.qty).fit().params"),
    "module of SciPy": ("scipy.stats.np", "scipy.stats.norm"),
    "loaded data": ("sm.datasets.get_rdataset('iris')", "sm.add_constant(df.price)"),
}


@pytest.mark.parametrize("name", STATS_NEIGHBOURS)
def test_the_extra_too_has_its_rules(name: str) -> None:
    refused, neighbour = (f"{code}\nresult = 1" for code in STATS_NEIGHBOURS[name])
    assert problems(refused, with_stats=True), refused
    assert allowed(neighbour, with_stats=True).code == neighbour
    assert problems(neighbour), "without the extra, its names are not there"


def test_the_name_stats_may_be_taken() -> None:
    code = "stats = df.describe()\nresult = stats.loc['mean']"
    assert allowed(code).code == code
    assert allowed(code, with_stats=True).code == code
    assert problems("result = stats.norm\nstats = stats.norm", with_stats=True)
