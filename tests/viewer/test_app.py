"""The viewer in a real pseudo-terminal, and where there is none."""

import asyncio
import signal
from pathlib import Path

import pytest

from tabchat.viewer.viewer import Viewer
from tests.command import tabchat
from tests.conftest import EXAMPLES
from tests.repl.terminal import Terminal

SALES = str(EXAMPLES / "sales.csv")


@pytest.mark.parametrize("columns, rows", [(80, 24), (200, 50)])
def test_a_table_is_looked_at_sorted_searched_and_left(columns: int, rows: int) -> None:
    with Terminal("tabchat", "view", SALES, columns=columns, rows=rows) as terminal:
        terminal.see("? help")
        terminal.type("G")
        terminal.see("row 5,000 of 5,000")
        terminal.type("g42\r")
        terminal.see("row 42 of 5,000")
        terminal.type("/Brazil\r")
        terminal.see("row 46")
        terminal.type("ll")
        terminal.see("region (text)")
        terminal.type("c")
        terminal.see("by frequency")
        terminal.type("\r")
        terminal.see("1,587 of 5,000 rows")
        terminal.type("Q")
        assert terminal.wait() == 0


def test_a_condition_that_is_none_is_told_and_the_viewer_goes_on() -> None:
    with Terminal("tabchat", "view", SALES) as terminal:
        terminal.see("? help")
        terminal.type("f> many\r")
        terminal.see("is no condition on 'order_id'")
        terminal.type("f> 110000\r")
        terminal.see(" of 5,000 rows")
        terminal.type("q")
        assert terminal.wait() == 0


def test_a_result_opens_from_a_conversation_and_leads_back() -> None:
    with Terminal("tabchat", "repl", SALES) as terminal:
        terminal.type_until("average revenue by region\r", " · ds_")
        terminal.type("/open\r")
        terminal.see("? help")
        terminal.type("\r")
        terminal.see("rows behind ds_")
        terminal.type("Q")
        terminal.type_until("/tables\r", "columns")


def test_without_a_terminal_the_first_rows_are_printed() -> None:
    printed = tabchat("view", SALES, "--rows", "3")
    assert printed.code == 0
    assert "order_id" in printed.out
    assert "3 of 5,000 rows shown" in printed.out


def test_a_kept_result_is_printed_as_show_does() -> None:
    asked = tabchat("ask", SALES, "average revenue by region", "--json").json
    key = asked["data_key"]
    assert tabchat("view", key).out == tabchat("show", key).out
    assert tabchat("view", "ds_" + "a" * 20).code == 7


def test_what_is_neither_a_key_nor_a_file_leads_to_the_file_that_may_be_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ds_abc.csv").write_text("a\n1\n")
    lost = tabchat("view", "ds_abc")
    assert lost.code == 7
    assert "No kept result has a key that begins with 'ds_abc', and there is no file 'ds_abc'." in lost.err
    assert "try: tabchat view ds_abc.csv" in lost.err
    assert "tabchat results" in tabchat("view", "ds_abd").err
    assert tabchat("view", "ds_abc.csv").out.split() == ["a", "─", "1"]


@pytest.mark.parametrize("parts", [1, 3])
def test_parquet_files_are_looked_at_where_they_lie(tmp_path: Path, parts: int) -> None:
    import duckdb

    from tabchat.config import Settings
    from tabchat.session import Session
    from tabchat.viewer.arranged import Sort, arrange
    from tabchat.viewer.opening import table_sheet

    folder = tmp_path / "big"
    folder.mkdir()
    for part in range(parts):
        duckdb.execute(
            "COPY (SELECT i AS n, CASE WHEN i = 7 THEN 'nan'::DOUBLE ELSE i / 2 END AS x, {'a': i} AS s, [i] AS l"
            f" FROM range(1000) t(i) WHERE i * {parts} // 1000 = {part})"
            f" TO '{folder}/{part}.parquet' (FORMAT parquet)"
        )
    settings = Settings(cache_dir=tmp_path / "cache", data_dir=tmp_path / "data")
    with Session.open([folder if parts > 1 else folder / "0.parquet"], settings=settings) as session:
        assert session.current.row_count == 1000
        ground = table_sheet(session).ground
        assert "__kept_" not in ground.numbered.sql("duckdb")
        rows = arrange(ground).window(6, 3)
        falling = arrange(ground, sort=Sort(column="n", descending=True)).window(0, 2)
    assert rows[1] == (7, (7, None, 7, "[7]"))
    assert [number for number, _ in falling] == [999, 998]
    assert not list((tmp_path / "cache").rglob("*.parquet"))


def test_plain_signs_are_enough() -> None:
    with Terminal("tabchat", "view", SALES, "--ascii", columns=80, rows=24) as terminal:
        terminal.see("? help | row 1 of 5,000")
        terminal.type("s")
        terminal.see("order_id ^")
        assert terminal.screen.text.isascii()
        terminal.type("q")
        assert terminal.wait() == 0
    printed = tabchat("ask", SALES, "revenue by month", "--ascii")
    assert printed.out.isascii()
    assert "*" in printed.out


def test_what_was_stopped_before_it_began_is_not_begun(
    viewer: Viewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prompt_toolkit.application import create_app_session
    from prompt_toolkit.output import DummyOutput

    from tabchat.viewer import app as module

    monkeypatch.setattr(module, "create_output", lambda **_: DummyOutput())
    begun: list[str] = []

    async def press() -> None:
        app = module.ViewerApp(viewer, lambda: None)
        app._start("sorting", lambda: begun.append("stopped"))
        app._stop()
        await asyncio.gather(*app.application._background_tasks)
        assert viewer.message == "Stopped."
        app._start("sorting", lambda: begun.append("next"))
        await asyncio.gather(*app.application._background_tasks)

    with create_app_session(output=DummyOutput()):
        asyncio.run(press())
    assert begun == ["next"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_whole_screen_and_gives_the_terminal_back(number: signal.Signals) -> None:
    with Terminal("tabchat", "view", SALES) as terminal:
        terminal.see("? help")
        terminal.signal(number)
        terminal.read_until(f"Ended by {number.name}.")
        assert terminal.wait() == 128 + number
        assert terminal.echoes()
        written = "".join(terminal.written)
    # The main screen, and a cursor on it.
    assert written.rindex("\x1b[?1049l") > written.rindex("\x1b[?1049h")
    assert written.rindex("\x1b[?25h") > written.rindex("\x1b[?25l")
    assert written.rindex("Ended by") > written.rindex("\x1b[?1049l")


def test_a_signal_in_a_viewer_that_a_conversation_opened_ends_both() -> None:
    with Terminal("tabchat", "repl", SALES) as terminal:
        terminal.type_until("average revenue by region\r", " · ds_")
        terminal.type("/open\r")
        terminal.see("? help")
        terminal.signal(signal.SIGTERM)
        terminal.read_until("Ended by SIGTERM.")
        assert terminal.wait() == 128 + signal.SIGTERM
        assert terminal.echoes()
