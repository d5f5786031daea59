"""Delta's transaction log, read without Delta: which Parquet files are the table, and with which columns.

Source: the Delta Transaction Log Protocol, delta-io/delta, PROTOCOL.md. Tables that need more of a reader than its
version 1 (deletion vectors, column mapping) are refused by name: their files alone are not their rows.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from tabchat.errors import InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LOG: Final = "_delta_log"
_PLAIN_FEATURES: Final = frozenset({"timestampNtz"})


@record
class DeltaTable:
    """One version of a Delta table."""

    version: int
    files: tuple[str, ...]
    """Paths of its Parquet files, absolute, sorted."""
    schema: dict[str, Any]
    """Its columns, partitions among them, as Spark writes a schema in JSON."""


def is_delta(folder: Path) -> bool:
    """Return whether a folder is a Delta table."""
    return (folder / LOG).is_dir()


def read_delta(folder: Path) -> DeltaTable:
    """Return the newest version of a Delta table; raises `InputError` for one that cannot be read."""
    try:
        return _replayed(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"The log of the Delta table {str(folder)!r} cannot be read: {error}"
        raise InputError(message, hint="Copy the folder again, with its _delta_log.") from error


def _replayed(folder: Path) -> DeltaTable:
    live: set[str] = set()
    schema: dict[str, Any] | None = None
    version, actions = _actions(folder / LOG)
    for action in actions:
        if (protocol := action.get("protocol")) is not None:
            _require_plain(folder, protocol)
        if (metadata := action.get("metaData")) is not None:
            schema = json.loads(metadata["schemaString"])
        if (added := action.get("add")) is not None:
            if added.get("deletionVector") is not None:
                raise _refused(folder, "deletion vectors")
            live.add(added["path"])
        if (removed := action.get("remove")) is not None:
            live.discard(removed["path"])
    if schema is None:
        raise ValueError("it names no columns")
    files = tuple(sorted(str(folder / unquote(path)) for path in live))
    return DeltaTable(version=version, files=files, schema=schema)


def _actions(log: Path) -> tuple[int, Iterable[dict[str, Any]]]:
    """Return the newest version, and what was done up to it, oldest first."""
    commits = {int(path.stem): path for path in log.glob("*.json") if path.stem.isdigit()}
    marks = {int(path.name.split(".")[0]): path for path in log.glob("*.checkpoint.parquet")}
    start = max(marks, default=-1)
    later = sorted(number for number in commits if number > start)
    if start < 0 and later[:1] != [0]:
        raise ValueError("its first commit is missing")
    newest = later[-1] if later else start
    if later != list(range(start + 1, newest + 1)):
        raise ValueError("a commit is missing")

    def read() -> Iterator[dict[str, Any]]:
        if start >= 0:
            import pyarrow.parquet as pq

            yield from pq.read_table(marks[start]).to_pylist()
        for number in later:
            yield from map(json.loads, filter(None, commits[number].read_text("utf-8").splitlines()))

    return newest, read()


def _require_plain(folder: Path, protocol: dict[str, Any]) -> None:
    features = set(protocol.get("readerFeatures") or ())
    if unknown := features - _PLAIN_FEATURES:
        raise _refused(folder, ", ".join(sorted(unknown)))
    if protocol["minReaderVersion"] > 1 and not features:
        raise _refused(folder, f"a reader of version {protocol['minReaderVersion']}")


def _refused(folder: Path, what: str) -> InputError:
    hint = "Name it as a table of a catalogue whose Spark has Delta: spark:database.table."
    return InputError(f"The Delta table {str(folder)!r} needs {what}, which is not read here.", hint=hint)
