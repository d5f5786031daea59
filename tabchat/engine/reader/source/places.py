"""Where a table lies: in one file, or in the Parquet files of a folder or behind a pattern, which are one table."""

from __future__ import annotations

import os
import stat
from itertools import takewhile
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.source.files import SUFFIXES, refuse_address
from tabchat.engine.table import some
from tabchat.errors import InputError
from tabchat.inert import is_text
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from pathlib import Path

    from tabchat.engine.source_files import Stamp

MOST_FILES: Final = 100_000
"""Files of one table."""
_MAGIC: Final = b"PAR1"
_LYING: Final = {_MAGIC: "parquet", b"ARROW1": "arrow"}
_TAIL: Final = 4096
_ENDING: Final = 8
"""Bytes at the end: the length of the footer, and the mark."""
PATTERN: Final = frozenset("*?[")
"""Signs that make a name a pattern."""
_DEEPEST: Final = 100
_LOGGED: Final = {"_delta_log": "a Delta Lake table", ".hoodie": "a Hudi table"}
"""Folders beside files of which only a log says which count."""


@record
class Listing:
    """The files of a table in several files."""

    root: str
    """Folder below which names such as `year=2024` are cells."""
    paths: tuple[str, ...]
    """Absolute, in the order of their names."""
    passed_over: tuple[str, ...] = ()
    """Other files beside them, which hold no table."""

    def partitions(self, path: str) -> tuple[tuple[str, str], ...]:
        """Return (column, cell as written) of the folders between `root` and a file that are named so."""
        pairs = (part.partition("=") for part in PurePath(path).parent.relative_to(self.root).parts)
        return tuple((key, value) for key, mark, value in pairs if mark and key)


@record
class Place:
    """The files of a table as they were when they were looked at."""

    source: Path
    """What the person named."""
    listing: Listing
    stamps: tuple[Stamp, ...]
    is_set: bool


def place_of(path: Path, stamp: Stamp) -> Place:
    """Return the place of a table in one file."""
    listing = Listing(root=os.fspath(path.parent), paths=(os.fspath(path),))
    return Place(source=path, listing=listing, stamps=(stamp,), is_set=False)


def lying_format(path: Path, input_format: str | None) -> str | None:
    """Return the format in which a file can be read where it lies, `parquet` or `arrow`; None for any other.

    Nor is there one for a file whose name the engine cannot be given.
    """
    if input_format not in {None, *_LYING.values()} or not is_text(os.fspath(path)):
        return None
    with path.open("rb") as file:
        head = file.read(max(map(len, _LYING)))
    found = next((name for magic, name in _LYING.items() if head.startswith(magic)), None)
    return found if input_format in {None, found} else None


def is_set(source: str | Path) -> bool:
    """Tell whether a name stands for several files: a folder, or a pattern that is no file's own name."""
    text = os.fspath(source)
    try:
        return os.path.isdir(text) or (bool(PATTERN & set(text)) and not os.path.lexists(text))  # noqa: PTH112
    except ValueError:
        return False


def listed(source: str | Path) -> Listing:
    """Return the Parquet files that a folder holds or that a pattern stands for.

    Raises `InputError` where there are none, where other tables lie between them, and for what cannot be read.
    """
    shown = os.fspath(source)
    absolute = os.path.abspath(shown)  # noqa: PTH100 - resolve() would follow links
    try:
        found = _in_folder(absolute) if os.path.isdir(absolute) else _behind(absolute)  # noqa: PTH112
    except OSError as error:
        place = os.fsdecode(error.filename) if error.filename else shown
        message = f"The folder {place!r} cannot be read: {(error.strerror or str(error)).lower()}."
        raise InputError(message, hint=f"Allow reading it: chmod u+rx {place!r}") from error
    odd = next((path for path in found.paths if not is_text(path)), None)
    if odd is not None:
        message = f"The name of {odd!r} is not UTF-8, and such a file cannot be read as part of a table."
        raise InputError(message, hint="Rename it, or leave it out with a pattern.")
    if len(found.paths) > MOST_FILES:
        message = f"{shown!r} holds more than {MOST_FILES:,} Parquet files."
        raise InputError(message, hint="Name a part of it with a pattern, such as 'sales/2024-*.parquet'.")
    return found


def _in_folder(root: str) -> Listing:
    found: dict[str, list[str]] = {"parquet": [], "table": [], "other": []}
    for path in _walk(root):
        found[_kind(path)].append(path)
        if len(found["parquet"]) > MOST_FILES:
            break
    parquet, others = found["parquet"], found["other"]
    tables = [path.removeprefix(f"{root}{os.sep}") for path in found["table"]]
    if not parquet:
        hint = (
            f"Name a file in it: {some([*map(repr, tables)])}."
            if tables
            else "Name a file, or a folder of Parquet files."
        )
        raise InputError(f"{root!r} is a folder without a Parquet file.", hint=hint)
    if tables:
        message = f"{root!r} holds other tables between its Parquet files: {some([*map(repr, tables)])}."
        hint = f"Say which files are meant with a pattern: {f'{root}{os.sep}*.parquet'!r}"
        raise InputError(message, hint=hint)
    return Listing(root=root, paths=tuple(parquet), passed_over=tuple(others))


def _walk(folder: str, depth: int = 0) -> Iterator[str]:
    """Yield the files below a folder that are not hidden, in order; links to folders are not followed."""
    if depth > _DEEPEST:
        message = f"The folders below {folder!r} are nested more than {_DEEPEST} deep."
        raise InputError(message, hint="Name one of the inner folders.")
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    _refuse_logged(folder, {entry.name for entry in found})
    for entry in found:
        if entry.name.startswith((".", "_")):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path, depth + 1)
        else:
            yield entry.path


def _refuse_logged(folder: str, names: Container[str]) -> None:
    """Raise `InputError` for a folder whose files do not all count: only a log says which do."""
    import glob

    what = next((what for name, what in _LOGGED.items() if name in names), None)
    snapshots = os.path.join(glob.escape(folder), "metadata", "*.metadata.json")  # noqa: PTH118
    if what is None and "metadata" in names and glob.glob(snapshots):  # noqa: PTH207
        what = "an Iceberg table"
    if what is not None:
        message = f"{folder!r} is {what}: a log says which of its files count, and it is not read."
        raise InputError(message, hint="Write its current state to Parquet files, and name those.")


def _behind(pattern: str) -> Listing:
    import glob

    fixed = takewhile(lambda part: not PATTERN & set(part), PurePath(pattern).parent.parts)
    # A pattern says itself which files are meant, but a folder among them is none.
    found = [path for path in glob.iglob(pattern, recursive=True) if not os.path.isdir(path)]  # noqa: PTH112, PTH207
    if not found:
        refuse_address(pattern)
        raise InputError(f"No file is named like {pattern!r}.", hint="Check the pattern with ls.")
    strangers = [path for path in found if _kind(path) == "table"]
    if strangers:
        message = f"{pattern!r} also stands for files that are not Parquet: {some([*map(repr, strangers)])}."
        raise InputError(message, hint="Only Parquet files are read as one table; name others one by one.")
    root = str(PurePath(*fixed))
    _refuse_logged(root, os.listdir(root))  # noqa: PTH208 - plain text
    return Listing(root=root, paths=tuple(sorted(found, key=_by_parts)))


def _kind(path: str) -> str:
    """Tell by its name whether a file is Parquet, another table, or anything else."""
    found = SUFFIXES.get(os.path.splitext(path)[1].lower())  # noqa: PTH122 - a hundred thousand times
    return found if found == "parquet" else "other" if found is None else "table"


def _by_parts(path: str) -> list[str]:
    return path.split(os.sep)  # noqa: PTH206 - a hundred thousand times


def checked_status(path: str) -> tuple[os.stat_result, bytes]:
    """Return the status and the last bytes of a Parquet file; raises `InputError` that names one that is none."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        message = f"The file {path!r} cannot be read: {(error.strerror or str(error)).lower()}."
        raise InputError(message, hint="Check it with ls -l, or leave it out with a pattern.") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            message = f"{path!r} is not a regular file, and only such are read as one table."
            raise InputError(message, hint="Leave it out with a pattern.")
        head = file.read(len(_MAGIC))
        file.seek(max(0, status.st_size - _TAIL))
        tail = file.read()
    problem = _problem(status.st_size, head, tail)
    if problem is not None:
        raise InputError(
            f"{path!r} is not a whole Parquet file: {problem}.",
            hint="Copy or write it again, or leave it out.",
        )
    return status, tail


def _problem(size: int, head: bytes, tail: bytes) -> str | None:
    if not size:
        return "it is empty (0 bytes)"
    if head != _MAGIC:
        return "it does not begin as one"
    if tail[-len(_MAGIC) :] != _MAGIC:
        return "its end is missing"
    footer = int.from_bytes(tail[-_ENDING : -len(_MAGIC)], "little")
    if footer + _ENDING + len(_MAGIC) > size:
        return f"it says that its footer takes {footer:,} bytes, and it has {size:,} in all"
    return None
