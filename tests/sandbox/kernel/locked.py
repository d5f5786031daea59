"""Running Python in a fresh process that locks itself, as a worker does."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import tabchat

NOBODY = 65534
# Somebody who is not root: who runs the tests, or nobody when that is root.
PERSON = NOBODY if os.geteuid() == 0 else None
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}

PATH = f"import sys; sys.path.insert(0, {str(Path(tabchat.__file__).parents[1])!r})"
PRELUDE = """
import json, os, signal, sys
from tabchat.sandbox.lock.kernel import LockError, LockLimits, die_with_parent, lock
from tabchat.sandbox.lock.syscalls import call, raw_call

def tell(**said):
    os.write(1, json.dumps(said).encode() + b"\\n")

def become(user):
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        # A change of user takes the right to be dumped; a process that began as that user has it.
        call("prctl", 4, 1)
"""


@dataclass(frozen=True)
class Ended:
    """How a process ended: its exit code, or minus the signal; and what it told."""

    code: int
    said: list[dict[str, Any]]
    err: str

    @property
    def one(self) -> dict[str, Any]:
        """What a process said that said one thing and ended well."""
        assert (self.code, self.err) == (0, ""), (self.code, self.err)
        (said,) = self.said
        return said


def start(code: str, *, user: int | None = None) -> subprocess.Popen[bytes]:
    """Start `code` after the prelude; `become(USER)` in it takes on `user`."""
    return subprocess.Popen(
        [sys.executable, "-I", "-c", f"{PATH}\n{PRELUDE}\nUSER = {user!r}\n{code}"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ONE_THREAD,
    )


def run(code: str, *, user: int | None = None) -> Ended:
    """Run `code` after the prelude to its end."""
    with start(code, user=user) as process:
        out, err = process.communicate(timeout=120)
    return Ended(process.returncode, [json.loads(line) for line in out.splitlines()], err.decode())


def users() -> list[Any]:
    """Return the users to test as: who runs the tests, and when that is root also nobody."""
    drop = pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
    return [pytest.param(None, id="self"), pytest.param(NOBODY, id="nobody", marks=drop)]
