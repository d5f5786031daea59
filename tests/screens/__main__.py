"""Write the snapshots of the screens anew, after a change to what is drawn.

    python -m tests.screens --write [VARIANT …]      # all by default

Look at what changed before it is kept: `git diff tests/screens`, and as pictures,
`python docs/picture.py SNAPSHOT OUT.png`.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path

from tests.screens.scenes import VARIANTS, Variant
from tests.screens.screen import Screen
from tests.screens.stage import SNAPSHOTS, opened, path_of, perform


def write(variant: Variant) -> None:
    """Write the snapshots of one variant."""
    with tempfile.TemporaryDirectory() as home, opened(variant, Path(home)) as terminal:
        shots = []

        def look(name: Path) -> None:
            terminal.settle()
            shots.append((name, Screen.of(terminal.screen.window).write()))

        perform(variant, terminal, lambda shot: look(path_of(variant, shot)))
    for path, text in shots:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def main() -> None:
    """Read the command line, and write."""
    parser = argparse.ArgumentParser(prog="python -m tests.screens")
    parser.add_argument("--write", action="store_true", required=True)
    parser.add_argument("variants", nargs="*", metavar="VARIANT")
    wanted = parser.parse_args().variants
    if not wanted:
        shutil.rmtree(SNAPSHOTS, ignore_errors=True)
    for variant in VARIANTS:
        # A variant that must look like another one has no snapshots of its own.
        if variant.writes and (not wanted or variant.name in wanted):
            write(variant)


if __name__ == "__main__":
    main()
