"""Files of a person that are read where they lie: which they are, and whether they still are what was opened.

A file is what it was as long as its inode, size and times are: the kernel sets the time of change (ctime) at every
write, and nobody can set it back. A folder is what it was as long as its files are, and are the same ones.
"""

from __future__ import annotations

import os
import shlex
from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.engine.types import ROW
from tabchat.errors import DataKeyError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlglot import exp

FILES_PREFIX: Final = "__files_"
"""How the names of views begin that read files where they lie."""
PLACE: Final = "__place"
"""Hidden column of such a view: the number of the row, from 0, by which the engine finds it at once."""
ARROW_FILES_PREFIX: Final = f"{FILES_PREFIX}arrow_"
"""How they begin for an Arrow file; the engine passes over its rows by their numbers, and not by an offset."""
_ARROW_PREFIX: Final = "__arrow_"
"""How the names begin by which such views read the rows of an Arrow file, which each connection is given."""
UNREADABLE: Final = "cannot be read as Arrow data"
"""What is said after the path of an Arrow file in the middle of which something is wrong."""
_TRACE: Final = ". Detail: Python exception"
FILE: Final = "__file"
"""Hidden column of such a view: the number of the file, from 0."""

Stamp: TypeAlias = "tuple[int, int, int, int]"


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what tells whether a file is still the same one: its inode, size and times (ns)."""
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


@record
class SourceFile:
    """One file as it was when it was opened."""

    path: str
    """Absolute, as the person named it."""
    read: str
    """The path by which the engine reads it: its own, or a link with a plain name."""
    stamp: Stamp
    start: int
    """Rows of the files before it."""

    @property
    def size(self) -> int:
        """Bytes that it had."""
        return self.stamp[1]


@record
class SourceFiles:
    """The files of one table version that are read where they lie, in order."""

    source: Path
    """The file, folder or pattern that the person named."""
    version: str
    sql: str
    """Query that yields `__row__`, `PLACE`, `FILE` and the columns; engines know it as `name`."""
    files: tuple[SourceFile, ...]
    is_set: bool
    """True for a folder or a pattern, which other files may come to belong to."""
    is_arrow: bool = False
    """True for one Arrow file, whose rows the engine has to be given; false for Parquet files, which it opens itself."""

    @property
    def name(self) -> str:
        """Name of the view."""
        return f"{ARROW_FILES_PREFIX if self.is_arrow else FILES_PREFIX}{self.version}"

    @property
    def arrow_name(self) -> str:
        """Name of the rows of an Arrow file."""
        return arrow_name(self.version)

    def relation(self) -> exp.Table:
        """Return the view as something to select from."""
        from sqlglot import exp

        return exp.Table(this=exp.to_identifier(self.name, quoted=True))

    def scan(self, names: Sequence[str]) -> exp.Select:
        """Return the query of the row number and the columns called `names`."""
        from sqlglot import exp

        cells = [exp.column(name, quoted=True) for name in (ROW, *names)]
        return exp.select(*cells).from_(self.relation())

    def runs(self, names: Sequence[str], starts: Iterable[int], size: int) -> exp.Query:
        """Return the query of runs of `size` rows, each from one of `starts` on, the first row being 1."""
        from sqlglot import exp

        cells = [exp.column(name, quoted=True) for name in names]
        return exp.union(
            *(
                exp.select(*cells).from_(self.relation()).where(self._between(start, start + size - 1))
                for start in starts
            ),
            distinct=False,
        )

    def _between(self, first: int, last: int) -> exp.Expr:
        """Return the condition of rows by their numbers; files that hold none of them are not opened."""
        from sqlglot import exp

        rows = exp.column(ROW, quoted=True).between(first, last)
        if len(self.files) == 1:
            return rows
        places = [file.start for file in self.files]
        low, high = (bisect_right(places, row - 1) - 1 for row in (first, last))
        return exp.and_(exp.column(FILE, quoted=True).between(low, high), rows)

    def require_unchanged(self) -> None:
        """Raise `DataKeyError` (`source_changed`) when a file is another than it was, is gone, or has come."""
        if (error := self.change()) is not None:
            raise error

    def change(self) -> DataKeyError | None:
        """Return the error of files that have changed; None when all are as they were."""
        changed = self.changed()
        if changed is None:
            return None
        message = f"{changed} since it was opened as a table."
        return DataKeyError(
            message,
            hint=f"Open it again: tabchat ask {shlex.quote(str(self.source))} …",
            code="source_changed",
        )

    def changed(self) -> str | None:
        """Return which file has changed, in words; None when all are as they were."""
        if self.is_set:
            from tabchat.engine.reader.source.places import listed
            from tabchat.errors import InputError

            try:
                now = listed(self.source).paths
            except InputError as error:
                return f"{self.source} has changed ({error.message.rstrip('.')})"
            known = {file.path for file in self.files}
            for path in sorted(known.symmetric_difference(now)):
                return f"{path} {'was removed' if path in known else 'was added'}"
        for file in self.files:
            try:
                same = stamp_of(os.stat(file.path)) == file.stamp  # noqa: PTH116 - a thousand times a query
            except OSError:
                return f"{file.path} was removed"
            if not same:
                return f"{file.path} has changed"
        return None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON."""
        files = [[file.path, file.read, list(file.stamp), file.start] for file in self.files]
        return {
            "source": str(self.source),
            "sql": self.sql,
            "files": files,
            "is_set": self.is_set,
            "is_arrow": self.is_arrow,
        }

    @classmethod
    def from_json(cls, version: str, fields: dict[str, Any]) -> SourceFiles:
        """Build it from what `to_json` returned; raises `KeyError`, `TypeError` or `ValueError`."""
        files = tuple(
            SourceFile(path=path, read=read, stamp=tuple(stamp), start=start)
            for path, read, stamp, start in fields["files"]
        )
        return cls(
            source=Path(fields["source"]),
            version=version,
            sql=fields["sql"],
            files=files,
            is_set=fields["is_set"],
            is_arrow=fields.get("is_arrow", False),
        )


def arrow_failure(path: str, told: str) -> str | None:
    """Return what was wrong with the Arrow file at `path`, as it was raised before the engine told it in its own words."""
    _, found, cause = told.partition(f"{path!r} {UNREADABLE}")
    return f"{found}{cause.partition(_TRACE)[0]}" if found else None


def arrow_name(version: str) -> str:
    """Return the name of the rows of an Arrow file."""
    return f"{_ARROW_PREFIX}{version}"
