"""What stands above a table, as banks and offices write it, is no part of it; records are never taken for such."""

import pytest

from tests.engine.reader.conftest import Reader

HEADER = "Booked;Value date;Text;Amount\n"
BOOKED = "22.01.2024;23.01.2024;Rent;-10,50\n05.01.2024;05.01.2024;Wage;1.020,00\n07.02.2024;08.02.2024;Tea;-3,25\n"


@pytest.mark.parametrize(
    "above, titles",
    [
        ('"Account:";"0012 / Giro"\n\n"From:";"01.01.2024"\n"Balance:";"12,00 EUR"\n\n', 3),
        ("Account:;0012;;;;\n;;;;;\nFrom:;01.01.2024;;;;\n", 3),
        ("Statement\nAccount:;0012\n", 2),
        ("Account:;0012\nall bookings\n", 2),
    ],
)
def test_facts_above_a_header_are_left_out_and_told(reader: Reader, above: str, titles: int) -> None:
    # The facts of an account are fewer than half of a record's cells.
    wide = "".join(f"{line};x;\n" for line in BOOKED.splitlines())
    text = above + HEADER.strip() + ";Purpose;Note\n" + wide
    found = reader.text(text)
    assert found.names == ["Booked", "Value date", "Text", "Amount", "Purpose", "Note"]
    assert found.column("Amount") == [-10.5, 1020, -3.25]
    (note,) = found.notes("warning")
    assert (note.count, note.message) == (
        titles,
        f"{titles} lines above the header were left out of the table.",
    )


@pytest.mark.parametrize(
    "text, rows",
    [
        ("a;b\n1;2;3;4;5\n6;7;8;9;0\n1;2;3;4;5\n", 3),
        ("1;2\n1;2;3;4;5\n6;7;8;9;0\n1;2;3;4;5\n", 4),
        ("a;b\nc;d;;;\ne;f;g;h;i\nj;k;l;m;n\n", 3),
        ("a;b;;;\n1;2;3;4;5\n6;7;8;9;0\n", 2),
    ],
)
def test_short_records_without_a_header_below_stay(reader: Reader, text: str, rows: int) -> None:
    found = reader.text(text)
    assert found.table.row_count == rows
    assert not any("above the header" in note.message for note in found.notes("warning"))


@pytest.mark.parametrize("rows", [2, 3, 60, 400])
def test_a_comma_in_every_record_makes_no_title_of_a_header(reader: Reader, rows: int) -> None:
    record = "x{}\t{},50 €\t{},25\tMay 05, 2010\n"
    found = reader.text("label\tn\tm\td\n" + "".join(record.format(n, n, n) for n in range(rows)))
    assert found.names == ["label", "n", "m", "d"]
    assert found.column("n") == [n + 0.5 for n in range(rows)]
    assert found.notes("warning") == []
