"""Text from files and models made inert: what would steer a terminal is shown, not obeyed.

Every string that tabchat did not write itself (cells, headers, file names,
model text, messages that quote them) passes through `sanitise` on its way to a
terminal. Nothing is dropped: a control character becomes a visible escape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from tabchat.inert import UNSAFE
from tabchat.record import record

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

CODE_POINTS_PER_CELL: Final = 4
"""A letter under thousands of combining marks is one cell wide and still floods a screen."""


@record
class Glyphs:
    """The few signs that tabchat itself draws, for terminals that have them and for those that do not."""

    ellipsis: str = "…"
    null: str = "—"
    newline: str = "⏎"
    tab: str = "⇥"
    separator: str = " · "
    times: str = "×"
    rule: str = "─"
    axis: str = "│"
    bar: str = "█"
    bar_parts: str = "▏▎▍▌▋▊▉"
    """Eighths of a bar, ascending; empty when bars come in whole cells only."""
    half_left: str = "▐"
    """Half a bar that ends at the right edge of its cell."""
    heights: str = "▁▂▃▄▅▆▇█"
    """Bars of one cell, ascending."""


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    ellipsis="...",
    null="-",
    newline=r"\n",
    tab=r"\t",
    separator=" | ",
    times="x",
    rule="-",
    axis="|",
    bar="#",
    bar_parts="",
    half_left="",
    heights=".:-=+*#@",
)


def glyphs_for(encoding: str) -> Glyphs:
    """Return the signs that `encoding` can write."""
    try:
        "".join(vars(UNICODE).values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


_SIGNS: Final = str.maketrans(
    {
        "·": "|",
        "×": "x",
        "…": "...",
        "“": '"',
        "”": '"',
        "’": "'",
        "–": "-",
        "—": "-",
        "→": "->",
        "≤": "<=",
        "≥": ">=",
    }
)


def plain_signs(text: str) -> str:
    """Return narration with the signs of print in ASCII; letters stay as they are."""
    return text.translate(_SIGNS)


def sanitise(text: str, glyphs: Glyphs = UNICODE) -> str:
    r"""Return `text` as one line that no terminal acts on.

    Line ends and tabs become their signs; other controls, direction overrides
    and invisible characters become escapes such as `\x1b` or `\u202e`.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\n", glyphs.newline).replace("\t", glyphs.tab)
    return UNSAFE.sub(_escape, plain)


def sanitise_lines(text: str, glyphs: Glyphs = UNICODE) -> str:
    """Return `text` with its line ends kept and everything else as in `sanitise`."""
    return "\n".join(sanitise(line, glyphs) for line in text.replace("\r\n", "\n").split("\n"))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFF:  # noqa: PLR2004 - the last code that two hex digits can name
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"  # noqa: PLR2004 - likewise four digits


def width_of(text: str) -> int:
    """Return the terminal cells that one line of `text` takes."""
    return cell_len(text)


def cut(text: str, width: int, glyphs: Glyphs = UNICODE) -> str:
    """Return `text` in at most `width` cells, with an ellipsis where it was cut."""
    longest = CODE_POINTS_PER_CELL * (width + 2)
    if len(text) <= longest and cell_len(text) <= width:
        return text
    mark = glyphs.ellipsis[:width]
    return set_cell_size(text[:longest], max(width - len(mark), 0)).rstrip() + mark


def pack(parts: Sequence[str], width: int, glyphs: Glyphs = UNICODE) -> list[str]:
    """Join `parts` into as few lines of at most `width` cells as can be; a part is never broken."""
    lines: list[str] = []
    for part in parts:
        joined = f"{lines[-1]}{glyphs.separator}{part}" if lines else part
        if lines and cell_len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(part)
    return lines


def fold(text: str, width: int) -> list[str]:
    """Break one line of `text` into lines of at most `width` cells, after `_`, `-` or a space if it can."""
    lines: list[str] = []
    line, breakable = "", 0
    for character in text:
        while line and cell_len(line + character) > width:
            head, line = (line[:breakable], line[breakable:]) if breakable else (line, "")
            lines.append(head.rstrip())
            breakable = 0
        line += character
        if character in "_- ./":
            breakable = len(line)
    return [*lines, line]
