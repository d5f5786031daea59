"""Each operation: what it does to cells, kinds, units and row numbers, and how it is refused."""

import datetime as dt
import shlex
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tabchat.config import Settings
from tabchat.errors import PlanError, PlanValidationError
from tabchat.session import Session
from tests.command import tabchat

TABLE = '''name,units sold,"say ""hi""",ціна ($),when,code,share
Anna,1,x,2.5,2024-01-01,1,5%
Богдан,,y,3.5,2024-01-02,2.0,10%
Céline,3,,,2024-01-03,,
Céline,3,,,2024-01-03, 7 ,
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the table, which is read once; every test edits it anew."""
    made = tmp_path_factory.mktemp("operations")
    (made / "table.csv").write_text(TABLE, encoding="utf-8")
    return made


@pytest.fixture
def session(folder: Path) -> Iterator[Session]:
    settings = Settings(cache_dir=folder / "cache", data_dir=folder / "data", threads=1)
    with Session.open([folder / "table.csv"], settings=settings) as opened:
        yield opened


def column(session: Session, name: str) -> list[Any]:
    place = names(session).index(name)
    return [row[place] for row in session.frame().rows()]


def names(session: Session) -> list[str]:
    return [item.name for item in session.current.schema]


def edit(session: Session, **arguments: Any) -> dict[str, Any]:
    pending = session.preview_edit(arguments)
    session.commit(pending)
    return pending.summary.to_json()


def refused(session: Session, **arguments: Any) -> PlanError:
    with pytest.raises(PlanError) as caught:
        session.preview_edit(arguments)
    return caught.value


def test_deleted_rows_take_their_numbers_with_them(session: Session) -> None:
    told = edit(session, operation="delete_rows", where="name == 'Богдан'")
    assert (told["rows_before"], told["rows_after"], told["removed_rows"]) == (4, 3, 1)
    assert [row[0] for row in session.engine.rows(session.current.scan)] == [1, 3, 4]
    answer = session.query({"select": "count()", "where": '"units sold" == 3'})
    assert answer.block is not None
    assert answer.block.result.source is not None
    assert [row[0] for row in answer.block.result.source.rows()] == [3, 4]


def test_a_row_whose_condition_is_null_stays(session: Session) -> None:
    edit(session, operation="delete_rows", where='not ("units sold" > 1)')
    assert column(session, "name") == ["Богдан", "Céline", "Céline"]


def test_set_sees_the_row_as_it_was(session: Session) -> None:
    edit(
        session,
        operation="update",
        set={"name": '"say ""hi"""', 'say "hi"': "name"},
        where="\"when\" < '2024-01-03'",
    )
    assert column(session, "name") == ["x", "y", "Céline", "Céline"]
    assert column(session, 'say "hi"') == ["Anna", "Богдан", None, None]


def test_a_whole_number_column_stays_one_until_it_is_given_a_fraction(session: Session) -> None:
    told = edit(session, operation="update", set={"units sold": '"units sold" + 1'})
    assert (told["structure_changed"], column(session, "units sold")) == (False, [2, None, 4, 4])
    told = edit(session, operation="update", set={"units sold": '"units sold" / 4'})
    assert told["retyped_columns"] == {"units sold": ["BIGINT", "DOUBLE"]}
    assert column(session, "units sold") == [0.5, None, 1.0, 1.0]


def test_units_stay_with_their_columns(session: Session) -> None:
    def units() -> dict[str, str | None]:
        return {item.name: item.unit for item in session.current.schema}

    before = units()
    assert before["ціна ($)"] == "$"
    assert before["share"] == "%"
    edit(session, operation="update", set={"ціна ($)": '"ціна ($)" * 2'})
    edit(session, operation="rename_columns", names={"share": "частка"})
    assert (units()["ціна ($)"], units()["частка"]) == ("$", "%")


def test_a_value_of_another_kind_is_refused_with_the_way_out(session: Session) -> None:
    error = refused(session, operation="update", set={"units sold": "'many'", "name": "5", "when": "'soon'"})
    assert isinstance(error, PlanValidationError)
    assert [(issue.step, issue.message) for issue in error.issues] == [
        ("set.units sold", 'Column "units sold" holds whole numbers, not text.'),
        ("set.name", "Column name holds text, not numbers."),
        ("set.when", "'soon' is not a date."),
    ]


def test_numbers_that_would_lose_digits_stop_the_edit(tmp_path: Path) -> None:
    path = tmp_path / "big.csv"
    path.write_text("id,k\n9007199254740993,1\n5,2\n")
    with Session.open(
        [path], settings=Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")
    ) as session:
        error = refused(session, operation="update", set={"id": "0.5"}, where="k == 2")
        assert error.code == "cells_refused"
        assert "more digits" in error.message
        assert (
            edit(session, operation="update", set={"id": "0.5"}, where="k == 1")["changed_cells_count"] == 1
        )


def test_a_quotient_by_nothing_is_missing_not_infinite(session: Session) -> None:
    edit(session, operation="add_column", name="r", expression='"ціна ($)" / ("units sold" - 1)')
    assert column(session, "r") == [None, None, None, None]
    assert names(session)[-1] == "r"


@pytest.mark.parametrize(
    "name, what",
    [("NAME", "is taken"), ("__x", "cannot begin"), (" x", "space"), ("a\nb", "control characters")],
)
def test_names_of_columns_are_free_and_plain(session: Session, name: str, what: str) -> None:
    assert what in refused(session, operation="add_column", name=name, expression="1").message
    assert what in refused(session, operation="rename_columns", names={"code": name}).message


def test_two_columns_exchange_their_names(session: Session) -> None:
    told = edit(session, operation="rename_columns", names={"name": "code", "code": "name"})
    assert told["renamed_columns"] == {"name": "code", "code": "name"}
    assert told["changed_cells_count"] == 0
    assert column(session, "code") == ["Anna", "Богдан", "Céline", "Céline"]


def test_a_table_keeps_a_column(session: Session) -> None:
    assert "at least one column" in refused(session, operation="drop_columns", columns=names(session)).message
    told = edit(session, operation="drop_columns", columns=names(session)[1:])
    assert told["removed_columns"] == ["units sold", 'say "hi"', "ціна ($)", "when", "code", "share"]


def test_a_note_on_reading_the_file_goes_with_the_column_that_it_names(tmp_path: Path) -> None:
    path = tmp_path / "records.json"
    path.write_text('[{"t": 1, "at": {"x": 1}, "n": "a"}, {"t": 2, "at": {"x": 2}, "n": "b"}]')
    settings = Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")
    with Session.open([path], settings=settings) as session:
        (note,) = session.current.report.notes
        assert "such as 'at.x'" in note.message
        edit(session, operation="drop_columns", columns=["t"])
        assert [*session.current.report.notes] == [note]
        edit(session, operation="drop_columns", columns=["at.x"])
        assert not session.current.report.notes


def test_a_note_on_a_total_goes_with_its_row(tmp_path: Path) -> None:
    path = tmp_path / "records.csv"
    path.write_text("k;v\na;1\nb;2\nc;3\nИтого за год;6\n")
    settings = Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")
    with Session.open([path], settings=settings) as session:
        assert session.current.report.totals == ("Итого за год",)
        edit(session, operation="delete_rows", where="v == 1")
        assert session.current.report.totals == ("Итого за год",)
        edit(session, operation="delete_rows", where="v == 6")
        assert not session.current.report.notes


@pytest.mark.parametrize("label", ["Итого, руб.", "GRAND TOTAL:", "О'Ніл Разом"])
def test_the_command_of_a_note_deletes_the_total(tmp_path: Path, label: str) -> None:
    path, new = tmp_path / "ledger.csv", tmp_path / "new.csv"
    path.write_text(f'"Хто, де",v\nО\'Ніл,1\nb,2\nc,3\n"{label}",1\n')
    settings = Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")
    with Session.open([path], settings=settings) as session:
        (note,) = session.current.report.notes
    _, _, command = (note.hint or "").partition("tabchat ")
    told = {"FILE": str(path), "NEW_FILE.": str(new)}
    done = tabchat(*(told.get(word, word) for word in shlex.split(command)), "--yes")
    assert done.code == 0, done.err
    assert new.read_text().splitlines()[1:] == ["О'Ніл,1", "b,2", "c,3"]


def cast(session: Session, folder: Path, cells: list[str], kind: str) -> list[Any]:
    """Put text into a column of its own file, cast it, and return the cells."""
    path = folder / "cells.csv"
    lines = ["k,t", *(f'0,"{cell}"' for cell in cells), '1,"no type of its own"']
    path.write_text("\n".join(lines), encoding="utf-8")
    before, table = session.current.name, session.add(path, name="cells")
    session.use(table.name)
    try:
        edit(session, operation="delete_rows", where="t == 'no type of its own'")
        edit(session, operation="cast", column="t", type=kind)
        return column(session, "t")
    finally:
        session.use(before)


@pytest.mark.parametrize(
    "kind, cells, values",
    [
        ("int", ["1", " -2 ", "3.0", "+4"], [1, -2, 3, 4]),
        ("float", ["1", "-.5", "2e3"], [1.0, -0.5, 2000.0]),
        ("date", ["2024-02-29", "31.12.2023", "2024/1/5"], [dt.date(2024, 2, 29), dt.date(2023, 12, 31), dt.date(2024, 1, 5)]),
        ("datetime", ["2024-02-29T10:30", "2024-02-29"], [dt.datetime.fromisoformat("2024-02-29T10:30"), dt.datetime.fromisoformat("2024-02-29")]),
        ("bool", ["Yes", "ні", "TRUE", "0"], [True, False, True, False]),
    ],
)  # fmt: skip
def test_text_is_read_as_plain_values(
    session: Session, tmp_path: Path, kind: str, cells: list[str], values: list[Any]
) -> None:
    assert cast(session, tmp_path, cells, kind) == values


@pytest.mark.parametrize(
    "kind, cell",
    [
        ("int", "1.5"), ("int", "1 000"), ("int", "1,5"), ("int", "9223372036854775808"), ("float", "inf"),
        ("float", "1e999"), ("float", "0x10"), ("date", "2023-02-29"), ("date", "01/02/2024"), ("bool", "maybe"),
        ("datetime", "10:30"),
    ],
)  # fmt: skip
def test_text_that_is_no_such_value_stops_the_cast_without_being_quoted(
    session: Session, tmp_path: Path, kind: str, cell: str
) -> None:
    with pytest.raises(PlanError) as caught:
        cast(session, tmp_path, ["", cell], kind)
    assert caught.value.code == "cells_refused"
    assert caught.value.message == f"Column t has cells that are no {kind}: 1, the first in row 2."
    assert cell not in f"{caught.value.message}{caught.value.hint}"


def test_a_fraction_is_no_whole_number_and_a_date_no_number(session: Session) -> None:
    error = refused(session, operation="cast", column="ціна ($)", type="int")
    assert (error.code, "2, the first in row 1" in error.message) == ("cells_refused", True)
    assert error.hint == (
        'Round them first: {"operation": "update", "set": {"ціна ($)": "round(\\"ціна ($)\\")"}}.'
    )
    error = refused(session, operation="cast", column="ціна ($)", type="bool")
    assert error.hint == "Correct them first with replace_values, or with update."
    error = refused(session, operation="cast", column="when", type="float")
    assert error.message == "type: Column when of date values cannot become float."
    assert refused(session, operation="cast", column="when", type="date").code == "nothing_changed"


def test_a_cast_counts_every_cell_that_holds_something(session: Session) -> None:
    told = edit(session, operation="cast", column="units sold", type="text")
    assert (told["changed_cells_count"], column(session, "units sold")) == (3, ["1", None, "3", "3"])
    assert told["retyped_columns"] == {"units sold": ["BIGINT", "VARCHAR"]}
    assert edit(session, operation="cast", column="when", type="datetime")["changed_cells_count"] == 0


@pytest.mark.parametrize(
    "method, column_name, values",
    [
        ("mean", "ціна ($)", [2.5, 3.5, 3.0, 3.0]),
        ("median", "units sold", [1, 3, 3, 3]),
        ("mode", "units sold", [1, 3, 3, 3]),
        ("zero", "units sold", [1, 0, 3, 3]),
        ("min", 'say "hi"', ["x", "y", "x", "x"]),
        ("max", 'say "hi"', ["x", "y", "y", "y"]),
        ("previous", 'say "hi"', ["x", "y", "y", "y"]),
        ("next", "units sold", [1, 3, 3, 3]),
    ],
)
def test_missing_cells_are_filled_by_a_method(
    session: Session, method: str, column_name: str, values: list[Any]
) -> None:
    told = edit(session, operation="fill_missing", columns=[column_name], method=method)
    assert (column(session, column_name), told["structure_changed"]) == (values, False)


def test_a_figure_of_the_whole_column_fills_where_a_condition_holds(session: Session) -> None:
    edit(session, operation="fill_missing", columns=["ціна ($)"], method="max", where="code is null")
    assert column(session, "ціна ($)") == [2.5, 3.5, 3.5, None]


def test_a_whole_number_column_takes_a_mean_that_is_none_as_a_fraction(session: Session) -> None:
    told = edit(session, operation="fill_missing", columns=["units sold"], method="mean")
    assert told["retyped_columns"] == {"units sold": ["BIGINT", "DOUBLE"]}
    assert column(session, "units sold") == [1.0, pytest.approx(7 / 3), 3.0, 3.0]


@pytest.mark.parametrize(
    "value", ["99999999999999999999", "count * 9223372036854775807", "9223372036854775807 + count"]
)
def test_a_whole_number_that_no_cell_can_hold_is_refused_in_words_of_the_edit(
    session: Session, value: str
) -> None:
    edit(session, operation="add_column", name="count", expression="2")
    error = refused(session, operation="update", set={"count": value})

    assert error.message.startswith("A whole number is too large for a cell (set count = ")
    assert error.message.endswith("the largest is 9,223,372,036,854,775,807.")
    assert "fractions" in str(error.hint)
    edit(session, operation="update", set={"count": "1.0 * count * 9223372036854775807"})


def test_filling_says_what_cannot_be(session: Session) -> None:
    assert (
        "no mean of it" in refused(session, operation="fill_missing", columns=["name"], method="mean").message
    )
    edit(session, operation="update", set={"ціна ($)": "null"})
    assert (
        "no cell" in refused(session, operation="fill_missing", columns=["ціна ($)"], method="mean").message
    )
    error = refused(session, operation="fill_missing", columns=["name"], value="?", method="mode")
    assert "either `value` or `method`" in error.message
    assert refused(session, operation="fill_missing", columns=["name"], value="?").code == "nothing_changed"


def test_values_are_replaced_all_at_once(session: Session) -> None:
    values = [{"from": "x", "to": "y"}, {"from": "y", "to": None}, {"from": None, "to": "x"}]
    told = edit(session, operation="replace_values", column='say "hi"', values=values)
    assert (column(session, 'say "hi"'), told["changed_cells_count"]) == (["y", None, "x", "x"], 4)
    edit(
        session,
        operation="replace_values",
        column="when",
        values=[{"from": "2024-01-01", "to": "2025-05-05"}],
    )
    assert column(session, "when")[0] == dt.date(2025, 5, 5)


def test_replacing_takes_values_of_the_columns_kind(session: Session) -> None:
    error = refused(session, operation="replace_values", column="units sold", values=[{"from": "1", "to": 2}])
    assert error.message == 'values[0]: Column "units sold" holds whole numbers, not text.'
    twice = [{"from": 1, "to": 2}, {"from": 1.0, "to": 3}]
    assert (
        "replaced twice"
        in refused(session, operation="replace_values", column="units sold", values=twice).message
    )


def test_of_equal_rows_one_stays(session: Session) -> None:
    told = edit(session, operation="deduplicate", columns=["NAME"], keep="last")
    assert told["removed_rows"] == 1
    assert [row[0] for row in session.engine.rows(session.current.scan)] == [1, 2, 4]
    assert refused(session, operation="deduplicate").code == "nothing_changed"


def test_every_error_of_an_edit_is_told_at_once(session: Session) -> None:
    error = refused(
        session, operation="update", set={"nam": "upper(nme)", "when": "whn + 1"}, where="code", column="x"
    )
    assert isinstance(error, PlanValidationError)
    assert [issue.step for issue in error.issues] == ["column", "where", "set.nam", "set.nam", "set.when"]
    assert error.issues[0].hint == "update takes set, and may take where."
    assert "Did you mean name?" in str(error.hint)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ({}, "The operation is missing."),
        ({"operation": "delete"}, "There is no operation 'delete'."),
        ({"operation": "delete_rows"}, "delete_rows needs `where`."),
        ({"operation": "delete_rows", "where": None}, "delete_rows needs `where`."),
        ({"operation": "drop_columns", "columns": None}, "drop_columns needs `columns`."),
        ({"operation": "cast", "column": "ціна ($)", "type": None}, "cast needs `type`."),
        ({"operation": "drop_columns", "columns": []}, "`columns` is a list of column names."),
        ({"operation": "cast", "column": "code", "type": "number"}, "`type` cannot be number."),
        (
            {"operation": "replace_values", "column": "code", "values": [{"from": 1}]},
            "A pair has `from` and `to`",
        ),
        ({"operation": "rename_columns", "names": {"code": 5}}, "`code` takes a new name"),
        ({"operation": "update", "set": {}}, "`set` is an object."),
    ],
)
def test_an_edit_of_no_known_shape_says_which_part(
    session: Session, arguments: dict[str, Any], message: str
) -> None:
    assert message in refused(session, **arguments).message


def test_an_edit_is_of_the_table_that_it_names(session: Session, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a\n1\n2\n")
    session.add(other)
    edit(session, operation="delete_rows", where="a == 1", table="other")
    assert (session.tables["other"].row_count, session.current.row_count) == (1, 4)


def test_types_of_files_that_have_them_stay(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    from tests.engine.edits.typed import TYPED

    path = tmp_path / "typed.parquet"
    pq.write_table(TYPED, path)
    with Session.open(
        [path], settings=Settings(cache_dir=tmp_path / "c", data_dir=tmp_path / "d")
    ) as session:
        types = {item.name: item.sql_type for item in session.current.schema}
        assert types == {
            "before": "TINYINT",
            "after": "DECIMAL(10,2)",
            "base": "UBIGINT",
            "rows": "TIMESTAMP_NS",
            "frame": "FLOAT",
            "at": "TIME",
            "raw": "BLOB",
        }
        told = edit(
            session,
            operation="update",
            set={
                "before": "7",
                "after": "1.5",
                "base": "18446744073709551615",
                "frame": "0.1",
                "at": "'11:30'",
            },
            where='"before" == 1',
        )
        assert (told["retyped_columns"], told["changed_cells_count"]) == ({}, 4)
        told = edit(session, operation="fill_missing", columns=["rows", "raw"], method="previous")
        assert (told["retyped_columns"], told["changed_cells_count"]) == ({}, 3)
        edit(session, operation="deduplicate", columns=["raw", "rows"], keep="last")
        assert {item.name: item.sql_type for item in session.current.schema} == types
        assert session.frame().rows()[0][1:3] == (Decimal("1.50"), 2**64 - 1)
        told = edit(session, operation="update", set={"before": "1000"}, where="base > 5")
        assert told["retyped_columns"] == {"before": ["TINYINT", "INTEGER"]}
