"""A person with a home and a table, whose commands can be killed, and what is found in the home afterwards."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.command import Finished, tabchat

ROWS: Final = 20_000
QUESTION: Final = "total amount by region"
WITNESS: Final = "total amount"

_MARK: Final = "TEST_PERSON_OF_TABCHAT"
_REGIONS: Final = ("north", "south", "east", "west")


class Person:
    """One who asks about `orders.csv` below `folder`, and keeps an answer from the first day."""

    def __init__(self, folder: Path, rows: int = ROWS) -> None:
        self.folder = folder
        self.source = folder / "orders.csv"
        self.cache = folder / "cache"
        self.env = {
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(self.cache),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            _MARK: os.urandom(8).hex(),
        }
        self.write(self.source, rows)
        self._hash = hash_of(self.source)
        self._kept = self.ask(WITNESS)

    def write(self, path: Path, rows: int, first: int = 1) -> None:
        """Write a table of orders, whose numbers begin with `first`."""
        lines = (f"{n},{_REGIONS[n % 4]},{n % 997}.5,customer {n}" for n in range(first, first + rows))
        path.write_text("order_no,region,amount,name\n" + "\n".join(lines) + "\n")

    def run(self, *arguments: str | Path, env: dict[str, str] | None = None) -> Finished:
        """Run one command to its end."""
        return tabchat(*arguments, env=self.env | (env or {}), cwd=self.folder)

    def ask(self, question: str, path: Path | None = None) -> dict[str, Any]:
        """Return what is asserted of an answer: its key and its rows."""
        asked = self.run("ask", path or self.source, question, "--json")
        assert asked.code == 0, asked.err
        return {name: asked.json[name] for name in ("data_key", "table", "row_count", "source_row_count")}

    def killed(self, seconds: float, *arguments: str | Path) -> bool:
        """Run a command, kill it and all that it started after so many seconds; tell whether it was still at work."""
        process = self.start(*arguments)
        time.sleep(seconds)
        found = self._kill()
        process.communicate()
        return bool(found)

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        """Start a command and return while it is at work."""
        return subprocess.Popen(
            [sys.executable, "-m", "tabchat", *map(str, arguments)],
            env={**os.environ, **self.env},
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
        )

    def seconds(self, *arguments: str | Path) -> float:
        """Return how long a command takes, with all that it leaves to others."""
        start = time.perf_counter()
        done = self.run(*arguments)
        assert done.code == 0, done.err
        while any(self._processes()):
            time.sleep(0.01)
        return time.perf_counter() - start

    def _kill(self) -> int:
        found = 0
        while processes := list(self._processes()):
            found += len(processes)
            for process in processes:
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            time.sleep(0.005)
        return found

    def _processes(self) -> Iterator[int]:
        """Yield the processes of this person that run, whoever started them."""
        mark = f"{_MARK}={self.env[_MARK]}".encode()
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                is_own = mark in (folder / "environ").read_bytes().split(b"\0")
                state = (folder / "stat").read_text().rpartition(") ")[2][:1]
            except OSError:
                continue
            if is_own and state not in {"Z", "X", ""}:
                yield int(folder.name)

    def losses(self) -> list[str]:
        """Return a sentence for everything that is lost, damaged or left behind."""
        lost = []
        if hash_of(self.source) != self._hash:
            lost.append("the source file was changed")
        checked = self.run("cache", "check")
        if checked.code:
            lost.append(f"the check of the cache found: {checked.out}{checked.err}")
        shown = self.run("show", self._kept["data_key"], "--json")
        if shown.code or shown.json["table"] != self._kept["table"]:
            lost.append(f"the first answer is not what it was: {shown.out}{shown.err}")
        if self.ask(WITNESS) != self._kept:
            lost.append("the first question has another answer")
        return lost

    def left_behind(self) -> list[str]:
        """Return the names of files that no program of ours would look for again."""
        return [
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.name.startswith((".work-", ".tabchat-")) or path.name.endswith((".tmp", ".part"))
        ]


def hash_of(path: Path) -> str:
    """Return a digest of the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
