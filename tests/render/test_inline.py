"""Pictures in a terminal: only where it shows them, framed to the byte, and in characters otherwise."""

import base64
import io
import re

import pytest

from tabchat.config import Pictures
from tabchat.engine.chart.chart import ChartKind, Picture
from tabchat.render.terminal.console import Consoles, make_consoles
from tabchat.render.terminal.inline import Inline, Protocol, framed, protocol_of
from tests.conftest import EXAMPLES
from tests.repl.terminal import Terminal

XTERM = {"TERM": "xterm-256color"}


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def consoles_at(stream: io.StringIO, *, plain: bool = False) -> Consoles:
    return make_consoles("never", plain=plain, out=stream, err=io.StringIO(), environ={"COLUMNS": "100"})


@pytest.mark.parametrize(
    "environ, protocol",
    [
        (XTERM | {"KITTY_WINDOW_ID": "1"}, Protocol.KITTY),
        ({"TERM": "xterm-kitty"}, Protocol.KITTY),
        ({"TERM": "xterm-ghostty"}, Protocol.KITTY),
        (XTERM | {"TERM_PROGRAM": "ghostty"}, Protocol.KITTY),
        (XTERM | {"TERM_PROGRAM": "WezTerm"}, Protocol.ITERM),
        (XTERM | {"TERM_PROGRAM": "iTerm.app"}, Protocol.ITERM),
        ({"TERM": "foot"}, Protocol.SIXEL),
        (XTERM, None),
        (XTERM | {"TERM_PROGRAM": "Apple_Terminal"}, None),
        ({"KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "dumb", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "xterm-kitty", "NO_COLOR": "1"}, None),
        ({"TERM": "xterm-kitty", "TMUX": "/run/tmux,1,0"}, None),
        ({"TERM": "screen.xterm-256color", "KITTY_WINDOW_ID": "1"}, None),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, None),
        (XTERM | {"STY": "1.a", "KITTY_WINDOW_ID": "1"}, None),
    ],
)
def test_a_terminal_is_known_by_its_environment(environ: dict[str, str], protocol: Protocol | None) -> None:
    assert protocol_of(consoles_at(Tty()), Pictures.AUTO, environ) is protocol
    assert protocol_of(consoles_at(io.StringIO()), Pictures.AUTO, environ) is None
    assert protocol_of(consoles_at(Tty(), plain=True), Pictures.AUTO, environ) is None
    assert protocol_of(consoles_at(Tty()), Pictures.NEVER, environ) is None


def test_a_setting_names_the_protocol_but_no_pipe_becomes_a_terminal() -> None:
    assert protocol_of(consoles_at(Tty()), Pictures.KITTY, XTERM) is Protocol.KITTY
    assert protocol_of(consoles_at(Tty()), Pictures.ITERM, XTERM) is Protocol.ITERM
    assert protocol_of(consoles_at(Tty()), Pictures.SIXEL, XTERM) is Protocol.SIXEL
    assert protocol_of(consoles_at(io.StringIO()), Pictures.KITTY, XTERM) is None
    assert protocol_of(consoles_at(Tty()), Pictures.KITTY, {"TERM": "dumb"}) is None


def test_kitty_gets_chunks_of_which_all_but_the_last_say_that_more_follow() -> None:
    png = bytes(range(256)) * 25
    text = base64.b64encode(png).decode()
    assert len(text) == 8536
    assert framed(Protocol.KITTY, png, 80) == (
        f"\x1b_Ga=T,f=100,q=2,c=80,m=1;{text[:4096]}\x1b\\"
        f"\x1b_Gq=2,m=1;{text[4096:8192]}\x1b\\"
        f"\x1b_Gq=2,m=0;{text[8192:]}\x1b\\"
    )
    assert framed(Protocol.KITTY, b"png", 7) == "\x1b_Ga=T,f=100,q=2,c=7,m=0;cG5n\x1b\\"


def test_iterm_gets_one_sequence_with_the_size() -> None:
    assert framed(Protocol.ITERM, b"png", 80) == (
        "\x1b]1337;File=inline=1;size=3;width=80;preserveAspectRatio=1:cG5n\x07"
    )


def test_what_cannot_be_painted_is_left_to_characters() -> None:
    stream = Tty()
    picture = Picture(kind=ChartKind.LINE, x="x", y="y", points=((1, 1.0), (2, 2.0)), told="2 of 9 rows")
    assert not Inline(protocol=Protocol.KITTY, paint=lambda _: None).show(consoles_at(stream), picture)
    assert stream.getvalue() == ""
    assert Inline(protocol=Protocol.ITERM, paint=lambda _: b"png").show(consoles_at(stream), picture)
    assert stream.getvalue() == f"\n{framed(Protocol.ITERM, b'png', 80)}\ndrawn: 2 of 9 rows\n"


@pytest.mark.parametrize("rows", [60, 12])
def test_a_chart_is_a_picture_in_a_terminal_that_shows_them(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    # What is longer than the screen goes through the pager, and the picture comes when it is over.
    monkeypatch.setenv("PAGER", "cat")
    sales = str(EXAMPLES / "sales.csv")
    with Terminal("tabchat", "ask", sales, "revenue by month", rows=rows) as terminal:
        assert terminal.wait() == 0
        written = "".join(terminal.written)
    sent = "".join(re.findall(r"\x1b_G[^;]*;([^\x1b]*)\x1b\\", written))
    png = base64.b64decode(sent)
    assert png.startswith(b"\x89PNG\r\n")
    assert png.endswith(b"IEND\xaeB`\x82")
    assert not re.search("[\u2801-\u28ff]{2}", written)
    assert "2024-12" in written


def test_the_setting_keeps_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KITTY_WINDOW_ID", "1")
    monkeypatch.setenv("TABCHAT_PICTURES", "never")
    with Terminal("tabchat", "ask", str(EXAMPLES / "sales.csv"), "revenue by month", rows=60) as terminal:
        assert terminal.wait() == 0
        written = "".join(terminal.written)
    assert "\x1b_G" not in written
    assert re.search("[\u2801-\u28ff]{2}", written)
