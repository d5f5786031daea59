"""What a viewer draws, as text, and snapshots of it."""

import os
from pathlib import Path

from tabchat.render.layout.text import width_of
from tabchat.viewer.drawing import Size
from tabchat.viewer.viewer import Viewer

SNAPSHOTS = Path(__file__).parent / "snapshots"


def shown(viewer: Viewer, width: int = 80, height: int = 24) -> list[str]:
    """Return the lines of the screen after the rows that it needs have come; all fit the size."""
    size = Size(width=width, height=height)
    viewer.draw(size)
    viewer.load()
    lines = ["".join(text for _, text in line) for line in viewer.draw(size)]
    assert len(lines) == height
    assert all(width_of(line) <= width for line in lines)
    return lines


def assert_screen(name: str, viewer: Viewer, width: int, height: int) -> None:
    """Compare the screen with the snapshot `name`; UPDATE_SNAPSHOTS=1 writes it instead."""
    text = "\n".join(line.rstrip() for line in shown(viewer, width, height)) + "\n"
    path = SNAPSHOTS / f"{name}_{width}x{height}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8", newline="\n")
    assert text == path.read_text(encoding="utf-8")
