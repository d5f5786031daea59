"""A session as one HTML page: nothing in it runs, and nothing is loaded from elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.api.notebook import answer_html, chart_html
from tabchat.export.markup import html_text
from tabchat.journal.document.document import text_of
from tabchat.journal.document.markdown import SHOWN_ROWS, report_notes, report_title, text_bars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.journal.document.drafting import Draft, Section

_STYLE: Final = (
    "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}"
    "th,td{border:1px solid #ccc;padding:.2em .6em;text-align:start;white-space:pre-wrap}"
    "pre{background:#f6f6f6;padding:.6em;overflow-x:auto}img{max-width:100%}small,.note{color:#555}"
)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may do with the page: draw it."""


def write_page(draft: Draft) -> str:
    """Return the page; everything that comes from a table, a model or the person is text in it."""
    title = html_text(report_title(draft.kept))
    notes = "".join(f"<li>{html_text(note)}</li>" for note in report_notes(draft))
    sections = "\n".join(
        part for number, section in enumerate(draft.sections, start=1) for part in _section(number, section)
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        f"<ul>{notes}</ul>\n{sections}\n</body>\n</html>\n"
    )


def _section(number: int, section: Section) -> Iterator[str]:
    turn = section.turn
    asked = " ".join((turn.asked or turn.entry).split())
    yield f'<h2 dir="auto">{number}. {html_text(asked)}</h2>'
    for change in turn.changes:
        yield f'<p class="note">{change.kind}: {html_text(change.text)}</p>'
    for step in section.steps:
        for name in ("sql", "code", "edit_code"):
            if name in step.does:
                yield f"<pre>{html_text(text_of(step.does[name]))}</pre>"
    answer = section.answer
    if answer is not None:
        chart = chart_html(answer)
        yield answer_html(answer, rows=SHOWN_ROWS, chart=chart)
        bars = "" if chart or answer.block is None else text_bars(answer.block.result)
        if bars:
            yield f"<pre>{html_text(bars)}</pre>"
        if answer.usage.model is not None:
            yield f'<p class="note">answered by {html_text(answer.usage.model)}</p>'
    elif not turn.changes and turn.code:
        yield f'<p class="note">Not answered (exit code {turn.code}).</p>'
    if section.untold:
        yield f'<p class="note">{html_text(section.untold)}</p>'
