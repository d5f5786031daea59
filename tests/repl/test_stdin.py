"""A table on stdin: questions come from the terminal then, and where there is none nobody waits for them."""

import os
import pty
import select
import shlex
import subprocess
import sys
import time
from pathlib import Path

TABLE = "room,total\n101,200\n102,100\n101,210\n"
TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " os.execvp('sh', ['sh', '-c', sys.argv[1]])"
)
PATIENCE_SECONDS = 90


def read_until(terminal: int, wanted: str) -> str:
    seen, until = "", time.monotonic() + PATIENCE_SECONDS
    while wanted not in seen:
        assert time.monotonic() < until, seen
        if select.select([terminal], [], [], 0.2)[0]:
            seen += os.read(terminal, 65536).decode(errors="replace")
    return seen


def test_questions_come_from_the_terminal_where_stdin_is_the_table(tmp_path: Path) -> None:
    path = tmp_path / "stays.csv"
    path.write_text(TABLE)
    line = f"cat {shlex.quote(str(path))} | {shlex.quote(sys.executable)} -m tabchat repl -"
    main, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", TAKE_TERMINAL, line],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        env={**os.environ, "TERM": "dumb"},
    )
    os.close(terminal)
    try:
        read_until(main, "/help")
        os.write(main, b"total by room\r")
        assert "410" in read_until(main, "from 3 rows")
        os.write(main, b"\x04")
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()
        os.close(main)


def test_without_a_terminal_it_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tabchat", "repl", "-"],
        input=TABLE.encode(),
        capture_output=True,
        start_new_session=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 2
    assert b"there is no terminal to ask at" in done.stderr
