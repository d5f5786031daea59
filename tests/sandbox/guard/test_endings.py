"""Code must leave what its operation asks for; what is certain is repaired, the rest is explained."""

import pytest

from tests.sandbox.guard.verdicts import allowed, problems

CHANGING = (
    "End with `result = …`, the value that is asked for. "
    "To change the table, say `op: edit`, or use `tabchat edit`."
)


def test_a_last_line_that_is_a_value_becomes_the_result() -> None:
    guarded = allowed("x = df.price\n(\n    x.sum()\n)  # total")
    assert guarded.code == "x = df.price\nresult = (\n    x.sum()\n)  # total"
    assert guarded.repairs == ("wrote `result = ` before line 2",)


def test_a_last_line_behind_other_letters_and_a_semicolon_is_found() -> None:
    assert allowed("x = 'ї'; df['виручка'].sum()").code == "x = 'ї'; result = df['виручка'].sum()"


@pytest.mark.parametrize(
    "code, hint",
    [
        ("total = df.price.sum()", "End with `result = total`."),
        ("print(df.price.sum())", "Write `result = …` instead of `print(…)`."),
        ("df.sort_values('price', inplace=True)", CHANGING),
        ("for c in df.columns:\n    df[c].sum()", "End with `result = …`, the value that is asked for."),
        ("'a text'", "End with `result = …`, the value that is asked for."),
    ],
)
def test_code_without_a_result_is_told_how(code: str, hint: str) -> None:
    (problem,) = problems(code)
    assert problem.what == "The code leaves nothing in `result`."
    assert problem.hint == hint


@pytest.mark.parametrize("code", ["[result for result in [1]]\nx = 1", "f = lambda result: result\nx = 1"])
def test_a_result_inside_of_something_is_none(code: str) -> None:
    assert [problem.what for problem in problems(code)] == ["The code leaves nothing in `result`."]


def test_reading_does_not_commit() -> None:
    (problem,) = problems("result = 1\nCOMMIT_DF = True")
    assert (problem.line, problem.what) == (2, "`COMMIT_DF` is set, but `op` is `read`.")


@pytest.mark.parametrize(
    "code",
    [
        "df = df.dropna()\nCOMMIT_DF = True",
        "df['x'] = df.price * 2\nCOMMIT_DF = True",
        "df.loc[df.qty < 0, 'qty'] = 0\nCOMMIT_DF = True",
        "del df['price']\nCOMMIT_DF = True",
        "df.columns = [c.upper() for c in df.columns]\nCOMMIT_DF = True",
        "df.drop(columns=['price'], inplace=True)\nCOMMIT_DF = True",
        "df.insert(0, 'n', 1)\nCOMMIT_DF = True\nresult = len(df)",
        "if df.empty:\n    raise ValueError('empty')\ndf['x'] = 1\nCOMMIT_DF = True",
    ],
)
def test_an_edit_changes_the_table_and_says_so(code: str) -> None:
    guarded = allowed(code, op="edit")
    assert (guarded.code, guarded.repairs) == (code, ())


@pytest.mark.parametrize(
    "code, repaired",
    [
        ("df.drop(columns=['price'])\nCOMMIT_DF = True", "df = df.drop(columns=['price'])\nCOMMIT_DF = True"),
        (
            "x = 1\ndf.dropna().rename(columns={'qty': 'n'})\nCOMMIT_DF = True",
            "x = 1\ndf = df.dropna().rename(columns={'qty': 'n'})\nCOMMIT_DF = True",
        ),
    ],
)
def test_a_new_table_that_nothing_keeps_is_kept(code: str, repaired: str) -> None:
    assert allowed(code, op="edit").code == repaired


@pytest.mark.parametrize(
    "code, what",
    [
        ("df['x'] = 1", "`op` is `edit`, but `COMMIT_DF` is not set."),
        ("df['x'] = 1\nCOMMIT_DF = 1", "`COMMIT_DF` is not set to True."),
        ("df['x'] = 1\nCOMMIT_DF = len(df) > 0", "`COMMIT_DF` is not set to True."),
        ("df['x'] = 1\nfor COMMIT_DF in [True]:\n    pass", "`COMMIT_DF` is not set to True."),
        ("result = df.price.sum()\nCOMMIT_DF = True", "The code does not change `df`."),
        ("df.price.sum()\nCOMMIT_DF = True", "The code does not change `df`."),
        ("df.describe()\nCOMMIT_DF = True", "The code does not change `df`."),
        ("df.dropna()\ndf.round(1)\nCOMMIT_DF = True", "The code does not change `df`."),
        ("df.dropna(inplace=False).shape\nCOMMIT_DF = True", "The code does not change `df`."),
    ],
)
def test_an_edit_that_is_not_certain_is_not_repaired(code: str, what: str) -> None:
    assert [problem.what for problem in problems(code, op="edit")] == [what]


def test_the_lines_are_those_of_the_code_without_its_indentation() -> None:
    guarded = allowed("\n    x = 1\n    if x:\n        result = x\n")
    assert guarded.code == "\nx = 1\nif x:\n    result = x\n"


@pytest.mark.parametrize(
    "code, better",
    [
        ("df[df.qty > 1]['price'] = 0", 'Write `df.loc[rows, "column"] = …`.'),
        ("df['price'][0] = 0", 'Write `df.loc[rows, "column"] = …`.'),
        ("df.loc[df.qty > 1]['price'] = 0", 'Write `df.loc[rows, "column"] = …`.'),
        ("df['price'].fillna(0, inplace=True)", 'Write `df["column"] = df["column"]. …`.'),
    ],
)
def test_a_change_that_pandas_loses_is_told(code: str, better: str) -> None:
    (problem,) = problems(f"{code}\nCOMMIT_DF = True", op="edit")
    assert (problem.what, problem.hint) == ("This changes a copy, not `df`.", better)


def test_all_problems_are_told_at_once_in_order() -> None:
    found = problems("import os\nx = open('a')\nresult = x.read()\nCOMMIT_DF = True")
    assert [(problem.line, problem.column) for problem in found] == [(1, 1), (2, 5), (3, 10), (4, 1)]
    assert found[1].what == "`open` is not available here."
    assert found[1].hint == (
        "Files are out of reach; the table is in `df`. "
        "The code may use df, pd, np, re, math, statistics, datetime."
    )
