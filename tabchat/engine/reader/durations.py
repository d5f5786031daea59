"""Durations in Parquet files, which keep them as whole numbers: what these count is told by the Arrow schema beside them."""

from __future__ import annotations

import base64
import binascii
import contextlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.arrow_schema import duration_units
from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.units import header_unit
from tabchat.engine.table import LoadNote, inferred_note, some, warning_note
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.reader.connection import Connection

NO_TICKS: Final[Mapping[str, str]] = MappingProxyType({})
_SCHEMA: Final = "ARROW:schema"
_NANOSECONDS: Final = {
    "ns": 1,
    "us": 10**3,
    "µs": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
}
_NAMES: Final = {"s": "seconds", "ms": "milliseconds", "us": "microseconds", "ns": "nanoseconds"}


@record
class Span:
    """A column of durations: what the file counts, nothing where its parts differ, and the unit that the table has."""

    counted: str
    unit: str

    def converted(self, node: exp.Expression) -> exp.Expression:
        """Return a cell in the unit of the table; what the file counts in it stays a whole number."""
        if not self.counted:
            return node
        of_file, of_table = _NANOSECONDS[self.counted], _NANOSECONDS[self.unit]
        if of_file == of_table:
            return node
        if of_file > of_table:
            factor = exp.Literal.number(of_file // of_table)
            return exp.Mul(this=nodes.cast(node, "DOUBLE"), expression=factor)
        return exp.Div(this=nodes.cast(node, "DOUBLE"), expression=exp.Literal.number(of_table // of_file))


def unit_of_time(name: str) -> str:
    """Return the unit of a column of durations: that which its header names, else seconds."""
    unit = header_unit(name)
    return unit if unit in _NANOSECONDS else "s"


def durations(
    reads: Sequence[str], connection: Connection, types: Sequence[Any] | None = None
) -> Mapping[str, str]:
    """Return the columns of Parquet files that are durations → what they count.

    Nothing is read of files whose `types` leave no room for any. A column that has another unit in another file, or
    none, counts nothing (an empty text): its numbers are not of one kind.
    """
    if types is not None and not any("BIGINT" in str(kind) for kind in types):
        return NO_TICKS
    found: dict[str, set[str | None]] = {}
    for schema in _schemas(reads, connection):
        for name, unit in schema.items():
            found.setdefault(name, set()).add(unit)
    return {name: units.pop() or "" if len(units) == 1 else "" for name, units in found.items() if any(units)}


def span_notes(spans: Mapping[str, Span]) -> Iterator[LoadNote]:
    """Say which columns hold durations, and what became of their numbers."""
    mixed = [repr(name) for name, span in spans.items() if not span.counted]
    if mixed:
        message = (
            f"Durations that not every file counts in the same unit stay what they are there: {some(mixed)}."
        )
        yield warning_note(
            message=message,
            count=len(mixed),
            told="durations in some columns are counted in different units",
            skews=True,
        )
    for counted in dict.fromkeys(span.counted for span in spans.values() if span.counted):
        named = [f"{name!r} ({span.unit})" for name, span in spans.items() if span.counted == counted]
        message = f"Durations, which the file counts in {_NAMES[counted]}, are numbers in units of time: {some(named)}."
        yield inferred_note(message=message, count=len(named))


def _schemas(reads: Sequence[str], connection: Connection) -> Iterator[Mapping[str, str | None]]:
    """Yield the different Arrow schemas that the files keep."""
    kept = (
        exp.select("value")
        .distinct()
        .from_(nodes.table_function("parquet_kv_metadata", reads))
        .where(exp.EQ(this=exp.column("key"), expression=nodes.call("encode", _SCHEMA)))
    )
    for (value,) in connection.rows(kept):
        if isinstance(value, bytes):
            with contextlib.suppress(binascii.Error):
                yield duration_units(base64.b64decode(value, validate=True))
