"""JSON, workbooks, Parquet and Arrow: files that say themselves what a cell is."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xlsxwriter
from pyarrow import feather, ipc

from tabchat.errors import InputError
from tests.engine.reader.conftest import Reader

NAN = float("nan")


@pytest.mark.parametrize(
    "text",
    [
        '[{"a":1,"b":"x"},{"a":2,"b":null}]',
        '{"a":1,"b":"x"}\n{"a":2,"b":null}\n',
        '{"a":1,"b":"x"} {"a":2}',
        '{"a":[1,2],"b":["x",null]}',
        '{"a":{"0":1,"1":2},"b":{"0":"x","1":null}}',
        '{"rows":[{"a":1,"b":"x"},{"a":2,"b":null}]}',
        '\ufeff [ {"a":1,"b":"x"} , {"a":2} ] ',
    ],
)
def test_the_shapes_of_json_tables(reader: Reader, text: str) -> None:
    found = reader.text(text, "t.json")
    assert (found.types, found.rows) == ({"a": "BIGINT", "b": "VARCHAR"}, [(1, "x"), (2, None)])


def test_arrays_and_single_values_in_json(reader: Reader) -> None:
    assert reader.text('[[1,"x"],[2,"y"]]', "t.json").rows == [(1, "x"), (2, "y")]
    assert reader.text("[1,2.5]", "u.json").rows == [(1.0,), (2.5,)]
    assert reader.text("1\n2\n", "v.jsonl").rows == [(1,), (2,)]
    assert reader.text('{"a":1,"b":{"c":2}}', "w.json").rows == [(1, 2)]
    assert reader.text('[][{"a":1}]', "x.json").rows == [(1,)]


def test_what_stands_beside_the_records_is_named(reader: Reader) -> None:
    found = reader.text('{"data":[{"a":1}],"next":null}', "t.json")
    assert (
        found.notes("warning")[0].message == "The records were found under 'data'. Left out beside it: next."
    )


def test_nested_json_becomes_dotted_columns_and_lists_json_text(reader: Reader) -> None:
    found = reader.text('[{"a":{"b":1,"c":[1,"é"]},"a.b":9,"e":{}},{"a":5,"A":true}]', "t.json")
    assert found.names == ["a.b", "a.c", "a.b_2", "e", "a", "A_2"]
    assert found.rows == [(1, '[1, "é"]', 9, "{}", None, None), (None, None, None, None, 5, True)]
    assert len(found.notes("inferred")) == 2


def test_json_objects_used_as_dictionaries_do_not_make_thousands_of_columns(reader: Reader) -> None:
    records = [{"id": i, "by": {f"k{i}": i}} for i in range(1500)]
    found = reader.text(json.dumps(records), "t.json")
    assert found.names == ["id", "by"]
    assert found.rows[7] == (7, '{"k7": 7}')


def test_json_keeps_every_value_as_it_is(reader: Reader) -> None:
    text = (
        '[{"big":12345678901234567890,"int":9007199254740993,"nan":NaN,"code":"007","na":"N/A","d":"2024-01-31",'
        '"dup":1,"dup":2,"mix":"x","e":1e-7,"far":1e300,"blank":""},'
        '{"big":1,"int":-1,"nan":1.5,"code":"12","na":3,"d":"2024-02-01","mix":1,"e":2.5,"far":1.5,"blank":" "}]'
    )
    found = reader.text(text, "t.json")
    assert found.types | {"d": "DATE"} == found.types
    assert found.rows[0][:6] == (
        "12345678901234567890",
        9007199254740993,
        None,
        "007",
        None,
        dt.date(2024, 1, 31),
    )
    assert found.rows[0][6:] == (1, 2, "x", 1e-7, 1e300, "")
    assert found.rows[1][-4:] == ("1", 2.5, 1.5, " ")
    assert [n.column for n in found.notes("repaired")] == ["nan", "na"]
    assert {n.column for n in found.notes("inferred")} == {"big"}


def test_json_in_other_encodings(reader: Reader) -> None:
    assert reader.text('[{"a":"Їжак"}]'.encode("utf-16"), "t.json").rows == [("Їжак",)]


def test_json_types_can_be_forced(reader: Reader) -> None:
    found = reader.text('[{"a":"1,5"},{"a":"x"}]', "t.json", types=(("a", "number"),), decimal=",")
    assert found.column("a") == [1.5, None]
    assert found.notes("rejected")[0].rows == (2,)


def test_json_longer_than_one_piece(reader: Reader) -> None:
    records = [{"i": i, "text": "x" * 500} for i in range(4000)]
    found = reader.text(json.dumps(records), "t.json")
    assert found.column("i") == list(range(4000))


def workbook(path: Path, sheets: dict[str, Any]) -> Path:
    book = xlsxwriter.Workbook(str(path))
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                if isinstance(cell, dt.datetime):
                    sheet.write_datetime(r, c, cell, moment)
                elif isinstance(cell, dt.date):
                    sheet.write_datetime(r, c, cell, day)
                elif isinstance(cell, str):
                    sheet.write_string(r, c, cell)
                elif cell is not None:
                    sheet.write(r, c, cell)
    book.close()
    return path


def test_workbooks_keep_types(reader: Reader) -> None:
    rows = [
        ["id", "code", "price", "day", "at", "ok", "mixed"],
        [1, "007", 1.5, dt.date(2024, 1, 31), dt.datetime(2024, 1, 31, 10, 30), True, 5],  # noqa: DTZ001
        [2, "12", 2, dt.date(2024, 2, 1), dt.datetime(2024, 2, 1, 0, 0), False, "N/A"],  # noqa: DTZ001
    ]
    found = reader.open(workbook(reader.folder / "t.xlsx", {"One": rows}))
    assert list(found.types.values()) == [
        "BIGINT",
        "VARCHAR",
        "DOUBLE",
        "DATE",
        "TIMESTAMP",
        "BOOLEAN",
        "BIGINT",
    ]
    assert found.rows[0] == (1, "007", 1.5, dt.date(2024, 1, 31), dt.datetime(2024, 1, 31, 10, 30), True, 5)  # noqa: DTZ001
    assert found.rows[1][-1] is None
    assert found.table.report.sheet == "One"


@pytest.mark.parametrize(
    "days, text",
    [
        (0.5, "12:00:00"),
        (1.25, "30:00:00"),
        (2.0, "48:00:00"),
        (-1.25, "-30:00:00"),
        (5.000005787, "120:00:00.5"),
    ],
)
def test_durations_of_a_workbook_are_hours_however_long(reader: Reader, days: float, text: str) -> None:
    path = reader.folder / "t.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["task", "spent"])
        sheet.write_row(1, 0, ["a", days], book.add_format({"num_format": "[h]:mm:ss"}))
    assert reader.open(path).rows == [("a", text)]


def test_sheets(reader: Reader) -> None:
    path = workbook(reader.folder / "t.xlsx", {"Empty": [], "A": [["x"], [1]], "B b": [["y"], ["z"], ["w"]]})
    first = reader.open(path)
    assert (first.names, first.table.report.sheet) == (["x"], "A")
    assert "'A' was read, not 'Empty', 'B b'" in first.notes("warning")[0].message
    second = reader.open(path, sheet="B b")
    assert (second.rows, second.notes("warning")) == ([("z",), ("w",)], [])
    with pytest.raises(InputError, match="has no sheet 'B'") as caught:
        reader.open(path, sheet="B")
    assert "Choose one with --sheet" in str(caught.value.hint)
    with pytest.raises(InputError, match="holds nothing in 'Empty'"):
        reader.open(path, sheet="Empty")
    with pytest.raises(InputError, match="has no sheet with cells"):
        reader.open(workbook(reader.folder / "none.xlsx", {"Empty": []}))


def test_workbook_titles_blank_rows_and_columns(reader: Reader) -> None:
    rows = [
        [],
        ["Report"],
        [],
        [None, "region", None, "sum"],
        [None, "North", None, 1],
        [],
        [None, "South", None, 2],
    ]
    found = reader.open(workbook(reader.folder / "t.xlsx", {"S": rows}))
    assert (found.names, found.rows) == (["region", "sum"], [("North", 1), ("South", 2)])
    assert "above the header" in found.notes("warning")[0].message
    only = reader.open(workbook(reader.folder / "h.xlsx", {"S": [["a", "b"]]}))
    assert (only.names, only.table.row_count) == (["a", "b"], 0)


ARROW = pa.table(
    {
        "i": pa.array([1, None], pa.int32()),
        "u": pa.array([2**64 - 1, 0], pa.uint64()),
        "f": pa.array([1.5, float("nan")], pa.float64()),
        "d": pa.array([Decimal("1.10"), None], pa.decimal128(10, 2)),
        "s": pa.array(["x", "007"]),
        "c": pa.array(["x", "y"]).dictionary_encode(),
        "day": pa.array([dt.date(2024, 1, 31), None]),
        "at": pa.array([dt.datetime(2024, 1, 31, 10), None], pa.timestamp("ms")),  # noqa: DTZ001
        "zoned": pa.array([0, None], pa.timestamp("us", tz="Europe/Kyiv")),
        "list": pa.array([[1, 2], None]),
        "in": pa.array([{"a": 1, "b": {"c": "x"}}, None]),
        "I": pa.array([1, 2]),
        "Weight (kg)": pa.array([1, 2]),
        "__row__": pa.array([7, 8]),
    }
)


@pytest.mark.parametrize("kind", ["parquet", "file", "stream", "feather", "lz4"])
def test_parquet_and_arrow(reader: Reader, kind: str) -> None:
    path = reader.folder / ("t.parquet" if kind == "parquet" else "t.arrow")
    if kind == "parquet":
        pq.write_table(ARROW, path)
    elif kind == "feather":
        feather.write_feather(ARROW, path, compression="zstd")
    elif kind == "stream":
        with ipc.new_stream(path, ARROW.schema) as out:
            out.write_table(ARROW)
    else:
        options = ipc.IpcWriteOptions(compression="lz4" if kind == "lz4" else None)
        with ipc.new_file(path, ARROW.schema, options=options) as out:
            out.write_table(ARROW)
    found = reader.open(path)
    assert found.rows[0] == (
        1,
        2**64 - 1,
        1.5,
        Decimal("1.10"),
        "x",
        "x",
        dt.date(2024, 1, 31),
        dt.datetime(2024, 1, 31, 10),  # noqa: DTZ001
        dt.datetime(1970, 1, 1),  # noqa: DTZ001
        "[1,2]",
        1,
        "x",
        1,
        1,
        7,
    )
    assert found.rows[1][:5] == (None, 0, None, None, "007")
    # The engine itself tells apart the names of a Parquet file.
    twin = "I_1" if kind == "parquet" else "I_2"
    assert found.names[-5:] == ["in.a", "in.b.c", twin, "Weight (kg)", "_row__"]
    assert found.units == {"Weight (kg)": "kg"}
    assert found.numbers == [1, 2]
    assert [n.count for n in found.notes("repaired") if "NaN" in n.message] == [1]
    assert len(found.notes("inferred")) == 3


def test_infinite_cells_are_a_warning_of_what_sums_lack(reader: Reader) -> None:
    cells = pa.array([1.5, float("inf"), float("nan"), float("-inf")])
    pq.write_table(pa.table({"f": cells}), reader.folder / "f.parquet")
    (note,) = reader.open(reader.folder / "f.parquet").notes("warning")
    assert (note.message, note.skews) == ("2 cells of 'f' are infinite and became missing.", True)


@pytest.mark.parametrize("part_rows", [2, 100])
@pytest.mark.parametrize("cells", [[1.0, NAN, NAN, 3.0], [1.0, 1.0, NAN, 1.0, NAN], [NAN, None, 2.0, NAN]])
def test_cells_that_are_nan_are_counted_whatever_the_statistics_of_the_file_say(
    reader: Reader, cells: list[float | None], part_rows: int
) -> None:
    path = reader.folder / "f.parquet"
    for kind in (pa.float64(), pa.float32()):
        pq.write_table(pa.table({"f": pa.array(cells, kind)}), path, row_group_size=part_rows)
        found = reader.open(path)
        (note,) = found.notes("repaired")
        assert note.message == "2 cells of 'f' are NaN and became missing."
        path.unlink()


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_fractions_without_a_row_have_nothing_to_note(reader: Reader, kind: str) -> None:
    empty = pa.table({"f": pa.array([], pa.float64())})
    path = reader.folder / f"f.{kind}"
    if kind == "parquet":
        pq.write_table(empty, path)
    else:
        with ipc.new_file(path, empty.schema) as out:
            out.write_table(empty)
    found = reader.open(path)
    assert (found.rows, found.notes("warning"), found.notes("repaired")) == ([], [], [])


def test_parquet_in_a_folder_that_looks_like_a_partition(reader: Reader) -> None:
    folder = reader.folder / "year=2024"
    folder.mkdir()
    pq.write_table(pa.table({"a": [1]}), folder / "[t]*.parquet")
    assert reader.open(folder / "[t]*.parquet").names == ["a"]
    (folder / "t.csv").write_text("a,b\n1,2\n")
    assert reader.open(folder / "t.csv").names == ["a", "b"]


def test_formats_are_told_by_content_when_the_name_does_not(reader: Reader) -> None:
    pq.write_table(pa.table({"a": [1]}), reader.folder / "x.csv")
    assert reader.open(reader.folder / "x.csv").table.report.input_format == "parquet"
    assert reader.text('[{"a":1}]', "data").table.report.input_format == "json"
    assert reader.text('{"a":1}\n{"a":2}', "data2").table.report.input_format == "jsonl"
    assert reader.text("a,b\n1,2\n", "data3").table.report.input_format == "csv"
    assert reader.text('[{"a":1}]', "t.csv", input_format="json").rows == [(1,)]


def test_arrow_without_columns(reader: Reader) -> None:
    path = reader.folder / "t.arrow"
    with ipc.new_file(path, pa.schema([])) as out:
        out.write_table(pa.table({}))
    with pytest.raises(InputError, match="has no columns"):
        reader.open(path)


def test_half_a_character_in_json_is_replaced_and_told(reader: Reader) -> None:
    found = reader.text(r'[{"a": "cut \ud83d", "n": 1}, {"a": "\ud83d\ude00", "n": 2}]', "t.json")
    assert found.rows == [("cut �", 1), ("😀", 2)]
    (note,) = found.notes("warning")
    assert note.message == "1 text holds half of a character in 'a', which became a replacement character."


def test_values_of_different_types_in_json_are_told(reader: Reader) -> None:
    found = reader.text('[{"a": 1, "b": [1]}, {"a": true, "b": 2}]', "t.json")
    assert found.rows == [("1", "[1]"), ("true", "2")]
    (note,) = [note for note in found.notes("inferred") if note.column]
    assert (note.message, note.hint) == (
        "Column 'a' is kept as text: values of different types.",
        "To calculate with it: --type 'a=number'.",
    )
