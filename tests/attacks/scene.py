"""What attacks are after: planted files, a server, another process, and how to see that one was reached."""

import pickle
import secrets
import socket
import struct
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tabchat.record import record
from tests.attacks.payload import PROVED, Goal

VARIABLE: Final = "ATTACK_TARGET"
_MARK: Final = b"MARK"
_VICTIM: Final = """
import ctypes, os, sys
held = ctypes.create_string_buffer(sys.stdin.buffer.readline().strip())
ctypes.CDLL(None).prctl(0x59616d61, ctypes.c_ulong(2**64 - 1), 0, 0, 0)
print(ctypes.addressof(held), flush=True)
sys.stdin.read()
"""
"""Holds a text in memory at a place that it tells, and lets any process read it (prctl PR_SET_PTRACER)."""


@record
class Seen:
    """What came out of one run."""

    answered: bool
    """The code ran to its end and left a result."""
    text: str
    """All that was in the reply."""
    crashed: bool
    """A signal of a memory fault ended the process."""


class Server:
    """Counts connections and datagrams on a port of loopback, and answers each request with a small table."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port: int = self._listener.getsockname()[1]
        self._datagrams = socket.socket(type=socket.SOCK_DGRAM)
        self._datagrams.bind(("127.0.0.1", self.port))
        self._datagrams.setblocking(False)
        self._reached = 0
        self._marked = threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                guest, _ = self._listener.accept()
                with guest:
                    self._answer(guest)

    def _answer(self, guest: socket.socket) -> None:
        guest.settimeout(2)
        with suppress(OSError):  # who connects and hangs up, or says nothing, was there all the same
            said = guest.recv(4096)
            if said == _MARK:
                self._marked.set()
                return
            self._reached += 1
            guest.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: text/csv\r\n\r\na\n1\n")
            return
        self._reached += 1

    def reached(self) -> bool:
        """Tell whether anybody connected or sent since the last question."""
        self._marked.clear()
        with socket.create_connection(("127.0.0.1", self.port)) as own:
            own.sendall(_MARK)
            # The queue of a listener is in order: whoever came before has been counted.
            self._marked.wait(30)
        sent = 0
        with suppress(BlockingIOError):
            while self._datagrams.recv(100):
                sent += 1
        found, self._reached = self._reached + sent, 0
        return found > 0

    def close(self) -> None:
        self._listener.close()
        self._datagrams.close()


class Scene:
    """All targets of the attacks, below `folder`; one for all of them, used by one at a time."""

    def __init__(self, folder: Path) -> None:
        self.of_file, self.of_environment, self.of_memory, self.proof = (
            "planted" + secrets.token_hex(8) for _ in range(4)
        )
        self._folder = folder / "planted"
        self._own = folder / "own"
        self._runs = 0
        self._server = Server()
        self._victim = subprocess.Popen(
            [sys.executable, "-I", "-c", _VICTIM],
            env={VARIABLE: self.of_environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._victim.stdin is not None
        assert self._victim.stdout is not None
        self._victim.stdin.write(self.of_memory.encode() + b"\n")
        self._victim.stdin.flush()
        self._address = int(self._victim.stdout.readline())
        self._plant()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        self._victim.kill()
        self._victim.communicate()

    def _plant(self) -> None:
        import numpy as np
        import pandas as pd

        self._folder.mkdir()
        (self._folder / "notes.txt").write_text(self.of_file, encoding="ascii")
        frame = pd.DataFrame({"a": [self.of_file], "b": [1]})
        frame.to_csv(self._folder / "t.csv", index=False)
        frame.to_json(self._folder / "t.json")
        frame.to_parquet(self._folder / "t.parquet")
        frame.to_feather(self._folder / "t.feather")
        frame.to_stata(self._folder / "t.dta", write_index=False)
        frame.to_excel(self._folder / "t.xlsx", index=False)
        (self._folder / "t.pkl").write_bytes(pickle.dumps(frame))
        (self._folder / "t.fwf").write_text(f"a\n{self.of_file}\n", encoding="ascii")
        (self._folder / "t.xml").write_text(f"<d><r><a>{self.of_file}</a></r></d>", encoding="ascii")
        np.save(self._folder / "t.npy", np.array([self.of_file]))
        (self._folder / "module.py").write_text(f"held = {self.of_file!r}\n", encoding="ascii")
        (self._folder / "zone").write_bytes(_zone(self.of_file))

    def places(self) -> dict[str, str]:
        """Return the places for one more attack, which gets a folder of its own."""
        self._runs += 1
        own = self._own / str(self._runs)
        own.mkdir(parents=True)
        (own / "kept.txt").write_text("as it was", encoding="ascii")
        self._server.reached()
        return {
            "secret": str(self._folder / "notes.txt"),
            "planted": str(self._folder),
            "own": str(own),
            "port": str(self._server.port),
            "variable": VARIABLE,
            "victim": str(self._victim.pid),
            "address": str(self._address),
            "proof": self.proof,
        }

    def reached(self, goal: Goal, places: dict[str, str], seen: Seen) -> frozenset[Goal]:
        """Return all goals that an attack with these places has reached; `goal` is what its proof stands for."""
        own = self._own / str(self._runs)
        found = {
            Goal.FILE_READ: self.of_file in seen.text,
            Goal.ENVIRONMENT: self.of_environment in seen.text,
            Goal.OTHER_MEMORY: self.of_memory in seen.text,
            Goal.FILE_WRITTEN: _contents(own) != {"kept.txt": b"as it was"},
            Goal.CONNECTION: self._server.reached(),
            Goal.CORRUPTION: seen.crashed,
        }
        if goal in PROVED and seen.answered and self.proof in seen.text:
            found[goal] = True
        assert self._victim.poll() is None, "the process beside was ended"
        return frozenset(each for each, is_reached in found.items() if is_reached)


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else b""
        for path in folder.rglob("*")
    }


def _zone(name: str) -> bytes:
    """Return a time zone file (RFC 9636) whose one zone is called `name`."""
    said = name.encode() + b"\0"
    return (
        b"TZif"
        + b"\0" * 16
        + struct.pack(">6L", 0, 0, 0, 0, 1, len(said))
        + struct.pack(">lBB", 3600, 0, 0)
        + said
    )
