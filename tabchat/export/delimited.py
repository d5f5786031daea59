"""CSV and TSV (RFC 4180, with line feeds): missing cells are empty, empty text is quoted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tabchat.export.cells import encode_columns, quoting
from tabchat.export.job import CALENDAR, PLAIN

if TYPE_CHECKING:
    from tabchat.export.job import ExportJob
    from tabchat.export.text import TextOutput


def write_csv(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as CSV; returns the number of rows."""
    return _write_delimited(job, out, ",")


def write_tsv(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as CSV with tabs; returns the number of rows."""
    return _write_delimited(job, out, "\t")


def _write_delimited(job: ExportJob, out: TextOutput, delimiter: str) -> int:
    # White space at the ends is quoted as well, because many readers strip it.
    needs_quotes = re.compile(rf'["\r\n{delimiter}]|^\s|\s$|^$').search

    def quote(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if needs_quotes(text) else text

    def quote_data(text: str) -> str:
        return quote(job.formulas.text(text))

    # In a single column, a missing cell alone would be a blank line, which readers skip.
    missing = "" if len(job.names) > 1 else '""'
    plain, data = quoting(quote, missing=missing), quoting(quote_data, missing=missing)
    encoders = [data if textual else plain for textual in job.textual]
    out.write(delimiter.join(map(quote_data, job.names)) + "\n")
    count = 0
    for rows in job.chunks({**PLAIN, **CALENDAR}):
        lines = map(delimiter.join, zip(*encode_columns(encoders, rows), strict=True))
        out.write("\n".join(lines) + "\n")
        count += len(rows)
    return count
