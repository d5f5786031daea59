"""A process with a sandbox, as a person's session is one; the tests kill and interrupt it from outside.

    python -m tests.sandbox.session CODE [AFTER]

prints the number of its warm process, runs CODE behind the kernel lock alone,
and after a Ctrl-C says so, runs AFTER, and prints its value and the number of
the warm process again.
"""

from __future__ import annotations

import sys

from tabchat.sandbox.policy import SandboxPolicy
from tabchat.sandbox.runner import Sandbox
from tests.sandbox.asking import run_unguarded


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main() -> None:
    code, *after = sys.argv[1:]
    with Sandbox(SandboxPolicy(wall_seconds=120, with_stats=False)) as sandbox:
        sandbox.start()
        say(sandbox.standby_pid)
        try:
            say(run_unguarded(sandbox, code).ending.value)
        except KeyboardInterrupt:
            say("interrupted")
        for following in after:
            say(run_unguarded(sandbox, following).value, sandbox.standby_pid)


if __name__ == "__main__":
    main()
