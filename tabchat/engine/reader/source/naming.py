"""The SQL name of a table, made from the name of its file."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Collection

_SUFFIX = re.compile(
    r"\.(csv|tsv|tab|txt|json|jsonl|ndjson|parquet|pq|arrow|feather|ipc|xlsx|xlsm|xlsb|xls|ods|gz|zst)$",
    re.IGNORECASE,
)

_PATTERN = re.compile(r"\[[^\]]*\]|[*?]")

RESERVED: Final = word_set(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate column constraint
    create default deferrable desc describe distinct do else end except false fetch for foreign from group
    having in initially intersect into lambda lateral leading limit not null offset on only or order pivot
    placing primary qualify references returning select show some summarize symmetric table then to
    trailing true union unique unpivot using variadic when where window with
    """
)
"""Words that DuckDB does not take as a bare table name."""


def named_part(path: str | PurePath) -> str:
    """Return the last part of a path that is a name: of a pattern, the folder above where nothing else is left."""
    parts = [part for part in PurePath(path).parts if part not in {"/", ".", ".."}]
    for part in reversed(parts):
        if any(sign.isalnum() for sign in _SUFFIX.sub("", _PATTERN.sub("", part))):
            return part
    return parts[-1] if parts else str(path)


def table_name(path: str | PurePath, taken: Collection[str] = ()) -> str:
    """Return the file's stem as an identifier in its own script, unlike every name in `taken`.

    `jobs.csv` → `jobs`, `2024 sales.csv.gz` → `_2024_sales`, `order.csv` → `order_`, `sales/*.parquet` → `sales`.
    """
    stem = "stdin" if str(path) == "-" else named_part(path)
    while shorter := _SUFFIX.sub("", stem):
        if shorter == stem:
            break
        stem = shorter
    text = unicodedata.normalize("NFC", stem)
    words = "".join(c if c.isalnum() or unicodedata.category(c).startswith("M") else "_" for c in text)
    name = re.sub(r"_+", "_", words).strip("_") or "table_1"
    if name[0].isdigit():
        name = f"_{name}"
    if name.casefold() in RESERVED:
        name = f"{name}_"
    used = {other.casefold() for other in taken}
    unique, number = name, 2
    while unique.casefold() in used:
        unique, number = f"{name.rstrip('_')}_{number}", number + 1
    return unique
