"""The few rows that a model may see, and only at privacy level `preview`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tabchat.config import PrivacyLevel
from tabchat.engine.cells import inert
from tabchat.engine.types import HELPER_PREFIX, json_value
from tabchat.tools.privacy import described_cell

if TYPE_CHECKING:
    from tabchat.engine.result import Result
    from tabchat.engine.types import JsonValue, Value
    from tabchat.tools.registry import Workspace

MAX_ROWS: Final = 10
MAX_CHARACTERS: Final = 6_000
MAX_CELL: Final = 240


def build_preview(
    workspace: Workspace, result: Result, *, collects: bool
) -> tuple[dict[str, JsonValue] | None, dict[str, JsonValue]]:
    """Return the preview `{rows}` (or nothing) and its metrics.

    At most `preview_rows` rows, never over 10 rows, 6,000 characters of JSON or
    240 characters a cell; `preview_truncated` is true when anything was left out.
    `collects` says that a cell may hold many others, and is described instead.
    """
    if workspace.privacy is not PrivacyLevel.PREVIEW:
        return None, {"preview_size_chars": 0, "preview_truncated": False}
    wanted = min(workspace.preview_rows, MAX_ROWS)
    places = [place for place, name in enumerate(result.frame.columns) if not name.startswith(HELPER_PREFIX)]
    names = [inert(result.frame.columns[place]) for place in places]
    cells = [
        [_plain(described_cell(row[place]) if collects else row[place]) for place in places]
        for row in (result.frame.rows(wanted) if wanted else [])
    ]
    cut = any(isinstance(cell, str) and len(cell) > MAX_CELL for row in cells for cell in row)
    rows = [dict(zip(names, map(_bounded, row), strict=True)) for row in cells]
    while rows and _size(rows) > MAX_CHARACTERS:
        rows.pop()
        cut = True
    truncated = cut or len(rows) < result.frame.row_count
    preview: dict[str, JsonValue] = {"rows": rows}
    return preview, {"preview_size_chars": _size(rows), "preview_truncated": truncated}


def _size(rows: list[dict[str, JsonValue]]) -> int:
    return len(json.dumps(rows, ensure_ascii=False))


def _plain(value: Value) -> JsonValue:
    plain = json_value(value)
    if isinstance(plain, (list, tuple, dict)):
        plain = json.dumps(plain, ensure_ascii=False)
    return inert(plain) if isinstance(plain, str) else plain


def _bounded(cell: JsonValue) -> JsonValue:
    long = isinstance(cell, str) and len(cell) > MAX_CELL
    return f"{cell[: MAX_CELL - 1]}…" if long and isinstance(cell, str) else cell
