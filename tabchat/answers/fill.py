"""Fills the references of a template in, at once or while it is still being written.

Each becomes the text of its figure, or stays as written with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.answers.around import check_around, with_unit
from tabchat.answers.evaluate import Evaluator
from tabchat.answers.figures import EvaluationError, Figure
from tabchat.answers.formats import write_value
from tabchat.answers.receipts import Receipt
from tabchat.answers.template import TableMark, Text, open_brace, own_text, parse_template
from tabchat.languages.notation import CURRENCY, language_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.answers.results import NumberedResult
    from tabchat.answers.template import Part, Reference
    from tabchat.languages.notation import Language

_CURRENCY_BEFORE: Final = re.compile(rf"[{CURRENCY}]\Z")
_WITHIN_A_LINE: Final = "\0"
_UNITS: Final = frozenset({1, 2, 3, 4, 7, 10, 12, 24, 30, 52, 60, 100, 365, 10**3, 10**6, 10**9, 10**12})
"""Numbers that an expression may hold: of units, of the calendar, of means."""


@record
class Issue:
    """One thing that is wrong with an answer, in words for the model that wrote it."""

    quote: str
    reason: str
    names_data: bool = False
    """Whether the words tell something of the cells."""
    is_told: bool = True
    """Whether the model may learn of it at all."""


@record
class Filled:
    """A reference at its place in the filled text."""

    start: int
    end: int
    receipt: Receipt | None
    """Absent for a table."""
    figure: Figure | None
    """Absent for a table, and for a reference that could not be filled in."""


@record
class FilledText:
    """A text with its references filled in."""

    text: str
    places: tuple[Filled, ...]
    issues: tuple[Issue, ...]


def fill(
    parts: Sequence[Part], evaluator: Evaluator, language: Language, is_said: Callable[[Decimal], bool]
) -> FilledText:
    """Return the text of `parts`; `is_said` tells whether somebody but the model wrote a number."""
    text = ""
    places: list[Filled] = []
    issues: list[Issue] = []
    for part, following in zip(parts, (*parts[1:], Text(text="")), strict=True):
        if isinstance(part, Text):
            text += part.text
            continue
        figure = receipt = None
        written = part.written
        try:
            if isinstance(part, TableMark):
                written = evaluator.called(f"r{part.number}").result.mark
            else:
                figure = evaluator.evaluate(part.source)
                _check_constants(figure, is_said)
                after = following.text if isinstance(following, Text) else ""
                written = _written(part, figure, (text, after), language, evaluator)
                text, written = _with_sign_first(text, written)
        except EvaluationError as error:
            figure = None
            issues.append(Issue(quote=part.written, reason=error.message, names_data=error.names_data))
        if not isinstance(part, TableMark):
            receipt = _receipt(part, figure, written, len(text))
        places.append(Filled(start=len(text), end=len(text) + len(written), receipt=receipt, figure=figure))
        text += written
    return FilledText(text=text, places=tuple(places), issues=tuple(issues))


def _receipt(part: Reference, figure: Figure | None, written: str, start: int) -> Receipt:
    if figure is None:
        return Receipt(text=written, value=written, status="unverified", start=start)
    return Receipt(
        text=written,
        value=figure.value,
        status="verified" if figure.is_cell else "derived",
        expression=part.source,
        start=start,
        cells=figure.cells,
    )


def _written(
    part: Reference, figure: Figure, around: tuple[str, str], language: Language, evaluator: Evaluator
) -> str:
    """Return the text of a figure; raises `EvaluationError` where what stands around would make another of it."""
    written = write_value(figure.value, part.spec, language, is_label=figure.is_label)
    if isinstance(figure.value, bool) or not isinstance(figure.value, (int, float, Decimal)):
        return written
    check_around(*around)
    return with_unit(written, part.spec[-1:].replace("K", "k"), figure, around, language, evaluator)


def _check_constants(figure: Figure, is_said: Callable[[Decimal], bool]) -> None:
    for constant in figure.constants:
        exact = Decimal(str(constant))
        if exact not in _UNITS and not is_said(exact):
            raise EvaluationError(f"holds {constant}, which comes from no result")


def _with_sign_first(text: str, written: str) -> tuple[str, str]:
    """Write `-$5` for a negative figure after `$`."""
    if written.startswith("-") and _CURRENCY_BEFORE.search(text):
        return f"{text[:-1]}-{text[-1]}", written[1:]
    return text, written


@dataclass
class FigureStream:
    """Takes a template in pieces and passes on its text; what is in an open brace is held back."""

    results: Sequence[NumberedResult]
    question: str = ""
    by_label: bool = True
    _written: str = ""
    """All that came so far."""
    _shown: int = 0
    """How much of it was passed on."""
    _evaluator: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        results = {result.number: result for result in self.results}
        self._evaluator = Evaluator(results, by_label=self.by_label)

    def feed(self, text: str) -> str:
        """Return what of the text can be shown by now."""
        self._written += text
        return self._pass_on(open_brace(self._written, self._shown))

    def finish(self) -> str:
        """Return what was held back to the end."""
        return self._pass_on(len(self._written))

    def _pass_on(self, end: int) -> str:
        piece = self._written[self._shown : end]
        is_within = self._shown > 0 and self._written[self._shown - 1] != "\n"
        self._shown = end
        if "{" not in piece and "}" not in piece:
            return piece
        parts = parse_template(_WITHIN_A_LINE * is_within + piece)
        language = language_of(own_text(parse_template(self._written)), self.question)
        filled = fill(parts, self._evaluator, language, lambda _: True)
        return filled.text.removeprefix(_WITHIN_A_LINE)
