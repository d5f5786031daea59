"""Take the picture of the terminal in the README: run the commands for real, and draw what they printed.

    python docs/picture.py      # writes docs/terminal.svg

Keys are drawn as they come: they differ from person to person, and say nothing.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
WIDTH = 92
COMMANDS = (
    ("ask", "examples/data/sales.csv", "average revenue by region"),
    ("ask", "examples/data/sales.csv", "how many orders in Germany in 2024?"),
    ("ask", "examples/data/sales.csv", "what is the best region?"),
)


def main() -> None:
    """Write docs/terminal.svg."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    with tempfile.TemporaryDirectory() as home:
        env = dict(
            os.environ,
            XDG_CACHE_HOME=f"{home}/cache",
            XDG_DATA_HOME=f"{home}/data",
            COLUMNS=str(WIDTH),
            PYTHONIOENCODING="utf-8",
        )
        for command in COMMANDS:
            shown = " ".join(f'"{part}"' if " " in part else part for part in command)
            console.print(Text.assemble(("$ ", "green"), ("tabchat " + shown, "bold")), soft_wrap=True)
            done = subprocess.run(
                [sys.executable, "-m", "tabchat", *command, "--color", "always"],
                cwd=ROOT,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=120,
            )
            console.print(Text.from_ansi(done.stdout.decode("utf-8")))
            console.print()
    console.save_svg(str(ROOT / "docs" / "terminal.svg"), title="tabchat")


if __name__ == "__main__":
    main()
