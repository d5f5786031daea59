"""The verdict on an answer's figures: a number for each piece of evidence, and what stands behind it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.render.block import counted
from tabchat.render.text import cut, fold, pack, sanitise
from tabchat.render.values import format_value
from tabchat.render.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.answers.receipts import CitedCell, Receipt, Verification
    from tabchat.chat.turn.answer import Answer, Usage
    from tabchat.render.console import Consoles
    from tabchat.render.text import Glyphs
    from tabchat.render.view import AnswerView

LEGEND_ENTRIES: Final = 10
"""Pieces of evidence that are listed below an answer; the rest is one command away."""
KEY_SHOWN: Final = 9
"""Characters of a data key that tell it from the others of a session."""
LONGEST_EVIDENCE: Final = 4
"""Lines that one piece of evidence may take."""
_KEY: Final = re.compile(r"ds_[a-z0-9]{12,}")


@record
class Figure:
    """A figure of an answer at its place in the text."""

    start: int
    end: int
    claim: Receipt
    number: int | None
    """Number of its evidence; none for a figure that has no evidence."""


@record
class Evidence:
    """A numbered piece of evidence: one cell, one value, or one derivation."""

    number: int
    claim: Receipt
    """The first figure that rests on it."""


def find_figures(answer: Answer) -> tuple[Figure, ...]:
    """Return the figures of an answer in order of appearance; figures with the same evidence share a number.

    A claim that does not say where it stands is looked for: a doubtful one is
    marked wherever its text occurs, another where it occurs first.
    """
    placed: list[tuple[int, int, Receipt]] = []
    for claim in answer.verification.receipts:
        placed += ((start, start + len(claim.text), claim) for start in _places(answer.text, claim))
    doubtful = {
        place for start, end, claim in placed if claim.status == "unverified" for place in range(start, end)
    }
    numbers: dict[str, int] = {}
    figures = []
    for start, end, claim in sorted(placed, key=lambda place: (place[0], -place[1])):
        if claim.status == "unverified":
            figures.append(Figure(start=start, end=end, claim=claim, number=None))
        elif doubtful.isdisjoint(range(start, end)):
            # A figure is either vouched for or not: doubt wins where two claims overlap.
            number = numbers.setdefault(_identity(claim), len(numbers) + 1)
            figures.append(Figure(start=start, end=end, claim=claim, number=number))
    return tuple(figures)


def list_evidence(figures: Sequence[Figure]) -> tuple[Evidence, ...]:
    """Return the numbered evidence of figures, by number."""
    first: dict[int, Receipt] = {}
    for figure in figures:
        if figure.number is not None:
            first.setdefault(figure.number, figure.claim)
    return tuple(Evidence(number=number, claim=claim) for number, claim in first.items())


def _places(text: str, claim: Receipt) -> list[int]:
    if not claim.text:
        return []
    if claim.start is not None and text.startswith(claim.text, claim.start):
        return [claim.start]
    found = [
        match.start() for match in re.finditer(rf"(?<![\w.,]){re.escape(claim.text)}(?!\w|[.,]\d)", text)
    ]
    return found if claim.status == "unverified" else found[:1]


def _identity(claim: Receipt) -> str:
    cells = [(trace.data_key, trace.column, sorted(map(str, trace.row.items()))) for trace in claim.cells]
    if claim.status == "verified" and cells:
        return repr(cells)
    return claim.evidence or repr(cells) if claim.evidence or cells else claim.text


# What is said below an answer


def narrate_verdict(consoles: Consoles, answer: Answer, figures: Sequence[Figure], view: AnswerView) -> None:
    """Say on stderr what stands behind the figures, how many were checked, and what the answer cost."""
    glyphs = consoles.glyphs
    listed = list_evidence(figures)
    for evidence in listed[:LEGEND_ENTRIES]:
        consoles.say(*legend_lines(evidence, consoles.width, glyphs))
    if len(listed) > LEGEND_ENTRIES:
        consoles.say(f"{glyphs.ellipsis} {len(listed) - LEGEND_ENTRIES:,} more: {view.commands.traces}")
    checked, doubtful = describe_verdict(answer.verification)
    if checked:
        consoles.say(checked)
    if doubtful:
        for line in wrap_text(doubtful, consoles.width, hang=2):
            consoles.err.print(line, style="bold red")
    if doubtful and answer.usage.model is not None and not answer.usage.requests:
        consoles.say("The reply was kept from before: with --fresh, the model is asked again.")
    if answer.usage.model is not None:
        consoles.say(*pack(describe_usage(answer.usage), consoles.width, glyphs))


def legend_lines(evidence: Evidence, width: int, glyphs: Glyphs) -> list[str]:
    """Return `[1] ds_7k2m… · sum_revenue · region = Asia` in lines of at most `width` cells."""
    label = f"[{evidence.number}] "
    room = max(width - len(label), 1)
    longest = room * LONGEST_EVIDENCE
    parts = [cut(part, longest, glyphs) for part in _evidence_parts(evidence.claim, glyphs)]
    packed = pack(parts, room, glyphs)
    rows = [row for line in packed for words in wrap_text(line, room) for row in fold(words, room)]
    if len(rows) > LONGEST_EVIDENCE:
        last = cut(rows[LONGEST_EVIDENCE - 1], room - len(glyphs.ellipsis)) + glyphs.ellipsis
        rows = [*rows[: LONGEST_EVIDENCE - 1], last]
    return [(" " * len(label) if index else label) + row for index, row in enumerate(rows)]


def _evidence_parts(claim: Receipt, glyphs: Glyphs) -> list[str]:
    evidence = shorten_keys(sanitise(claim.evidence or "", glyphs), glyphs)
    if claim.status == "verified" and len(claim.cells) == 1:
        (trace,) = claim.cells
        return list(trace_parts(trace, glyphs, value_name=evidence.rpartition(".")[2]))
    if not evidence:
        evidence = ", ".join(" ".join(trace_parts(trace, glyphs)) for trace in claim.cells)
    return [evidence or "no cell is named"]


def trace_parts(trace: CitedCell, glyphs: Glyphs, *, value_name: str = "") -> Iterator[str]:
    """Yield the key, the column and the row of a cell, each if it has one."""
    if trace.data_key:
        yield shorten_keys(sanitise(trace.data_key, glyphs), glyphs)
    name = sanitise(trace.column or value_name, glyphs)
    if name:
        yield name
    if trace.row:
        yield ", ".join(
            f"{sanitise(column, glyphs)} = {format_value(value, glyphs)}"
            for column, value in trace.row.items()
        )


def shorten_keys(text: str, glyphs: Glyphs) -> str:
    """Return `text` with only the beginning of every data key."""
    return _KEY.sub(lambda key: key.group()[:KEY_SHOWN] + glyphs.ellipsis, text)


def describe_verdict(verification: Verification) -> tuple[str, str]:
    """Return what was checked, and what is in doubt; empty where there is nothing to say."""
    count = {
        status: sum(claim.status == status for claim in verification.receipts)
        for status in ("verified", "derived", "unverified")
    }
    parts = []
    if count["verified"]:
        parts.append(f"{counted(count['verified'], 'figure')} verified")
    if count["derived"]:
        parts.append(
            f"{count['derived']:,} derived" if parts else f"{counted(count['derived'], 'figure')} derived"
        )
    checked = f"checked: {', '.join(parts)}" if parts else ""
    if verification.status != "unverified":
        return checked, ""
    wrong = count["unverified"]
    if not wrong:
        return checked, "The answer could not be checked: treat it as wrong until you have checked it."
    verb, pronoun = ("is", "it") if wrong == 1 else ("are", "them")
    doubt = f"{_in_doubt(verification)} {verb} unverified: treat {pronoun} as wrong"
    return checked, f"{doubt} until you have checked {pronoun}"


def _in_doubt(verification: Verification) -> str:
    """Count what is unverified: `2 figures`, `1 name`, `1 figure and 2 names`."""
    wrong = [claim for claim in verification.receipts if claim.status == "unverified"]
    names = sum(not any(map(str.isdigit, str(claim.value))) for claim in wrong)
    parts = ((len(wrong) - names, "figure"), (names, "name"))
    return " and ".join(counted(count, noun) for count, noun in parts if count)


def describe_usage(usage: Usage) -> list[str]:
    """Return the model, the requests, the tokens sent and received, and the price, each as a part."""
    model = sanitise(usage.model or "no model")
    if not usage.requests:
        return [model, "from the cache"]
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    price = dollars(usage.cost_usd) if usage.priced else "cost unknown"
    return [model, counted(usage.requests, "request"), tokens, price]


def dollars(amount: float) -> str:
    """Return an amount in US dollars: cents from a dollar up, else two significant digits or four decimals."""
    if amount >= 1:
        return f"${amount:,.2f}"
    return f"${amount:.4f}" if amount >= 0.0001 or not amount else f"${amount:.1g}"  # noqa: PLR2004 - the last decimal
