"""Write what the commands of the README and of guides really print into their transcripts.

    python docs/transcripts.py [PAGE ...]

Every `$ tabchat …` line in a console block is run from the top of the checkout; what follows it is replaced.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
WIDTH = "92"
PAGES = ("README.md", "docs/analyze.md")


def printed_by(command: str, home: str) -> str:
    """Return what `command` prints on both streams, in order."""
    _, *arguments = shlex.split(command)
    env = dict(
        os.environ,
        XDG_CACHE_HOME=f"{home}/cache",
        XDG_DATA_HOME=f"{home}/data",
        COLUMNS=WIDTH,
        PYTHONUTF8="1",
    )
    done = subprocess.run(
        [sys.executable, "-m", "tabchat", *arguments],
        cwd=ROOT,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        timeout=120,
    )
    return "\n".join(line.rstrip() for line in done.stdout.decode("utf-8").splitlines()) + "\n"


def main() -> None:
    """Rewrite the transcripts of the pages that are named, of all by default."""
    for page in sys.argv[1:] or PAGES:
        rewrite(ROOT / page)


def rewrite(page: Path) -> None:
    """Rewrite the transcripts of one page."""
    with tempfile.TemporaryDirectory() as home:

        def rewritten(block: re.Match[str]) -> str:
            commands = re.findall(r"(?m)^\$ (.*)$", block.group(1))
            parts = [f"$ {command}\n{printed_by(command, home)}" for command in commands]
            return "```console\n" + "\n".join(parts) + "```"

        text = re.sub(r"(?s)```console\n(.*?)```", rewritten, page.read_text(encoding="utf-8"))
    page.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
