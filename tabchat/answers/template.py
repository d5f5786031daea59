"""A model's answer as a template: text, and in braces the expressions that its figures come from.

The form is that of Python's f-strings. A brace that opens no expression over results is text, as code and JSON in
an answer are; its digits are then looked at like any others. Parsing is one pass, and what is filled in later is never
parsed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST: Final = 400
"""Characters that one expression with its format may have."""

_RESULT: Final = re.compile(r"\b[rR]\d{1,6}\b")
_TABLE: Final = re.compile(r"\s*r(\d{1,6})\s*", re.IGNORECASE)
_ATTEMPT: Final = re.compile(r"[^\W\d]\w*\s*(?:[.\[(:+*/-]|\Z)")
"""What begins like an expression, over something that is no result; it is sent back rather than shown."""
_SUBSCRIPT: Final = re.compile(r"[\w}^\\]\Z")
"""What stands before a brace in formulas."""
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_CONVERSION: Final = re.compile(r"![rsa]\s*\Z")
_OPENING: Final = {"(": ")", "[": "]"}


@record
class Text:
    """Literal text; `{{` and `}}` are braces by now."""

    text: str


@record
class Reference:
    """An expression in braces."""

    source: str
    """The expression itself."""
    spec: str
    """Its format; empty when there is none."""
    written: str
    """All of it as the model wrote it, braces included."""


@record
class TableMark:
    """Where a whole result belongs."""

    number: int
    written: str


Part: TypeAlias = Text | Reference | TableMark


def parse_template(text: str) -> tuple[Part, ...]:
    """Return the parts of `text` in order; neighbouring pieces of literal text are one part."""
    merged: list[Part] = []
    for part in _parts(text):
        last = merged[-1] if merged else None
        if isinstance(part, Text) and isinstance(last, Text):
            merged[-1] = Text(text=last.text + part.text)
        else:
            merged.append(part)
    return tuple(merged)


def own_text(parts: Iterable[Part]) -> str:
    """Return what of a template is literal text."""
    return "".join(part.text for part in parts if isinstance(part, Text))


def open_brace(text: str, position: int = 0) -> int:
    """Return where the last reference of `text` begins that has no end yet; the length when there is none.

    For text that is still being written, looked at from `position` on: what comes before can be shown.
    """
    while position < len(text):
        at = text.find("{", position)
        if at < 0:
            return len(text)
        if text.startswith("{{", at):
            closed = text.find("}}", at)
            if closed < 0 and len(text) - at < LONGEST and "\n" not in text[at:]:
                return at
            position = at + 2 if closed < 0 else closed + 2
            continue
        end = _field_end(text, at)
        if end is None and len(text) - at < LONGEST and "\n" not in text[at:]:
            return at
        position = at + 1 if end is None else end
    return len(text)


def _parts(text: str) -> Iterator[Part]:
    position = 0
    for at, end in _fields(text):
        yield Text(text=_unescaped(text[position:at]))
        yield _field(text, at, end)
        position = end
    yield Text(text=_unescaped(text[position:]))


def _fields(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each reference begins and ends."""
    position = 0
    code = [match.span() for match in _CODE.finditer(text)]
    while (at := text.find("{", position)) >= 0:
        doubled = text.startswith("{{", at)
        end = _field_end(text, at + 1 if doubled else at)
        inner = text[at + 1 + doubled : (end or 0) - 1]
        is_prose = not any(start <= at < stop for start, stop in code) and not _SUBSCRIPT.search(text, 0, at)
        is_meant = _RESULT.search(_without_quotes(inner)) or (
            is_prose and _ATTEMPT.match(inner) and not (doubled and inner.strip().isidentifier())
        )
        if end is None or not is_meant:
            position = at + (2 if doubled else 1)
            continue
        if doubled:
            # `{{r1.total}}` is what other template languages call a reference, and no model means the braces.
            if not text.startswith("}", end):
                position = at + 2
                continue
            end += 1
        yield at, end
        position = end


def _field_end(text: str, at: int) -> int | None:
    """Return where the reference that opens at `at` is over; nothing when it never is."""
    closing: list[str] = []
    quote = ""
    position = at + 1
    limit = min(len(text), at + LONGEST)
    while position < limit:
        char = text[position]
        if quote:
            position += char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "{\n":
            return None
        elif char in _OPENING:
            closing.append(_OPENING[char])
        elif closing and char == closing[-1]:
            closing.pop()
        elif char == "}":
            return position + 1
        position += 1
    return None


def _field(text: str, at: int, end: int) -> Reference | TableMark:
    written = text[at:end]
    inner = written.strip("{}")
    table = _TABLE.fullmatch(inner)
    if table and _stands_alone(text, at, end):
        return TableMark(number=int(table[1]), written=written)
    source, spec = _split(inner)
    return Reference(source=_CONVERSION.sub("", source).strip(), spec=spec, written=written)


def _stands_alone(text: str, at: int, end: int) -> bool:
    before = text[text.rfind("\n", 0, at) + 1 : at]
    after = text[end:].split("\n", 1)[0]
    return not before.strip() and not after.strip()


def _split(inner: str) -> tuple[str, str]:
    """Split an expression from its format at the first colon outside quotes and brackets."""
    depth = 0
    quote = ""
    escaped = False
    for position, char in enumerate(inner):
        if escaped:
            escaped = False
        elif quote:
            escaped = char == "\\"
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == ":" and depth <= 0:
            return inner[:position], inner[position + 1 :].strip()
    return inner, ""


def _without_quotes(inner: str) -> str:
    return re.sub(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", "''", inner)


def _unescaped(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")
