from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from tabchat.errors import UsageError
from tabchat.render.formats import STDOUT_FORMATS, InertStream, json_line, write_frame
from tabchat.render.text import sanitise_lines
from tests.render.screens import assert_snapshot, frame_of
from tests.render.test_table import MESSY
from tests.render.test_text import ANY_TEXT

if TYPE_CHECKING:
    from tabchat.engine.backends.duckdb import DuckDBEngine


class TerminalBytes(io.BytesIO):
    """A byte stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("name", STDOUT_FORMATS[1:])
def test_each_format_writes_every_byte_into_a_pipe(name: str, engine: DuckDBEngine) -> None:
    stream = io.BytesIO()
    report = write_frame(frame_of(engine, MESSY), name, target=stream)

    assert report.rows == 3
    assert_snapshot(f"format_{name}", stream.getvalue().decode())


def test_a_terminal_gets_the_controls_of_cells_as_escapes(engine: DuckDBEngine) -> None:
    stream = TerminalBytes()
    write_frame(frame_of(engine, "SELECT E'\\x1b[31mred\\u202e' AS a, E'x\ty\nz' AS b"), "tsv", target=stream)
    shown = stream.getvalue().decode()

    assert r"\x1b[31mred\u202e" in shown
    assert "\x1b" not in shown
    assert not stream.closed


@pytest.mark.parametrize("name", ["table", "docx", ""])
def test_another_format_is_a_usage_error(name: str, engine: DuckDBEngine) -> None:
    with pytest.raises(UsageError, match="--format"):
        write_frame(frame_of(engine, "SELECT 1 AS a"), name, target=io.BytesIO())


def test_line_ends_and_letters_split_between_writes_stay_whole() -> None:
    below = TerminalBytes()
    stream = InertStream(below)
    assert stream.isatty()
    assert stream.writable()
    for piece in (b"a\r", b"\nb\r", b"c\xd0", b"\x96\x1b[2J\r"):
        assert stream.write(piece) == len(piece)
    stream.flush()

    assert below.getvalue().decode() == "a\r\nb\\rcЖ\\x1b[2J\\r"


@given(ANY_TEXT)
@settings(deadline=None, max_examples=200)
def test_json_is_one_inert_line_of_the_same_document(text: str) -> None:
    line = json_line({"text": text, "n": 1.5})

    assert json.loads(line) == {"text": text, "n": 1.5}
    assert sanitise_lines(line).replace("\\u200c", "\u200c").replace("\\u200d", "\u200d") == line.replace(
        "\\u200c", "\u200c"
    ).replace("\\u200d", "\u200d")
    line.encode()
