"""A step of the lock that fails is a LockError that names it, and so is one that only seems to succeed.

The kernel itself is made to fail: a filter that the process puts on before
answers one call with an error, or with success without doing anything.
"""

import os

import pytest

from tests.sandbox.kernel.attempts import ATTEMPTS
from tests.sandbox.kernel.locked import PERSON, Ended, run, users

TAMPER = """
from tabchat.sandbox.lock.bpf import Assembler, NUMBER_OFFSET, argument_offset
from tabchat.sandbox.lock.seccomp import install
from tabchat.sandbox.lock.syscalls import known_architecture, number_of

def tamper(name, error, argument=None, value=None):
    program = Assembler()
    program.load(NUMBER_OFFSET)
    program.jump_equal(number_of(name, known_architecture()), otherwise="leave")
    if argument is not None:
        program.load(argument_offset(argument))
        if value is None:
            program.jump_equal(0, then="leave")
        else:
            program.jump_equal(value, otherwise="leave")
    program.answer(0x50000 | error)
    program.label("leave")
    program.answer(0x7FFF0000)
    call("prctl", 38, 1)
    install(program.assemble())
"""

ATTEMPT = """
try:
    report = lock(LockLimits(), allow_degraded=DEGRADED)
except LockError as error:
    tell(step=error.step, errno=error.errno, text=str(error))
else:
    tell(walls=report.walls, abi=report.landlock_abi, degraded=report.degraded)
"""

EPERM, EIO, EAGAIN, EINVAL, ENOSYS, EOPNOTSUPP, FAKED = 1, 5, 11, 22, 38, 95, 0


def attempt(before: str, *, user: int | None = None, degraded: bool = False) -> Ended:
    code = f"become(USER)\n{TAMPER}\n{before}\nDEGRADED = {degraded}\n{ATTEMPT}"
    return run(code, user=user)


CREATE, SET_FILTER, QUERY = 0, 1, 2
STEPS = [
    # The call, its error, the argument that tells it from others; the step, what the error says.
    ("prctl", EINVAL, (0, 38), "no new privileges", "the kernel refused: EINVAL"),
    ("prctl", EPERM, (0, 4), "not dumpable", "the kernel refused: EPERM"),
    ("prctl", FAKED, (0, 4), "self-test", "the state 'not dumpable' is 1, not 0"),
    ("personality", EPERM, (), "personality", "cannot ask the kernel: EPERM"),
    ("capset", EPERM, (), "capabilities", "the kernel refused: EPERM"),
    ("landlock_create_ruleset", EIO, (2, 1), "landlock", "cannot ask the kernel what it offers: EIO"),
    ("landlock_create_ruleset", ENOSYS, (), "landlock", "this kernel does not offer it"),
    ("landlock_create_ruleset", EOPNOTSUPP, (), "landlock", "this kernel does not offer it"),
    ("landlock_create_ruleset", EPERM, (2, 0), "landlock", "the kernel handles only the file rights 0x0"),
    ("landlock_restrict_self", EPERM, (), "landlock", "the kernel refused to restrict this process: EPERM"),
    ("landlock_restrict_self", FAKED, (), "landlock", "a folder can still be opened"),
    ("prlimit64", EPERM, (2, None), "limits", "RLIMIT_NOFILE cannot be set"),
    ("prlimit64", EINVAL, (1, 4), "limits", "RLIMIT_CORE cannot be set"),
    ("prlimit64", EIO, (1, 9), "limits", "RLIMIT_AS cannot be set: EIO"),
    ("prlimit64", FAKED, (2, None), "limits", "RLIMIT_NOFILE is "),
    ("seccomp", EIO, (0, QUERY), "seccomp", "cannot ask the kernel what it offers: EIO"),
    ("seccomp", ENOSYS, (0, QUERY), "seccomp", "this kernel does not offer it"),
    ("seccomp", EOPNOTSUPP, (0, QUERY), "seccomp", "this kernel does not offer it"),
    ("seccomp", EAGAIN, (0, SET_FILTER), "seccomp", "the kernel refused the filter: EAGAIN"),
    ("seccomp", FAKED, (0, SET_FILTER), "self-test", "opening a file was refused by something other"),
]


@pytest.mark.parametrize("user", users())
@pytest.mark.parametrize("name, error, which, step, text", STEPS)
def test_a_step_that_fails_refuses(
    name: str, error: int, which: tuple[int | None, ...], step: str, text: str, user: int | None
) -> None:
    said = attempt(f"tamper({name!r}, {error}, *{which})", user=user).one
    assert said["step"] == step
    assert said["text"].startswith(f"{step}: {text}")


def test_consent_to_less_does_not_cover_a_wall_that_fails() -> None:
    for name, which, step in (
        ("landlock_restrict_self", (), "landlock"),
        ("prlimit64", (2, None), "limits"),
        ("seccomp", (0, SET_FILTER), "seccomp"),
    ):
        said = attempt(f"tamper({name!r}, 1, *{which})", degraded=True).one
        assert said["step"] == step


def test_a_second_thread_refuses() -> None:
    said = attempt(
        "import threading\nstop = threading.Event()\nthreading.Thread(target=stop.wait, daemon=True).start()"
    ).one
    assert said["text"] == "threads: 2 threads are alive, only one can be locked"


def test_a_thread_that_cannot_be_filtered_along_refuses() -> None:
    said = run(
        f"""{TAMPER}
import threading
from tabchat.sandbox.lock.seccomp import restrict
ready, stop = threading.Event(), threading.Event()
def other():
    # Without TSYNC the filter binds this thread alone, so that the two have different ones.
    import tabchat.sandbox.lock.seccomp as seccomp
    seccomp._TSYNC = 0
    tamper("capset", 1)
    seccomp._TSYNC = 1
    ready.set()
    stop.wait()
thread = threading.Thread(target=other, daemon=True)
thread.start()
ready.wait()
call("prctl", 38, 1)
try:
    restrict()
except LockError as error:
    tell(step=error.step, text=str(error), number=thread.native_id)
os._exit(0)
"""
    ).one
    assert said["text"] == f"seccomp: thread {said['number']} cannot be locked along"


def test_a_process_whose_data_can_be_executed_refuses() -> None:
    ended = attempt("if call('personality', 0x0400000) < 0: os._exit(77)")
    if ended.code == 77:
        pytest.skip("this container does not let a process become so")
    said = ended.one
    assert said["text"] == "personality: every readable page of this process is executable"


@pytest.mark.parametrize("user", users())
def test_a_kernel_without_landlock_leaves_the_filter_to_who_consents(user: int | None) -> None:
    said = attempt("tamper('landlock_create_ruleset', 38)", user=user, degraded=True).one
    assert said == {"walls": ["limits", "seccomp"], "abi": 0, "degraded": True}


@pytest.mark.parametrize("user", users())
def test_a_kernel_without_seccomp_leaves_landlock_to_who_consents_and_is_not_root(user: int | None) -> None:
    said = attempt("tamper('seccomp', 38, 0, 2)", user=user, degraded=True).one
    if user is None and os.geteuid() == 0:
        # The limit on processes does not bind root.
        assert said["text"] == "self-test: starting a process still works"
    else:
        assert said["walls"] == ["landlock", "limits"]
        assert said["degraded"] is True


# What Landlock and the limits leave to a process, told where consent to them is asked for.
LEFT_WITHOUT_SECCOMP = {
    "look at a path",
    "where am I",
    "go elsewhere",
    "send",
    "signal itself by kill",
    "read memory by number",
    "map executable memory",
    "make memory executable",
    "become dumpable",
    "outlive the parent",
    "sleep",
    "wait for the impossible",
    "set an alarm",
    "change a pipe",
    "name of the host",
    "who am I",
    "read the parent's limits",
}


def test_landlock_and_limits_alone_hold_files_sockets_and_processes(scratch: str) -> None:
    said = run(
        f"""{ATTEMPTS}
SCRATCH = {scratch!r}
become(USER)
if os.fork():
    os.waitpid(-1, 0)
    os._exit(0)
{TAMPER}
tamper("seccomp", 38, 0, 2)
report = lock(LockLimits(), allow_degraded=True)
tell(after=outcomes(), abi=report.landlock_abi)
""",
        user=PERSON,
    ).one
    # TCP is Landlock's from its version 4 on, signals from 6 on.
    late = {"connect": 4, "signal the parent": 6}
    left = {name for name, outcome in said["after"].items() if outcome == "worked"}
    assert left == LEFT_WITHOUT_SECCOMP | {name for name, abi in late.items() if said["abi"] < abi}


def test_a_kernel_without_landlock_and_seccomp_refuses_even_with_consent() -> None:
    said = attempt("tamper('landlock_create_ruleset', 38); tamper('seccomp', 38, 0, 2)", degraded=True).one
    assert said["text"] == "seccomp: this kernel does not offer it"


def test_a_parent_that_is_gone_refuses() -> None:
    said = run(
        """
try:
    die_with_parent(os.getpid())
except LockError as error:
    tell(step=error.step, text=str(error), own=os.getpid())
"""
    ).one
    assert said["text"] == f"parent: the parent {said['own']} has ended"


def test_a_parent_that_cannot_be_watched_refuses() -> None:
    said = run(
        f"""{TAMPER}
tamper("prctl", 22, 0, 1)
try:
    die_with_parent(os.getppid())
except LockError as error:
    tell(text=str(error))
"""
    ).one
    assert said["text"] == "parent: the kernel refused: EINVAL (Invalid argument)"


def test_a_lock_is_put_on_once() -> None:
    said = run(
        """
lock(LockLimits())
try:
    lock(LockLimits())
except LockError as error:
    tell(step=error.step, errno=error.errno)
"""
    ).one
    assert said == {"step": "threads", "errno": EPERM}
