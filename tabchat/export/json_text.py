"""JSON (an array of objects, one a line) and JSON Lines: every digit of a number is kept.

JSON has no number for infinities, which are the texts `"Infinity"` and `"-Infinity"`; NaN is null, as a missing cell.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import json_value
from tabchat.export.cells import CellEncoder, encode_columns
from tabchat.export.job import CALENDAR, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.engine.types import JsonValue
    from tabchat.export.job import ExportJob
    from tabchat.export.text import TextOutput

_UNESCAPED_CONTROLS: Final = re.compile(r"[\x7f-\x9f]")


def write_json(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as an array of objects; returns the number of rows."""
    count = 0
    for objects in _objects(job):
        out.write(("[\n" if count == 0 else ",\n") + ",\n".join(objects))
        count += len(objects)
    out.write("\n]\n" if count else "[]\n")
    return count


def write_jsonl(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as one object a line; returns the number of rows."""
    count = 0
    for objects in _objects(job):
        out.write("\n".join(objects) + "\n")
        count += len(objects)
    return count


def _objects(job: ExportJob) -> Iterator[list[str]]:
    fields = [_json(name) + ":" for name in job.names]
    encoders = [_cells()] * len(fields)
    for rows in job.chunks({**PLAIN, **CALENDAR}):
        columns = [
            [field + cell for cell in cells]
            for field, cells in zip(fields, encode_columns(encoders, rows), strict=True)
        ]
        yield ["{" + ",".join(cells) + "}" for cells in zip(*columns, strict=True)]


def _cells() -> CellEncoder:
    encode = json.JSONEncoder(ensure_ascii=False).encode
    control = _UNESCAPED_CONTROLS.search

    def text(cell: str) -> str:
        return _json(cell) if control(cell) else encode(cell)

    return CellEncoder(
        {
            type(None): lambda _: "null",
            bool: lambda cell: "true" if cell else "false",
            int: str,
            float: _float,
            Decimal: lambda cell: format(cell, "f"),
            str: text,
        },
        default=lambda cell: _json(json_value(cell)),
    )


def _float(cell: float) -> str:
    if cell - cell == 0:
        return repr(cell)
    return f'"{json_value(cell)}"' if cell == cell else "null"  # noqa: PLR0124 - only NaN differs from itself


def _json(value: JsonValue) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # JSON allows these as they are; a terminal would obey them.
    return _UNESCAPED_CONTROLS.sub(lambda match: f"\\u{ord(match.group()):04x}", text)
