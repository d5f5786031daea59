"""What a model is told of an answer that did not check: what is wrong, and the expression to write where it is unique."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.answers.digits import label_key, reference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.answers.digits import Linker
    from tabchat.answers.fill import Issue
    from tabchat.answers.languages import Language
    from tabchat.answers.prose import Segment
    from tabchat.answers.results import Line, ResultCells
    from tabchat.answers.written import WrittenNumber

HEAD: Final = "Validation errors:"
MOST: Final = 12
"""Issues that are told at once."""
_QUOTE: Final = 60
_REASON: Final = 300
_AGAIN: Final = "Write the whole answer again, each figure as an expression over results in braces."
_DISCREET: Final = (
    "- Not every figure is an expression over results. Write {r1.COLUMN[0]}, {r1.COLUMN[-1]}, "
    "{r1.COLUMN[argmax(r1.COLUMN)]}, {sum(r1.COLUMN)}, and no digits of your own."
)


def feedback_of(issues: Sequence[Issue], *, reveals: bool) -> str | None:
    """Return the feedback on `issues`, nothing when there are none to tell.

    Unless `reveals`, it tells nothing that depends on a cell.
    """
    told = [issue for issue in issues if issue.is_told]
    if not told:
        return None
    lines = [
        f"- {issue.quote[:_QUOTE]}: {issue.reason[:_REASON]}"
        for issue in told
        if reveals or not issue.names_data
    ][:MOST]
    if len(lines) < len(told) and not reveals:
        lines.append(_DISCREET)
    return "\n".join((HEAD, *dict.fromkeys(lines), _AGAIN))


def suggestion(
    linker: Linker,
    segment: Segment,
    number: WrittenNumber,
    numbers: Sequence[WrittenNumber],
    language: Language,
) -> str:
    """Return what to write instead of a typed figure; never a value."""
    del language
    named = linker._named(segment, number)
    options: list[str] = []
    for cells in linker.results:
        row = linker._row(cells, segment, number, numbers, "before")
        line = row if row is not None else cells.line(0) if cells.row_count == 1 else None
        if line is not None:
            options += _expressions(cells, line, named, number)
    if len(options) == 1:
        return f"write {options[0]}"
    if options:
        return f"write one of {', '.join(options[:4])}"
    return "write it as an expression over a result, or leave it out"


def _expressions(cells: ResultCells, line: Line, named: set[str], number: WrittenNumber) -> list[str]:
    columns = [
        name
        for name, column in cells.columns.items()
        if column.kind.is_numeric and name not in cells.keys and (not named or name in named)
    ]
    row = "" if cells.row_count == 1 else f"[{label_key(cells, line)}]"
    return [f"{{{reference(cells, name)}{row}{_spec(number)}}}" for name in columns]


def _spec(number: WrittenNumber) -> str:
    places = next((places for _, places in number.readings), 0)
    return f":,.{places}f" if number.form == "plain" else ""
