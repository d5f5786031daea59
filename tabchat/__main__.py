"""The entry point: `tabchat` and `python -m tabchat`."""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# Start-up makes a few hundred thousand objects that all stay: looking for garbage among them every 700
# objects would cost a tenth of the time to the first answer.
GC_THRESHOLD: Final = 200_000


def main() -> None:
    """Run the command line and exit with its code."""
    gc.set_threshold(GC_THRESHOLD, 20, 20)
    # Of the ten thousand functions that the libraries ask of others a command calls few: none is looked up before.
    sys.setdlopenflags(os.RTLD_LAZY)
    _open_closed_streams()
    _let_narration_fail()
    if sys.getfilesystemencoding() == "ascii":
        _start_in_utf8()
    from tabchat.cli import run

    code = run(sys.argv[1:])
    # The session is closed and the streams are flushed: taking the interpreter apart object by object
    # would keep the person's shell waiting for another tenth of the run.
    os._exit(code)


def _start_in_utf8() -> None:
    """Start again where Python was told to know ASCII alone: questions and names of files are no ASCII."""
    if not sys.flags.utf8_mode:
        os.environ["PYTHONUTF8"] = "1"
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])  # noqa: S606 - this program again


def _open_closed_streams() -> None:
    """Give the streams that were closed by whoever started this something to be, or a cache file would be one.

    What is read is empty, what is said on stderr is gone, and an answer that nobody can get is an error.
    """
    if None not in {sys.stdin, sys.stdout, sys.stderr}:
        return
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, flags), number)
    sys.stdin = sys.stdin or os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)


class _Narration(io.FileIO):
    """Stderr: what cannot be written there, because its reader is gone or its disk is full, is lost.

    The exit code says what became of the command, whether or not anybody heard the rest.
    """

    def write(self, data: ReadableBuffer, /) -> int:
        """Write `data`, or say that it was written."""
        try:
            return super().write(data)
        except OSError:
            return memoryview(data).nbytes


def _let_narration_fail() -> None:
    told = sys.stderr
    if isinstance(told, io.TextIOWrapper):
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Narration(told.fileno(), "w", closefd=False)),
            encoding=told.encoding,
            errors=told.errors,
            line_buffering=told.line_buffering,
            write_through=told.write_through,
        )


if __name__ == "__main__":
    main()
