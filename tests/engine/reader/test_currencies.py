"""Amounts of money: the sign of another currency is seen wherever it stands, and one that few cells have is told of."""

import pytest

from tabchat.engine.types import ColumnKind
from tests.engine.reader.conftest import Reader


@pytest.mark.parametrize(
    "usual, odd", [("${}", "€{}"), ("{} USD", "{} EUR"), ("{} грн", "{} ₽"), ("£{}.50", "${}.50")]
)
def test_one_amount_in_another_currency_is_seen_where_no_sample_looks(
    reader: Reader, usual: str, odd: str
) -> None:
    lines = [f"{n},{(odd if n == 41_000 else usual).format(n % 900)}\n" for n in range(60_000)]
    found = reader.text("k,v\n" + "".join(lines))
    assert found.table.schema[1].kind is ColumnKind.TEXT
    (note,) = found.notes("warning", "v")
    assert "amounts in several currencies" in note.message


@pytest.mark.parametrize("rows", [40, 60_000])
def test_a_sign_that_hardly_any_amount_has_is_told_of(reader: Reader, rows: int) -> None:
    lines = [f"{n},{'€' if n == rows - 7 else ''}{n % 900}\n" for n in range(rows)]
    found = reader.text("k,v\n" + "".join(lines))
    assert (found.types["v"], found.units) == ("BIGINT", {"v": "€"})
    (note,) = found.notes("warning", "v")
    assert "the others were taken to be in € as well" in note.message


@pytest.mark.parametrize("cells", [["$5", "6", "7", "8"], ["$5"] * 30, ["€1", "2 €", "3 EUR"]])
def test_a_sign_that_many_amounts_have_is_that_of_all(reader: Reader, cells: list[str]) -> None:
    found = reader.text("k,v\n" + "".join(f"x,{cell}\n" for cell in cells))
    assert (found.types["v"], set(found.units)) == ("BIGINT", {"v"})
    assert not found.notes("warning", "v")
