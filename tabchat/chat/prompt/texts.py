"""The texts of the prompt, read from the files beside this module."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDER = Path(__file__).parent


def rules() -> Mapping[str, str]:
    """Return the sections of `rules.md`: heading → text."""
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in (_FOLDER / "rules.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            lines = sections.setdefault(line.removeprefix("# "), [])
        else:
            lines.append(line)
    return {heading: "\n".join(text).strip() for heading, text in sections.items()}


def data(name: str) -> Mapping[str, Any]:
    """Return what `<name>.toml` holds."""
    return tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
