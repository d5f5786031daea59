"""Commas within the cells of another delimiter, in numbers and headers, split nothing; those between cells do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabchat.engine.reader.text.dialect import parse, sniff_dialect
from tests.engine.reader.conftest import Reader

WORDS = st.text("абвгдіїєжз", min_size=1, max_size=8)
AMOUNTS = st.decimals(0, 99_999, places=2).map(lambda amount: str(amount).replace(".", ","))
UNITS = st.sampled_from(["", ", руб.", ", грн", ",кг", ", на початок дня"])


def split(text: str) -> list[list[str]]:
    dialect = sniff_dialect(text, complete=True, delimiter=None, tabs=False)
    return parse(text, dialect, complete=True)


@given(st.data(), st.integers(1, 4), st.sampled_from(";\t|"))
def test_any_table_with_decimal_commas_keeps_its_delimiter(
    data: st.DataObject, width: int, mark: str
) -> None:
    header = [data.draw(WORDS) + data.draw(UNITS) for _ in range(width)]
    body = data.draw(st.lists(st.lists(AMOUNTS, min_size=width, max_size=width), min_size=1, max_size=6))
    table = [["Товар", *header], *([f"x{i}", *cells] for i, cells in enumerate(body))]
    assert split("".join(mark.join(record) + "\n" for record in table)) == table


@given(st.lists(st.tuples(WORDS, WORDS, st.integers(0, 999)), min_size=1, max_size=6), st.sampled_from(";|"))
def test_any_table_of_commas_keeps_them_beside_other_marks_in_words(
    rows: list[tuple[str, str, int]], mark: str
) -> None:
    table = [["tags", f"n{mark}m", "v"], *([one, f"{two}{mark}{two}", str(v)] for one, two, v in rows)]
    assert split("".join(",".join(record) + "\n" for record in table)) == table


@pytest.mark.parametrize(
    "text, names",
    [
        ("Регион;Сумма, руб.\nЮг;100,50\nСевер;200,25\nЮг;50,10\n", ["Регион", "Сумма, руб."]),
        (
            "Дата;Прихід, грн;Видаток, грн\n01.02.2024;1 000,50;2,5\n02.02.2024;2,5;-1,0\n",
            ["Дата", "Прихід, грн", "Видаток, грн"],
        ),
        ("Отчет, 2024\nТовар, вид;Сумма,руб\nСтол, дуб;1,50\nСтул, бук;2,50\n", ["Товар, вид", "Сумма,руб"]),
        ("a,b;c\n1,2;3\n4,5;6\n", ["a", "b;c"]),
        ("x,y,z\n1,2,3;\n4,5,6;\n", ["x", "y", "z"]),
    ],
)
def test_headers_with_units(reader: Reader, text: str, names: list[str]) -> None:
    assert reader.text(text).names == names
    if text.isascii():
        return
    found = reader.text(text.encode("cp1251"), "dos.csv")
    assert (found.names, found.types[names[-1]]) == (names, "DOUBLE")
