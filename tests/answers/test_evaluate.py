"""Expressions over results: what they give, what they refuse, and that nothing else can be reached."""

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.answers.evaluate import FUNCTIONS, Evaluator, quoted, reference
from tabchat.answers.figures import EvaluationError, Figure
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result import lookup
from tests.answers.tables import result_of
from tests.effort import examples

REGIONS: dict[str, list[Any]] = {
    "region": ["North America", "Europe", "Asia", "Africa"],
    "revenue": [100.5, 80.25, 80.25, None],
    "orders": [10, 8, 20, 1],
    "odd name": [1, 2, 3, 4],
}
DAYS: dict[str, list[Any]] = {
    "day": [dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(2024, 2, 15)],
    "price": [Decimal("1.10"), Decimal("2.20"), Decimal("3.30")],
}
SALES: dict[str, list[Any]] = {
    "region": ["Europe", "Europe", "Asia"],
    "year": [2023, 2024, 2024],
    "revenue": [1, 2, 3],
}
MONTHS: dict[str, list[Any]] = {"month": [1, 2, 3], "revenue": [10, 20, 30]}


@pytest.fixture(scope="module", params=[lookup.FETCHED, 0], ids=["fetched", "queried"])
def evaluator(engine: DuckDBEngine, request: pytest.FixtureRequest) -> Iterator[Evaluator]:
    """Evaluate over results that are fetched whole, and over the same ones as if they were too large for that."""
    results = (
        result_of(engine, REGIONS, keys=["region"], number=1, source_rows=39),
        result_of(engine, {"total": [261]}, number=2),
        result_of(engine, DAYS, number=3),
        result_of(engine, SALES, keys=["region", "year"], number=4),
        result_of(engine, MONTHS, keys=["month"], number=5),
        result_of(
            engine,
            {"id": range(5_000), "label": [f"row {n}" for n in range(5_000)], "x": range(5_000)},
            number=6,
        ),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookup, "FETCHED", request.param)
        yield Evaluator({result.number: result for result in results})


@pytest.mark.parametrize(
    "source, value",
    [
        ("r2.total", 261),
        ("r2", 261),
        ("r2.value", 261),
        ("R2.Total", 261),
        ('r1.revenue["Europe"]', 80.25),
        ('r1.revenue["  EUROPE "]', 80.25),
        ("r1.revenue['Europe']", 80.25),
        ('r1["Europe"].revenue', 80.25),
        ('r1["Europe"]["odd name"]', 2),
        ('r1["odd name"]["Asia"]', 3),
        ("r1.orders[0]", 10),
        ("r1.orders[-1]", 1),
        ("r1[1].orders", 8),
        ("r1.rows", 4),
        ("count(r1)", 4),
        ("len(r1.revenue)", 3),
        ("r1.source_rows", 39),
        ('r4.revenue["Europe", 2024]', 2),
        ("r4.revenue[2023]", 1),
        ('r4.revenue["asia"]', 3),
        ('r4["revenue"]["2024", "asia"]', 3),
        ('r3.price["2024-02-15"]', Decimal("3.30")),
        ('r3.price["2024-01"]', Decimal("1.10")),
        ("r3.day[0]", dt.date(2024, 1, 1)),
        ("r3.day[-1] - r3.day[0]", 45),
        ('r5.revenue["3"]', 30),
        ("r5.revenue[0]", 10),
        ("r5.revenue[-1]", 30),
        ("sum(r1.orders)", 39),
        ("sum(r1.orders[:2])", 18),
        ("mean(r1.orders[1:3])", 14),
        ("median(r1.orders)", 9),
        ("min(r1.revenue)", 80.25),
        ("max(r3.day)", dt.date(2024, 2, 15)),
        ("sum(r3.price)", Decimal("6.60")),
        ("sum([r1.orders[0], r1.orders[1]])", 18),
        ("max(r1.orders[0], r2.total)", 261),
        ("mean(r1.orders[0], r1.orders[1])", 9),
        ("argmax(r1.orders)", "Asia"),
        ("argmin(r1.orders)", "Africa"),
        ("argmin(r1.revenue)", "Europe, Asia"),
        ("r1.orders[argmax(r1.orders)]", 20),
        ("r1.revenue[argmin(r1.revenue)]", 80.25),
        ("r5.revenue[argmax(r5.revenue)]", 30),
        ("argmax(r5.revenue)", 3),
        ("r4.revenue[argmax(r1.orders), 2024]", 3),
        ("abs(r1.orders[3] - r1.orders[0])", 9),
        ("round(r1.revenue[0])", 100),
        ("round(r1.revenue[0] / 3, 2)", 33.5),
        ("(r1.orders[0] - r1.orders[1]) / r1.orders[1] * 100", 25.0),
        ("-r1.orders[0] + 2 * 3 - 1 ** 2", -5),
        ("(r1.orders[0] / r1.orders[1]) ** (1 / 2)", 1.25**0.5),
        ("r3.price[0] * 2", Decimal("2.20")),
        ('r6.x["row 4321"]', 4321),
        ("r6.x[4999]", 4999),
        ("argmax(r6.x)", "4999, row 4999"),
        ("r6.label[argmax(r6.x)]", "row 4999"),
        ("sum(r6.x)", 12_497_500),
        ("sum(r6.x[10:20])", 145),
        ("r6.x[17]", 17),
    ],
)
def test_an_expression_has_the_value_of_its_cells(evaluator: Evaluator, source: str, value: Any) -> None:
    figure = evaluator.evaluate(source)
    assert figure.value == value
    assert figure.cells


@pytest.mark.parametrize(
    "source, words",
    [
        ("r9.total", "there is no r9; results: r1, r2, r3, r4, r5, r6"),
        ("revenue", "there is no revenue"),
        ('r1.revenue["Europ"]', 'r1 has no row "Europ"; region: North America, Europe, Asia, Africa'),
        ("r1.revenu[0]", 'r1 has no column "revenu"; nearest: revenue'),
        ("r1.revenue", "has 4 values: write r1.revenue[LABEL or 0], or sum(r1.revenue)"),
        ("r1", "is the whole of r1: name a column, or write {r1} alone on a line"),
        ('r1["odd name"]', 'has 4 values: write r1["odd name"][LABEL or 0], or sum(r1["odd name"])'),
        ("r1.revenue[9]", "r1 has 4 rows, none at 9"),
        ("r5.revenue[1]", '[1] could be row 1 or the label 1; write ["1"] for the label'),
        ('r4.revenue["Europe"]', 'several rows of r4 are "Europe": name region and year, or a position'),
        ("r1.revenue.sum()", "of values; write sum(…)"),
        ("r1.revenue.mean", "write mean(…)"),
        ("r1.revenue[3] + 1", "no number"),
        ("r1.region[0] + 1", "no number"),
        ("sum(r1.region)", "sum() needs numbers; region is text"),
        ("argmax(r1.region)", "region has no largest or smallest value"),
        ("r1.orders[0] / (r1.orders[1] - 8)", "divides by zero"),
        ("1 + 1", "refers to no cell of a result"),
        ("14000000", "refers to no cell of a result"),
        ("'Europe'", "refers to no cell of a result"),
        ("r1.orders[0] if 1 else 2", "may hold only results"),
        ("r1.orders[0] and 1", "may hold only results"),
        ("r1.orders[0] > 1", "may hold only results"),
        ("r1.orders[0] // 1", "may hold only + - * / **"),
        ("r1.orders[0] | 1", "may hold only + - * / **"),
        ("pow(r1.orders[0], 2)", "has no function pow"),
        ("sum()", "calls only"),
        ("sum(r1.orders, start=1)", "calls only"),
        ("r1.orders[0:4:2]", "[a:b] takes rows a to b"),
        ("r1.orders[", "is no expression"),
        ("", "is no expression"),
        ("r1.orders[True]", "constant"),
        ("r1.orders[0] + 1j", "constant"),
        ('f"{r1}"', "may hold only results"),
    ],
)
def test_what_has_no_value_says_why(evaluator: Evaluator, source: str, words: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        evaluator.evaluate(source)
    assert words in caught.value.message


ESCAPES = [
    "().__class__.__bases__[0].__subclasses__()",
    "r1.__class__",
    "r1.result",
    "r1.frame.engine",
    "r1.revenue.column",
    "r1._rows",
    "r1.cite",
    "__import__('os').system('id')",
    "open('/etc/passwd').read()",
    "eval('1')",
    "(lambda: r1)()",
    "[x for x in r1.orders]",
    "{r1: 1}",
    "{r1}",
    "*r1",
    "(y := r1.orders[0])",
    "await r1",
    "sum.__globals__",
    "max(r1.orders, key=print)",
    "sum(*r1.orders)",
    "r1.orders[print('x')]",
    "r1.orders[lambda: 0]",
    "9**9**9",
    "r1.orders[0] ** 9 ** 9 ** 9",
    "r1.orders[0] ** 64 ** 64",
    "(r1.orders[0] ** 60) ** 60",
    "2 ** -r1.orders[0] ** 999",
    "'a' * 10**9",
    "r1.region[0] * 10**9",
    "(" * 90 + "r1.orders[0]" + ")" * 90,
    "-" * 390 + "1",
    "+".join(["r1.orders[0]"] * 30),
    "1" * 399,
    "r1.orders[" * 39 + "0" + "]" * 39,
    "\0",
    "r1.orders[0]\n+1",
    "r1.orders[0]; r1",
    "r1.orders[0] # comment",
    "r1.orders['\\d']",
    "r¹.orders[0]",
    "r١.orders[0]",
]


@pytest.mark.parametrize("source", ESCAPES)
def test_nothing_but_cells_can_be_reached(evaluator: Evaluator, source: str) -> None:
    try:
        figure = evaluator.evaluate(source)
    except EvaluationError:
        return
    assert isinstance(figure.value, (int, float, str))
    assert "r1" in source or "r١" in source


TOKENS = st.sampled_from(
    [
        "r1",
        "r2",
        "r3",
        "r9",
        ".",
        "revenue",
        "orders",
        "region",
        "day",
        "price",
        "total",
        "rows",
        "__class__",
        "mro",
        "format",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ",",
        ":",
        ";",
        "=",
        ":=",
        "'Europe'",
        '"Asia"',
        '""',
        "0",
        "1",
        "-1",
        "2",
        "7",
        "1e308",
        "999999",
        "0.5",
        "+",
        "-",
        "*",
        "/",
        "**",
        "//",
        "%",
        "@",
        "&",
        "|",
        "<",
        "==",
        "sum",
        "mean",
        "min",
        "max",
        "count",
        "abs",
        "round",
        "argmax",
        "argmin",
        "lambda",
        "for",
        "in",
        "if",
        "else",
        "not",
        "and",
        "or",
        "await",
        "yield",
        "None",
        "True",
        "f''",
        "b''",
        "\\",
        "#",
        "print",
        "open",
        "eval",
        "import",
        "é",
        "{{",
        "}}",
    ]
)


@settings(
    max_examples=examples(400), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(pieces=st.lists(TOKENS, max_size=40))
def test_any_text_has_a_figure_or_a_reason(evaluator: Evaluator, pieces: list[str]) -> None:
    try:
        figure = evaluator.evaluate(" ".join(pieces))
    except EvaluationError:
        return
    assert isinstance(figure, Figure)
    assert figure.cells


HOSTILE = [
    "C:\\dir",
    "C:\\\\dir",
    "a\\",
    "{r1.x}",
    "{{",
    "}}",
    '"',
    "'",
    "\\",
    'a"b',
    "r1.total",
    "]",
    "][",
    "{",
    "}",
    "a: b",
    ":,.0f",
    "r1",
    "%d",
    "é\u202e",
    "`",
    "| a |",
    "<b>",
    '\\"',
    "0",
    "-1",
    "null",
    "sum(r1.x)",
]


@pytest.mark.parametrize("label", HOSTILE)
def test_hostile_labels_and_headers_are_text(engine: DuckDBEngine, label: str) -> None:
    from tabchat.answers.check import AnswerContext, check_answer

    result = result_of(engine, {label: [label, "other"], "x": [5, 6]}, keys=[label])
    evaluator = Evaluator({1: result})
    assert evaluator.evaluate(f"r1.x[{quoted(label)}]").value == 5
    assert evaluator.evaluate(f"{reference(result, label)}[0]").value == label
    text = f"Of {{{reference(result, label)}[0]}}: {{r1.x[{quoted(label)}]}} and {{r1.x[1]}}"
    checked = check_answer(text, AnswerContext(results=[result]))
    assert checked.text.endswith(": 5 and 6")
    assert checked.text.startswith(f"Of {label.replace(chr(0x202E), '').strip()}") or "\u202e" in label
    assert checked.verification.status == "verified"


def test_functions_are_these() -> None:
    assert FUNCTIONS == ("sum", "mean", "median", "min", "max", "count", "abs", "round", "argmax", "argmin")


def test_at_strict_rows_are_named_by_position_alone(engine: DuckDBEngine) -> None:
    strict = Evaluator({1: result_of(engine, MONTHS, keys=["month"])}, by_label=False)
    assert strict.evaluate("r1.revenue[1]").value == 20
    for source in ('r1.revenue["3"]', "r1.revenue[7]", 'r1["3"].revenue'):
        with pytest.raises(EvaluationError) as caught:
            strict.evaluate(source)
        assert not caught.value.names_data
