"""Filled figures are what an independent evaluation gives, at the precision that they are written with."""

import datetime as dt
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.engine.backends.duckdb import DuckDBEngine
from tests.answers.tables import result_of
from tests.effort import examples

LANGUAGES = {
    "en": ("The figure is <", "> in all of it", ",", "."),
    "uk": ("Показник дорівнює <", "> за весь час, і це її рівень", "\u00a0", ","),
    "ru": ("Показатель равен <", "> за всё время", "\u00a0", ","),
}
SCALES = {
    "en": {"k": "K", "M": "M", "B": "B"},
    "uk": {"k": "\u00a0тис.", "M": "\u00a0млн", "B": "\u00a0млрд"},
    "ru": {"k": "\u00a0тыс.", "M": "\u00a0млн", "B": "\u00a0млрд"},
}
POWERS = {"k": 3, "M": 6, "B": 9}
LABELS = ("North", "South", "Östlich", "O'Brien", 'a "b"', "{x}", "2023", "Захід", "x: y", "[0]")


@dataclass(frozen=True)
class Made:
    """An expression, and its exact value by other means."""

    source: str
    value: Fraction


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[str, int, float]]:
    labels = draw(st.lists(st.sampled_from(LABELS), min_size=2, max_size=8, unique=True))
    whole = st.integers(-(10**9), 10**9)
    part = st.integers(-(10**9), 10**9).map(lambda n: n / 128)  # exact in binary
    return [(label, draw(whole), draw(part)) for label in labels]


def string(label: str) -> str:
    return '"' + label.replace('"', '\\"') + '"'


@st.composite
def expressions(draw: st.DrawFn, table: Sequence[tuple[str, int, float]], depth: int = 2) -> Made:
    columns: Mapping[str, list[Any]] = {"n": [row[1] for row in table], "x": [row[2] for row in table]}
    name = draw(st.sampled_from(["n", "x"]))
    if depth == 0 or draw(st.booleans()):
        place = draw(st.integers(0, len(table) - 1))
        label = string(table[place][0])
        kinds: dict[str, Callable[[], Made]] = {
            "label": lambda: Made(f"r1.{name}[{label}]", Fraction(columns[name][place])),
            "position": lambda: Made(f"r1.{name}[{place - len(table)}]", Fraction(columns[name][place])),
            "row": lambda: Made(f"r1[{label}].{name}", Fraction(columns[name][place])),
            "sum": lambda: Made(f"sum(r1.{name})", sum(map(Fraction, columns[name]), Fraction())),
            "max": lambda: Made(f"max(r1.{name})", Fraction(max(columns[name]))),
            "median": lambda: Made(f"median(r1.{name})", statistics.median(map(Fraction, columns[name]))),
            "mean": lambda: Made(f"mean(r1.{name})", statistics.mean(map(Fraction, columns[name]))),
            "count": lambda: Made(f"count(r1.{name})", Fraction(len(table))),
        }
        return kinds[draw(st.sampled_from(sorted(kinds)))]()
    left = draw(expressions(table, depth - 1))
    right = draw(expressions(table, depth - 1))
    operator = draw(st.sampled_from("+-*/"))
    if operator == "/":
        assume(right.value)
    value = {
        "+": lambda: left.value + right.value,
        "-": lambda: left.value - right.value,
        "*": lambda: left.value * right.value,
        "/": lambda: left.value / right.value,
    }[operator]()
    return Made(f"({left.source}) {operator} ({right.source})", value)


def read(text: str, language: str, spec: str) -> Fraction:
    """Read a figure back, by the rules of its language alone."""
    _, _, thousands, decimal = LANGUAGES[language]
    scale = 1
    for letter, suffix in SCALES[language].items():
        if spec.endswith(letter):
            assert text.endswith(suffix), text
            text, scale = text.removesuffix(suffix), 10 ** POWERS[letter]
    if spec.endswith("%"):
        text = text.removesuffix("%")
        return Fraction(text.replace(thousands, "").replace(decimal, ".")) / 100
    whole = text.lstrip("+-").partition(decimal)[0]
    assert "," not in spec or re.fullmatch(rf"\d{{1,3}}(?:{thousands}\d{{3}})*", whole), text
    return Fraction(text.replace(thousands, "").replace(decimal, ".")) * scale


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data(), table=rows(), language=st.sampled_from(sorted(LANGUAGES)))
def test_a_filled_figure_equals_an_independent_evaluation(
    engine: DuckDBEngine, data: st.DataObject, table: list[tuple[str, int, float]], language: str
) -> None:
    made = data.draw(expressions(table))
    places = data.draw(st.integers(0, 4))
    form = data.draw(st.sampled_from([",.{}f", ".{}f", "+,.{}f", ",.{}%", ".{}k", ".{}M", ",.{}B"]))
    spec = form.format(places)
    columns = {name: [row[at] for row in table] for at, name in enumerate(("label", "n", "x"))}
    result = result_of(engine, columns, keys=["label"])
    before, after, _, _ = LANGUAGES[language]
    checked = check_answer(f"{before}{{{made.source}:{spec}}}{after}", AnswerContext(results=[result]))

    if spec.endswith("%") and checked.issues:
        # What is no percentage: a figure of one column beyond 1,000%, or a whole number that counts.
        assert abs(made.value) > 10 or made.value.denominator == 1, checked
        assert "no percentage" in checked.issues[0]
        return
    assert checked.issues == (), checked
    text = checked.text.removeprefix(before).removesuffix(after)
    unit = Fraction(1, 10**places)
    unit *= Fraction(1, 100) if spec.endswith("%") else 10 ** POWERS.get(spec[-1], 0)
    close = abs(read(text, language, spec) - made.value)
    # Floats on the way lose a little; what is exact is written exactly.
    slack = abs(made.value) * Fraction(1, 10**12) + Fraction(1, 10**9)
    assert close <= unit / 2 + slack, (text, float(made.value))
    (receipt,) = checked.verification.receipts
    assert receipt.text == text
    assert receipt.expression == made.source
    assert receipt.status in {"verified", "derived"}


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(value=st.integers(-(10**30), 10**30), language=st.sampled_from(sorted(LANGUAGES)))
def test_whole_numbers_of_any_size_keep_every_digit(engine: DuckDBEngine, value: int, language: str) -> None:
    assume(abs(value) < 10**37)
    result = result_of(engine, {"n": [0]})
    object.__setattr__(result, "line", lambda _: _line(value))
    before, after, _, _ = LANGUAGES[language]
    checked = check_answer(f"{before}{{r1.n:,.0f}}{after}", AnswerContext(results=[result]))
    text = checked.text.removeprefix(before).removesuffix(after)
    assert read(text, language, ",.0f") == value


def _line(value: int) -> Any:
    from tabchat.engine.result.lookup import Line

    return Line(position=0, cells={"n": value})


@pytest.mark.parametrize(
    "language, spec, written",
    [
        ("en", "%d %B %Y", "05 March 2024"),
        ("en", "%B %-d, %Y", "March 5, 2024"),
        ("en", "%b %Y", "Mar 2024"),
        ("en", "%A", "Tuesday"),
        ("uk", "%e %B %Y", "5 березня 2024"),
        ("uk", "%B %Y", "березень 2024"),
        ("uk", "%A", "вівторок"),
        ("ru", "%d.%m.%Y", "05.03.2024"),
        ("ru", "%e %B", "5 марта"),
        ("ru", "%B", "март"),
        ("en", "", "2024-03-05"),
        ("en", "%H:%M", "00:00"),
        ("en", "%Y-%m-%d %%", "2024-03-05 %"),
    ],
)
def test_dates_are_written_in_the_language_of_the_answer(
    engine: DuckDBEngine, language: str, spec: str, written: str
) -> None:
    for day in (dt.date(2024, 3, 5), dt.datetime(2024, 3, 5), "2024-03-05"):  # noqa: DTZ001 - as cells are
        result = result_of(engine, {"d": [day]})
        before, after, _, _ = LANGUAGES[language]
        colon = ":" if spec else ""
        checked = check_answer(f"{before}{{r1.d{colon}{spec}}}{after}", AnswerContext(results=[result]))
        assert checked.text == f"{before}{written}{after}"


@pytest.mark.parametrize(
    "value, spec, written",
    [
        (1234.5678, "", "1234.5678"),
        (1234.56789, "", "1234.5679"),
        (1234567, "", "1234567"),
        (1234567, ",", "1,234,567"),
        (0.1234, ".1%", "12.3%"),
        (0.5, "+.0%", "+50%"),
        (-0.5, "+.1f", "-0.5"),
        (2.5, ".0f", "2"),
        (3.5, "d", "4"),
        (1234.5, ".3g", "1.23e+03"),
        (1_234_567, ".1M", "1.2M"),
        (1_234, ".1k", "1.2K"),
        (1_234, "K", "1.2K"),
        (None, ",.0f", "no value"),
        (float("nan"), ",.0f", "no value"),
        (True, "", "true"),
        ("text", "", "text"),
        ("text", ">10", "text"),
        (12.0, ">10,.1f", "12.0"),
    ],
)
def test_formats_are_a_subset_of_pythons(engine: DuckDBEngine, value: Any, spec: str, written: str) -> None:
    result = (
        result_of(engine, {"n": [value]})
        if value is not None
        else result_of(engine, {"n": [None, 1.0]}, keys=[])
    )
    place = "r1.n" if value is not None else "r1.n[0]"
    colon = ":" if spec else ""
    checked = check_answer(f"It is {{{place}{colon}{spec}}} now", AnswerContext(results=[result]))
    assert checked.text == f"It is {written} now"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("{r1.n:zz}", "has no format"),
        ("{r1.t:,.0f}", "is no number"),
        ("{r1.n:%B}", "is no date"),
        ("1{r1.n}", "stands against other digits"),
        ("{r1.n}5", "stands against other digits"),
        ("{r1.n}.5", "stands against other digits"),
        ("fell -{r1.n}", "stands after a minus"),
        ("{r1.n:,.0f} million", "multiplied by the word after it"),
        ("{r1.n:,.0f} млн", "multiplied by the word after it"),
        ("{r1.n:.1k} million", "another scale"),
        ("{r1.n * 14000000}", "holds 14000000"),
        ("{r1.part}%", "is a part of one"),
        ("{r1.n / r1.n}%", "is a part of one"),
        ("{total}", "there is no total"),
        ("{r2}", "there is no r2"),
        ("{{ds_abc.value}}", "there is no ds_abc"),
    ],
)
def test_what_would_make_another_number_of_a_figure_is_sent_back(
    engine: DuckDBEngine, text: str, reason: str
) -> None:
    result = result_of(engine, {"n": [7], "t": ["x"], "part": [0.25]})
    checked = check_answer(f"It {text}", AnswerContext(results=[result]))
    assert reason in checked.issues[0]
    assert checked.verification.status == "unverified"
    assert checked.feedback is not None
    assert checked.feedback.startswith("Validation errors:\n- {")


@pytest.mark.parametrize(
    "text, read",
    [
        ("${r1.n:,.2f}", "-$7.50"),
        ("{r1.n:.1f}%", "-7.5%"),
        ("{r1.n:.1M}", "-0.0M"),
        ("{r1.n / 1000000:.7f} million", "-0.0000075 million"),
        ("from {r1.n}-{r1.m}", "from -7.5-9"),
        ("{r1.m / 1000:.3f}k", "0.009k"),
        ("{r1.share * 100:.0f}%", "25%"),
        ("{r1.share:.0%}", "25%"),
        ("{r1.share:.0%} %", "25 %"),
        ("{r1.m:.1M} million", "0.0 million"),
        ("`{r1.m}` and {r1.m!r}", "`9` and 9"),
        ('{"a": 1}', '{"a": 1}'),
        ("\\frac{a}{b} and x_{i}", "\\frac{a}{b} and x_{i}"),
        ("```\nd = {key}\n```", "```\nd = {key}\n```"),
        ("{{r1.m}}", "9"),
        ("{{{r1.m}}}", "{9}"),
        ("{{total}}", "{total}"),
        ("a { b } c", "a { b } c"),
    ],
)
def test_what_stands_around_a_figure_is_minded(engine: DuckDBEngine, text: str, read: str) -> None:
    result = result_of(engine, {"n": [-7.5], "m": [9], "share": [0.25]})
    checked = check_answer(f"It {text}", AnswerContext(results=[result], question="1"))
    assert checked.text == f"It {read}"
    assert checked.issues == ()
