"""A file of answers, one JSON line each, that a run of many questions appends to and a later run goes on from."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Final, Self

from tabchat.errors import ExitCode, OutputError, UsageError
from tabchat.private_files import append_whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tabchat.chat.turn.answer import Answer

_MODE: Final = 0o666
_START: Final = b'{"ok": '
"""How every line begins; what is left of a torn one is known by it."""


class AnswersFile:
    """The answers of earlier runs over the same table versions, and the place for new ones.

    A line is the object that `--json` prints, with `tables`: name → version. An
    answered question is taken once for every line that answers it, so that a
    question which is listed twice is asked twice.
    """

    def __init__(self, path: Path, versions: Mapping[str, str], *, rows: int) -> None:
        """Name the file; a line holds the first `rows` rows of its table."""
        self.path = path
        self._versions = dict(versions)
        self._rows = rows
        self._answered: defaultdict[str, deque[ExitCode]] = defaultdict(deque)
        self._descriptor = -1
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Open the file and read what is there.

        A last line that a killed run left torn is taken away. Raises `UsageError`
        for a file that holds anything else than answers, which is left untouched,
        and for one that another run writes to; `OutputError` for one that cannot be
        written.
        """
        with self._translated():
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NONBLOCK | os.O_CLOEXEC
            self._descriptor = os.open(self.path, flags, _MODE)
            try:
                self._claim()
                self._mend(*self._read())
            except BaseException:
                os.close(self._descriptor)
                raise
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            os.close(self._descriptor)
            self._descriptor = -1

    def take(self, question: str) -> ExitCode | None:
        """Return the exit code of an earlier answer to `question` that was not taken yet, if there is one."""
        codes = self._answered[question]
        return codes.popleft() if codes else None

    def append(self, answer: Answer) -> None:
        """Write an answer down; it is on the disk when this returns. Safe for threads; raises `OutputError`."""
        value = answer.to_json(rows=self._rows) | {"tables": self._versions}
        line = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8", "backslashreplace")
        with self._lock, self._translated():
            append_whole(self._descriptor, os.fstat(self._descriptor).st_size, line + b"\n")

    def _claim(self) -> None:
        if not stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            message = f"{self.path} is not a regular file."
            raise UsageError(message, hint="Name a file that answers can be kept in: --resume answers.jsonl")
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"Another run is writing to {self.path}."
            raise UsageError(message, hint="Wait for it, or name another file with --resume.") from error

    def _read(self) -> tuple[int, bool]:
        """Take note of the answers; return where they end, and whether the last one lacks its line end."""
        end = 0
        with os.fdopen(os.dup(self._descriptor), "rb") as file:
            for number, line in enumerate(file, start=1):
                is_ended = line.endswith(b"\n")
                if not self._note(line):
                    if not is_ended and (line.startswith(_START) or _START.startswith(line)):
                        return end, False
                    message = f"{self.path} is no file of answers: line {number} is none."
                    raise UsageError(message, hint="Name another file with --resume; this one is unchanged.")
                end += len(line)
                if not is_ended:
                    return end, True
        return end, False

    def _note(self, line: bytes) -> bool:
        """Take note of the answer in `line`, if it answers anything here; tells whether it is one."""
        if not line.strip():
            return True
        try:
            value = json.loads(line)
            question, ok, tables = str(value["question"]), value["ok"], value["tables"]
            status = value["verification"]["status"]
        except (ValueError, TypeError, LookupError, RecursionError):
            return False
        if ok is True and tables == self._versions:
            code = ExitCode.UNVERIFIED if status == "unverified" else ExitCode.ANSWERED
            self._answered[question].append(code)
        return True

    def _mend(self, end: int, lacks_end: bool) -> None:  # noqa: FBT001 - private
        os.ftruncate(self._descriptor, end)
        if lacks_end:
            append_whole(self._descriptor, end, b"\n")

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            message = f"The answers cannot be kept in {self.path}: {error.strerror or error}."
            raise OutputError(message, hint="Free some space, or name another file with --resume.") from error
