"""Placeholders are filled in on this machine, once, each with the cell that it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.chat.answer import Claim, Trace
from tabchat.chat.placeholders import fill
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tabchat.engine.result import Result
    from tabchat.engine.types import JsonValue

CSV = """region,city,year,price,share,visits
Asia,Osaka,2023,10.5,50%,1200
Asia,{{ds_s.value}},2024,1234567.891,25%,3400
Europe,Köln,2024,0.00001234,100%,3400
Europe,Lviv,2023,,75%,5
"""
PLANS: dict[str, dict[str, JsonValue]] = {
    "ds_s": {"select": "sum(visits)"},
    "ds_p": {"select": "mean(share)"},
    "ds_d": {"select": ["min(visits) as least", "max(price) as most", "min(price)"]},
    "ds_g": {"group_by": "region", "select": ["sum(visits)", "count()"]},
    "ds_tied": {"group_by": "city", "select": "max(visits)"},
    "ds_t": {"sort": "visits desc", "columns": ["city", "year", "visits", "price"]},
    "ds_two": {"group_by": "city", "select": ["max(visits) as v", "max(5000 - visits) as n"]},
    "ds_y": {"group_by": "year", "select": "sum(visits)"},
    "ds_none": {"select": "mean(price)", "where": "visits < 0"},
}


@pytest.fixture(scope="module")
def result_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Result]:
    folder: Path = tmp_path_factory.mktemp("placeholders")
    source = folder / "shops.csv"
    source.write_text(CSV, encoding="utf-8")
    executor = make_executor(make_workspace(folder, source))
    results: dict[str, Result] = {}
    for key, plan in PLANS.items():
        result = executor.run("run_query", plan).result
        assert result is not None
        results[key] = result
    return lambda key: results["ds_s" if key == "_" else key]


@pytest.mark.parametrize(
    "placeholder, filled",
    [
        ("ds_s.value", "8,005"),
        (" ds_s.value ", "8,005"),
        ("_.value", "8,005"),
        ("ds_d.least", "5"),
        ("ds_d.MOST", "1,234,567.891"),
        ("ds_d.min_price", "0.00001234"),
        ("ds_g.rows", "2"),
        ("ds_g.max.region", "Asia"),
        ("ds_g.max.sum_visits", "4,600"),
        ("ds_g.min.region", "Europe"),
        ("ds_g.max.count", "2"),
        ("ds_two.max(n).city", "Lviv"),
        ("ds_g.sum_visits[region=Europe]", "3,405"),
        ("ds_g.sum_visits[region='europe']", "3,405"),
        ("ds_g.sum_visits[Europe]", "3,405"),
        ("ds_t.last.city", "Lviv"),
        ("ds_t.2.visits", "3,400"),
        ("ds_t.max(price).visits", "3,400"),
        ("ds_y.max.year", "2024"),
        ("ds_y.sum_visits[year=2023]", "1,205"),
        ("ds_none.value", "no value"),
    ],
)
def test_a_placeholder_becomes_its_cell(
    result_of: Callable[[str], Result], placeholder: str, filled: str
) -> None:
    text, (claim,) = fill(f"It is {{{{{placeholder}}}}} now.", result_of)
    assert text == f"It is {filled} now."
    assert (claim.text, claim.status, claim.start) == (filled, "verified", 6)


def test_each_claim_names_the_cell_and_where_it_stands_in_the_text(
    result_of: Callable[[str], Result],
) -> None:
    text, claims = fill(
        "{{ds_g.max.region}}: {{ds_g.max.sum_visits}} of {{_.value}}", result_of, latest="ds_s"
    )
    assert text == "Asia: 4,600 of 8,005"
    assert claims == (
        Claim(
            text="Asia",
            value="Asia",
            status="verified",
            evidence="ds_g[region=Asia].region",
            start=0,
            traces=(Trace(data_key="ds_g", column="region", row={"region": "Asia"}),),
        ),
        Claim(
            text="4,600",
            value=4600,
            status="verified",
            evidence="ds_g[region=Asia].sum_visits",
            start=6,
            traces=(Trace(data_key="ds_g", column="sum_visits", row={"region": "Asia"}),),
        ),
        Claim(
            text="8,005",
            value=8005,
            status="verified",
            evidence="ds_s.value",
            start=15,
            traces=(Trace(data_key="ds_s", column="value"),),
        ),
    )


@pytest.mark.parametrize(
    "placeholder",
    [
        "ds_g.value",  # not one value
        "ds_g.max.nothing",  # no such column
        "ds_two.max.n",  # n of the group with the most visits, or the largest n
        "ds_t.99.city",
        "ds_t.visits",  # four rows
        "ds_t.visits[year=2024]",  # two rows
        "ds_unknown.value",
        "ds_s",
        "anything else",
    ],
)
def test_what_names_no_single_cell_stays_and_is_unverified(
    result_of: Callable[[str], Result], placeholder: str
) -> None:
    written = f"{{{{{placeholder}}}}}"

    def known(key: str) -> Result:
        if key == "ds_unknown":
            raise KeyError(key)
        return result_of(key)

    text, (claim,) = fill(f"So: {written}", known)
    assert text == f"So: {written}"
    assert claim == Claim(text=written, value=written, status="unverified", start=4)


def test_every_group_that_shares_an_extreme_is_named(result_of: Callable[[str], Result]) -> None:
    text, claims = fill("Most: {{ds_tied.max.city}} with {{ds_tied.max.max_visits}}", result_of)
    assert text == "Most: Köln, {{ds_s.value}} with 3,400"
    assert [claim.status for claim in claims] == ["verified", "verified"]


def test_a_cell_that_reads_like_a_placeholder_is_never_filled_in(
    result_of: Callable[[str], Result],
) -> None:
    text, claims = fill("{{ds_t.1.city}} {{ds_t.2.city}}", result_of)
    assert sorted(text.split()) == ["Köln", "{{ds_s.value}}"]
    assert len(claims) == 2


@pytest.mark.parametrize(
    "text, filled",
    [
        ("Усього відвідувань — {{ds_s.value}}.", "Усього відвідувань — 8\u00a0005."),
        ("Больше всего: {{ds_d.most}}", "Больше всего: 1\u00a0234\u00a0567,891"),
        ("У {{ds_none.value}} і більше", "У немає значення і більше"),
        ("Total {{ds_d.most}}", "Total 1,234,567.891"),
    ],
)
def test_figures_are_written_as_the_language_of_the_text_does(
    result_of: Callable[[str], Result], text: str, filled: str
) -> None:
    assert fill(text, result_of)[0] == filled


@pytest.mark.parametrize("text", ["{{ds_p.value}}", "{{ds_p.value}}%", "{{ds_p.value}} %"])
def test_a_unit_is_added_unless_the_text_has_it(result_of: Callable[[str], Result], text: str) -> None:
    filled = fill(text, result_of)[0]
    assert filled.count("%") == 1
    assert filled.replace(" ", "") == "62.5%"


def test_a_table_becomes_a_line_that_makes_no_claim(result_of: Callable[[str], Result]) -> None:
    assert fill("See\n{{ds_g.table}}", result_of) == ("See\n[table ds_g]", ())
    assert fill("Дивіться {{ _.table }}", result_of, latest="ds_s") == ("Дивіться [таблиця ds_s]", ())


def test_text_without_placeholders_is_untouched(result_of: Callable[[str], Result]) -> None:
    text = "A set {1, 2}, {{ an unclosed one, and `{x}`"
    assert fill(text, result_of) == (text, ())


@pytest.mark.parametrize("around", ["-{}", "All: −{}", "1{}", "0.{}", "{}000", "{},5", "({}00)"])
def test_a_figure_is_not_filled_in_where_it_would_become_another_one(
    around: str, result_of: Callable[[str], Result]
) -> None:
    written = around.format("{{_.value}}")
    text, (claim,) = fill(written, result_of)
    assert (text, claim.status) == (written, "unverified")


@pytest.mark.parametrize(
    "around", ["${}", "- {}", "5-{}", "Q{}", "{}%", "{}, 5", "{}.", "**{}**", "={}", "1. {}"]
)
def test_signs_that_leave_the_figure_what_it_is_may_stand_beside_it(
    around: str, result_of: Callable[[str], Result]
) -> None:
    text, (claim,) = fill(around.format("{{_.value}}"), result_of)
    assert (text, claim.status) == (around.format("8,005"), "verified")
