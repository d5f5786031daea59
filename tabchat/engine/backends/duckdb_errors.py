"""DuckDB's errors in the words of this program: object, cause, next thing to try."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.duckdb_core import core as duckdb
from tabchat.engine.nearest import nearest
from tabchat.engine.source_files import arrow_failure
from tabchat.engine.types import HELPER_PREFIX
from tabchat.errors import (
    InputError,
    InterruptedByUserError,
    OutputError,
    QueryFailedError,
    SumTooLargeError,
    TabchatError,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.source_files import SourceFiles

    Told: TypeAlias = "tuple[str, str | None]"
    Teller: TypeAlias = "Callable[[str], Told]"

_DAMAGE: Final = re.compile(
    r"parquet|corrupt|decompress|failed to read|cannot be read|thrift|\bpages?\b", re.IGNORECASE
)
"""What the engine says when it cannot make sense of a file."""
_NO_MEMORY: Final = "Out of memory: "
"""What is said where there is none for a batch of an Arrow file."""
_DAMAGED: Final = "The file is damaged or cut off: copy or write it again."
_PREFIX: Final = re.compile(r"^(?:[A-Z][A-Za-z]*(?: [A-Za-z]+)* Error|INTERRUPT Error): ")
_UNKNOWN_COLUMN: Final = (
    re.compile(r'^Referenced column "(?P<name>.*)" not found in FROM clause'),
    re.compile(r'^(?:\w+ )+".*" does not have a column named "(?P<name>.*)"'),
    re.compile(r'^Column "(?P<name>.*)" in (?:EXCLUDE|REPLACE|RENAME) list not found'),
)
_UNKNOWN_TABLE: Final = re.compile(r'^Referenced table "(?P<name>.*)" not found')
_CANDIDATES: Final = re.compile(r"Candidate (?:bindings|tables): :?\s*(?P<names>.*)")
_QUOTED: Final = re.compile(r'"((?:[^"]|"")*)"')
_NO_MATCH: Final = re.compile(r"^(?:No function matches|Could not choose a best candidate function)")
_NO_FUNCTION: Final = re.compile(r"^(?:\w+ )*Function with name (?P<name>\S+) does not exist")
_SUGGESTION: Final = re.compile(r'Did you mean "(?P<name>[^"]*)"')
_WRAPPED_CAUSE: Final = re.compile(r'"exception_message":"(?P<cause>(?:[^"\\]|\\.)*)"')
_LISTED_TYPE: Final = re.compile(r"ENUM\(.*", re.DOTALL)
_TARGET_TYPE: Final = re.compile(
    r" (?:to|(?:for|to) the destination type) "
    r"(?P<type>BOOL|U?INT(?:8|16|32|64|128)|FLOAT|DOUBLE|DECIMAL\(\d+,\s?\d+\)|DATE|TIMESTAMP|INTERVAL|UUID)"
    r"(?: when casting from source column [^'\"]*)?\W*$"
)
_SUM_TOO_LARGE: Final = re.compile(r"^Type INT128 with value -?\d+ can't be cast .* destination type INT64")
"""What the engine, which sums up whole numbers in 128 bits, says of one that is to be a plain integer."""
_FIXED: Final = (
    "More than one row returned by a subquery used as an expression",
    "Map keys must be unique",
    "The query does not fit in memory, and there is no room on disk to spill to.",
    "The query does not fit in memory, and needs more than it may spill to disk",
    "The query needs more memory than it may use.",
)
"""Beginnings of messages that hold no value."""
_PLAIN_OTHERWISE: Final = "The query failed on a value of the data."
_OTHERWISE: Final = "Change that part of the query, and run it again."
"""What to try where nothing better is known."""
_ADVICE: Final = "Use TRY(...) to return NULL for this expression"
"""Where the engine begins to advise on a division by zero."""
_NULL_FOR_ZERO: Final = "Divide by nullif(x, 0): it gives null where x is 0."
_SPILL_BOUND: Final = re.compile(
    r"/(?P<most>[0-9.]+ \w+) used\)\.\s+This limit was set by the 'max_temp_directory_size'"
)
_NO_SPACE: Final = re.compile(r"No space left on device|failed to offload", re.IGNORECASE)


def query_error(error: Exception) -> TabchatError:
    """Return what to tell of a query that failed."""
    if isinstance(error, duckdb.InterruptException) or "INTERRUPT Error" in str(error):
        return InterruptedByUserError("The query was stopped.")
    # The engine cuts its messages between bytes, so that some are not text.
    told = error.object.decode(errors="replace") if isinstance(error, UnicodeDecodeError) else str(error)
    detail = _PREFIX.sub("", told)
    if not detail.strip():
        # Under Python 3.11.2 such a message arrives empty.
        return QueryFailedError(_PLAIN_OTHERWISE, hint=_OTHERWISE, plain=_PLAIN_OTHERWISE)
    for kind, tell in _TELLERS.items():
        if isinstance(error, kind):
            message, hint = tell(detail)
            failure = SumTooLargeError if _SUM_TOO_LARGE.search(detail) else QueryFailedError
            return failure(message, hint=hint or _OTHERWISE, plain=_plain(error, message))
    return QueryFailedError(_first_line(detail), hint=_OTHERWISE, plain=_PLAIN_OTHERWISE)


def source_error(error: TabchatError, sources: Sequence[SourceFiles]) -> TabchatError:
    """Return what to tell of a query that failed, when it may be the fault of the person's own files that it reads."""
    for files in sources:
        if (changed := files.change()) is not None:
            return changed
    failures = (arrow_failure(file.path, error.message) for files in sources for file in files.files)
    if (failure := next(filter(None, failures), None)) is not None:
        return InputError(f"{failure}.", hint=_DAMAGED)
    if any(files.is_arrow for files in sources) and _NO_MEMORY in error.message:
        message, hint = _memory(error.message)
        return QueryFailedError(message, hint=hint, plain=message)
    if not sources or not isinstance(error, QueryFailedError) or not _DAMAGE.search(error.message):
        return error
    named = [file.path for files in sources for file in files.files if file.read in error.message]
    places = named[:1] or [str(files.source) for files in sources]
    return InputError(f"{' or '.join(map(repr, places))} cannot be read: {error.message}", hint=_DAMAGED)


def _plain(error: Exception, message: str) -> str:
    """Return the message without any value of the data, which the engine quotes as it likes.

    Errors of binding are found before a row is read. They speak of names and types alone,
    but a type may list its values.
    """
    if isinstance(error, (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException)):
        return _LISTED_TYPE.sub("ENUM(…)", message)
    if isinstance(error, duckdb.ConversionException):
        target = _TARGET_TYPE.search(message)
        return f"A value cannot be converted to {target['type'] if target else 'the type asked for'}."
    fixed = next((text for text in _FIXED if message.startswith(text)), None)
    known = next((text for kind, text in _PLAIN.items() if isinstance(error, kind)), _PLAIN_OTHERWISE)
    return fixed or known


def output_error(error: Exception, path: object) -> TabchatError:
    """Return what to tell of a file that could not be written by a query."""
    if isinstance(error, (duckdb.IOException, OSError)):
        cause = _io_cause(_PREFIX.sub("", str(error)))
        hint = "Free some space on that disk." if _NO_SPACE.search(cause) else None
        return OutputError(
            f"{path} cannot be written: {cause}", hint=hint or "Check the folder and its permissions."
        )
    return query_error(error)


def _first_line(detail: str) -> str:
    return detail.strip().partition("\n")[0]


def _io_cause(detail: str) -> str:
    wrapped = _WRAPPED_CAUSE.search(detail)
    return wrapped["cause"].replace('\\"', '"') if wrapped else _first_line(detail)


def _binder(detail: str) -> Told:
    for pattern in _UNKNOWN_COLUMN:
        if match := pattern.search(detail):
            return f"There is no column {match['name']!r}.", _did_you_mean(match["name"], detail)
    if match := _UNKNOWN_TABLE.search(detail):
        return f"There is no table {match['name']!r} in this query.", _did_you_mean(match["name"], detail)
    first = _first_line(detail)
    if _NO_MATCH.search(first):
        return first.partition(" You might need")[0].partition(" In order to")[0], (
            "The values are of the wrong type or number for it; convert them, for example with try_cast(x AS DOUBLE)."
        )
    second = detail.partition("\n")[2].strip().partition("\n")[0]
    return first, second if second.startswith(("Either ", "Use ", "(use")) else None


def _did_you_mean(name: str, detail: str) -> str | None:
    listed = _CANDIDATES.search(detail)
    candidates = [part.replace('""', '"') for part in _QUOTED.findall(listed["names"])] if listed else []
    shown = [part for part in candidates if not part.startswith(HELPER_PREFIX)]
    near = nearest(name, shown)
    if near:
        return f"Did you mean {' or '.join(near)}?"
    return f"Nearest names: {', '.join(shown)}." if shown else None


def _catalog(detail: str) -> Told:
    first = _first_line(detail)
    if match := _NO_FUNCTION.search(first):
        near = _SUGGESTION.search(detail)
        hint = f"Did you mean {near['name']}?" if near and nearest(match["name"], [near["name"]]) else None
        return f"There is no function {match['name']}().", hint
    return first, None


def _memory(detail: str) -> Told:
    message, hint = memory_told(detail, "The query")
    return message, f"{hint}, or ask for fewer rows or columns."


def memory_told(detail: str, what: str) -> tuple[str, str]:
    """Return what to tell of `what` that does not fit into memory, and the beginning of what to try."""
    if bound := _SPILL_BOUND.search(detail):
        message = (
            f"{what} does not fit in memory, and needs more than it may spill to disk ({bound['most']})."
        )
        return message, "Allow more with TABCHAT_SPILL_SIZE or TABCHAT_MEMORY_LIMIT"
    if _NO_SPACE.search(detail):
        return (
            f"{what} does not fit in memory, and there is no room on disk to spill to.",
            "Free some disk space",
        )
    return f"{what} needs more memory than it may use.", "Allow more with TABCHAT_MEMORY_LIMIT"


def _conversion(detail: str) -> Told:
    return _first_line(detail), "Use try_cast(x AS type): it gives null where a value cannot be converted."


def _io(detail: str) -> Told:
    cause = _io_cause(detail)
    if _NO_SPACE.search(cause):
        return f"The disk is full: {cause}", "Free some space on that disk."
    return f"Stored rows cannot be read: {cause}", "Check the cache with: tabchat cache check."


def _input(detail: str) -> Told:
    first = _first_line(detail)
    broken = "magic bytes" in first or "Parquet" in first
    if broken:
        return first, "Check the cache with: tabchat cache check."
    # What the engine advises is a setting that no query may make.
    message, is_division, _ = first.partition(_ADVICE)
    return message.rstrip(), _NULL_FOR_ZERO if is_division else None


def _permission(detail: str) -> Told:
    return _first_line(detail), "Queries read only the open tables."


def _internal(detail: str) -> Told:
    return f"The engine failed inside: {_first_line(detail)}", "Ask in another way, and report this as a bug."


def _range(detail: str) -> Told:
    return _first_line(detail), "Compute with DOUBLE, for example x::DOUBLE."


_TELLERS: Final[dict[type[Exception], Teller]] = {
    duckdb.BinderException: _binder,
    duckdb.CatalogException: _catalog,
    duckdb.OutOfMemoryException: _memory,
    duckdb.ConversionException: _conversion,
    duckdb.OutOfRangeException: _range,
    duckdb.IOException: _io,
    duckdb.InvalidInputException: _input,
    duckdb.PermissionException: _permission,
    duckdb.InternalException: _internal,
    duckdb.FatalException: _internal,
}

_PLAIN: Final[dict[type[Exception], str]] = {
    duckdb.OutOfRangeException: "A number is out of range for its type.",
    duckdb.InvalidInputException: "A function was given a value that it does not accept.",
    duckdb.IOException: "Stored rows cannot be read.",
    duckdb.PermissionException: "The engine does not permit that.",
    duckdb.InternalException: "The engine failed inside.",
    duckdb.FatalException: "The engine failed inside.",
    duckdb.NotImplementedException: "The engine cannot do that with these values.",
    duckdb.SyntaxException: "A pattern or a format of the query is not valid.",
}
