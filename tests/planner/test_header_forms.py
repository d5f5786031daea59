"""However headers are written, and whatever all of them begin with, a question is read as the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from tests.effort import examples
from tests.planner.asking import Asker
from tests.planner.computed import DOMAINS

FORMS: Final[Mapping[str, Callable[[str], str]]] = {
    "camel": lambda header: header[0] + header.title().replace("_", "")[1:],
    "capitals": str.upper,
    "spaces": lambda header: header.replace("_", " ").capitalize(),
    "kebab": lambda header: f" {header.replace('_', '-')} ",
    "letter": lambda header: f"l_{header}",
    "rows": lambda header: header if header.startswith("order") else f"order_{header}",
    "shortened": lambda header: header if header.startswith("order") else f"Ord. {header}",
}
"""How else a header is written."""
ORDERS: Final = next(domain for domain in DOMAINS if domain.name == "orders")


@pytest.mark.parametrize("form", FORMS)
def test_a_question_is_read_alike_over_headers_of_any_form(asker: Asker, tmp_path: Path, form: str) -> None:
    plain = ORDERS.file(tmp_path)
    renamed = {kind: FORMS[form](header) for kind, header in ORDERS.columns.items()}
    (tmp_path / form).mkdir()
    other = replace(ORDERS, columns=renamed).file(tmp_path / form)
    headers = {renamed[kind].strip(): header for kind, header in ORDERS.columns.items()}

    with closing(Asker(tmp_path)) as elsewhere:
        for asked in (one.question for one in ORDERS.questions(plain, examples(36))):
            assert _read(elsewhere, other, asked, headers) == _read(asker, plain, asked, {}), asked


def _read(asker: Asker, file: Path, question: str, headers: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether an answer is certain, and its intent with the plain headers."""
    candidates, certain, _ = asker.read(file, question)
    meant = re.sub(r"label='[^']*'", "", str(candidates[0].intent))
    for header, plain in headers.items():
        meant = meant.replace(repr(header), repr(plain))
    return certain, meant


SHIPPED: Final = ("l_orderkey", "l_shipdate", "l_unitprice", "l_returnflag", "l_shippriority", "l_taxrate")
PARTED: Final = ("order_key", "ship_date", "unit_price", "return_flag", "ship_priority", "tax_rate")


@pytest.mark.parametrize(
    "question",
    [
        "average unit price by return flag",
        "average price by return flag",
        "average unitprice by returnflag",
        "highest tax rate",
        "highest unit price in March 1997",
        "latest ship date",
        "l_returnflag with the highest average l_taxrate",
    ],
)
def test_two_words_of_a_header_need_no_space_between(asker: Asker, tmp_path: Path, question: str) -> None:
    files = []
    for name, headers in (("lineitems", SHIPPED), ("linesparted", PARTED)):
        rows = [
            f"{n // 3},1997-{1 + n % 12:02}-{1 + n % 28:02},{90 + n * 7 % 50},{'ARN'[n % 3]},{1 + n % 4},0.0{n % 9}"
            for n in range(90)
        ]
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text("\n".join([",".join(headers), *rows]), encoding="utf-8")
    joined, parted = files

    asked = question.replace("l_returnflag", "return_flag").replace("l_taxrate", "tax_rate")
    certain, meant = _read(asker, joined, question, dict(zip(SHIPPED, PARTED, strict=True)))
    assert certain
    assert (certain, meant) == _read(asker, parted, asked, {})


def test_a_header_of_very_many_letters_is_one_word(asker: Asker, tmp_path: Path) -> None:
    long = "unitprice" * 4
    file = tmp_path / "long_headers.csv"
    file.write_text(f"{long},unitprice\n1,2\n3,4\n", encoding="utf-8")
    asker.open(file)

    columns = asker.interpreter(file).lattice("price").vocabulary.columns
    assert [column.words for column in columns] == [(long,), ("unit", "price")]


def test_what_many_headers_measure_stays_in_their_names(asker: Asker, tmp_path: Path) -> None:
    file = tmp_path / "growth_sales.csv"
    rows = [f"{name},{n},{n + 5},{n + 9}" for n, name in enumerate(("Ash", "Elm", "Fir", "Oak"))]
    file.write_text("\n".join(["tree,sales_2021,sales_2022,sales_2023", *rows]), encoding="utf-8")
    asker.open(file)

    words = {
        column.name: column.words for column in asker.interpreter(file).lattice("sales").vocabulary.columns
    }
    assert words["sales_2022"] == ("sales", "2022")


SHORT: Final = ("txn_id", "cust", "disc_pct", "dept", "amt", "hrs", "grp")
FULL: Final = ("transaction_id", "customer", "discount_pct", "department", "amount", "hours", "group")


@pytest.mark.parametrize(
    "question",
    [
        "total amount by customer",
        "average discount by department",
        "total hours by group",
        "department with the highest average discount",
        "how many transactions per group",
    ],
)
def test_a_header_that_is_cut_short_is_the_word(asker: Asker, tmp_path: Path, question: str) -> None:
    files = []
    for name, headers in (("export_short", SHORT), ("export_full", FULL)):
        rows = [
            f"T{n},{('Acme', 'Bolt')[n % 2]},{n % 30},{('IT', 'HR', 'Law')[n % 3]},{n * 7 % 50}.5,{1 + n % 9},{'ABCD'[n % 4]}"
            for n in range(60)
        ]
        files.append(tmp_path / f"{name}.csv")
        files[-1].write_text("\n".join([",".join(headers), *rows]), encoding="utf-8")
    short, full = files

    certain, meant = _read(asker, short, question, dict(zip(SHORT, FULL, strict=True)))
    assert certain
    assert (certain, meant) == _read(asker, full, question, {})


@pytest.mark.parametrize(
    "header, question",
    [
        ("station,city,kwh", "energy by city"),
        ("станція,місто,квтг", "енергія за містами"),
        ("станция,город,квтч", "энергия по городам"),
    ],
)
def test_energy_is_what_is_counted_in_kilowatt_hours(
    asker: Asker, tmp_path: Path, header: str, question: str
) -> None:
    path = tmp_path / f"charges_{question[:2]}.csv"
    rows = [f"S{n % 3},{('Hull', 'York')[n % 2]},{n}.5" for n in range(12)]
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    offered, _ = asker.offers(path, question)
    assert [(one.function, one.column) for one in offered[0].measures] == [("sum", header.split(",")[2])]
