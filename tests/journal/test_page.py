"""The page on sessions shows what really happens: its commands are run in order, in one folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.conftest import EXAMPLES

PAGE = Path(__file__).parents[2] / "docs" / "sessions.md"
_CHANGING = (
    (re.compile(r"\b[0-9a-f]{8}\b"), "5e551011"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d"), "2026-01-01 00:00"),
    (re.compile(r"ds_[a-z2-7]{4}"), "ds_k2m7"),
    (re.compile(r"/\S*/sales\.csv"), "/home/ann/sales.csv"),
)
"""What is another thing each time: ids, times, keys, folders."""


def transcripts(text: str) -> list[tuple[str, str]]:
    """Return (command, what it printed) for every `$ …` of the page."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        for part in re.split(r"(?m)^\$ ", block)[1:]:
            command, _, printed = part.partition("\n")
            found.append((command, printed.rstrip()))
    return found


def printed_by(command: str, folder: Path) -> str:
    """Return what a command of the page prints, on both streams."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        cwd=folder,
        env={**os.environ, "COLUMNS": "92", "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    printed = "\n".join(line.rstrip() for line in done.stdout.decode().splitlines())
    for pattern, instead in _CHANGING:
        printed = pattern.sub(instead, printed)
    return printed.rstrip()


def test_the_commands_of_the_page_print_what_it_says(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "sales.csv", tmp_path)
    for command, printed in transcripts(PAGE.read_text(encoding="utf-8")):
        assert printed_by(command, tmp_path) == printed, command
