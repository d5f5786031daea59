from dataclasses import replace
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.profile.profile import profile_table
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions
from tabchat.render.charts.bars import strip
from tabchat.render.layout.text import ASCII, UNICODE, Glyphs, sanitise, width_of
from tabchat.render.profile import render_profile, render_summary
from tests.render.screens import assert_snapshot, screen
from tests.seals import SEAL

HEADER = "id,a very long name of a column that goes on and on,Share,día,город,\x1b[31mevil,nothing,flag,big\n"
ROWS = "".join(
    f"{number},{'left' if number % 3 else 'right'},{number / 2}%,2024-01-{number + 1:02},"
    f"{['Київ', 'Одеса', 'Львів', 'місто з дуже довгою назвою'][number % 4]},"
    f"{['[bold]x', 'y'][number % 2]},,{['yes', 'no'][number % 2]},{number * 10**15 + 7}\n"
    for number in range(20)
)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_a_profile_shows_ranges_whole_and_as_many_values_as_fit(width: int, tmp_path: Path) -> None:
    path = tmp_path / "messy table.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    table = open_table(
        path, options=ReadOptions(), cache=TableCache(tmp_path / "tables", max_bytes=10**9, seal=SEAL)
    )
    engine = DuckDBEngine(spill=tmp_path / "spill", folders=[tmp_path / "tables"])
    engine.attach(table.name, table.scan)
    shown = screen(width)
    render_profile(shown.consoles, profile_table(engine, table, spreads=True), table)
    engine.close()

    assert_snapshot(f"profile_{width}", shown.both)


def test_times_that_have_no_room_are_shown_as_days(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a_time_of_something,n\n2024-01-02 03:04:05,1\n2024-05-06 07:08:09,2\n", encoding="utf-8")
    table = open_table(
        path, options=ReadOptions(), cache=TableCache(tmp_path / "tables", max_bytes=10**9, seal=SEAL)
    )
    engine = DuckDBEngine(spill=tmp_path / "spill", folders=[tmp_path / "tables"])
    engine.attach(table.name, table.scan)
    profile = profile_table(engine, table)
    for width, ends in [(120, "2024-01-02 03:04:05 … 2024-05-06 07:08:09"), (80, "2024-01-02 … 2024-05-06")]:
        shown = screen(width)
        render_profile(shown.consoles, profile, table)
        assert shown.out.splitlines()[2].endswith(f"  {ends}")
    engine.close()


@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_a_summary_has_strips_where_there_is_room(width: int, glyphs: Glyphs, tmp_path: Path) -> None:
    path = tmp_path / "messy table.csv"
    path.write_text(HEADER + ROWS, encoding="utf-8")
    table = open_table(
        path, options=ReadOptions(), cache=TableCache(tmp_path / "tables", max_bytes=10**9, seal=SEAL)
    )
    engine = DuckDBEngine(spill=tmp_path / "spill", folders=[tmp_path / "tables"])
    engine.attach(table.name, table.scan)
    profile = profile_table(engine, table, spreads=True)
    engine.close()
    shown = screen(width)
    render_summary(replace(shown.consoles, glyphs=glyphs), profile, preview=True)

    lines = shown.out.splitlines()
    plain = [sanitise(line, glyphs) for line in profile.to_text(whole=True, preview=True).split("\n")]
    assert [line[: width_of(cut)] for line, cut in zip(lines, plain, strict=True)] == plain
    drawn = {line[width_of(cut) :].strip() for line, cut in zip(lines, plain, strict=True)} - {""}
    # Twenty numbers at one distance: two in each of ten steps, or one and then and now two in each of sixteen.
    most, half = glyphs.heights[-1], glyphs.heights[3]
    assert drawn <= {most * 10, f"{most}{half * 4}" * 3 + most}
    assert all(width_of(line) <= width for line, cut in zip(lines, plain, strict=True) if line != cut)
    assert bool(drawn) is (width > 40)


def test_a_strip_shows_every_count_that_is_not_zero() -> None:
    assert strip([0, 1, 500, 1000]) == " ▁▄█"
    assert strip([0, 1, 500, 1000], ASCII) == " .=@"
    assert strip([]) == strip([], ASCII) == ""
