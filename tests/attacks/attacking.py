"""Runs an attack unprotected, behind the guard alone, behind the kernel lock alone, and behind both."""

import json
import os
import signal
import subprocess
import sys
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import pyarrow as pa

import tabchat
from tabchat.sandbox.guard import GuardRefusal, Operation, check_code
from tabchat.sandbox.policy import SandboxPolicy, SandboxRequest
from tabchat.sandbox.reply.outcome import Ending, SandboxOutcome
from tabchat.sandbox.runner import Sandbox, Walling
from tests.attacks.payload import SIZED, Category, Goal, Payload
from tests.attacks.scene import VARIABLE, Scene, Seen

TABLE: Final = pa.table(
    {"region": ["north", "south", "north"], "amount": [1.5, 2.0, 4.0], "units": [1, 2, 3]}
)
WITH_STATS: Final = all(map(find_spec, ("scipy", "statsmodels", "sklearn")))
_ORDINARY: Final = SandboxPolicy(wall_seconds=30, with_stats=WITH_STATS)
_SHORT: Final = SandboxPolicy(wall_seconds=0.5, cpu_seconds=20, memory_mb=256, with_stats=WITH_STATS)
"""For attacks on time and memory, which otherwise take what a person allows."""
_FAULTS: Final = frozenset({signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL, signal.SIGFPE})
_FOR_CONTROLS: Final = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
    # A proxy of this machine would be asked for the server on loopback.
    "no_proxy": "*",
}


class Behind(StrEnum):
    """What stands between an attack and its goal."""

    NOTHING = "nothing"
    GUARD = "guard"
    LOCK = "lock"
    BOTH = "both"


def missing_here(payload: Payload) -> str | None:
    """Return why the attack cannot be tried on this machine, None when it can."""
    if payload.category in {Category.NATIVE, Category.PROCESSES} and os.uname().machine != "x86_64":
        return "its machine code and call numbers are those of x86_64"
    if payload.name.endswith("(stats)") and not WITH_STATS:
        return "the extra `stats` is not installed"
    return None


def verdict(reached: frozenset[Goal], behind: Behind) -> str:
    """Return how a run counts: `reached`, `stopped`, or `contained` for a locked process that crashed."""
    if not reached:
        return "stopped"
    return "contained" if behind is Behind.LOCK and reached == {Goal.CORRUPTION} else "reached"


class Arena:
    """The scene, and the processes in which attacks run; one attack at a time."""

    def __init__(self, folder: Path) -> None:
        self.scene = Scene(folder)
        # The sandbox starts from a process that has the secret in its environment.
        os.environ[VARIABLE] = self.scene.of_environment
        self.sandbox = Sandbox(_ORDINARY)
        self.sandbox.start()
        table = folder / "table.arrow"
        with pa.ipc.new_stream(table, TABLE.schema) as stream:
            stream.write_table(TABLE)
        self._bare = subprocess.Popen(
            [sys.executable, "-B", "-m", "tests.attacks.bare", str(table), str(WITH_STATS)],
            cwd=Path(tabchat.__file__).parents[1],
            env=os.environ | _FOR_CONTROLS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.environ.pop(VARIABLE, None)
        self._bare.communicate()
        self.sandbox.close()
        self.scene.__exit__(kind, error, trace)

    def attack(self, payload: Payload, behind: Behind) -> frozenset[Goal]:
        """Run the attack once and return every goal that it reached."""
        places = self.scene.places()
        locked = behind in {Behind.LOCK, Behind.BOTH}
        code = payload.code(places, huge=locked)
        if behind is Behind.GUARD and _refused(code):
            seen = Seen(answered=False, text="", crashed=False)
        else:
            seen = self._locked(payload, code, behind) if locked else self._free(code, behind)
        return self.scene.reached(payload.goal, places, seen)

    def alive(self) -> bool:
        """Tell whether the sandbox still answers ordinary code."""
        request = SandboxRequest(code="result = len(df)", batches=TABLE.to_batches(), schema=TABLE.schema)
        return self.sandbox.run(request).value == len(TABLE)

    def _free(self, code: str, behind: Behind) -> Seen:
        job = {
            "code": code,
            "purpose": "read",
            "columns": TABLE.column_names,
            "rows": len(TABLE),
            "with_stats": WITH_STATS,
            "guarded": behind is Behind.GUARD,
            "full_builtins": behind is Behind.NOTHING,
            "cpu_seconds": 1,
            "memory_bytes": 1,
            "max_rows": 1000,
            "max_stdout": 8000,
            "allow_degraded": False,
        }
        assert self._bare.stdin is not None
        assert self._bare.stdout is not None
        self._bare.stdin.write(json.dumps(job).encode() + b"\n")
        self._bare.stdin.flush()
        answer = json.loads(self._bare.stdout.readline())
        said = answer["said"]
        return Seen(answered=said.startswith('["answered"'), text=said, crashed=-answer["code"] in _FAULTS)

    def _locked(self, payload: Payload, code: str, behind: Behind) -> Seen:
        request = SandboxRequest(code=code, batches=TABLE.to_batches(), schema=TABLE.schema)
        full = behind is Behind.LOCK
        walling = Walling(guarded=not full, full_builtins=full)
        outcome = self.sandbox.execute(request, walling, _SHORT if payload.goal in SIZED else _ORDINARY)
        return Seen(
            answered=outcome.ending is Ending.ANSWERED,
            text=_all_of(outcome),
            crashed=outcome.ending is Ending.CRASHED,
        )


def _refused(code: str) -> bool:
    try:
        check_code(code, op=Operation.READ, columns=TABLE.column_names, with_stats=WITH_STATS)
    except GuardRefusal:
        return True
    return False


def _all_of(outcome: SandboxOutcome) -> str:
    table = outcome.table.to_pydict() if outcome.table is not None else {}
    return repr(
        (
            outcome.value,
            dict(outcome.values),
            outcome.text,
            table,
            outcome.stdout,
            outcome.notes,
            outcome.remarks,
            outcome.warned,
            outcome.failure,
        )
    )
