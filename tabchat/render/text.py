"""Text from files and models made inert: what would steer a terminal is shown, not obeyed.

Every string that tabchat did not write itself (cells, headers, file names,
model text, messages that quote them) passes through `sanitise` on its way to a
terminal. Nothing is dropped: a control character becomes a visible escape.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len, set_cell_size

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

CODE_POINTS_PER_CELL: Final = 4
"""A letter under thousands of combining marks is one cell wide and still floods a screen."""

INERT: Final = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls, DEL
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"  # characters that take no room and hide text
    "\u200b\u200e\u200f"  # zero-width space, direction marks
    "\u2028-\u202e"  # line separators, bidirectional embeddings and overrides
    "\u2060-\u206f\ufeff\ufff9-\ufffb"  # invisible operators, isolates, annotation marks
    "\ud800-\udfff"  # bytes of a name that is not UTF-8
    "\U000e0000-\U000e007f"  # tag characters
    "]"
)
# A joiner between two letters that are not ASCII shapes them (Persian, Hindi, emoji); elsewhere it hides.
_SHAPED: Final = "[^\x00-\x7f\u200c\u200d]"
_STRAY_JOINER: Final = re.compile(f"(?<!{_SHAPED})[\u200c\u200d]|[\u200c\u200d](?!{_SHAPED})")


@record
class Glyphs:
    """The few signs that tabchat itself draws, for terminals that have them and for those that do not."""

    ellipsis: str = "…"
    null: str = "—"
    newline: str = "⏎"
    tab: str = "⇥"
    separator: str = " · "
    rule: str = "─"
    axis: str = "│"
    bar: str = "█"
    bar_parts: str = "▏▎▍▌▋▊▉"
    """Eighths of a bar, ascending; empty when bars come in whole cells only."""
    half_left: str = "▐"
    """Half a bar that ends at the right edge of its cell."""


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(
    ellipsis="...",
    null="-",
    newline=r"\n",
    tab=r"\t",
    separator=" | ",
    rule="-",
    axis="|",
    bar="#",
    bar_parts="",
    half_left="",
)


def glyphs_for(encoding: str) -> Glyphs:
    """Return the signs that `encoding` can write."""
    try:
        "".join(vars(UNICODE).values()).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


def sanitise(text: str, glyphs: Glyphs = UNICODE) -> str:
    r"""Return `text` as one line that no terminal acts on.

    Line ends and tabs become their signs; other controls, direction overrides
    and invisible characters become escapes such as `\x1b` or `\u202e`.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\n", glyphs.newline).replace("\t", glyphs.tab)
    return _STRAY_JOINER.sub(_escape, INERT.sub(_escape, plain))


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
