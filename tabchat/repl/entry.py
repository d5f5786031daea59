"""Where an entry ends: what is still open on its last line goes on in the next."""

from __future__ import annotations

from typing import Final

_MOST_DIGITS: Final = 100
_COMMANDS: Final = ("/sql", "/query", ".sql", ".query")
_STATEMENTS: Final = ("SELECT ", "WITH ", "FROM ")
_OPENING: Final = {"{": "}", "[": "]", "(": ")"}


def whole_number(text: str) -> int | None:
    """Return the number that `text` writes in digits; nothing for any other text, and for one of hundreds of digits."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


def is_complete(text: str) -> bool:
    r"""Return whether `text` is a whole entry.

    A line that ends in `\` goes on. So do SQL and JSON with an open quotation
    mark or bracket; a question does not, since it may well speak of `5" pipes`.
    """
    if text.endswith("\\"):
        return False
    typed = text.lstrip()
    if typed.lower().startswith(_COMMANDS) or typed.startswith(_STATEMENTS):
        return _is_closed(text)
    return True


def joined(text: str) -> str:
    r"""Return an entry as one text, its `\` line ends taken out."""
    return text.replace("\\\n", "\n").strip()


def _is_closed(text: str) -> bool:
    """Return whether every quotation mark and bracket is closed; one that closes nothing is the parser's to tell."""
    quote = ""
    awaited: list[str] = []
    skip = False
    for character in text:
        if skip:
            skip = False
        elif quote:
            # JSON escapes a quotation mark with a backslash; SQL doubles it, which closes and opens again.
            skip = character == "\\" and quote == '"'
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in _OPENING:
            awaited.append(_OPENING[character])
        elif awaited and character == awaited[-1]:
            awaited.pop()
    return not quote and not awaited
