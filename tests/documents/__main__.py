"""Write what the commands of the documents really print into their transcripts.

    python -m tests.documents [PAGE …]      # all by default

What differs only in keys, ids and times stays as it was, so that a page changes when the program did.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.documents.blocks import blocks_of, commands_of, pages
from tests.documents.folder import Folder, settled


def rewritten(page: Path, folder: Folder) -> str:
    """Return the text of `page` with what its commands print now."""
    text = page.read_text(encoding="utf-8")
    parts, place = [], 0
    for block in blocks_of(text):
        folder.prepare(block)
        if block.kind == "sh":
            folder.run_script(block.body)
        elif block.kind == "console":
            parts += [text[place : block.start], _transcript(block.body, folder)]
            place = block.start + len(block.body)
    return "".join([*parts, text[place:]])


def _transcript(body: str, folder: Folder) -> str:
    parts = []
    for command in commands_of(body):
        printed = folder.printed_by(command)
        kept = settled(printed) == settled(command.printed)
        typed = command.line.replace("\n", "\n> ")
        parts.append("\n".join(part for part in (f"$ {typed}", command.printed if kept else printed) if part))
    return "\n\n".join(parts) + "\n"


def main() -> None:
    """Rewrite the pages that are named."""
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        with tempfile.TemporaryDirectory() as place, Folder(Path(place)) as folder:
            text = rewritten(page, folder)
        if text != page.read_text(encoding="utf-8"):
            page.write_text(text, encoding="utf-8")
            print(page.name)  # noqa: T201 - says which pages changed


if __name__ == "__main__":
    main()
