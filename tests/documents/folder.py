"""The folder that a page's examples run in: the example tables, a home of its own, and a provider on loopback."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Self

from tests.documents.blocks import ROOT, Block, Command
from tests.fake_provider import FakeProvider, Step, read_script
from tests.forkserver import client as forkserver

WIDTH: Final = "92"
_VARYING: Final = re.compile(
    r"ds_[a-z2-7]{4,20}"  # keys: an HMAC under a secret of the person
    r"|\b[0-9a-f]{12}\b|\b[0-9a-f]{8}\b"  # ids of the ledger and of sessions
    r"|\b\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d(?: UTC)?)?\b"  # when something was sent or said
    r"|(?<=[ (])/[^\s)]+\.\w+"  # files
    r"|(?m: [^\n]*… · [\d,.]+ (?:ms|s)$)"  # arguments of a call, cut to leave room for how long it took
    r"|\b[\d,.]+ (?:ms|s)\b"
    r"|127\.0\.0\.1:\d+"
    r"|SHA-256 [0-9a-f]{64}"
)


class Folder:
    """Where the examples of one page run, one after the other; a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.provider = FakeProvider(self._next_step)
        self._steps = read_script([{"say": "No block of this page says what the model replies."}])

    def __enter__(self) -> Self:
        for table in (ROOT / "examples" / "data").iterdir():
            shutil.copy(table, self.path)
        (self.path / "examples").symlink_to(ROOT / "examples")
        home = self.path / ".home"
        self.provider.__enter__()
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TABCHAT_")}
        self.environment = kept | {
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_DATA_HOME": str(home / "data"),
            "XDG_CONFIG_HOME": str(home / "config"),
            "PATH": f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "PYTHONUTF8": "1",
            "COLUMNS": WIDTH,
            "TZ": "UTC",
            "TABCHAT_API_BASE": self.provider.root_url,
            "OPENAI_API_KEY": "sk-example",
        }
        _write_programs(home / "bin", self.environment)
        return self

    def __exit__(self, *_: object) -> None:
        self.provider.__exit__()

    def prepare(self, block: Block) -> None:
        """Write the file that `block` is, and let the provider say what it says during the block."""
        if block.title is not None:
            (self.path / block.title).write_text(block.body, encoding="utf-8")
        if block.model is not None:
            self._steps = read_script(json.loads(block.model))

    def run_script(self, script: str) -> subprocess.CompletedProcess[str]:
        """Run an `sh` block."""
        return self._run(["bash", "-euo", "pipefail", "-c", script])

    def printed_by(self, command: Command) -> str:
        """Return what a command of a `console` block prints on both streams, in order."""
        done = self._run(
            ["bash", "-c", command.line], typed="".join(f"{entry}\n" for entry in command.entries)
        )
        lines = [line.rstrip() for line in done.stdout.splitlines()]
        if command.entries:
            prompt = f"{_table_of(command.line)}> "
            lines = [prompt + line[2:] if line.startswith("> ") else line for line in lines]
        return "\n".join(lines).strip("\n")

    def _run(self, arguments: list[str], typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            arguments,
            cwd=self.path,
            env=self.environment,
            input=typed,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=240,
        )

    def _next_step(self, _: dict[str, Any]) -> Step:
        return self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]


def _write_programs(folder: Path, environment: Mapping[str, str]) -> None:
    """Make `tabchat` and `python` be those that the tests run with."""
    folder.mkdir(parents=True)
    programs = {
        "tabchat": forkserver.script(environment),
        "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n',
    }
    for name, script in programs.items():
        program = folder / name
        program.write_text(script, encoding="utf-8")
        program.chmod(0o755)


def _table_of(line: str) -> str:
    return Path(line.split()[2]).stem


def settled(printed: str) -> str:
    """Return what is the same in every run: no keys, ids, moments, durations, ports."""
    return _VARYING.sub("<…>", printed)
