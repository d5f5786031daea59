"""CSV and TSV: sample, judge, convert in one pass, report."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.connection import MalformedError, translated
from tabchat.engine.reader.description import Loaded
from tabchat.engine.reader.relation import Relation
from tabchat.engine.reader.source.files import engine_path
from tabchat.engine.reader.text import encoding as encodings
from tabchat.engine.reader.text import report
from tabchat.engine.reader.text.dialect import (
    Dialect,
    Layout,
    UnclosedQuoteError,
    lay_out,
    parse,
    sniff_dialect,
)
from tabchat.engine.reader.text.forced import force
from tabchat.engine.reader.text.headers import column_names, require_few
from tabchat.engine.reader.text.infer import Conventions, Guess, infer
from tabchat.engine.reader.text.noting import count_misfits
from tabchat.engine.reader.text.overall import overall_notes
from tabchat.engine.reader.text.plans import KIND_NAMES
from tabchat.engine.reader.text.settle import settle
from tabchat.engine.reader.text.zones import in_one_zone
from tabchat.engine.table import LoadNote, LoadReport
from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.text.dialect import Record
    from tabchat.engine.table import ReadOptions
    from tabchat.engine.types import ColumnKind

    Share = Callable[[float], None]

WHOLE: Final = 256 * 1024
"""Files up to this many bytes are judged in full."""
_HEAD: Final = 128 * 1024
_PIECE: Final = 24 * 1024
_PIECES: Final = 4
_RECORDS: Final = 60
"""Records that a sample should hold at least, however long they are."""
_MOST: Final = 8 << 20
_FOREIGN_LINES: Final = 2000
_BLOCK: Final = 1 << 20
_LINE_LIMIT: Final = 1_500_000


@record
class Text:
    """A UTF-8 text file on disk and a sample of it."""

    path: Path
    size: int
    encoding: str
    head: str
    """The whole text when `complete`, else its beginning."""
    complete: bool
    shown: str
    """The file's name for messages."""
    pieces: tuple[str, ...] = ()
    """Stretches from further on, each from one line's beginning to another's end."""
    notes: tuple[LoadNote, ...] = ()
    original: bool = True
    """False when it was decoded or decompressed into the workspace."""


@record
class Judged:
    """All that was decided about a text before it is converted."""

    relation: Relation
    names: tuple[str, ...]
    rows: Sequence[Record]
    """The records of the sample, in the order of the file."""
    samples: tuple[Counter[str], ...]
    guesses: tuple[Guess, ...]
    conventions: Conventions
    layout: Layout
    dialect: Dialect
    notes: tuple[LoadNote, ...]
    fast: bool
    """True when the engine reads the text as it lies."""


def as_text(
    path: Path,
    options_encoding: str | None,
    workspace: Path,
    *,
    shown: str,
    original: bool,
    progress: Share | None = None,
) -> Text:
    """Bring a text file to UTF-8 and take a sample of it."""
    size = path.stat().st_size
    with path.open("rb") as file:
        raw = file.read(WHOLE if size <= WHOLE else _HEAD)
    found = (
        encodings.named(options_encoding)
        if options_encoding
        else encodings.detect(raw, complete=len(raw) == size)
    )
    return decode(path, found, workspace, shown=shown, original=original, progress=progress)


def decode(
    path: Path,
    found: encodings.Encoding,
    workspace: Path,
    *,
    shown: str,
    original: bool,
    progress: Share | None = None,
) -> Text:
    """Read a text in a known encoding, writing it anew as UTF-8 where it is not."""
    notes: list[LoadNote] = []
    if found.codec != "utf-8" or found.lossy:
        target = workspace / "text.csv"
        with translated():
            replaced = encodings.transcode(path, target, found, shown=shown, progress=progress)
        notes += report.encoding_notes(found, len(replaced))
        path, original = target, False
    size = path.stat().st_size
    with path.open("rb") as file:
        raw = file.read(WHOLE if size <= WHOLE else _HEAD)
        while size > len(raw) and raw.count(b"\n") < _RECORDS and len(raw) < _MOST:
            raw += file.read(len(raw))
        complete = len(raw) == size
        pieces = [] if complete else [_piece(file, size, number) for number in range(1, _PIECES + 1)]
    return Text(
        path=path,
        size=size,
        encoding=found.codec,
        head=_decoded(raw),
        complete=complete,
        shown=shown,
        pieces=tuple(piece for piece in pieces if piece),
        notes=tuple(notes),
        original=original,
    )


def _piece(file: object, size: int, number: int) -> str:
    start = min(size - _PIECE, size * number // _PIECES)
    file.seek(start)  # type: ignore[attr-defined]
    raw: bytes = file.read(_PIECE)  # type: ignore[attr-defined]
    begin, end = raw.find(b"\n") + 1, raw.rfind(b"\n") + 1
    return raw[begin:end].decode("utf-8", errors="replace") if 0 < begin < end else ""


def _decoded(raw: bytes) -> str:
    text = raw.decode("utf-8", errors="ignore")
    return text.removeprefix("\ufeff")


def judge(
    text: Text,
    options: ReadOptions,
    workspace: Path,
    *,
    tabs: bool,
    careful: bool = False,
    progress: Share | None = None,
) -> Judged:
    """Decide dialect, names and plans; rewrite the text first where the fast reader would not follow it."""
    dialect = sniff_dialect(text.head, complete=text.complete, delimiter=options.delimiter, tabs=tabs)
    try:
        found = parse(text.head, dialect, complete=text.complete)
    except UnclosedQuoteError:
        found = parse(text.head, dialect, complete=False)
    if not found:
        raise InputError(f"{text.shown!r} holds no records.", hint="Check how it was written or copied.")
    require_few(max(map(len, found)), text.shown)
    layout = lay_out(found, header=options.header)
    body = found[layout.titles + (layout.header is not None) :]
    fast = not careful and _is_regular(found, layout, text, dialect)
    notes = list(text.notes)
    if fast:
        relation = Relation(
            path=engine_path(text.path, workspace),
            width=layout.width,
            delimiter=dialect.delimiter,
            quote=dialect.quote,
            escape=dialect.escape,
            header=layout.header is not None,
            longest=_longest(text),
        )
        header = layout.header
    else:
        from tabchat.engine.reader.text.careful import regularise

        with translated():
            regular = regularise(
                text.path, workspace / "regular.csv", dialect, layout, shown=text.shown, progress=progress
            )
        relation = Relation(
            path=regular.path,
            width=regular.width,
            delimiter=dialect.delimiter,
            longest=_longest(text),
        )
        header = regular.header
        notes += regular.notes
        body = [*body, *regular.odd]
    names, name_notes = column_names(header or [""] * relation.width)
    rows = _rows(body, text, dialect, relation.width)
    samples = _samples(rows, relation.width)
    conventions, guesses = judge_columns(samples, names, options, semicolons=dialect.delimiter == ";")
    return Judged(
        relation=relation,
        names=names,
        rows=rows,
        samples=samples,
        guesses=guesses,
        conventions=conventions,
        layout=layout,
        dialect=dialect,
        notes=(*notes, *(name_notes if header else ())),
        fast=fast,
    )


def _is_regular(found: Sequence[Record], layout: Layout, text: Text, dialect: Dialect) -> bool:
    return (
        layout.width > 1
        and not layout.titles
        and dialect.escape == dialect.quote
        and not dialect.spaced
        and "\0" not in text.head
        and all(len(record) == layout.width for record in found)
        and ("\r" not in text.head or text.head.count("\r") == text.head.count("\r\n"))
        and (not layout.header or "\n" not in "".join(layout.header))
    )


def _longest(text: Text) -> int:
    """Return the engine's line limit that the text needs, or 0 when its own limit does."""
    if text.complete:
        return len(text.head.encode()) + 1024 if len(text.head) > _LINE_LIMIT else 0
    longest = max((len(line) for line in text.head.split("\n")), default=0)
    return 16 * longest if longest > _LINE_LIMIT // 16 else 0


def _rows(body: Sequence[Record], text: Text, dialect: Dialect, width: int) -> list[Record]:
    rows = list(body)
    for piece in text.pieces:
        further = parse(piece, dialect, complete=False)
        # A stretch that begins inside a quoted cell reads as nonsense of another width.
        if further and all(len(record) == width for record in further):
            rows += further
    return rows


def _samples(rows: Sequence[Record], width: int) -> tuple[Counter[str], ...]:
    columns = list(zip_longest(*rows, fillvalue="")) if rows else []
    counters = [Counter(cells) for cells in columns[:width]]
    return tuple(counters + [Counter[str]() for _ in range(width - len(counters))])


def judge_columns(
    samples: Sequence[Counter[str]],
    names: Sequence[str],
    options: ReadOptions,
    *,
    semicolons: bool = False,
    dates_only: Sequence[bool] = (),
) -> tuple[Conventions, tuple[Guess, ...]]:
    """Plan every column; columns that read both ways follow those that do not."""
    conventions = Conventions(
        decimal=options.decimal, date_order=options.date_order, null_words=options.null_words
    )
    only = list(dates_only) or [False] * len(samples)
    forced = forced_kinds(names, options)

    def planned(i: int, conventions: Conventions) -> Guess:
        if i in forced:
            return force(forced[i], samples[i], conventions)
        return infer(samples[i], replace(conventions, dates_only=only[i]))

    guesses = [planned(i, conventions) for i in range(len(samples))]
    marks = Counter(guess.decimal_seen for guess in guesses if guess.decimal_seen)
    usual = marks.most_common(1)[0][0] if marks else "," if semicolons else None
    orders = dict(pair for guess in guesses for pair in guess.orders_seen)
    settled = replace(conventions, decimal=options.decimal or usual, date_hints=tuple(sorted(orders.items())))
    for i, guess in enumerate(guesses):
        if guess.decimal_open or guess.order_open or i in forced:
            guesses[i] = planned(i, settled)
    if len(marks) == 1 or options.decimal:
        guesses = [replace(guess, decimal_open=False) for guess in guesses]
    return settled, in_one_zone(guesses)


def forced_kinds(names: Sequence[str], options: ReadOptions) -> dict[int, ColumnKind]:
    """Return the kinds that a person set, by position of the column."""
    positions = {name.casefold(): i for i, name in enumerate(names)}
    forced: dict[int, ColumnKind] = {}
    for name, kind in options.types:
        if name.casefold() not in positions:
            import difflib

            close = difflib.get_close_matches(name, names, n=3) or list(names[:5])
            message = f"There is no column {name!r} to give the type {kind!r}."
            raise InputError(message, hint=f"Columns: {', '.join(close)}.")
        if kind.lower() not in KIND_NAMES:
            message = f"Unknown type {kind!r} for column {name!r}."
            raise InputError(message, hint="Types: integer, number, text, boolean, date, datetime, time.")
        forced[positions[name.casefold()]] = KIND_NAMES[kind.lower()]
    return forced


def load_text(
    text: Text,
    options: ReadOptions,
    connection: Connection,
    *,
    input_format: str,
    progress: Share | None = None,
) -> Loaded:
    """Convert a delimited text into a Parquet file in the connection's workspace."""
    workspace = connection.workspace
    tabs = input_format == "tsv"
    judged = judge(text, options, workspace, tabs=tabs, progress=progress)
    try:
        return _converted(text, judged, connection, input_format, progress)
    except MalformedError:
        if not judged.fast:
            raise
    # The fast reader stumbled past the sample: invalid bytes, ragged records, stray quotes.
    text = _redecoded(text, options, workspace)
    judged = judge(text, options, workspace, tabs=tabs, careful=True, progress=progress)
    return _converted(text, judged, connection, input_format, progress)


def _redecoded(text: Text, options: ReadOptions, workspace: Path) -> Text:
    """Judge the encoding again by the lines that are not ASCII, wherever they are."""
    with text.path.open("rb") as file:
        foreign = b"".join(islice(_foreign_lines(file), _FOREIGN_LINES))
    found = encodings.detect(foreign, complete=True)
    if options.encoding or (found.codec == "utf-8" and not found.lossy):
        return text
    return decode(text.path, found, workspace, shown=text.shown, original=text.original)


def _foreign_lines(file: BinaryIO) -> Iterator[bytes]:
    while block := file.read(_BLOCK) + file.readline():
        if not block.isascii():
            yield from (line for line in block.splitlines(keepends=True) if not line.isascii())


def _converted(
    text: Text, judged: Judged, connection: Connection, input_format: str, progress: Share | None
) -> Loaded:
    target = connection.workspace / "table.parquet"
    settled = settle(
        connection,
        judged.relation,
        judged.guesses,
        judged.samples,
        judged.conventions,
        judged.names,
        target,
        progress,
    )
    near = {i: guess.near for i, guess in enumerate(settled.guesses) if guess.near is not None}
    misfits = count_misfits(connection, judged.relation, near)
    schema = report.schema(settled.guesses, judged.names)
    notes = [
        *report.layout_notes(judged.layout, judged.dialect, judged.names, settled.row_count),
        *judged.notes,
        *report.column_notes(settled, judged.names, misfits),
        *overall_notes(connection, target, settled, judged.names, schema),
    ]
    return Loaded(
        parquet=target,
        schema=schema,
        row_count=settled.row_count,
        report=LoadReport(
            input_format=input_format,
            encoding=text.encoding,
            delimiter=judged.dialect.delimiter,
            decimal=report.decimal_of(settled.guesses),
            notes=tuple(notes),
        ),
    )
