"""The rows of a small result as JSON, kept beside its file: they are shown again without an engine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.encoded import decode_value, encode_value
from tabchat.engine.result.result import Held
from tabchat.store.program import this_program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import JsonValue, Row

MOST_CHARACTERS: Final = 8_000
"""Characters of the JSON; rows that take more are read from their file."""


def held_text(frame: Frame, stats: Mapping[str, Row]) -> str | None:
    """Return the rows of `frame`, with `stats` as of `Held`; None where they are many, or JSON does not say them exactly."""
    if not frame.is_few:
        return None
    rows, figures = frame.few, list(stats.values())
    text = json.dumps(
        {
            "rows": _encoded(rows),
            "stats": dict(zip(stats, _encoded(figures), strict=True)),
            "by": this_program(),
        },
        ensure_ascii=False,
    )
    if len(text) > MOST_CHARACTERS:
        return None
    held = read_held(text)
    # What is equal need not be the same: 1 and 1.0, or one moment in two zones.
    return text if repr([*held.rows, *held.stats.values()]) == repr([*rows, *figures]) else None


def read_held(text: str) -> Held:
    """Return what `held_text` wrote; `KeyError`, `TypeError` or `ValueError` for anything else."""
    content = json.loads(text)
    return Held(
        rows=tuple(map(_decoded, content["rows"])),
        stats={name: _decoded(figures) for name, figures in content["stats"].items()},
        by=str(content["by"]),
    )


def _encoded(rows: Sequence[Row]) -> list[JsonValue]:
    return [[encode_value(value) for value in row] for row in rows]


def _decoded(cells: Any) -> Row:
    return tuple(map(decode_value, cells))
