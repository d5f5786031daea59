"""Pictures inside a terminal that can show them: which protocol it speaks, and how a PNG is written in it.

The protocols are Kitty's (https://sw.kovidgoyal.net/kitty/graphics-protocol/), iTerm2's
(https://iterm2.com/documentation-images.html) and sixels. A multiplexer passes none on.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable  # noqa: TC003 - a field's type
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tabchat.config import Pictures
from tabchat.record import record
from tabchat.render.terminal.pager import write_behind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.chart.chart import Picture
    from tabchat.render.terminal.console import Consoles

_CHUNK: Final = 4096
"""Characters of base64 in one command of Kitty's protocol."""
_COLUMNS: Final = 80
"""Cells that a picture is wide at most; its height follows."""
_MULTIPLEXERS: Final = ("screen", "tmux")


class Protocol(StrEnum):
    """How a terminal is given a picture."""

    KITTY = "kitty"
    ITERM = "iterm"
    SIXEL = "sixel"


_PROGRAMS: Final = {"ghostty": Protocol.KITTY, "WezTerm": Protocol.ITERM, "iTerm.app": Protocol.ITERM}
"""`TERM_PROGRAM` → the protocol of that terminal."""
_TERMS: Final = {
    "xterm-kitty": Protocol.KITTY,
    "xterm-ghostty": Protocol.KITTY,
    **dict.fromkeys(("foot", "foot-extra", "mlterm", "contour"), Protocol.SIXEL),
}
"""`TERM` → the protocol of that terminal; another one that knows sixels is named by the setting."""


@record
class Inline:
    """A terminal that can show pictures."""

    protocol: Protocol
    paint: Callable[[Picture], bytes | None]
    """Returns a PNG; nothing where none can be made."""

    def show(self, consoles: Consoles, picture: Picture) -> bool:
        """Write a chart as a picture to stdout; returns whether it was."""
        png = self.paint(picture)
        if png is None:
            return False
        write_behind(consoles, f"\n{framed(self.protocol, png, min(consoles.width, _COLUMNS))}\n")
        if picture.caption:
            consoles.out.print(picture.caption, style="dim")
        return True


def protocol_of(
    consoles: Consoles, wanted: Pictures, environ: Mapping[str, str] | None = None
) -> Protocol | None:
    """Return how the terminal at stdout is given pictures; None where there is none, or it is to get none."""
    environment = os.environ if environ is None else environ
    term = environment.get("TERM", "")
    is_bare = term in {"", "dumb"} or bool(environment.get("NO_COLOR")) or not consoles.glyphs.bar_parts
    is_inside = any(environment.get(name) for name in ("TMUX", "STY")) or term.startswith(_MULTIPLEXERS)
    if wanted is Pictures.NEVER or is_bare or is_inside or not consoles.out.file.isatty():
        return None
    if wanted is not Pictures.AUTO:
        return Protocol(wanted.value)
    if environment.get("KITTY_WINDOW_ID"):
        return Protocol.KITTY
    return _PROGRAMS.get(environment.get("TERM_PROGRAM", "")) or _TERMS.get(term)


def framed(protocol: Protocol, png: bytes, columns: int) -> str:
    """Return what shows a PNG at the cursor, so many cells wide; sixels are as wide as the PNG."""
    if protocol is Protocol.SIXEL:
        from tabchat.render.terminal.sixel import sixels

        return sixels(png)
    text = base64.b64encode(png).decode("ascii")
    if protocol is Protocol.ITERM:
        size = f"size={len(png)};width={columns};preserveAspectRatio=1"
        return f"\x1b]1337;File=inline=1;{size}:{text}\x07"
    parts = [text[begin : begin + _CHUNK] for begin in range(0, len(text), _CHUNK)]
    # Shown at once (a=T), a PNG (f=100), without a reply that would be taken for something typed (q=2).
    heads = [f"a=T,f=100,q=2,c={columns},", *("q=2," for _ in parts[1:])]
    ends = [*(1 for _ in parts[1:]), 0]
    return "".join(
        f"\x1b_G{head}m={more};{part}\x1b\\" for head, more, part in zip(heads, ends, parts, strict=True)
    )
