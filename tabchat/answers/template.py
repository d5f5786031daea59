"""A model's answer as a template: text, and in braces the expressions that its figures come from.

The form is that of Python's f-strings. A brace that opens no expression is text, as code and JSON in an answer are; its
digits are then looked at like any others. Parsing is one pass, and what is filled in later is never parsed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LONGEST: Final = 400
"""Characters that one expression with its format may have."""

_QUOTED: Final = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_FIELD: Final = re.compile(rf"\{{((?:[^{{}}\"'\n]|{_QUOTED}){{1,{LONGEST}}})\}}")
_UNFINISHED: Final = re.compile(rf"\{{(?:[^{{}}\"'\n]|{_QUOTED}|[\"'].*){{0,{LONGEST}}}\Z")
_RESULT: Final = re.compile(r"\b[rR]\d{1,6}\b")
_TABLE: Final = re.compile(r"\s*r(\d{1,6})\s*", re.IGNORECASE)
_ATTEMPT: Final = re.compile(r"[^\W\d]\w*\s*(?:[.\[(:+*/-]|\Z)")
"""What begins like an expression, over something that is no result; it is sent back rather than shown."""
_FORMULA: Final = re.compile(r"[\w}^\\]\Z")
"""What stands before a brace in formulas."""
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_CONVERSION: Final = re.compile(r"![rsa]\s*\Z")
_NO_SEPARATOR: Final = re.compile(rf"{_QUOTED}|\[[^\[\]\"']*\]")
"""What a colon in an expression may stand in without beginning its format."""


@record
class Text:
    """Literal text; `{{` and `}}` are braces by now."""

    text: str


@record
class Reference:
    """An expression in braces."""

    source: str
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
    """Return the parts of `text` in order."""
    parts: list[Part] = []
    position = 0
    for start, end in _references(text):
        parts += [Text(text=_unescaped(text[position:start])), _reference(text, start, end)]
        position = end
    return (*parts, Text(text=_unescaped(text[position:])))


def own_text(parts: Iterable[Part]) -> str:
    """Return what of a template is literal text."""
    return "".join(part.text for part in parts if isinstance(part, Text))


def open_brace(text: str, position: int = 0) -> int:
    """Return where the reference begins that `text` ends in the middle of; the length of `text` when there is none."""
    found = _UNFINISHED.search(text, max(text.rfind("\n") + 1, position, len(text) - LONGEST))
    if found is None:
        return len(text)
    return found.start() - (text[found.start() - 1 : found.start()] == "{" and found.start() > position)


def table_mark(title: str | None, columns: Iterable[str], name: str) -> str:
    """Return the line that stands for a table in a filled text: what is in it, and the key or number to show it by."""
    return f"[table: {' '.join((title or ', '.join(columns)).split())} ({name})]"


def _references(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each reference begins and ends."""
    code = [match.span() for match in _CODE.finditer(text)]
    for match in _FIELD.finditer(text):
        start, end = match.span()
        is_doubled = text[start - 1 : start] == "{" and text[end : end + 1] == "}"
        is_even = is_doubled and text[max(start - 2, 0) : start] != "{{"
        outside = re.sub(_QUOTED, "''", match[1])
        # `{{r1.total}}` is what other template languages call a reference, and no model means the braces.
        is_prose = not any(low <= start < high for low, high in code) and not (
            _FORMULA.search(text, 0, start) or (is_doubled and outside.strip().isidentifier())
        )
        if _RESULT.search(outside) or (is_prose and _ATTEMPT.match(outside)):
            yield start - is_even, end + is_even


def _reference(text: str, start: int, end: int) -> Reference | TableMark:
    written = text[start:end]
    inner = written.strip("{}")
    table = _TABLE.fullmatch(inner)
    line = text[text.rfind("\n", 0, start) + 1 : start] + text[end:].split("\n", 1)[0]
    if table and not line.strip():
        return TableMark(number=int(table[1]), written=written)
    colon = _NO_SEPARATOR.sub(lambda match: "_" * len(match[0]), inner).find(":")
    source, spec = (inner[:colon], inner[colon + 1 :]) if colon >= 0 else (inner, "")
    return Reference(source=_CONVERSION.sub("", source).strip(), spec=spec.strip(), written=written)


def _unescaped(text: str) -> str:
    return text.replace("{{", "{").replace("}}", "}")
