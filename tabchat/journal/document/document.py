"""A session as a document that a person reads and edits, and a program repeats: its head and its steps.

In Markdown each stands as JSON in a fenced block whose info string is `tabchat`; everything else is prose.
"""

from __future__ import annotations

import json
import re
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import InputError
from tabchat.journal.replay.figures import Figures
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.engine.types import JsonValue

DOCUMENT_FORMAT: Final = 1
FENCE: Final = "tabchat"

_FENCED: Final = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*([^`]*?)[ \t]*")
_HINT: Final = "tabchat session export -o FILE.md writes such a file."


@record
class TableFile:
    """A table of the session: its name in SQL and its file."""

    name: str
    file: str
    """Its path, seen from the folder of the document where it is not absolute."""
    options: Mapping[str, JsonValue] = field(default_factory=dict)
    """How it is read, where that is not inferred."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the table as plain JSON."""
        told: dict[str, JsonValue] = {"name": self.name, "file": self.file}
        return told | ({"options": dict(self.options)} if self.options else {})


@record
class Head:
    """What holds for every step."""

    tables: tuple[TableFile, ...]
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """Settings that results depend on: `week_start`, `sessions`, `hide`, `privacy`."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the head as plain JSON."""
        return {
            "tabchat": DOCUMENT_FORMAT,
            "tables": [table.to_json() for table in self.tables],
            "settings": dict(self.settings),
        }


@record
class Step:
    """One thing that was done; what it came to is `expect`, and of a model's answer `figures`."""

    does: Mapping[str, JsonValue]
    """`ask` with `plan`, `sql`, `code`, `analysis` or a model's `replies`; or `edit`, `edit_code`, `undo`, `redo`."""
    expect: Figures | None = None
    figures: tuple[tuple[str, JsonValue], ...] | None = None
    """Figures of a model's text, in order: as written, and the value."""

    @property
    def title(self) -> str:
        """What was asked, in a line."""
        does = self.does
        if does.get("ask"):
            return str(does["ask"])
        for name in ("sql", "code", "edit_code"):
            if name in does:
                return " ".join(text_of(does[name]).split())
        return next(
            (name for name in ("undo", "redo") if name in does), json.dumps(dict(does), ensure_ascii=False)
        )

    def to_json(self) -> dict[str, JsonValue]:
        """Return the step as plain JSON."""
        told = dict(self.does)
        if self.figures is not None:
            told["figures"] = [[text, value] for text, value in self.figures]
        if self.expect is not None:
            told["expect"] = self.expect.to_json()
        return told

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> Step:
        """Build a step; `KeyError`, `TypeError` or `ValueError` for what is none."""
        does = {name: value for name, value in fields.items() if name not in {"expect", "figures"}}
        if not DOES.intersection(does):
            raise ValueError(f"it does nothing: it has none of {', '.join(sorted(DOES))}")
        for name, value in does.items():
            if name in _TYPES and not isinstance(value, _TYPES[name]):
                raise TypeError(f"its {name!r} is {type(value).__name__}")
        figures = fields.get("figures")
        return cls(
            does=does,
            expect=None if fields.get("expect") is None else Figures.from_json(fields["expect"]),
            figures=None if figures is None else tuple((str(text), value) for text, value in figures),
        )


DOES: Final = frozenset({"ask", "plan", "sql", "code", "analysis", "edit", "edit_code", "undo", "redo"})
"""What a step can do; one of these is in each."""
_TYPES: Final[Mapping[str, type | tuple[type, ...]]] = {
    "ask": str,
    "table": str,
    **dict.fromkeys(("plan", "analysis", "edit", "uses"), dict),
    **dict.fromkeys(("sql", "code", "edit_code"), (str, list)),
    **dict.fromkeys(("replies", "numbers"), list),
}


@record
class Placed:
    """A block of a document: its lines, from the fence to the one that closes it, counted from 0."""

    start: int
    end: int
    text: str


@record
class Document:
    """What a program reads of a session's Markdown."""

    head: Head
    steps: tuple[tuple[Placed, Step], ...]


def read_document(text: str, name: str) -> Document:
    """Read the blocks of a document called `name`; raises `InputError` that names the line of what is wrong."""
    head: Head | None = None
    steps: list[tuple[Placed, Step]] = []
    for block in blocks_in(text):
        try:
            fields = json.loads(block.text)
            if head is None:
                head = _head(fields)
            else:
                steps.append((block, Step.from_json(fields)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            why = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            message = f"The block at line {block.start + 1} of {name} is no part of a session: {why}."
            raise InputError(message, hint=_HINT) from error
    if head is None:
        raise InputError(f"{name} is no session: it has no block that begins with ```{FENCE}.", hint=_HINT)
    return Document(head=head, steps=tuple(steps))


def _head(fields: Mapping[str, Any]) -> Head:
    if fields.get("tabchat") != DOCUMENT_FORMAT:
        raise ValueError(f'the first block must begin with {{"tabchat": {DOCUMENT_FORMAT}, "tables": …')
    tables = tuple(
        TableFile(name=str(table["name"]), file=str(table["file"]), options=dict(table.get("options", {})))
        for table in fields["tables"]
    )
    return Head(tables=tables, settings=dict(fields.get("settings", {})))


def blocks_in(text: str) -> Iterator[Placed]:
    """Yield the fenced blocks that are tabchat's; what looks like a fence inside another block is none."""
    lines = text.split("\n")
    opened, info, start = "", "", 0
    for number, line in enumerate(lines):
        found = _FENCED.fullmatch(line)
        if not opened:
            if found is not None:
                opened, info, start = found[1], found[2], number
        elif found is not None and found[1][0] == opened[0] and len(found[1]) >= len(opened) and not found[2]:
            if info == FENCE:
                yield Placed(start=start, end=number, text="\n".join(lines[start + 1 : number]))
            opened = ""


def fenced(value: Mapping[str, JsonValue]) -> str:
    """Return JSON as a fenced block, in lines that a person can find a cell in."""
    return f"```{FENCE}\n{_pretty(value)}\n```"


def text_of(value: JsonValue) -> str:
    """Return SQL or code, which may be given as a list of lines."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)


def lines_of(text: str) -> JsonValue:
    """Return SQL or code as JSON that a person can read: its lines, where there are several."""
    lines = text.split("\n")
    return list(lines) if len(lines) > 1 else text


def _pretty(value: JsonValue, depth: int = 0) -> str:
    """Return JSON with an entry a line down to rows, which take a line each."""
    pad = "  " * (depth + 1)
    if isinstance(value, dict) and value and len(_line(value)) > _WIDTH - 2 * depth:
        inner = ",\n".join(f"{pad}{_line(name)}: {_pretty(item, depth + 1)}" for name, item in value.items())
        return f"{{\n{inner}\n{'  ' * depth}}}"
    if isinstance(value, list) and value and len(_line(value)) > _WIDTH - 2 * depth:
        inner = ",\n".join(f"{pad}{_pretty(item, depth + 1)}" for item in value)
        return f"[\n{inner}\n{'  ' * depth}]"
    return _line(value)


_WIDTH: Final = 100


def _line(value: JsonValue) -> str:
    written = json.dumps(value, ensure_ascii=False, allow_nan=False)
    # What a terminal or an editor would not show as it is, is shown as its number.
    return "".join(sign if sign.isprintable() else json.dumps(sign)[1:-1] for sign in written)
