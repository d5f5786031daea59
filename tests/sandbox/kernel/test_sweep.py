"""In a process that really is locked, the kernel refuses every number that the tests' own table does not allow."""

import os
import signal

import pytest

from tests.sandbox.kernel.locked import run, users
from tests.sandbox.kernel.test_filter import ARM, X86

STATED = X86 if os.uname().machine == "x86_64" else ARM
# exit, exit_group and rt_sigreturn end the process that asks.
ENDING = {60, 231, 15} if STATED is X86 else {93, 94, 139}
# uretprobe and uprobe, which seccomp never filters: the kernel takes them from its own trampoline only.
PROBES = {335, 336} if STATED is X86 else set()
LAST_NUMBER = 470
EPERM, ENXIO, ENOSYS = 1, 6, 38

SWEEP = """
become(USER)
lock(LockLimits())
for arguments in ((-1,) * 6, (0,) * 6):
    tell(answers={number: raw_call(number, *arguments) for number in range(LAST + 1) if number not in LEFT_OUT})
"""


@pytest.mark.parametrize("user", users())
def test_every_other_number_is_refused(user: int | None) -> None:
    ended = run(f"LAST, LEFT_OUT = {LAST_NUMBER}, {ENDING | PROBES}\n{SWEEP}", user=user)
    assert (ended.code, ended.err) == (0, "")
    for said in ended.said:
        answers = {int(number): answer for number, answer in said["answers"].items()}
        assert answers.pop(STATED.missing) == -ENOSYS
        numbers = {
            number for number in range(LAST_NUMBER + 1) if number not in ENDING | PROBES | {STATED.missing}
        }
        assert set(answers) == numbers
        let_through = {number for number, answer in answers.items() if answer != -EPERM}
        assert let_through <= STATED.always | set(STATED.under)
        assert STATED.always - ENDING <= let_through


@pytest.mark.parametrize("number", sorted(PROBES))
def test_a_call_that_no_filter_sees_does_nothing(number: int) -> None:
    ended = run(f"lock(LockLimits())\ntell(answer=raw_call({number}))")
    # A kernel without them has the filter refuse the number.
    assert ended.code == -signal.SIGILL or ended.one["answer"] in {-EPERM, -ENXIO}


@pytest.mark.parametrize("name", ["exit", "exit_group"])
def test_a_locked_process_can_end_itself(name: str) -> None:
    ended = run(f"lock(LockLimits())\ncall({name!r}, 7)")
    assert (ended.code, ended.err) == (7, "")


@pytest.mark.skipif(STATED is not X86, reason="x32 is a mode of x86_64")
@pytest.mark.parametrize("number", [0x40000000 + 39, 0x40000000 + 520])
def test_a_call_by_an_x32_number_ends_the_process(number: int) -> None:
    ended = run(f"lock(LockLimits())\nraw_call({number})\ntell(alive=True)")
    assert (ended.code, ended.said) == (-signal.SIGSYS, [])


# mov eax, 20 (getpid of the 32-bit table); int 0x80; ret
OLD_GATE = """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("b814000000cd80c3"))
getpid = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
"""


@pytest.mark.skipif(STATED is not X86, reason="the 32-bit gate is one of x86_64")
def test_a_call_through_the_gate_for_32_bits_ends_the_process() -> None:
    free = run(f"{OLD_GATE}\ntell(pid=getpid(), own=os.getpid())")
    if free.code == -signal.SIGSEGV:
        pytest.skip("this kernel was built without the gate")
    assert free.one["pid"] == free.one["own"]
    ended = run(f"{OLD_GATE}\nlock(LockLimits())\ngetpid()\ntell(alive=True)")
    assert (ended.code, ended.said) == (-signal.SIGSYS, [])
