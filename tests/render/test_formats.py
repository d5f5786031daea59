import io
import json

import pytest
from hypothesis import given, settings

from tabchat.cli.stdout import STDOUT_FORMATS, write_frame
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.errors import UsageError
from tabchat.render.layout.formats import json_line
from tabchat.render.layout.text import sanitise_lines
from tests.effort import examples
from tests.render.screens import frame_of
from tests.render.test_text import ANY_TEXT


class TerminalBytes(io.BytesIO):
    """A byte stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "name, text",
    [
        ("csv", 'id,city\n1,Київ\n2,"a, b"\n'),
        ("tsv", "id\tcity\n1\tКиїв\n2\ta, b\n"),
        ("jsonl", '{"id":1,"city":"Київ"}\n{"id":2,"city":"a, b"}\n'),
        ("json", '[\n{"id":1,"city":"Київ"},\n{"id":2,"city":"a, b"}\n]\n'),
        ("md", "| id | city |\n| ---: | --- |\n| 1 | Київ |\n| 2 | a, b |\n"),
    ],
)
def test_each_format_writes_every_row(name: str, text: str, engine: DuckDBEngine) -> None:
    stream = io.BytesIO()
    report = write_frame(
        frame_of(engine, "SELECT * FROM (VALUES (1, 'Київ'), (2, 'a, b')) AS t(id, city)"),
        name,
        target=stream,
    )

    assert report.rows == 2
    assert stream.getvalue().decode() == text
    assert not stream.closed


@pytest.mark.parametrize("name", STDOUT_FORMATS[1:])
def test_no_control_of_a_cell_reaches_a_terminal(name: str, engine: DuckDBEngine) -> None:
    stream = TerminalBytes()
    hostile = "SELECT chr(27) || '[31mred' || chr(155) || '2J' || chr(8238) || 'x' AS a"
    write_frame(frame_of(engine, hostile), name, target=stream)

    assert not set(stream.getvalue().decode()) & set("\x1b\x9b\u202e")


@pytest.mark.parametrize("name", ["docx", ""])
def test_another_format_is_a_usage_error(name: str, engine: DuckDBEngine) -> None:
    with pytest.raises(UsageError, match="--format"):
        write_frame(frame_of(engine, "SELECT 1 AS a"), name, target=io.BytesIO())


@given(ANY_TEXT)
@settings(deadline=None, max_examples=examples(200))
def test_json_is_one_inert_line_of_the_same_document(text: str) -> None:
    line = json_line({"text": text, "n": 1.5})

    assert json.loads(line) == {"text": text, "n": 1.5}
    assert sanitise_lines(line).replace("\\u200c", "\u200c").replace("\\u200d", "\u200d") == line.replace(
        "\\u200c", "\u200c"
    ).replace("\\u200d", "\u200d")
    line.encode()
