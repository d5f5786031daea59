"""JSON: arrays of objects, one object a line, an object of arrays; nested objects become dotted columns.

Lists, and objects nested too deep, are kept as JSON text.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.engine.reader.staging import Staging, load_staged
from tabchat.engine.reader.text import delimited
from tabchat.engine.reader.text.headers import require_few
from tabchat.engine.table import LoadNote, LoadReport, inferred_note
from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator
    from pathlib import Path
    from typing import TextIO

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.table import ReadOptions

_CHUNK: Final = 1 << 20
_SPACE: Final = " \t\r\n\ufeff"
_DEPTH: Final = 8
_WIDEST: Final = 1000
"""Columns that dotted names may make; beyond that nested objects stay JSON text."""

_Cell: TypeAlias = "tuple[Hashable, str, Any]"


class _TooWideError(Exception):
    """Nested objects would make too many columns."""


@record
class _Document:
    """The records of a document, and how they were found."""

    values: Iterable[Any]
    notes: tuple[LoadNote, ...] = ()


def load_json(
    path: Path,
    options: ReadOptions,
    connection: Connection,
    *,
    input_format: str,
    progress: Callable[[float], None] | None = None,
) -> Loaded:
    """Read a JSON or JSON Lines file; raise `InputError` that names the record which is not JSON."""
    text = delimited.as_text(
        path, options.encoding, connection.workspace, shown=connection.shown, original=True
    )
    try:
        staging, notes = _stage(text, connection.workspace, flat=True, progress=progress)
    except _TooWideError:
        staging, notes = _stage(text, connection.workspace, flat=False, progress=progress)
    if not staging.columns:
        message = f"{connection.shown!r} holds no records."
        raise InputError(message, hint="A table is an array of objects, or one object a line.")
    notes = (*text.notes, *notes, *_nesting(staging))
    facts = LoadReport(input_format=input_format, encoding=text.encoding, notes=notes)
    return load_staged(staging, options, connection, facts=facts, progress=progress)


def _stage(
    text: delimited.Text, workspace: Path, *, flat: bool, progress: Callable[[float], None] | None
) -> tuple[Staging, tuple[LoadNote, ...]]:
    staging = Staging(path=workspace / "rows.csv")
    with text.path.open(encoding="utf-8-sig", newline="") as file:
        values = _Values(file, text.size, text.shown, progress)
        document = _open(values)
        _write(staging, document, text.shown, flat=flat)
    return staging, document.notes


def _write(staging: Staging, document: _Document, shown: str, *, flat: bool) -> None:
    def rows() -> Iterator[Iterable[_Cell]]:
        for value in document.values:
            if isinstance(value, (dict, list)):
                require_few(len(value), shown)
            yield list(_cells(value, flat=flat))
            if flat and len(staging.columns) > _WIDEST:
                raise _TooWideError
            require_few(len(staging.columns), shown)

    staging.write(rows())


def _nesting(staging: Staging) -> Iterator[LoadNote]:
    dotted = [
        column.label for key, column in staging.columns.items() if isinstance(key, tuple) and len(key) > 1
    ]
    if dotted:
        message = f"Nested objects became columns with dotted names, such as {dotted[0]!r}."
        yield inferred_note(message=message, count=len(dotted))
    kept = [column.label for column in staging.columns.values() if "other" in column.types]
    if kept:
        message = f"Lists and other nested values are kept as JSON text, such as those of {kept[0]!r}."
        yield inferred_note(message=message, count=len(kept))


def _cells(value: Any, *, flat: bool, path: tuple[str, ...] = ()) -> Iterator[_Cell]:
    """Yield the cells of one record; a key is the path of names that leads to it."""
    if isinstance(value, dict) and (not path or (flat and value and len(path) < _DEPTH)):
        for name, inner in value.items():
            yield from _cells(inner, flat=flat, path=(*path, name))
    elif isinstance(value, list) and not path:
        for position, inner in enumerate(value, start=1):
            yield position, f"column_{position}", inner
    elif path:
        yield path, ".".join(path), value
    else:
        yield 0, "value", value


def _open(values: _Values) -> _Document:
    opening = values.first_character()
    if opening == "[":
        return _Document(values=values.elements())
    sequence = values.sequence()
    first = next(sequence, None)
    if not isinstance(first, dict):
        return _Document(values=_chained(first, sequence))
    second = next(sequence, None)
    if second is not None:
        return _Document(values=_chained(first, _chained(second, sequence)))
    return _single(first)


def _chained(first: Any, rest: Iterable[Any]) -> Iterator[Any]:
    if first is not None:
        yield first
    yield from rest


def _single(document: dict[str, Any]) -> _Document:
    """Find the records in one object: columns of equal length, or the one list of objects inside."""
    inner = list(document.values())
    wrapped = len(inner) == 1 and _is_records(inner[0])
    lists = bool(inner) and all(isinstance(value, list) for value in inner)
    if lists and not wrapped and len({len(value) for value in inner}) == 1:
        names = list(document)
        return _Document(values=(dict(zip(names, row, strict=True)) for row in zip(*inner, strict=True)))
    if len(inner) > 1 and all(isinstance(value, dict) for value in inner) and _is_indexed(inner):
        keys = list(inner[0])
        return _Document(values=({name: column[key] for name, column in document.items()} for key in keys))
    places = [name for name, value in document.items() if _is_records(value)]
    if len(places) != 1:
        return _Document(values=[document])
    others = [name for name in document if name != places[0]]
    message = f"The records were found under {places[0]!r}."
    if others:
        message += f" Left out beside it: {', '.join(others[:5])}."
    note = LoadNote(action="warning" if others else "inferred", message=message, count=len(others))
    return _Document(values=document[places[0]], notes=(note,))


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _is_indexed(columns: list[dict[str, Any]]) -> bool:
    """Recognise columns of objects keyed by row number, as some libraries write tables."""
    keys = columns[0].keys()
    return (
        bool(keys) and all(key.isdigit() for key in keys) and all(column.keys() == keys for column in columns)
    )


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, giving repeated names a number instead of losing their values."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    found = {}
    last: Counter[str] = Counter()
    for name, value in pairs:
        free = name
        while free in found:
            last[name] += 1
            free = f"{name}_{last[name] + 1}"
        found[free] = value
    return found


class _Values:
    """JSON values read one after another from a text of any length."""

    def __init__(self, file: TextIO, size: int, shown: str, progress: Callable[[float], None] | None) -> None:
        self._file = file
        self._shown = shown
        self._buffer = ""
        self._at = 0
        self._read = 0
        self._size = max(1, size)
        self._count = 0
        self._progress = progress
        self._decoder = json.JSONDecoder(object_pairs_hook=_unique)

    def first_character(self) -> str:
        """Return the next character that is not a space, or nothing at the end."""
        while True:
            while self._at < len(self._buffer) and self._buffer[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._buffer):
                return self._buffer[self._at]
            if not self._more():
                return ""

    def sequence(self) -> Iterator[Any]:
        """Yield the values that stand one after another, on lines or not."""
        while self.first_character():
            yield self._value()

    def elements(self) -> Iterator[Any]:
        """Yield the elements of the arrays that the text consists of."""
        while self.first_character() == "[":
            self._at += 1
            if self.first_character() == "]":
                self._at += 1
                continue
            yield self._value()
            while (mark := self.first_character()) == ",":
                self._at += 1
                yield self._value()
            if mark != "]":
                raise self._broken("a comma or a closing bracket is missing")
            self._at += 1
        if self.first_character():
            raise self._broken("something follows the end of the array")

    def _value(self) -> Any:
        self.first_character()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._buffer, self._at)
            except json.JSONDecodeError as error:
                if not self._more(len(self._buffer)):
                    raise self._broken(error.msg) from error
                continue
            except (ValueError, RecursionError) as error:
                raise self._broken(str(error)) from error
            if end == len(self._buffer) and self._more():
                continue
            self._at = end
            self._count += 1
            return value

    def _more(self, at_least: int = 0) -> bool:
        chunk = self._file.read(max(_CHUNK, at_least))
        self._read += len(chunk)
        self._buffer = self._buffer[self._at :] + chunk
        self._at = 0
        if self._progress is not None:
            self._progress(min(1.0, self._read / self._size))
        return bool(chunk)

    def _broken(self, reason: str) -> InputError:
        message = f"{self._shown!r} is not valid JSON at record {self._count + 1}: {reason}."
        return InputError(message, hint="Mend that record; if the file is not JSON: --input-format csv.")
