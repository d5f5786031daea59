"""Texts that could outgrow the session are told from those that cannot, and no function of the plans is forgotten."""

import pytest
from sqlglot import parse_one

from tabchat.engine.bounded.growth import outgrows
from tabchat.engine.functions import FUNCTIONS

JOINED = " || ".join(["a"] * 300)
DOUBLED = "".join(f", l{n + 1} AS (SELECT concat(x, x) AS x FROM l{n})" for n in range(9))


@pytest.mark.parametrize(
    "sql, grows",
    [
        ("SELECT a, length(a) FROM t", False),
        ("SELECT a || '-' || b || '-' || c FROM t", False),
        (f"SELECT {JOINED} FROM t", True),
        ("SELECT concat(a, b, 'x') FROM t", False),
        (f"WITH l0 AS (SELECT a AS x FROM t){DOUBLED} SELECT x FROM l9", True),
        (
            f"SELECT max(x) FROM (SELECT * FROM (WITH l0 AS (SELECT a AS x FROM t){DOUBLED} SELECT x FROM l9))",
            True,
        ),
        ("SELECT replace(a, ',', '.') FROM t", False),
        ("SELECT replace(replace(a, 'x', 'yy'), 'y', 'zz') FROM t", False),
        (f"SELECT replace(a, 'x', '{'x' * 300}') FROM t", True),
        (f"SELECT replace(replace(a, 'x', '{'x' * 20}'), 'x', '{'x' * 20}') FROM t", True),
        ("SELECT replace(a, 'x', b) FROM t", True),
        ("SELECT replace(a, 'x', concat('y', 'z')) FROM t", True),
        ("SELECT 'replace' AS x FROM t", False),
        ("SELECT CAST(year(d) AS VARCHAR) || '-Q' || CAST(quarter(d) AS VARCHAR) FROM t", False),
    ],
)
def test_what_may_outgrow_a_cell(sql: str, *, grows: bool) -> None:
    assert outgrows(parse_one(sql, dialect="duckdb"), sql) is grows


def test_every_function_of_the_plans_that_gives_a_text_is_known() -> None:
    shortens = {"left", "right", "substring", "trim", "without_notes"}
    keeps_the_length = {"lower", "upper"}
    names_a_date = {"dayname", "monthname", "period_month", "period_quarter"}
    is_counted = {"concat", "replace"}
    texts = {name for name, function in FUNCTIONS.items() if function.returns == "text"}
    assert texts == shortens | keeps_the_length | names_a_date | is_counted
    # The others that can give a text give one of those that they were given.
    assert all(function.picks for function in FUNCTIONS.values() if function.returns == "any")
