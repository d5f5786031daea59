"""A program in a real pseudo-terminal: what is typed goes in, what is drawn comes out."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from tests.forkserver.client import start
from tests.repl.emulator import Emulator

_PATIENCE_SECONDS = 90.0


class Terminal:
    """A pseudo-terminal of a given size with `python -m` and some words running in it."""

    def __init__(
        self,
        *words: str,
        columns: int = 80,
        rows: int = 30,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._main, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        inherited = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        # A session leader that takes the terminal, so that Ctrl-C reaches it as a signal.
        self._process = start(
            words,
            streams=(terminal, terminal, terminal),
            leads=True,
            environment={
                **inherited,
                "TERM": "xterm-256color",
                "PROMPT_TOOLKIT_NO_CPR": "1",
                **(environment or {}),
            },
            folder=folder,
        )
        os.close(terminal)
        self._drawn = ""
        self.written: list[str] = []
        """All that was written, with its escape sequences."""
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self.screen = Emulator(columns, rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._main)

    def type(self, text: str) -> None:
        """Type `text` as it is; \\r is Enter, \\x03 Ctrl-C, \\x04 Ctrl-D."""
        os.write(self._main, text.encode())

    def enter(self, line: str, *wanted: str) -> None:
        """Type a line and Enter, and wait until all that is wanted was drawn, one behind the other."""
        self.type(f"{line}\r")
        for text in wanted:
            self.read_until(text)

    def read_until(self, wanted: str) -> str:
        """Return what was drawn up to and with `wanted`, without its escape sequences."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while wanted not in self._drawn:
            ended = self._process.poll() is not None
            self._read(until, wanted)
            if ended:
                self._read_rest()
            if ended and wanted not in self._drawn:
                message = f"the program ended before {wanted!r} was drawn: {self._drawn[-500:]!r}"
                raise AssertionError(message)
        seen, _, self._drawn = self._drawn.partition(wanted)
        return seen + wanted

    def type_until(self, text: str, wanted: str) -> None:
        """Type `text` again and again until `wanted` is drawn: no one can see when a program begins to listen."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while wanted not in self._drawn:
            self.type(text)
            pause = time.monotonic() + 0.5
            while time.monotonic() < pause and wanted not in self._drawn:
                self._read(until, wanted)
        self.read_until(wanted)

    def see(self, wanted: str) -> None:
        """Wait until `wanted` stands on the screen, whatever of it was there before."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while wanted not in "\n".join(self.screen.lines[-self.screen.height :]):
            if time.monotonic() > until or self._process.poll() is not None:
                message = f"{wanted!r} does not stand on the screen:\n{self.screen.text}"
                raise AssertionError(message)
            self.read_once(0.2)

    def resize(self, columns: int) -> None:
        """Make the terminal so many columns wide; everything that was written to it is broken anew.

        The program stands still meanwhile, so that no one writes for a width that is gone.
        """
        self._process.send_signal(signal.SIGSTOP)
        while _state(self._process.pid) != "T":
            time.sleep(0.005)
        self._read_rest()
        fcntl.ioctl(self._main, termios.TIOCSWINSZ, struct.pack("HHHH", self.screen.height, columns, 0, 0))
        self.screen.resize(columns)
        self._process.send_signal(signal.SIGCONT)

    def signal(self, number: int) -> None:
        """Send the program a signal."""
        self._process.send_signal(number)

    def echoes(self) -> bool:
        """Whether the terminal shows what is typed, line by line, as it did at first."""
        local = termios.tcgetattr(self._main)[3]
        return bool(local & termios.ECHO and local & termios.ICANON)

    def settle(self) -> None:
        """Wait until nothing new has been drawn for a second."""
        until = time.monotonic() + _PATIENCE_SECONDS
        quiet = 0
        while quiet < 5:
            before = len(self._drawn)
            self._read(until, "quiet")
            quiet = quiet + 1 if len(self._drawn) == before else 0

    def type_until_end(self, text: str) -> int:
        """Type `text` again and again until the program ends; returns its exit code."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while self._process.poll() is None:
            self.type(text)
            pause = time.monotonic() + 0.5
            while time.monotonic() < pause and self._process.poll() is None:
                self._read(until, "the end of the program")
        return self.wait()

    def wait(self) -> int:
        """Return the exit code of the program."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while self._process.poll() is None:
            self._read(until, "the end of the program")
        self._read_rest()
        return self._process.wait()

    def _read_rest(self) -> None:
        while self.read_once(0):
            pass

    def _read(self, until: float, wanted: str) -> None:
        if time.monotonic() > until:
            message = f"{wanted!r} was not drawn: {self._drawn[-500:]!r}"
            raise AssertionError(message)
        self.read_once(0.2)

    def read_once(self, seconds: float) -> bool:
        """Read what is written within so many seconds; returns whether there was anything."""
        # `select` knows no descriptor above 1023.
        waiting = select.poll()
        waiting.register(self._main, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return False
        try:
            data = os.read(self._main, 65536)
        except OSError:
            # The last program closed the terminal.
            time.sleep(0.01)
            return False
        text = self._decode(data)
        self.written.append(text)
        self.screen.feed(text)
        while self.screen.replies:
            self.type(self.screen.replies.pop(0))
        self._drawn += re.sub(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[()][AB0]|[=>78])", "", text)
        return True


def _state(pid: int) -> str:
    """Return the letter by which the kernel says whether a process runs, waits or stands still."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2][0]
