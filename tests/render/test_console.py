import io
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from tabchat.errors import UsageError
from tabchat.render.layout.text import ASCII
from tabchat.render.terminal.console import make_consoles
from tests.conftest import Example
from tests.render.test_activity import Tty


@pytest.mark.parametrize(
    "color, environ, on_terminal, in_pipe",
    [
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"CLICOLOR": "0"}, False, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
        ("always", {"NO_COLOR": "1"}, True, True),
        ("never", {"FORCE_COLOR": "1"}, False, False),
    ],
)
def test_colour_follows_the_flag_then_the_environment_then_the_stream(
    color: str, environ: dict[str, str], *, on_terminal: bool, in_pipe: bool
) -> None:
    terminal, pipe = Tty(), io.StringIO()
    consoles = make_consoles(color, out=terminal, err=pipe, environ=environ)
    consoles.out.print("x", style="bold")
    consoles.err.print("x", style="bold")

    assert ("\x1b" in terminal.getvalue(), "\x1b" in pipe.getvalue()) == (on_terminal, in_pipe)


def test_another_word_for_colour_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="'blue'"):
        make_consoles("blue", out=io.StringIO(), err=io.StringIO())


@pytest.mark.parametrize(
    "columns, width", [("132", 132), ("5", 20), ("", 80), ("wide", 80), ("-3", 80), ("0", 80)]
)
def test_the_width_is_columns_or_eighty(columns: str, width: int) -> None:
    consoles = make_consoles(out=io.StringIO(), err=io.StringIO(), environ={"COLUMNS": columns})

    assert (consoles.width, consoles.err.width) == (width, width)


def test_the_width_of_a_terminal_on_either_stream_is_used() -> None:
    import fcntl
    import struct
    import termios

    main, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 123, 0, 0))
    with os.fdopen(terminal, "w") as stream, os.fdopen(main):
        assert make_consoles(out=stream, err=io.StringIO(), environ={}).width == 123
        assert make_consoles(out=io.StringIO(), err=stream, environ={}).width == 123


def test_markup_emoji_codes_and_numbers_are_plain_text() -> None:
    stream = io.StringIO()
    consoles = make_consoles("always", out=stream, err=io.StringIO())
    consoles.out.print("[bold]x[/] :smile: 123 'quoted'")

    assert stream.getvalue() == "[bold]x[/] :smile: 123 'quoted'\n"


def test_a_stream_of_another_encoding_gets_plain_signs_and_never_fails() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="koi8-r")
    consoles = make_consoles(out=stream, err=io.StringIO())
    consoles.out.print("Київ 日")
    stream.flush()

    assert consoles.glyphs is ASCII
    assert raw.getvalue() == "Київ ".encode("koi8-u").replace(b"\xa7", b"\\u0457").replace(
        b"\xa6", b"\\u0456"
    ) + (b"\\u65e5\n")


def test_a_closed_pipe_ends_a_command_quietly(example: Example) -> None:
    command = [sys.executable, "-m", "tabchat", "sql", str(example("sales.csv")), "SELECT * FROM sales", "-q"]
    for extra in (["--rows", "5000"], ["--format", "csv"]):
        process = subprocess.Popen(
            [*command, *extra], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("order_id")
        process.stdout.close()
        with process.stderr:
            assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0


def test_a_closed_pipe_ends_a_run_quietly() -> None:
    script = (
        "import sys\n"
        "from tabchat.render.terminal.console import make_consoles\n"
        "from tabchat.render.diagnostics import report\n"
        "try:\n"
        "    consoles = make_consoles()\n"
        "    for _ in range(100_000): consoles.out.print('x' * 70)\n"
        "except BaseException as error:\n"
        "    sys.exit(report(error))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "x" * 70 + "\n"
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize(
    "stream, lines",
    [(Tty, ["one two three four", "  five", "six"]), (io.StringIO, ["one two three four five", "six"])],
)
def test_sentences_break_between_words_at_a_terminal_alone(
    stream: Callable[[], io.StringIO], lines: list[str]
) -> None:
    out = stream()
    consoles = make_consoles("never", out=out, environ={"COLUMNS": "20"})
    consoles.prose(consoles.out, "one two three four five\nsix", hang=2)
    assert out.getvalue().splitlines() == lines


def test_narration_has_ascii_signs_where_they_are_asked_for_and_data_stays() -> None:
    out, err = io.StringIO(), io.StringIO()
    consoles = make_consoles("never", plain=True, out=out, err=err, environ={"COLUMNS": "80"})
    consoles.say("read as: “mean” · by region – 2 × 3 … Київ")
    consoles.out.print("“a” · b")
    assert err.getvalue() == 'read as: "mean" | by region - 2 x 3 ... Київ\n'
    assert out.getvalue() == "“a” · b\n"
