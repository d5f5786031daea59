"""Reading a large file into the cache after its first question was answered."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.engine.table import ReadOptions, Table


def cache_in_background(table: Table) -> None:
    """Leave a detached process behind that reads the file of `table` into the cache."""
    subprocess.Popen(
        [sys.executable, "-m", "tabchat", "cache", "build", str(table.source), *_flags(table.options)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
    )


def _flags(options: ReadOptions) -> list[str]:
    """Return the command-line flags that say what `options` say."""
    flags = [
        part
        for name, value in (
            ("--input-format", options.input_format),
            ("--sheet", options.sheet),
            ("--delimiter", options.delimiter),
            ("--encoding", options.encoding),
            ("--decimal", options.decimal),
            ("--date-order", options.date_order),
        )
        if value is not None
        for part in (name, value)
    ]
    if options.header is not None:
        flags.append("--header" if options.header else "--no-header")
    if options.null_words is not None:
        flags += ["--null-words", ",".join(options.null_words)]
    for name, kind in options.types:
        flags += ["--type", f"{name}={kind}"]
    return flags
