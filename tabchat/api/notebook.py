"""An answer as a notebook shows it: words, chart, rows and what is to be known of them.

Everything that comes from a table or a model is escaped. Formulas of TeX are not looked for, and the chart is an
image, in which nothing can run.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from tabchat.engine.chart.chart import ChartKind
from tabchat.engine.chart.picture import default_kind, picture_of
from tabchat.errors import UsageError
from tabchat.export.markup import html_text
from tabchat.render.block import counted, describe_source
from tabchat.render.layout.values import format_column
from tabchat.render.verdict import describe_verdict, find_doubtful

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.result.result import Frame


def answer_html(answer: Answer, *, rows: int, chart: str = "") -> str:
    """Return an answer as HTML, with the first `rows` rows of its table."""
    words = f'<p dir="auto" style="white-space:pre-wrap">{_words(answer)}</p>\n' if answer.text else ""
    table = _table(answer.block.result.frame, rows) if answer.block else ""
    notes = "<br>\n".join(html_text(note) for note in _notes(answer, rows))
    # What notebooks' MathJax leaves alone.
    return (
        f'<div class="tex2jax_ignore mathjax_ignore">\n{words}{chart}{table}'
        f'<p dir="auto"><small>{notes}</small></p>\n</div>'
    )


def chart_html(answer: Answer) -> str:
    """Return the chart of an answer as HTML; empty where nothing is drawn, or without the extra `charts`."""
    from tabchat.export.picture import picture_svg

    kind = default_kind(answer.block.result) if answer.block else ChartKind.NONE
    if answer.block is None or kind is ChartKind.NONE:
        return ""
    try:
        picture = picture_of(answer.block.result, kind)
        drawn = picture_svg(picture, title=answer.block.title) if picture.points else ""
    except UsageError:
        return ""
    if not drawn:
        return ""
    packed = base64.b64encode(drawn.encode()).decode()
    return f'<p><img alt="{kind} chart" src="data:image/svg+xml;base64,{packed}"></p>\n'


def _table(frame: Frame, limit: int) -> str:
    """Return the first `limit` rows, with figures as the terminal shows them."""
    rows = frame.rows(limit)
    places = ['style="text-align:end"' if column.kind.is_numeric else 'dir="auto"' for column in frame.schema]
    heads = "".join(
        f"<th {place}>{html_text(name)}</th>" for place, name in zip(places, frame.columns, strict=True)
    )
    columns = [
        [f"<td {place}>{html_text(text)}</td>" for text in format_column([row[index] for row in rows])]
        for index, place in enumerate(places)
    ]
    body = "\n".join(f"<tr>{''.join(cells)}</tr>" for cells in zip(*columns, strict=True))
    return f"<table>\n<thead>\n<tr>{heads}</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"


def _words(answer: Answer) -> str:
    """Return the text of an answer, the figures that nothing backs marked."""
    parts, end = [], 0
    for start, stop in find_doubtful(answer):
        figure = html_text(answer.text[start:stop])
        parts += [html_text(answer.text[end:start]), f'<mark title="not verified">{figure}</mark>']
        end = stop
    return "".join([*parts, html_text(answer.text[end:])])


def _notes(answer: Answer, rows: int) -> Iterator[str]:
    if answer.interpretation:
        yield f"read as: {answer.interpretation}"
    yield from (note for note in describe_verdict(answer.verification) if note)
    yield from (f"warning: {warning}" for warning in answer.warnings)
    if answer.block is not None:
        result = answer.block.result
        count, used = result.frame.row_count, result.metadata.used_rows
        shown = f"first {rows:,} of {count:,} rows" if count > rows else counted(count, "row")
        if used is not None and used != result.source_row_count:
            shown = f"{shown} {describe_source(result)}"
        yield f"{shown} · {answer.block.data_key}" if answer.block.data_key else shown
