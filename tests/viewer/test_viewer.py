from pathlib import Path

import pytest
from sqlglot import parse_one

from tabchat.engine.types import Column, ColumnKind
from tabchat.errors import OutputExistsError, UsageError
from tabchat.render.layout.text import ASCII
from tabchat.session import Session
from tabchat.viewer import distribution
from tabchat.viewer.ground import ground_of
from tabchat.viewer.opening import block_sheet, source_sheet, table_sheet
from tabchat.viewer.sheet import BLOCK_ROWS, KEPT_BLOCKS, Sheet
from tabchat.viewer.viewer import Viewer
from tests.render.screens import frame_of
from tests.viewer.screens import assert_screen, shown


def answer_sheet(session: Session, question: str) -> Sheet:
    block = session.answer(question).block
    assert block is not None
    return block_sheet(session, block)


def to_column(viewer: Viewer, name: str) -> None:
    viewer.by_columns(viewer.sheet.state.shown.index(name) - viewer.sheet.state.column)


@pytest.mark.parametrize("width, height", [(80, 24), (200, 50)])
def test_the_screen_of_a_table(viewer: Viewer, width: int, height: int) -> None:
    assert_screen("table", viewer, width, height)


@pytest.mark.parametrize("width, height", [(80, 24), (200, 50)])
def test_the_screen_of_a_sorted_and_filtered_table_in_plain_signs(
    session: Session, width: int, height: int
) -> None:
    viewer = Viewer.of(table_sheet(session), glyphs=ASCII)
    viewer.load()
    viewer.freeze()
    to_column(viewer, "region")
    viewer.filter("asia")
    to_column(viewer, "revenue")
    viewer.sort()
    viewer.sort()
    viewer.by_rows(3)
    viewer.select()
    viewer.by_rows(2)

    assert_screen("arranged_ascii", viewer, width, height)
    assert "\n".join(shown(viewer, width, height)).isascii()


@pytest.mark.parametrize("width, height", [(80, 24), (200, 50)])
def test_the_histogram_of_a_column(viewer: Viewer, width: int, height: int) -> None:
    to_column(viewer, "revenue")
    shown(viewer, width, height)
    viewer.show_histogram()

    assert_screen("histogram", viewer, width, height)
    to_column(viewer, "region")
    with pytest.raises(UsageError, match="needs numbers"):
        viewer.show_histogram()


def test_only_blocks_around_the_window_are_held(viewer: Viewer) -> None:
    for row in range(0, 5000, 100):
        viewer.to_row(row)
        shown(viewer)
    held = [row for row in range(5000) if viewer.sheet.blocks.get(row) is not None]

    assert len(held) <= KEPT_BLOCKS * BLOCK_ROWS
    assert held[-1] == 4999


def test_a_jump_a_search_and_the_end(viewer: Viewer) -> None:
    viewer.go_to("1,000")
    assert viewer.sheet.state.row == 999
    viewer.search("Bolivia Nowhere")
    assert viewer.message == "No row holds 'Bolivia Nowhere'."
    viewer.search("brazil")
    first = viewer.sheet.state.row
    assert first > 999
    viewer.search()
    second = viewer.sheet.state.row
    viewer.search(backwards=True)
    assert (second > first, viewer.sheet.state.row) == (True, first)
    viewer.go_to("99999999")
    assert viewer.sheet.state.row == 4999
    viewer.search("brazil")
    assert viewer.message == "searched on from the other end"
    with pytest.raises(UsageError, match="no number of a row"):
        viewer.go_to("ten")


def test_from_the_row_of_an_aggregate_to_its_rows_and_back(session: Session) -> None:
    viewer = Viewer.of(answer_sheet(session, "average revenue by region"))
    viewer.load()
    viewer.by_rows(1)
    assert viewer.sheet.value() == "Europe"
    viewer.enter()
    viewer.load()
    assert viewer.sheet.arranged.row_count == 1459
    assert {
        row[1][viewer.sheet.state.columns.index("region")] for row in viewer.sheet.arranged.window(0, 2000)
    } == {"Europe"}
    assert "region = Europe" in shown(viewer)[0]
    viewer.enter()
    assert viewer.panel is not None
    assert viewer.back()
    assert viewer.back()
    assert viewer.sheet.value() == "Europe"
    assert not viewer.back()


def test_the_rows_behind_a_month_are_those_of_the_month(session: Session) -> None:
    viewer = Viewer.of(answer_sheet(session, "revenue by month"))
    viewer.load()
    viewer.behind()
    viewer.load()
    months = {
        str(row[viewer.sheet.state.columns.index("order_date")])[:7]
        for _, row in viewer.sheet.arranged.window(0, 500)
    }
    assert months == {"2022-01"}


def test_the_values_of_a_column_lead_to_their_rows(viewer: Viewer) -> None:
    to_column(viewer, "region")
    viewer.count_values()
    assert viewer.sheet.arranged.window(0, 1)[0][1][:2] == ("North America", 1587)
    viewer.enter()
    assert viewer.sheet.arranged.row_count == 1587
    assert viewer.sheet.sheet.is_table


def test_rows_of_a_table_have_no_rows_behind_them(viewer: Viewer) -> None:
    with pytest.raises(UsageError, match="no rows behind its rows"):
        viewer.behind()


def test_a_result_without_source_rows_says_so(session: Session) -> None:
    answer = session.query({"limit": 3})
    assert answer.block is not None
    with pytest.raises(UsageError, match="no separate source rows"):
        source_sheet(answer.block, None)


def test_an_export_writes_the_selection_and_never_over_a_file(viewer: Viewer, tmp_path: Path) -> None:
    to_column(viewer, "region")
    viewer.sort()
    viewer.load()
    viewer.hide()
    viewer.select()
    viewer.by_rows(2)
    target = tmp_path / "out.csv"
    viewer.export(str(target))

    lines = target.read_text(encoding="utf-8").splitlines()
    assert viewer.message == f"3 rows written to {target}."
    assert lines[0].startswith("order_id,order_date,country,")
    assert [line.split(",")[0] for line in lines[1:]] == ["100026", "100036", "100054"]
    with pytest.raises(OutputExistsError):
        viewer.export(str(target))


def test_cells_and_headers_steer_no_terminal(session: Session) -> None:
    frame = frame_of(session.engine, "SELECT 'a\x1b[31mb\x07\u202ec' AS \"x\x1b]0;y\x07\", 'line\nline' AS z")
    viewer = Viewer.of(Sheet(title="t\x1b[0m", ground=ground_of(frame)))
    viewer.load()
    drawn = "\n".join(shown(viewer))
    assert all(character.isprintable() for character in drawn.replace("\n", ""))
    assert "a\\x1b[31mb\\x07\\u202ec" in drawn
    viewer.show_cell()
    assert all(character.isprintable() for character in "".join(shown(viewer)))


def test_an_empty_and_a_very_wide_table_are_drawn(session: Session) -> None:
    empty = Viewer.of(
        Sheet(title="none", ground=ground_of(frame_of(session.engine, "SELECT 1 AS a WHERE false")))
    )
    assert "(no rows)" in "\n".join(shown(empty))
    empty.by_rows(5)
    empty.enter()
    empty.filter_same()
    wide = ", ".join(f"{place} AS c{place}" for place in range(60))
    viewer = Viewer.of(Sheet(title="wide", ground=ground_of(frame_of(session.engine, f"SELECT {wide}"))))
    viewer.load()
    viewer.by_columns(59)
    assert "c59" in shown(viewer, 40, 10)[1]
    viewer.by_columns(-59)
    assert "c0" in shown(viewer, 40, 10)[1]


def test_a_long_cell_is_shown_whole(session: Session) -> None:
    frame = frame_of(session.engine, "SELECT repeat('word ', 100) || repeat('x', 300) AS a")
    viewer = Viewer.of(Sheet(title="t", ground=ground_of(frame)))
    viewer.load()
    viewer.show_cell()
    lines = shown(viewer)
    assert sum(line.count("word") for line in lines) == 100
    assert sum(line.count("x") for line in lines[1:-1]) == 300


def test_the_keys_are_told(viewer: Viewer) -> None:
    viewer.show_help()
    assert_screen("help", viewer, 80, 24)


def test_columns_of_numbers_are_never_cut(session: Session) -> None:
    frame = frame_of(session.engine, "SELECT 'text' AS a, 123456789012 AS b, 987654321098 AS c")
    assert frame.schema[1] == Column(name="b", kind=ColumnKind.INTEGER, sql_type="BIGINT")
    viewer = Viewer.of(Sheet(title="t", ground=ground_of(frame)))
    viewer.load()
    row = shown(viewer, 30, 10)[3]
    assert "123456789012" in row
    assert "987" not in row


def test_the_order_of_rows_is_let_go_when_another_one_is_shown(viewer: Viewer, session: Session) -> None:
    def kept() -> int:
        ((count,),) = session.engine.rows(parse_one("SELECT count(*) FROM duckdb_tables()", read="duckdb"))  # type: ignore[arg-type]
        assert isinstance(count, int)
        return count

    before = kept()
    for _ in range(7):
        viewer.sort()
    assert kept() <= before + 1
    viewer.sort()
    viewer.sort()
    assert kept() == before
    to_column(viewer, "region")
    viewer.count_values()
    viewer.enter()
    opened = kept()
    viewer.back()
    assert kept() == opened - 1


def test_values_that_are_not_listed_are_told(
    viewer: Viewer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to_column(viewer, "region")
    viewer.count_values()
    every = viewer.sheet.arranged.row_count
    viewer.back()
    monkeypatch.setattr(distribution, "MOST_VALUES", 2)
    viewer.count_values()
    viewer.load()
    assert viewer.sheet.sheet.title == f"region by frequency, first 2 of {every} values"
    target = tmp_path / "out.csv"
    viewer.export(str(target))
    assert viewer.message == f"2 rows written to {target} (first 2 of {every} values)."
    viewer.back()
    monkeypatch.setattr(distribution, "MOST_VALUES", every)
    viewer.count_values()
    assert viewer.sheet.sheet.title == "region by frequency"


def test_an_export_tells_what_a_program_may_do_with_the_file(session: Session, tmp_path: Path) -> None:
    frame = frame_of(session.engine, "SELECT '=1+1' AS a")
    viewer = Viewer.of(Sheet(title="t", ground=ground_of(frame)))
    viewer.load()
    viewer.export(str(tmp_path / "out.csv"))
    assert viewer.message.startswith(f"1 rows written to {tmp_path / 'out.csv'}. ")
    assert "formula" in viewer.message
