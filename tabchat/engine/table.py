"""A table: one immutable version of a file's rows, readable by every engine."""

from __future__ import annotations

from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.record import made_later, record
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.source_files import SourceFiles
    from tabchat.engine.types import Column, JsonValue, Schema


@record
class ReadOptions(PlainRecord):
    """What a person says about a file instead of having it inferred; part of the table's version."""

    input_format: str | None = None
    """csv, tsv, json, jsonl, parquet, arrow, xlsx; inferred from the name and content when absent."""
    delimiter: str | None = None
    encoding: str | None = None
    decimal: str | None = None
    """Decimal mark: `.` or `,`."""
    header: bool | None = None
    """Whether the first record holds names."""
    sheet: str | None = None
    """XLSX sheet by name; the first one when absent."""
    date_order: str | None = None
    """dmy, mdy or ymd, for dates that could be read either way."""
    null_words: tuple[str, ...] | None = None
    """Words that mean a missing value, instead of the built-in list."""
    types: tuple[tuple[str, str], ...] = ()
    """(column name, kind) pairs that overrule inference; cells that do not fit are reported as rejected."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return only what was set; the canonical form for the fingerprint."""
        fields = super().to_json() | {"types": [list(pair) for pair in self.types] or None}
        return {name: value for name, value in fields.items() if value is not None}

    @classmethod
    def from_json(cls, fields: Mapping[str, JsonValue]) -> ReadOptions:
        """Build options from what `to_json` returned."""
        plain: dict[str, Any] = dict(fields)
        if "null_words" in plain:
            plain["null_words"] = tuple(plain["null_words"])
        if "types" in plain:
            plain["types"] = tuple((name, kind) for name, kind in plain["types"])
        return cls(**plain)


@record
class LoadNote(PlainRecord):
    """One thing that reading a file inferred, repaired or rejected."""

    action: str
    """`inferred`, `repaired`, `rejected` or `warning`."""
    message: str
    """One sentence for a person."""
    column: str | None = None
    rows: tuple[int, ...] = ()
    """Record numbers concerned, the first few of them."""
    count: int = 0
    """How many records are concerned in all."""
    hint: str | None = None
    """The flag that changes it."""
    twins: Mapping[str, str] = field(default_factory=dict)
    """Column → the header of an earlier one that its own repeats, so that it got a number."""
    totals: tuple[str, ...] = ()
    """Labels of records that sum up others, or their numbers where they have none: an answer says that they count."""
    told: str | None = None
    """The same for a model, in a few words without any cell or name; none where it need not know."""
    skews: bool = False
    """Whether figures over all records mislead who does not know it: a total among them, cells that are not there."""

    def to_json(self) -> dict[str, JsonValue]:
        """Return the note as plain JSON."""
        told = super().to_json()
        return {name: value for name, value in told.items() if value or name not in {"twins", "totals"}}


inferred_note: Final = partial(LoadNote, action="inferred")
repaired_note: Final = partial(LoadNote, action="repaired")
warning_note: Final = partial(LoadNote, action="warning")


def some(names: Sequence[str], most: int = 5) -> str:
    """Return the first few of some names, as a note lists them."""
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def not_finite_notes(name: str, *, infinite: int, no_number: int) -> Iterator[LoadNote]:
    """Say how many cells of column `name` became missing: NaN means that, but a sum lacks what was infinite."""
    for count, what, action in ((infinite, "infinite", "warning"), (no_number, "NaN", "repaired")):
        if count:
            cells, verb = ("cell", "is") if count == 1 else ("cells", "are")
            yield LoadNote(
                action=action,
                message=f"{count:,} {cells} of {name!r} {verb} {what} and became missing.",
                column=name,
                count=count,
                told=f"{count:,} {cells} {verb} {what} and became missing",
                skews=action == "warning",
            )


@record
class LoadReport(PlainRecord):
    """What was inferred about a file, and everything that was repaired or rejected in it."""

    input_format: str
    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    sheet: str | None = None
    notes: tuple[LoadNote, ...] = ()

    @property
    def twins(self) -> Mapping[str, str]:
        """Columns that repeat a header → that header, as the first column that bears it is called."""
        return {name: header for note in self.notes for name, header in note.twins.items()}

    @property
    def totals(self) -> tuple[str, ...]:
        """The labels of records that sum up others."""
        return tuple(dict.fromkeys(label for note in self.notes for label in note.totals))

    @property
    def alarms(self) -> tuple[LoadNote, ...]:
        """Notes that a person should see without asking."""
        return tuple(note for note in self.notes if note.action in {"rejected", "warning"})

    @property
    def pressing(self) -> tuple[LoadNote, ...]:
        """Those of them that are told in words each time: what skews figures, else the only one."""
        return tuple(note for note in self.alarms if note.skews or len(self.alarms) == 1)


@record
class Table:
    """One immutable version of a file's rows, in record order: stored as Parquet, or Parquet or Arrow files themselves."""

    name: str
    """SQL name: the file's stem made an identifier, unique in its session."""
    version: str
    """Hex fingerprint of the file (path, size, mtime, content samples), the read options and the edits."""
    source: Path
    """The person's file (or `-`); never written to."""
    scan: exp.Query = made_later()
    """Query that yields `__row__` and then the visible columns; engines attach it under `name`."""
    stored: bool
    """True when `scan` reads the version in the cache, or `files`; false when it parses the person's text
    anew (a first question to a large file), which gives the same rows but no cheap `__row__`."""
    schema: Schema
    """Visible columns, in file order."""
    row_count: int
    """Exact; -1 for a direct scan of a text, whose rows nobody has counted yet."""
    report: LoadReport
    options: ReadOptions = field(default_factory=ReadOptions)
    whole_schema: Schema | None = None
    """Every column of `scan`, in file order, where `schema` keeps some from its reader."""
    edits: tuple[Mapping[str, JsonValue], ...] = ()
    """Edits that led from the file to this version, with what they depend on; in order."""
    files: SourceFiles | None = None
    """The person's own Parquet or Arrow files, where `scan` reads them; every query makes sure that they are unchanged."""
    last_row: int | None = None
    """The greatest row number that was ever given, where edits led here; the number of rows otherwise."""
    is_numbered: bool = True
    """False where nobody numbered the rows, as in a lake: `__row__` orders them at most, and is never shown."""

    sampled: TableFacts | None = field(default=None, compare=False)
    """What the sample shows that a file was judged by, where it is scanned where it lies."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The person's files behind it; never written to."""
        if self.files is None:
            return (self.source,)
        return (self.source, *(Path(file.path) for file in self.files.files))

    @property
    def hidden(self) -> tuple[str, ...]:
        """Names of the columns that `schema` leaves out."""
        shown = self.by_name
        return tuple(column.name for column in self.whole_schema or () if column.name not in shown)

    @property
    def by_name(self) -> Mapping[str, Column]:
        """Columns by exact name."""
        return {column.name: column for column in self.schema}

    @property
    def time_column(self) -> str | None:
        """The only, else the first, date or datetime column."""
        return next((column.name for column in self.schema if column.kind.is_temporal), None)
