"""The few styles that tabchat draws text in, and the sequences that a terminal with colours draws them by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

Styled = tuple[str, str]
"""Inert text and its style: words of `_CODES`, none for plain text."""

_CODES: Final = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "cyan": "36"}
"""Word → its parameter of SGR (ECMA-48, 8.3.117)."""


def drawn(pieces: Iterable[Styled], *, color: bool) -> str:
    """Return what is written for `pieces`; a style ends before each line does."""
    if not color:
        return "".join([text for text, _ in pieces])
    return "".join([_painted(text, style) for text, style in pieces])


def _painted(text: str, style: str) -> str:
    if not style:
        return text
    begin = f"\x1b[{';'.join(_CODES[word] for word in style.split())}m"
    return "\n".join(f"{begin}{line}\x1b[0m" if line else line for line in text.split("\n"))
