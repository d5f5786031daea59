"""What a machine offers is said truly, and every lesser mode needs consent or is not offered."""

import pytest

from tabchat.sandbox.lock.walls import ELSEWHERE, MACOS, Wall, judge_linux, probe
from tests.sandbox.kernel.locked import run


def test_what_the_probe_says_is_what_the_lock_finds() -> None:
    said = run("report = lock(LockLimits())\ntell(walls=report.walls, abi=report.landlock_abi)").one
    found = probe()
    assert (found.offered, found.degraded, found.missing) == (True, False, ())
    assert found.walls == (Wall.LANDLOCK, Wall.LIMITS, Wall.SECCOMP, Wall.GUARD)
    assert said == {"walls": [wall for wall in found.walls if wall != "guard"], "abi": found.landlock_abi}


@pytest.mark.parametrize(
    "abi, filtered, root, walls, offered, degraded, reason",
    [
        (7, True, True, "landlock limits seccomp guard", True, False, "The kernel lock is complete: Landlock"),
        (1, True, False, "landlock limits seccomp guard", True, False, "The kernel lock is complete: Landlock"),
        (0, True, True, "limits seccomp guard", True, True, "The kernel offers no landlock: code runs only with"),
        (6, False, False, "landlock limits guard", True, True, "The kernel offers no seccomp: code runs only with"),
        (7, False, True, "landlock limits guard", False, False, "The kernel offers no seccomp, and the other walls"),
        (0, False, False, "limits guard", False, False, "The kernel offers no landlock and no seccomp: nothing"),
    ],
)  # fmt: skip
def test_a_linux_is_judged_by_its_walls(
    abi: int, filtered: bool, root: bool, walls: str, offered: bool, degraded: bool, reason: str
) -> None:
    found = judge_linux(landlock_abi=abi, filtered=filtered, root=root)
    assert " ".join(found.walls) == walls
    assert (found.offered, found.degraded) == (offered, degraded)
    assert found.reason.startswith(reason)
    assert {*found.walls, *found.missing} == {Wall.LANDLOCK, Wall.LIMITS, Wall.SECCOMP, Wall.GUARD}


@pytest.mark.parametrize("abi, told", [(5, True), (6, False)])
def test_a_landlock_that_lets_signals_out_is_said_to(abi: int, told: bool) -> None:
    found = judge_linux(landlock_abi=abi, filtered=False, root=False)
    assert ("could end your other programs" in found.reason) is told


def test_macos_and_systems_without_walls_are_not_offered() -> None:
    assert (MACOS.offered, MACOS.degraded) == (False, False)
    assert MACOS.walls == (Wall.LIMITS, Wall.GUARD, Wall.SANDBOX_EXEC, Wall.MEMORY_WATCHDOG)
    assert (ELSEWHERE.offered, ELSEWHERE.walls) == (False, (Wall.GUARD,))


@pytest.mark.parametrize(
    "platform, machine, expected",
    [
        ("win32", "AMD64", "This system has no lock that tabchat knows: code does not run here."),
        ("darwin", "arm64", "This system has no lock that tabchat knows: code does not run here."),
        ("linux", "riscv64", "This system has no lock that tabchat knows: code does not run here."),
    ],
    ids=["windows", "macos-without-its-tool", "other-processor"],
)
def test_a_system_without_a_known_lock_is_not_offered(platform: str, machine: str, expected: str) -> None:
    said = run(
        f"""
sys.platform = {platform!r}
names = os.uname()
os.uname = lambda: os.uname_result((*names[:4], {machine!r}))
from tabchat.sandbox.lock.walls import probe
tell(offered=probe().offered, reason=probe().reason)
"""
    ).one
    assert said == {"offered": False, "reason": expected}


def test_an_unknown_processor_cannot_be_locked() -> None:
    said = run(
        """
names = os.uname()
os.uname = lambda: os.uname_result((*names[:4], "riscv64"))
try:
    lock(LockLimits(), allow_degraded=True)
except LockError as error:
    tell(text=str(error))
"""
    ).one
    assert said["text"] == "system: the lock knows Linux on x86_64 and aarch64 only"


def test_the_lock_loads_nothing_but_itself_and_the_standard_library() -> None:
    said = run(
        """
names = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
tell(foreign=sorted(name for name in names if not name.startswith(("_", "tabchat"))),
     own=sorted(name for name in sys.modules if name.startswith("tabchat")))
"""
    ).one
    assert said["foreign"] in ([], ["sitecustomize"])
    modules = ("allowlist", "bpf", "kernel", "landlock", "limits", "seccomp", "selftest", "syscalls")
    own = ["tabchat", "tabchat.sandbox", "tabchat.sandbox.lock"]
    assert said["own"] == [*own, *(f"tabchat.sandbox.lock.{name}" for name in modules)]
