"""Delimiters, encodings, headers, ragged records and other irregular text."""

import gzip
from typing import Any

import pytest

from tabchat.engine.reader import open_table
from tabchat.engine.table import ReadOptions
from tabchat.errors import InputError
from tests.effort import THOROUGH
from tests.engine.reader.conftest import Reader

BLOCK = 4000


def far_in(block: list[str], late: str) -> str:
    """Put a record where no sample of the file looks."""
    return "".join(block) * 3 + late + "".join(block) * 5


ROWS = [(1, "x"), (2, "y"), (3, "z")]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|", "^", "~", "\x1f"])
def test_delimiters(reader: Reader, mark: str) -> None:
    found = reader.text(f"a{mark}b\n1{mark}x\n2{mark}y\n3{mark}z\n")
    assert (found.rows, found.table.report.delimiter) == (ROWS, mark)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\r\n1,x\r\n2,y\r\n3,z\r\n",
        "a,b\r1,x\r2,y\r3,z\r",
        "a,b\r\n1,x\n2,y\r\n3,z",
        "a,b\n\n1,x\n\n\n2,y\n3,z\n\n",
        "a,b\n1,x\n2,y\n  \n3,z\n",
        "\ufeffa,b\n1,x\n2,y\n3,z\n",
        "sep=,\na,b\n1,x\n2,y\n3,z\n",
        "# made by hand\na,b\n1,x\n2,y\n3,z\n",
        "a,b\n1,x,\n2,y,\n3,z,\n",
    ],
)
def test_line_ends_blank_lines_marks_and_titles(reader: Reader, text: str) -> None:
    found = reader.text(text)
    assert (found.names, found.rows) == (["a", "b"], ROWS)


@pytest.mark.parametrize(
    "encoding, word",
    [
        ("utf-8-sig", "Їжак"),
        ("utf-16", "Їжак"),
        ("utf-16-le", "name"),
        ("cp1251", "Новосибирск"),
        ("cp1251", "Київ, Львів і Дніпро"),
        ("koi8-r", "Новосибирск"),
        ("koi8-u", "Київ, Львів і Дніпро"),
        ("cp866", "Санкт-Петербург"),
        ("cp1125", "Київ, Львів і Дніпро"),
        ("cp1252", "Besançon et Orléans"),
        ("cp1250", "Wrocław i Gdańsk"),
        ("cp1253", "Θεσσαλονίκη"),
        ("shift_jis", "東京都と大阪府、札幌の街"),
    ],
)
def test_encodings_are_recognised(reader: Reader, encoding: str, word: str) -> None:
    found = reader.text(f'city;n\n"{word}";1\n"{word}";2\n'.encode(encoding))
    assert found.rows == [(word, 1), (word, 2)]


def test_a_legacy_byte_far_into_a_file_changes_the_encoding(reader: Reader) -> None:
    lines = b"".join(b"%d,x\n" % i for i in range(60_000))
    found = reader.text(b"n,city\n" + lines + b"1,Orl\xe9ans\n" + lines)
    assert found.rows[60_000] == (1, "Orléans")
    assert len(found.rows) == 120_001


def test_a_few_bad_bytes_in_utf8_are_replaced_with_a_warning(reader: Reader) -> None:
    found = reader.text("місто,n\n".encode() + "Київ та Львів,1\n".encode() * 30 + b"bad \xff,2\n")
    assert found.rows[-1] == ("bad \ufffd", 2)
    (warning,) = found.notes("warning")
    assert warning.count == 1


def test_a_wrong_encoding_that_was_asked_for_is_an_error(reader: Reader) -> None:
    with pytest.raises(InputError, match="not valid utf-8 at record 1"):
        reader.text(b"a,b\n1,\xe9\n", encoding="utf-8")
    with pytest.raises(InputError, match="Unknown encoding 'klingon'"):
        reader.text(b"a,b\n1,2\n", encoding="klingon")
    assert reader.text(b"a,b\nx,\xe9\n", encoding="cp1251").rows == [("x", "й")]
    with pytest.raises(InputError, match=r"'table\.csv' is not in the encoding utf-16-be"):
        reader.text(("a,b\n" + "1,2\n" * 20).encode("utf-16-be") + b"\xd8\x00", encoding="utf-16-be")


def test_quotes(reader: Reader) -> None:
    text = 'a,b\n1,"x\ny"\n2,"p, ""q"""\n3,5" pipe\n'
    assert reader.text(text).rows == [(1, "x\ny"), (2, 'p, "q"'), (3, '5" pipe')]
    assert reader.text("a,b\n'x, y',1\n'z',2\n").rows == [("x, y", 1), ("z", 2)]
    assert reader.text('a,b\n"x \\"q\\" y",1\n"z",2\n').rows == [('x "q" y', 1), ("z", 2)]


def test_a_quote_that_never_closes_swallows_nothing(reader: Reader) -> None:
    found = reader.text('a,b\n1,"x\n2,y\n3,z\n')
    assert found.rows == [(1, '"x'), (2, "y"), (3, "z")]
    assert "never closed" in found.notes("warning")[0].message
    filler = "".join(f"{i},words\n" for i in range(30_000))
    with pytest.raises(InputError, match=r"A quote that opens in record .* is never closed"):
        reader.text(f'a,b\n{filler}1,"x\n{filler}')


@pytest.mark.parametrize("wide", [0, 60_000])
def test_ragged_records_lose_nothing(reader: Reader, wide: int) -> None:
    filler = "".join(f"{i},2,3\n" for i in range(wide))
    found = reader.text(f"a,b,c\n{filler}1,2\n3,4,5,6\n7,8,9,10,11\n1,2,3,\n")
    assert found.names == ["a", "b", "c", "column_4", "column_5"]
    assert found.rows[wide:] == [
        (1, 2, None, None, None),
        (3, 4, 5, 6, None),
        (7, 8, 9, 10, 11),
        (1, 2, 3, None, None),
    ]
    (short,) = [n for n in found.notes("repaired") if "fewer" in n.message]
    (long,) = found.notes("warning")
    (blank,) = [n for n in found.notes("repaired") if "Blank cells" in n.message]
    assert (short.rows, short.count) == ((wide + 1,), 1)
    assert (long.rows, long.count) == ((wide + 2, wide + 3), 2)
    assert blank.count == 1


def test_a_record_of_very_many_cells_keeps_them_together(reader: Reader) -> None:
    cells = ",".join(map(str, range(100)))
    found = reader.text(f"a,b\n1,2\n3,4\n5,6\n{cells}\n")
    assert len(found.names) == 18
    assert found.rows[-1][-1] == ",".join(map(str, range(17, 100)))


def test_row_names_that_the_header_does_not_count(reader: Reader) -> None:
    found = reader.text("mpg,cyl\nMazda,21,6\nFiat,22,4\n")
    assert (found.names, found.rows) == (["column_1", "mpg", "cyl"], [("Mazda", 21, 6), ("Fiat", 22, 4)])
    assert "row names" in found.notes("warning")[0].message


def test_titles_above_the_header_are_reported(reader: Reader) -> None:
    found = reader.text("Report for 2024\n\nregion;sum\nNorth;1,5\nSouth;2,5\n")
    assert (found.names, found.rows) == (["region", "sum"], [("North", 1.5), ("South", 2.5)])
    assert "above the header" in found.notes("warning")[0].message


@pytest.mark.parametrize(
    "text, names",
    [
        ("1,2.5,x\n2,3.5,y\n", ["column_1", "column_2", "column_3"]),
        ("country,2019,2020\nUA,1.5,2\nPL,4,5\n", ["country", "2019", "2020"]),
        ("name,city\nAnn,Kyiv\nBob,Lviv\n", ["name", "city"]),
        ("Ann,Kyiv\nBob,Lviv\nAnn,Kyiv\n", ["column_1", "column_2"]),
        ("a,,c\n1,2,3\n", ["a", "column_2", "c"]),
    ],
)
def test_headers_are_told_from_data(reader: Reader, text: str, names: list[str]) -> None:
    assert reader.text(text).names == names


def test_the_header_can_be_said(reader: Reader) -> None:
    assert reader.text("a,b\n1,2\n", header=False).rows == [("a", "b"), ("1", "2")]
    assert reader.text("1,2\n3,4\n", header=True).names == ["1", "2"]


def test_one_column(reader: Reader) -> None:
    found = reader.text("name\nAnn\n\nBob\n")
    assert found.rows == [("Ann",), ("Bob",)]
    wide = reader.text("a:b:c\n1:2:3\n4:5:6\n")
    assert wide.notes("warning")[0].hint is not None
    assert "--delimiter" in str(wide.notes("warning")[0].hint)
    assert reader.text("a:b:c\n1:2:3\n4:5:6\n", delimiter=":").rows == [(1, 2, 3), (4, 5, 6)]


@pytest.mark.parametrize(
    "text, warns",
    [
        ("x y z\n1 2 3\n", True),
        ("lat lon\n50.1 30.2\n51 31.5\n", True),
        ("name age height\nann 30 170\nbo 20 150\n", True),
        ("Full name\nAnn Lee\nJo Day\n", False),
        ("Total price\n1 234\n5 678\n", False),
        ("Order date\n2024-01-01 10:00\n2024-01-02 11:00\n", False),
        ("Address line one\n12 High Street\n5 Low Road\n", False),
        ("note\n1 2\n3 4\n", False),
        ("x y\n1 2\n3\n", False),
    ],
)
def test_one_column_of_cells_between_blanks_is_alarming(reader: Reader, text: str, *, warns: bool) -> None:
    hints = [str(note.hint) for note in reader.text(text).notes("warning")]
    assert any("--delimiter ' '" in hint for hint in hints) is warns


def test_a_header_alone_is_a_table_without_rows(reader: Reader) -> None:
    for text in ("a,b,c\n", "a,b,c"):
        found = reader.text(text)
        assert (found.names, found.table.row_count) == (["a", "b", "c"], 0)
        assert found.notes("warning")[0].message == "The table has a header and no records."


def test_hostile_headers_become_plain_unique_names(reader: Reader) -> None:
    header = (
        '"a""b","c\x1b[31mred",SELECT * FROM t; --,__row__,[bold]x,"line\nbreak",A\'b,"A""B",,Noted,noted'
    )
    found = reader.text(f"{header}\n1,2,3,4,5,6,7,8,9,10,11\n")
    assert found.names == [
        'a"b',
        "c[31mred",
        "SELECT * FROM t; --",
        "_row__",
        "[bold]x",
        "line break",
        "A'b",
        'A"B_2',
        "column_9",
        "Noted",
        "noted_2",
    ]
    assert found.rows == [tuple(range(1, 12))]


@pytest.mark.parametrize(
    "name, read",
    [
        ("file_row_number", "_file_row_number"),
        ("File_Row_Number", "_File_Row_Number"),
        ("filename", "filename"),
        ("file_index", "file_index"),
        ("rowid", "rowid"),
        ("__row__", "_row__"),
        ("row", "row"),
        ("c0", "c0"),
    ],
)
def test_names_that_reading_itself_uses_are_columns_all_the_same(
    reader: Reader, name: str, read: str
) -> None:
    found = reader.text(f"{name},y\n7,1\n8,Total\n")
    assert (found.names, found.rows) == ([read, "y"], [(7, "1"), (8, "Total")])
    told = [note.message for note in found.notes("repaired")]
    assert told == (
        []
        if name == read
        else [f"Columns got another name, because tabchat keeps theirs for itself: {read}."]
    )


@pytest.mark.parametrize("size", [100_000, 3_000_000])
def test_very_long_cells(reader: Reader, size: int) -> None:
    found = reader.text(f"a,b\n1,{'x' * size}\n2,y\n")
    assert [len(cell) for cell in found.column("b")] == [size, 1]


def test_thousands_of_columns(reader: Reader) -> None:
    width = 5_000 if THOROUGH else 1_500
    header = ",".join(f"c{i}" for i in range(width))
    body = "\n".join(",".join(str(i * j) for i in range(width)) for j in range(3))
    table = open_table(reader.write(f"{header}\n{body}\n"), options=ReadOptions(), cache=reader.cache)
    assert {column.sql_type for column in table.schema} == {"BIGINT"}
    assert (len(table.schema), table.row_count) == (width, 3)


def test_embedded_zero_bytes_are_kept(reader: Reader) -> None:
    assert reader.text(b"a,b\n1,x\0y\n2,z\n").column("b") == ["x\0y", "z"]


@pytest.mark.parametrize("compression", ["gz", "zst"])
def test_compressed_text(reader: Reader, compression: str) -> None:
    import zstandard

    raw = b"a,b\n1,x\n2,y\n3,z\n"
    packed = (
        gzip.compress(raw)
        if compression == "gz"
        else zstandard.compress(raw[:8]) + zstandard.compress(raw[8:])
    )
    found = reader.text(packed, f"t.csv.{compression}")
    assert (found.rows, found.table.name) == (ROWS, "t")


@pytest.mark.parametrize(
    "late, sql_type, values",
    [
        ("N/A", "BIGINT", [None]),
        (" 7", "BIGINT", [7]),
        ("2.5", "DOUBLE", [2.5]),
        ("1,234", "BIGINT", [1234]),
        ("007", "VARCHAR", ["007"]),
        ("oops", "VARCHAR", ["oops"]),
        ("1_0", "VARCHAR", ["1_0"]),
        ("0x1f", "VARCHAR", ["0x1f"]),
        ("99999999999999999999", "VARCHAR", ["99999999999999999999"]),
    ],
)
def test_a_type_holds_for_cells_far_beyond_the_sample(
    reader: Reader, late: str, sql_type: str, values: list[Any]
) -> None:
    found = reader.text(
        "n\tw\n" + far_in([f"{i % 90 + 10}\tsome words\n" for i in range(BLOCK)], f"{late}\tx\n")
    )
    assert found.types["n"] == sql_type
    assert found.column("n")[3 * BLOCK : 3 * BLOCK + 1] == values
    first = found.column("n")[0]
    assert first == ("10" if sql_type == "VARCHAR" else 10)


@pytest.mark.parametrize(
    "usual, late, sql_type",
    [("1.5", "nan", "DOUBLE"), ("1.5", "1_0.5", "VARCHAR"), ("2024-01-31", "31.01.2024", "DATE"),
     ("2024-01-31", "2024-02-31", "VARCHAR"), ("2024-01-31", "2024-01-31 10:00", "TIMESTAMP"),
     ("01/02/2024", "31/01/2024", "DATE"), ("true", "yes", "VARCHAR"), ("", "5", "BIGINT"), ("", "x", "VARCHAR")],
)  # fmt: skip
def test_late_surprises_widen_a_column(reader: Reader, usual: str, late: str, sql_type: str) -> None:
    found = reader.text("v;w\n" + far_in([f"{usual};some words\n"] * BLOCK, f"{late};y\n"))
    assert found.types["v"] == sql_type
    assert len(found.rows) == 8 * BLOCK + 1
    if sql_type == "VARCHAR":
        assert found.column("v")[3 * BLOCK] == late


def test_backslashes_that_escape_nothing_are_kept(reader: Reader) -> None:
    rows = r"""path,remark
C:\data\1,"say \"hi\", 1"
D:\\x,"\N"
\N,"a\,b"
"""
    found = reader.text(rows)
    assert found.rows == [("C:\\data\\1", 'say "hi", 1'), ("D:\\x", None), (None, "a,b")]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("far", [False, True])
def test_a_carriage_return_inside_a_cell_is_kept_as_a_line_break(
    reader: Reader, end: str, *, far: bool
) -> None:
    plain = [f"{number},x{end}" for number in range(BLOCK if far else 2)]
    odd = f'7,"one\rtwo"{end}'
    found = reader.text(f"a,b{end}" + (far_in(plain, odd) if far else "".join(plain) + odd))
    assert [row for row in found.rows if row[0] == 7 and row[1] != "x"] == [(7, "one\ntwo")]
    (note,) = [note for note in found.notes("repaired") if "Carriage" in note.message]
    assert note.count == 1


@pytest.mark.parametrize("rows", [1, 3000])
def test_blanks_before_quotes_belong_to_no_cell(reader: Reader, rows: int) -> None:
    text = '"n", "city", "state"\n' + '   41, "York, ""new""\nside", OH\n' * rows
    found = reader.text(text, header=True)
    assert found.names == ["n", "city", "state"]
    assert found.rows == [(41, 'York, "new"\nside', "OH")] * rows
    assert "Blanks between ',' and a quote were left out." in [n.message for n in found.notes("inferred")]


def test_a_quote_after_a_blank_within_a_sentence_is_a_character(reader: Reader) -> None:
    found = reader.text('a, b\n1, "big" fish\n2, "small"\n')
    assert found.rows == [(1, '"big" fish'), (2, '"small"')]
