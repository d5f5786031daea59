"""Tables for people: Markdown and HTML, in which no cell can be more than its text."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from tabchat.export.cells import encode_columns, quoting
from tabchat.export.job import CALENDAR, PLAIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.export.job import ExportJob
    from tabchat.export.text import TextOutput

_LINE_END: Final = re.compile(r"\r\n|[\r\n\v\f\x85\u2028\u2029]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_MARKDOWN: Final = re.compile(r"[\\|`*~\[\]<]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
"""What Markdown gives a meaning inside a table; underscores inside a word have none."""

_ENTITIES: Final[Mapping[str, str]] = {"&": "&amp;", "<": "&lt;"}

_STYLE: Final = (
    "body{font-family:sans-serif}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.2em .6em;text-align:start;white-space:pre-wrap}"
    ".n{text-align:end;font-variant-numeric:tabular-nums}"
)


def write_markdown(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as a Markdown table; returns the number of rows."""
    encoders = [quoting(markdown_text, missing="")] * len(job.names)
    out.write(f"| {' | '.join(map(markdown_text, job.names))} |\n")
    out.write(f"| {' | '.join('---:' if numeric else '---' for numeric in job.numeric)} |\n")
    count = 0
    for rows in job.chunks({**PLAIN, **CALENDAR}):
        lines = map(" | ".join, zip(*encode_columns(encoders, rows), strict=True))
        out.write("".join(f"| {line} |\n" for line in lines))
        count += len(rows)
    return count


def markdown_text(text: str) -> str:
    """Return `text` so that Markdown shows it as it is, on one line; control characters become `�`."""
    lines = _LINE_END.split(_CONTROL.sub("\ufffd", text))
    return "<br>".join(_MARKDOWN.sub(_escape, line) for line in lines)


def _escape(match: re.Match[str]) -> str:
    return _ENTITIES.get(match.group(), "\\" + match.group())


def write_html(job: ExportJob, out: TextOutput) -> int:
    """Write a frame as a complete HTML page with one table; returns the number of rows."""
    title = html_text(job.title or "Result")
    opening = ['<td class="n">' if numeric else '<td dir="auto">' for numeric in job.numeric]
    heads = [
        ('<th class="n">' if numeric else '<th dir="auto">') + html_text(name) + "</th>"
        for name, numeric in zip(job.names, job.numeric, strict=True)
    ]
    out.write(
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<table>\n<caption>{title}</caption>\n"
        f"<thead>\n<tr>{''.join(heads)}</tr>\n</thead>\n<tbody>\n"
    )
    encoders = [quoting(html_text, missing="")] * len(job.names)
    count = 0
    for rows in job.chunks({**PLAIN, **CALENDAR}):
        columns = [
            [f"{tag}{cell}</td>" for cell in cells]
            for tag, cells in zip(opening, encode_columns(encoders, rows), strict=True)
        ]
        out.write("".join(f"<tr>{''.join(cells)}</tr>\n" for cells in zip(*columns, strict=True)))
        count += len(rows)
    out.write("</tbody>\n</table>\n</body>\n</html>\n")
    return count


def html_text(text: str) -> str:
    """Return `text` as HTML; control characters, which HTML does not allow, become `�`."""
    return html.escape(_CONTROL.sub("\ufffd", text)).replace("\r", "&#13;")
