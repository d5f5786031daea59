import re

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.render.commands import REPL
from tabchat.render.layout.table import TableView, render_table
from tabchat.render.layout.text import width_of
from tests.render.screens import assert_snapshot, frame_of, screen

KEY = "ds_abcdefghij0123456789"

MESSY = r"""
    SELECT * FROM (VALUES
        (1, 'Київ', DATE '2024-02-29', 1234567.5, 12.50::DECIMAL(9, 2), true, NULL, '日本語のとても長いテキスト'),
        (20, E'two\nlines\tand \x1b[31mred', NULL, -0.00001, NULL, false, 'x', '[bold]markup[/] :smile:'),
        (9007199254740993, 'שלום עולם', DATE '1999-12-31', NULL, -3.00, NULL, '', repeat('very long text ', 30))
    ) AS t("id", "Назва товару", "date", "float", "exact", "flag", "an \x1b[2J[red]evil[/] header", "note")
"""
WIDE = "SELECT " + ", ".join(f"{number * 1000003} AS column_{number}" for number in range(60))
GROUPED = """
    SELECT * FROM (VALUES ('Asia', 3, 120.5), ('Europe', 5, 80.25), ('Нордіа', 1, NULL), ('Oceania', 2, 7.0))
    AS t(region, orders, mean_revenue)
"""


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("name, sql", [("messy", MESSY), ("wide", WIDE), ("grouped", GROUPED)])
def test_tables_stay_readable(name: str, sql: str, width: int, engine: DuckDBEngine) -> None:
    shown = screen(width)
    render_table(shown.consoles, frame_of(engine, sql), TableView(key=KEY, bars_of="mean_revenue"))

    assert_snapshot(f"table_{name}_{width}", shown.out)
    assert shown.err == ""
    table = shown.out.split("\n+")[0]
    assert all(width_of(line) <= width for line in table.splitlines())


def test_colour_changes_no_character(engine: DuckDBEngine) -> None:
    plain, coloured = screen(80), screen(80, color="always")
    for shown in (plain, coloured):
        render_table(shown.consoles, frame_of(engine, GROUPED), TableView(bars_of="mean_revenue"))

    assert "\x1b[" in coloured.out
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured.out) == plain.out


def test_rows_beyond_the_limit_are_announced_with_the_commands(engine: DuckDBEngine) -> None:
    shown = screen(200)
    frame = frame_of(engine, "SELECT range AS n FROM range(1234)")
    render_table(shown.consoles, frame, TableView(limit=2, key=KEY))

    assert shown.out == (
        "n\n─\n0\n1\n"
        "2 of 1,234 rows shown · tabchat show ds_abcd --rows 1234 · tabchat export ds_abcd -o out.csv\n"
    )


def test_source_rows_and_the_repl_have_commands_of_their_own(engine: DuckDBEngine) -> None:
    frame = frame_of(engine, "SELECT range AS n FROM range(9)")
    source, repl = screen(200), screen(200)
    render_table(source.consoles, frame, TableView(limit=0, key=KEY, is_source=True))
    render_table(repl.consoles, frame, TableView(limit=0, key=KEY, commands=REPL))

    assert source.out.splitlines()[-1] == (
        "0 of 9 rows shown · tabchat show ds_abcd --source --rows 9 · tabchat export ds_abcd --source -o out.csv"
    )
    assert repl.out.splitlines()[-1] == "0 of 9 rows shown · /rows 9 · /export out.csv"


def test_without_a_key_only_the_count_is_told(engine: DuckDBEngine) -> None:
    shown = screen(30)
    render_table(shown.consoles, frame_of(engine, WIDE), TableView(limit=0))

    assert shown.out.splitlines()[-2:] == [
        "+57 more columns: column_3, column_4, column_5, column_6, …",
        "0 of 1 rows shown",
    ]


def test_columns_that_tell_stay_where_there_is_no_room_for_all(engine: DuckDBEngine) -> None:
    shown = screen(40)
    view = TableView(telling=lambda: ("column_40", "column_20"))
    hidden = render_table(shown.consoles, frame_of(engine, WIDE), view).hidden_columns

    header = shown.out.splitlines()[0].split()
    assert {"column_20", "column_40"} <= {*header}
    assert len(header) + len(hidden) == 60
    assert header == sorted(header, key=lambda name: int(name.removeprefix("column_")))


def test_the_command_for_wide_tables_really_shows_every_column(engine: DuckDBEngine) -> None:
    narrow = screen(80)
    frame = frame_of(engine, WIDE)
    render_table(narrow.consoles, frame, TableView(key=KEY))
    (columns,) = re.findall(r"COLUMNS=(\d+)", narrow.out)
    broad = screen(int(columns))

    assert render_table(broad.consoles, frame, TableView(key=KEY)).hidden_columns == ()


def test_a_table_too_wide_to_scroll_is_exported_instead(engine: DuckDBEngine) -> None:
    sql = "SELECT " + ", ".join(f"'{'x' * 50}' AS c{number}" for number in range(60))
    shown = screen(80)
    render_table(shown.consoles, frame_of(engine, sql), TableView(key=KEY))

    assert "tabchat export ds_abcd -o out.csv" in shown.out
    assert "COLUMNS=" not in shown.out


def test_chosen_columns_come_in_the_order_asked_for(engine: DuckDBEngine) -> None:
    shown = screen(80)
    render_table(shown.consoles, frame_of(engine, GROUPED), TableView(limit=1, columns=("orders", "region")))

    assert shown.out.splitlines()[0] == "orders  region"


def test_the_engines_own_columns_stay_hidden(engine: DuckDBEngine) -> None:
    shown = screen(80)
    render_table(
        shown.consoles, frame_of(engine, 'SELECT 7 AS "__row__", 1 AS a'), TableView(bars_of="__row__")
    )

    assert shown.out == "a\n─\n1\n"


def test_no_rows_are_told(engine: DuckDBEngine) -> None:
    shown = screen(80)
    render_table(shown.consoles, frame_of(engine, "SELECT 1 AS a, 'x' AS b WHERE false"), TableView(key=KEY))

    assert shown.out == "a  b\n────\n(no rows)\n"
