"""Where an export goes: a file that appears whole or not at all, or a stream."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tabchat.errors import OutputError, OutputExistsError, UsageError
from tabchat.private_files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

NEW_FILE: Final = 0o666
"""Rights of a new file, before the person's umask."""
_PATTERN: Final = frozenset("*?[")


class Output:
    """Bytes on their way out, counted."""

    def __init__(self, stream: BinaryIO, *, seekable: bool) -> None:
        self._stream = stream
        self._seekable = seekable
        self._written = 0

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._stream.tell() if self._seekable else self._written

    @property
    def is_terminal(self) -> bool:
        """True when a person's terminal would read the bytes."""
        return not self._seekable and self._stream.isatty()

    @property
    def regular(self) -> BinaryIO | None:
        """The file that the bytes go to, where it is one that can be written at any place."""
        return self._stream if self._seekable else None

    def write(self, data: bytes) -> int:
        """Write all of `data`."""
        self._stream.write(data)
        self._written += len(data)
        return len(data)

    def flush(self) -> None:
        """Hand everything to the operating system."""
        self._stream.flush()

    @contextlib.contextmanager
    def file(self) -> Iterator[BinaryIO]:
        """Give a real file to a library that wants to seek; a stream gets its content afterwards."""
        if self._seekable:
            yield self._stream
            return
        import tempfile

        with tempfile.TemporaryFile() as file:
            yield file
            file.seek(0)
            shutil.copyfileobj(file, self)


@contextlib.contextmanager
def open_output(
    target: Path | BinaryIO, *, force: bool = False, protected: Collection[Path] = ()
) -> Iterator[Output]:
    """Open `target` for writing; a file takes its name only when the block ends without an error."""
    name = str(target) if isinstance(target, Path) else "The output"
    try:
        if not isinstance(target, Path):
            output = Output(target, seekable=False)
            yield output
            output.flush()
        elif _is_special(target):
            with target.open("wb") as stream:
                yield Output(stream, seekable=False)
        else:
            with _new_file(_checked(target, force=force, protected=protected), force=force) as file:
                yield Output(file, seekable=True)
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"{name} cannot be written: {error.strerror or error}."
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        hint = "Free some space, or choose another place." if full else "Choose another place."
        raise OutputError(message, hint=hint) from error


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file() and not path.is_dir()


def check_target(path: Path, *, force: bool, protected: Collection[Path]) -> None:
    """Raise what `open_output` would raise at once for `path`, before hours of work are put into its content."""
    if not _is_special(path):
        _checked(path, force=force, protected=protected)


def _checked(path: Path, *, force: bool, protected: Collection[Path]) -> Path:
    """Return the real path to write to; raises for one that must not or cannot be written."""
    folder = path.parent
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", hint=f"Give a file name, such as {path / 'result.csv'}")
    if not folder.is_dir():
        raise UsageError(f"The folder {folder} does not exist.", hint=f"Make it first: mkdir -p {folder}")
    for source in protected:
        if _belongs(path, source):
            what = "the file" if source.is_file() else f"one of the files of {source}"
            message = f"{path} is {what} that the result was computed from or depends on; a source file is never touched."
            raise UsageError(message, hint="Choose another name.")
    if path.exists() and not force:
        raise _exists(path)
    if path.exists() and not os.access(path, os.W_OK):
        message = f"{path} is write-protected."
        raise OutputError(message, hint="Choose another name, or allow it with chmod u+w.")
    # A link stays a link; the file it points to is the one that is replaced.
    return path.resolve()


def _belongs(path: Path, source: Path) -> bool:
    """Tell whether writing to `path` would change a source: a file, a folder of files, or what a pattern stands for."""
    if source.is_dir():
        return path.resolve().is_relative_to(source.resolve())
    if source.exists():
        return path.exists() and source.samefile(path)
    absolute = os.path.abspath(path)  # noqa: PTH100 - resolve() would follow links
    return bool(_PATTERN & set(str(source))) and fnmatchcase(absolute, str(source))


def _exists(path: Path) -> OutputExistsError:
    message = f"{path} exists already."
    return OutputExistsError(message, hint="Overwrite it with --force, or choose another name.")


@contextlib.contextmanager
def _new_file(path: Path, *, force: bool) -> Iterator[BinaryIO]:
    fresh = path.with_name(f".tabchat-{os.urandom(6).hex()}.tmp")
    descriptor, named = _opened(fresh)
    try:
        with os.fdopen(descriptor, "w+b") as file:
            if path.exists():
                os.fchmod(file.fileno(), stat.S_IMODE(path.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
            if not named:
                _name(file, fresh)
        _publish(fresh, path, force=force)
    finally:
        fresh.unlink(missing_ok=True)


def _opened(fresh: Path) -> tuple[int, bool]:
    """Open a new file and say whether it has its name: one without leaves nothing when this process is killed."""
    with contextlib.suppress(OSError, AttributeError):
        return os.open(fresh.parent, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, NEW_FILE), False
    return os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, NEW_FILE), True


def _name(file: BinaryIO, fresh: Path) -> None:
    """Give a file without a name the one of `fresh`; where there are no links, its content."""
    folder = os.open(fresh.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Python follows the link to the open file only where a folder is given.
        os.link(f"/proc/self/fd/{file.fileno()}", fresh.name, dst_dir_fd=folder, follow_symlinks=True)
    except OSError:
        file.seek(0)
        with fresh.open("xb") as named:
            os.fchmod(named.fileno(), stat.S_IMODE(os.fstat(file.fileno()).st_mode))
            shutil.copyfileobj(file, named)
            named.flush()
            os.fsync(named.fileno())
    finally:
        os.close(folder)


def _publish(fresh: Path, path: Path, *, force: bool) -> None:
    if force:
        fresh.replace(path)
    else:
        _publish_new(fresh, path)
    # The name is on disk, too, where folders can be synchronised; some file systems refuse.
    with contextlib.suppress(OSError):
        sync_folder(path.parent)


def _publish_new(fresh: Path, path: Path) -> None:
    try:
        os.link(fresh, path)
    except FileExistsError as error:
        raise _exists(path) from error
    except OSError:
        # Some file systems have no hard links; there a rename is the nearest thing.
        if path.exists():
            raise _exists(path) from None
        fresh.replace(path)
