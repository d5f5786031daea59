"""What a locked process can no longer do, as root and as nobody, each proved to work before the lock."""

import json
import signal
from pathlib import Path

import pytest

from tabchat.sandbox.lock.kernel import LockLimits
from tests.sandbox.kernel.attempts import ATTEMPTS
from tests.sandbox.kernel.locked import run, start, users

# A locked process that is refused by an error that Python makes of it.
OTHER_REFUSALS = {"start a thread": "can't start new thread"}


@pytest.mark.parametrize("user", users())
def test_what_works_before_is_refused_after(user: int | None, scratch: str) -> None:
    ended = run(
        f"""{ATTEMPTS}
SCRATCH = {scratch!r}
become(USER)
# The parent shall be the same user, or the user is what protects it.
if os.fork():
    os.waitpid(-1, 0)
    os._exit(0)
before = outcomes()
report = lock(LockLimits())
tell(before=before, after=outcomes(), walls=report.walls)
""",
        user=user,
    )
    said = ended.one
    assert said["walls"] == ["landlock", "limits", "seccomp"]
    assert said["before"] == dict.fromkeys(said["before"], "worked")
    assert said["after"] == {name: OTHER_REFUSALS.get(name, 1) for name in said["before"]}


def test_a_locked_process_computes_as_before() -> None:
    said = run(
        """
import numpy as np
import pandas as pd

def computed():
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({
        "who": rng.choice(["ann", "bob", "cy"], 5000),
        "when": pd.date_range("2024-01-01", periods=5000, freq="h", tz="Europe/Kyiv"),
        "much": rng.normal(size=5000),
    })
    grouped = frame.groupby("who")["much"].agg(["mean", "std", "median"])
    daily = frame.set_index("when")["much"].resample("D").sum()
    pivot = frame.pivot_table(index=frame["when"].dt.month, columns="who", values="much")
    wide = frame.merge(grouped, left_on="who", right_index=True)
    root = np.linalg.solve(rng.normal(size=(80, 80)), np.ones(80))
    parts = [grouped, daily, pivot, wide.describe(), frame["who"].str.upper().value_counts()]
    return "".join(part.to_string() for part in parts) + repr(root.tolist())

before = computed()
lock(LockLimits())
tell(same=computed() == before, length=len(before))
"""
    ).one
    assert said["same"] is True
    assert said["length"] > 10_000


def test_open_descriptors_stay_open() -> None:
    said = run(
        """
mine, theirs = os.pipe()
lock(LockLimits())
os.write(theirs, b"still here")
tell(read=os.read(mine, 99).decode())
"""
    ).one
    assert said["read"] == "still here"


def test_memory_beyond_the_limit_is_an_error_that_the_process_survives() -> None:
    said = run(
        """
lock(LockLimits(memory_bytes=64 * 2**20))
kept, refused = [], 0
while not refused:
    try:
        kept.append(bytearray(2**20))
    except MemoryError:
        refused = len(kept)
kept.clear()
kept.append(bytearray(2**20))
tell(refused=refused)
"""
    ).one
    assert 32 <= said["refused"] <= 66


def test_an_array_beyond_the_limit_is_an_error_that_the_process_survives() -> None:
    said = run(
        """
import numpy as np
lock(LockLimits(memory_bytes=256 * 2**20))
refused = []
for make in (lambda: np.ones(2**26), lambda: np.zeros(2**40), lambda: np.arange(2**23).repeat(64)):
    try:
        make()
    except MemoryError as error:
        refused.append(type(error).__name__)
tell(refused=refused, sum=int(np.arange(2**20).sum()))
"""
    ).one
    assert said == {"refused": ["MemoryError"] * 3, "sum": 2**19 * (2**20 - 1)}


def test_processor_time_beyond_the_limit_ends_the_process() -> None:
    code = "lock(LockLimits(cpu_seconds=1))\nwhile True: pass"
    assert run(code).code == -signal.SIGXCPU


def test_who_ignores_the_signal_of_the_limit_is_killed() -> None:
    code = """
signal.signal(signal.SIGXCPU, signal.SIG_IGN)
lock(LockLimits(cpu_seconds=1))
while True: pass
"""
    assert run(code).code == -signal.SIGKILL


def test_a_crash_is_seen_as_the_signal_it_was() -> None:
    assert run("lock(LockLimits())\nos.abort()").code == -signal.SIGABRT
    # The address 0 holds nothing.
    code = "import ctypes\nlock(LockLimits())\nctypes.string_at(0)"
    assert run(code).code == -signal.SIGSEGV


def test_limits_stand_as_asked() -> None:
    said = run(
        """
import resource
from tabchat.sandbox.lock.limits import address_space
# The first lines and the lock itself use a little more.
size = address_space()
lock(LockLimits(cpu_seconds=7, memory_bytes=2**30))
names = ("NOFILE", "NPROC", "FSIZE", "CORE", "MEMLOCK", "CPU", "AS")
tell(size=size, **{name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names})
"""
    ).one
    assert [said[name] for name in ("NOFILE", "NPROC", "FSIZE", "CORE", "MEMLOCK")] == [[0, 0]] * 5
    assert said["CPU"][1] == said["CPU"][0] + 1
    assert 8 <= said["CPU"][0] <= 20
    assert 0 <= said["AS"][0] - said["size"] - 2**30 <= 2**23


def test_a_limit_that_is_lower_already_stays() -> None:
    said = run(
        """
import resource
resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
lock(LockLimits(memory_bytes=2**40))
tell(limit=resource.getrlimit(resource.RLIMIT_AS))
"""
    ).one
    assert said["limit"] == [3 * 2**30, 3 * 2**30]


def test_the_limits_are_two_minutes_and_a_gibibyte_unless_said_otherwise() -> None:
    limits = LockLimits()
    assert (limits.cpu_seconds, limits.memory_bytes) == (120, 1024**3)


@pytest.mark.parametrize("limits", ["cpu_seconds=0", "memory_bytes=0", "memory_bytes=-1"])
def test_limits_start_at_one(limits: str) -> None:
    assert "limits start at 1" in run(f"LockLimits({limits})").err


@pytest.mark.parametrize("user", users())
def test_a_locked_process_ends_with_its_parent(user: int | None) -> None:
    worker = """
die_with_parent(os.getppid())
lock(LockLimits())
signal.signal(signal.SIGTERM, signal.SIG_IGN)
tell(ready=True)
while True:
    os.read(0, 1)
"""
    with start(
        f"""
wait, hold = os.pipe()
parent = os.getpid()
become(USER)
if os.fork() == 0:
    os.dup2(wait, 0)
{_indented(worker)}
os.waitpid(-1, 0)
""",
        user=user,
    ) as parent:
        assert parent.stdout is not None
        assert json.loads(parent.stdout.readline()) == {"ready": True}
        parent.kill()
        # The end of the pipe comes when the last who holds it is gone.
        assert parent.communicate(timeout=60) == (b"", b"")


def _indented(code: str) -> str:
    return "\n".join(f"    {line}" for line in code.splitlines())


@pytest.mark.parametrize("user", users())
def test_the_kernel_reports_a_filtered_process_without_any_privilege(user: int | None) -> None:
    code = "mine, theirs = os.pipe()\nbecome(USER)\nlock(LockLimits())\ntell(ready=True)\nos.read(mine, 1)"
    with start(code, user=user) as process:
        assert process.stdout is not None
        process.stdout.readline()
        lines = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii").splitlines()
        process.kill()
    status = dict(line.split(":\t", 1) for line in lines)
    nothing = "0000000000000000"
    assert [status[name] for name in ("Seccomp", "NoNewPrivs", "Threads")] == ["2", "1", "1"]
    assert [status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")] == [nothing] * 4
