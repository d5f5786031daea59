"""A session as Markdown: what was asked and found, for people, and the blocks by which `tabchat test` repeats it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.export.markup import markdown_text
from tabchat.journal.document.document import fenced, text_of
from tabchat.render.block import counted, describe_source
from tabchat.render.charts.bars import bars
from tabchat.render.layout.text import cut, sanitise, sanitise_lines, width_of
from tabchat.render.layout.values import format_column
from tabchat.render.results import local_time
from tabchat.render.verdict import describe_verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import JsonValue
    from tabchat.journal.document.drafting import Draft, Section
    from tabchat.journal.kept import KeptSession

BEGIN: Final = "<!-- tabchat: what it came to -->"
END: Final = "<!-- tabchat: end -->"
"""Between these stands what `tabchat test --update` writes anew."""
SHOWN_ROWS: Final = 20
_USE: Final = (
    "`tabchat test` on this file repeats every step below and says which figures are others now. "
    "It reads the blocks of JSON alone: edit them as you like."
)


def report_title(kept: KeptSession) -> str:
    """Return the heading of a report."""
    names = ", ".join(table.reference.name for table in kept.workspace.tables)
    return f"Session on {names}" if names else "Session"


def report_notes(draft: Draft) -> Iterator[str]:
    """Yield what is to be known before the turns, as plain sentences."""
    kept = draft.kept
    yield f"{counted(len(kept.turns) + kept.dropped, 'turn')}, the last {local_time(kept.ended)}."
    for table in kept.workspace.tables:
        yield f"{table.reference.name}: {table.reference.source}"
    if kept.dropped:
        yield f"The first {counted(kept.dropped, 'turn')} of it {'is' if kept.dropped == 1 else 'are'} not kept."


def write_markdown(draft: Draft) -> str:
    """Return the report; its tables and texts are escaped, so that a cell is nothing but its text."""
    parts = [
        f"# {markdown_text(report_title(draft.kept))}",
        "\n".join(f"- {markdown_text(note)}" for note in report_notes(draft)),
        _USE,
        fenced(draft.head.to_json()),
    ]
    for number, section in enumerate(draft.sections, start=1):
        parts += _section(number, section)
    return "\n\n".join(parts) + "\n"


def _section(number: int, section: Section) -> Iterator[str]:
    turn = section.turn
    yield f"## {number}. {markdown_text(' '.join((turn.asked or turn.entry).split()))}"
    if turn.answer is not None and turn.answer.interpretation:
        yield f"read as: {markdown_text(turn.answer.interpretation)}"
    for change in turn.changes:
        yield f"{change.kind}: {markdown_text(change.text)}"
    for step in section.steps:
        yield from source_block(step.does)
    if section.answer is not None:
        yield found_block(section.answer)
    elif not turn.changes and turn.code:
        yield f"Not answered (exit code {turn.code})."
    if section.untold:
        yield f"*{markdown_text(section.untold)}*"
    for step in section.steps:
        yield fenced(step.to_json())


def source_block(does: Mapping[str, JsonValue]) -> Iterator[str]:
    """Yield the SQL or code of a step as a person reads it."""
    for name, language in (("sql", "sql"), ("code", "python"), ("edit_code", "python")):
        if name in does:
            yield _code(sanitise_lines(text_of(does[name])), language)


def _code(text: str, language: str) -> str:
    """Return a fenced block that nothing in `text` can end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def found_block(answer: Answer) -> str:
    """Return what an answer came to, between the signs by which it is found again."""
    parts = [BEGIN]
    if answer.text:
        parts.append(markdown_text(answer.text))
    if answer.block is not None:
        result = answer.block.result
        parts.append(_table(result))
        bars = text_bars(result)
        if bars:
            parts.append(_code(bars, "text"))
    parts += [f"*{markdown_text(note)}*" for note in _notes(answer)]
    return "\n\n".join([*parts, END])


def _table(result: Result) -> str:
    frame = result.frame
    rows = frame.rows(SHOWN_ROWS)
    heads = " | ".join(map(markdown_text, frame.columns))
    rule = " | ".join("---:" if column.kind.is_numeric else "---" for column in frame.schema)
    cells = [
        list(map(markdown_text, format_column([row[index] for row in rows])))
        for index in range(len(frame.columns))
    ]
    lines = [f"| {' | '.join(line)} |" for line in zip(*cells, strict=True)]
    return "\n".join([f"| {heads} |", f"| {rule} |", *lines])


def _notes(answer: Answer) -> Iterator[str]:
    block = answer.block
    if block is not None:
        count = block.result.frame.row_count
        shown = f"first {SHOWN_ROWS} of {count:,} rows" if count > SHOWN_ROWS else counted(count, "row")
        told = f"{shown} {describe_source(block.result)}".rstrip()
        yield f"{told}{f' · {block.data_key}' if block.data_key else ''}"
    who = answer.usage.model
    if who is not None:
        yield f"answered by {who}"
    yield from (note for note in describe_verdict(answer.verification) if note)
    yield from (f"warning: {warning}" for warning in answer.warnings)


def updated(text: str, blocks: Sequence[tuple[int, int, str]], found: Sequence[tuple[int, str]]) -> str:
    """Return a document whose blocks (first and last line, new text) are others, and what stands before each (line, text) too."""
    lines = text.split("\n")
    edits = [*blocks, *_spans(lines, found)]
    for start, end, new in sorted(edits, reverse=True):
        lines[start : end + 1] = new.split("\n")
    return "\n".join(lines)


def _spans(lines: Sequence[str], found: Sequence[tuple[int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield where the text before the block at each line stands, when there is one that the block is the first after."""
    for line, new in found:
        ends = [number for number in range(line) if lines[number].strip() == END]
        begins = [number for number in range(line) if lines[number].strip() == BEGIN]
        if (
            ends
            and begins
            and begins[-1] < ends[-1]
            and not any(lines[n].startswith(("```", "~~~")) for n in range(ends[-1], line))
        ):
            yield begins[-1], ends[-1], new


_WIDTH: Final = 40
_MOST: Final = 40
_LABEL: Final = 30


def text_bars(result: Result) -> str:
    """Return a line with a bar for each row of a chart of at most 40, scaled to the greatest size; else nothing."""
    chart = result.chart
    if chart is None or not 1 < result.frame.row_count <= _MOST:
        return ""
    rows = result.frame.rows()
    names = result.frame.columns
    drawn = bars([row[names.index(chart.value)] for row in rows], _WIDTH)
    if not any(drawn):
        return ""
    labels = format_column([row[names.index(chart.category)] for row in rows])
    shown = [cut(sanitise(label), _LABEL) for label in labels]
    width = max(map(width_of, shown))
    return "\n".join(
        f"{label}{' ' * (width - width_of(label))}  {bar}".rstrip()
        for label, bar in zip(shown, drawn, strict=True)
    )
