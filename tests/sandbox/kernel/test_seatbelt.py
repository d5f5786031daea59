"""The parts of the macOS mode that can be tried elsewhere: the profile's text, and the limits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tabchat.sandbox.lock.seatbelt import command, profile
from tests.sandbox.kernel.locked import PERSON, run

if TYPE_CHECKING:
    from pathlib import Path

PROFILE = """(version 1)
(deny default)
(allow process-exec (literal "/opt/py/bin/python3"))
(allow process-info* (target self))
(allow signal (target self))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read*
  (literal "/")
  (literal "/opt/py/bin/python3")
  (literal "/dev/null")
  (literal "/dev/random")
  (literal "/dev/urandom")
  (subpath "/System/Library")
  (subpath "/usr/lib")
  (subpath "/Library/Apple")
  (subpath "/private/var/db/timezone")
  (subpath "/usr/share/zoneinfo")
  (subpath "/opt/py/lib")
  (subpath "/odd/\\"name\\"\\\\"))
"""


def test_the_profile_denies_all_but_what_it_lists() -> None:
    assert profile("/opt/py/bin/python3", ["/opt/py/lib", '/odd/"name"\\']) == PROFILE


def test_the_command_is_wrapped_in_the_profile() -> None:
    wrapped = command(["/opt/py/bin/python3", "-I", "-c", "pass"], ["/opt/py/lib", '/odd/"name"\\'])
    assert wrapped == ["/usr/bin/sandbox-exec", "-p", PROFILE, "/opt/py/bin/python3", "-I", "-c", "pass"]


def test_a_path_that_is_not_the_real_one_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    for path in (str(tmp_path / "link"), "relative"):
        with pytest.raises(ValueError, match="not an absolute path without links"):
            profile("/bin/python3", [path])


# Imported first: another user may have no right to read the folder that the package lies in.
ATTEMPT = """
import tabchat.sandbox.lock.seatbelt
become(USER)
sys.platform = "darwin"
try:
    report = lock(LockLimits(), allow_degraded=CONSENT)
except LockError as error:
    tell(text=str(error))
else:
    tell(walls=report.walls, abi=report.landlock_abi, degraded=report.degraded)
"""


def test_limits_alone_need_consent() -> None:
    said = run(f"CONSENT = False\n{ATTEMPT}").one
    assert said["text"] == "system: macOS offers neither Landlock nor seccomp"


def test_limits_alone_hold_a_person() -> None:
    said = run(f"CONSENT = True\nimport _socket\n{ATTEMPT}", user=PERSON).one
    assert said == {"walls": ["limits"], "abi": 0, "degraded": True}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is root")
def test_limits_alone_do_not_hold_root_and_the_self_test_sees_it() -> None:
    said = run(f"CONSENT = True\n{ATTEMPT}").one
    assert said["text"] == "self-test: starting a process still works"
