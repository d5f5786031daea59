"""What a model is told of an answer that did not check: what is wrong, and the expression to write where it is unique."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.answers.digits import decimal, is_written
from tabchat.answers.evaluate import quoted, reference
from tabchat.engine.result.labels import label_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.answers.digits import SegmentLinker
    from tabchat.answers.fill import Issue
    from tabchat.languages.written import WrittenNumber

HEAD: Final = "Validation errors:"
MOST: Final = 12
"""Issues that are told at once."""
_QUOTE: Final = 80
_REASON: Final = 300
_OPTIONS: Final = 4
_AGAIN: Final = 'Write the whole answer again, each figure as an expression in braces, such as {r1.total} or {r1.sales["Asia"]:,.0f}.'
_DISCREET: Final = (
    "- Not every figure is an expression over results. Write {r1.COLUMN[0]}, {max(r1.COLUMN)}, {argmax(r1.COLUMN)}, "
    "{sum(r1.COLUMN)}, and no digits of your own."
)


def feedback_of(issues: Sequence[Issue], *, reveals: bool) -> str | None:
    """Return the feedback on `issues`, nothing when there are none to tell.

    Unless `reveals`, it tells nothing that depends on a cell.
    """
    told = [issue for issue in issues if issue.is_told]
    plain = [issue for issue in told if reveals or not issue.names_data]
    lines = [f"- {issue.quote[:_QUOTE]}: {issue.reason[:_REASON]}" for issue in plain[:MOST]]
    if len(plain) < len(told):
        lines.append(_DISCREET)
    return (
        "\n".join((HEAD, *dict.fromkeys(lines), _AGAIN if reveals else "Write the answer again."))
        if told
        else None
    )


def suggestion(linker: SegmentLinker, number: WrittenNumber) -> str:
    """Return what to write instead of a typed figure: an expression that gives it as typed, never another value."""
    options = list(_options(linker, number))
    if not options:
        return "no row named beside it holds it: query for it, write an expression that computes it, or leave it out"
    return f"write {'one of ' if len(options) > 1 else ''}{', '.join(options[:_OPTIONS])}"


def _options(linker: SegmentLinker, number: WrittenNumber) -> Iterator[str]:
    places = next((places for _, places in number.readings), 0)
    spec = f":,.{places}f" if number.form == "plain" else ""
    for result in linker.results:
        found = linker.row_of(result, number)
        if found is None and result.row_count != 1:
            continue
        line = found[0] if found else result.line(0)
        if line is None:
            continue
        # Only labels that the model wrote itself: it need not know the others of the row.
        labels = [quoted(label_text(found[0].cells[column])) for column in found[1]] if found else []
        row = f"[{', '.join(labels)}]" if labels else ""
        for column in (one for one in linker.measures(result, number) if one.name in result.told_names):
            name, value = reference(result, column.name), line.cells[column.name]
            if is_written(result, column, number, value):
                yield f"{{{name}{row}{spec}}}"
            elif number.is_percent and found and (part := decimal(value)) is not None:
                total = decimal(result.aggregate("sum", column))
                if total and number.equals(part / total * 100):
                    yield f"{{{name}{row} / sum({name}):.{places}%}}"
