"""From a model's text to the answer that a person reads: filled in, every figure with a receipt, and what is wrong."""

from __future__ import annotations

import re
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.answers.digits import Linker
from tabchat.answers.evaluate import Evaluator
from tabchat.answers.feedback import feedback_of, suggestion
from tabchat.answers.fill import Issue, fill
from tabchat.answers.labels import find_mentions
from tabchat.answers.languages import ENGLISH, language_of
from tabchat.answers.prose import list_numbers, segments_of
from tabchat.answers.receipts import Receipt, Verification, verification_of
from tabchat.answers.results import ResultCells, fold, label_text
from tabchat.answers.template import Text, parse_template
from tabchat.answers.written import read_dates, read_numbers
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from tabchat.answers.fill import Filled
    from tabchat.answers.prose import Segment
    from tabchat.answers.results import Line, NumberedResult
    from tabchat.answers.written import WrittenDate, WrittenNumber
    from tabchat.engine.types import JsonValue

_FILLED: Final = "\ufffc"
"""Stands for every character that is not the model's own while its digits are looked at."""


@record
class AnswerContext:
    """What an answer may rest on."""

    results: Sequence[NumberedResult]
    """The results of the conversation, oldest first."""
    question: str = ""
    arguments: Sequence[str] = ()
    """What the plans, SQL and code of this conversation hold."""
    told: Mapping[str, JsonValue] = field(default_factory=dict)
    """Figures that the model was told beside the results, such as `{"sales.rows": 5000}`."""
    names: Sequence[str] = ()
    """Names of tables and columns."""
    shows_values: bool = True
    """Whether the model was told values; False at level strict."""


@record
class CheckedAnswer:
    """A text as the person will read it, with the verdict on its figures."""

    text: str
    verification: Verification
    issues: tuple[str, ...] = ()
    """What is wrong with it, in words for the model and the person."""
    feedback: str | None = None
    """What to tell the model, when it should write the text again; begins `Validation errors:`."""
    discreet_feedback: str | None = None
    """The same for a model that may not be told anything of the cells."""


def check_answer(text: str, context: AnswerContext) -> CheckedAnswer:
    """Fill the references of `text` in and check the digits that it holds beside them."""
    return _Check(context).run(text)


class _Check:
    """One text on its way."""

    def __init__(self, context: AnswerContext) -> None:
        self._context = context
        self._results = {given.number: ResultCells(given) for given in context.results}

    def run(self, text: str) -> CheckedAnswer:
        parts = parse_template(text)
        own = "".join(part.text for part in parts if isinstance(part, Text))
        self._language = language_of(own, self._context.question)
        evaluator = Evaluator(self._results, by_label=self._context.shows_values)
        filled = fill(parts, evaluator, self._language, self._is_said)
        self._text = filled.text
        self._places = filled.places
        self._issues = list(filled.issues)
        self._receipts = [place.receipt for place in filled.places if place.receipt is not None]
        self._masked = self._mask()
        self._mentions = find_mentions(self._masked, self._results.values())
        shown = self._mentions if self._context.shows_values else []
        self._linker = Linker(
            text=self._masked,
            results=list(self._results.values()) if self._context.shows_values else [],
            mentions=shown,
            told=self._context.told,
        )
        self._check_digits()
        receipts = tuple(sorted(self._receipts, key=lambda receipt: receipt.start or 0))
        return CheckedAnswer(
            text=self._text,
            verification=verification_of(receipts, has_results=bool(self._results)),
            issues=tuple(f"{issue.quote}: {issue.reason}" for issue in self._issues),
            feedback=feedback_of(self._issues, reveals=self._context.shows_values),
            discreet_feedback=feedback_of(self._issues, reveals=False),
        )

    def _mask(self) -> str:
        spans = [(place.start, place.end) for place in self._places]
        spans += list_numbers(self._text)
        for name in [name for name in self._context.names if re.search(r"\d", name)]:
            spans += [match.span() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", self._text)]
        masked = list(self._text)
        for start, end in spans:
            masked[start:end] = _FILLED * (end - start)
        return "".join(masked)

    def _check_digits(self) -> None:
        dates = list(read_dates(self._masked))
        words = [mention for mention in self._mentions if not mention.is_number]
        taken = [(one.start, one.end) for one in (*dates, *(words if self._context.shows_values else ()))]
        numbers = [
            number
            for number in read_numbers(self._masked, self._language)
            if not any(start < number.end and number.start < end for start, end in taken)
        ]
        for date in dates:
            if not self._is_known_date(date):
                self._doubt(date.text, date.start, "is typed; write the date as an expression in braces")
        for segment in segments_of(self._masked):
            inside = [number for number in numbers if segment.start <= number.start < segment.end]
            self._check_segment(segment, inside)
            self._check_labels(segment)

    def _check_segment(self, segment: Segment, numbers: Sequence[WrittenNumber]) -> None:
        labels = {mention.start for mention in self._linker.mentions if mention.is_number}
        figures = [number for number in numbers if number.start not in labels and not self._is_exempt(number)]
        links = self._linker.link(segment, figures)
        lines = {(number, line.position) for link in links.values() for number, line in link.lines}
        lines |= {
            (number, line.position) for place in self._inside(segment) for number, line in _lines(place)
        }
        for number in numbers:
            if number.start in labels and not self._is_exempt(number) and not self._names_one(number, lines):
                figures.append(number)
                links |= self._linker.link(segment, [number])
        for number in figures:
            link = links.get(number)
            if link is None:
                hint = suggestion(self._linker, segment, number, figures, self._language)
                self._doubt(number.text, number.start, f"is typed; {hint}")
                continue
            receipt = Receipt(
                text=number.text,
                value=link.value,
                status="linked",
                expression=link.expression,
                start=number.start,
                cells=link.cells,
            )
            self._receipts.append(receipt)

    def _check_labels(self, segment: Segment) -> None:
        """Object where a segment names one label of a key column and its references cite exactly one other."""
        places = self._inside(segment)
        for number, cells in self._results.items():
            for column in cells.naming:
                named = {
                    mention.label
                    for mention in self._mentions
                    if mention.number == number and mention.column == column
                    if segment.start <= mention.start < segment.end
                }
                cited: set[str] = set()
                quoted: list[Filled] = []
                for place in places:
                    labels = {
                        fold(label_text(line.cells[column])) for of, line in _lines(place) if of == number
                    }
                    if place.figure is not None and place.figure.is_label:
                        named |= labels
                    elif labels:
                        cited |= labels
                        quoted.append(place)
                if len(named) == len(cited) == 1 and named != cited:
                    self._mismatch(quoted, named.pop())

    def _mismatch(self, places: Sequence[Filled], label: str) -> None:
        for place in places:
            receipt = place.receipt
            if receipt is None or receipt.status == "unverified":
                continue
            self._receipts[self._receipts.index(receipt)] = replace(receipt, status="unverified")
            reason = f'is of another row than "{label}", which the sentence names'
            quote = f"{{{receipt.expression}}}"
            told = self._context.shows_values
            self._issues.append(Issue(quote=quote, reason=reason, names_data=True, is_told=told))

    def _doubt(self, text: str, start: int, reason: str) -> None:
        self._receipts.append(Receipt(text=text, value=text, status="unverified", start=start))
        self._issues.append(Issue(quote=text.strip(), reason=reason, names_data=True))

    def _inside(self, segment: Segment) -> list[Filled]:
        return [place for place in self._places if segment.start <= place.start < segment.end]

    # What need not come from a result

    def _is_exempt(self, number: WrittenNumber) -> bool:
        if number.is_year and int(number.text) in self._years:
            return True
        return any(
            (number.is_percent, number.scale, reading) in self._said
            or (number.scale == 1 and abs(reading) in self._conditions)
            for reading, _ in number.readings
        )

    def _is_said(self, value: Decimal) -> bool:
        return value in self._conditions or any(value == said for _, _, said in self._said)

    @cached_property
    def _said(self) -> set[tuple[Decimal, bool, int]]:
        """Numbers in the question and in the arguments of plans: value, percent sign, scale."""
        question = read_numbers(self._context.question, language_of(self._context.question))
        arguments = [number for text in self._context.arguments for number in read_numbers(text, ENGLISH)]
        said = {
            (reading, number.is_percent, number.scale)
            for number in (*question, *arguments)
            for reading, _ in number.readings
        }
        return said | {
            (value * 100, True, 1) for value, percent, _ in said if not percent and abs(value) <= 1
        }

    @cached_property
    def _days(self) -> set[tuple[int, int, int]]:
        """The dates that results hold."""
        days = set()
        if self._context.shows_values:
            for cells in self._results.values():
                temporal = [name for name, column in cells.columns.items() if column.kind.is_temporal]
                texts = [name for name in cells.keys if name not in temporal]
                for line in cells.shown() if temporal or texts else ():
                    for name in (*temporal, *texts):
                        for date in read_dates(label_text(line.cells[name])):
                            days.add((date.year or 0, date.month, date.day or 1))
        return days

    @cached_property
    def _said_dates(self) -> list[WrittenDate]:
        texts = (self._context.question, *self._context.arguments)
        return [date for text in texts for date in read_dates(text)]

    @cached_property
    def _years(self) -> set[int]:
        years = {year for year, _, _ in self._days} | {date.year or 0 for date in self._said_dates}
        labels = {mention.label for mention in self._linker.mentions if mention.is_number}
        return years | {int(label) for label in labels if re.fullmatch(r"[12]\d{3}", label)}

    def _is_known_date(self, date: WrittenDate) -> bool:
        known = [
            (said.year or date.year or 0, said.month, said.day or date.day or 1) for said in self._said_dates
        ]
        if any(date.fits(*day) for day in (*self._days, *known)):
            return True
        return any(one.start < date.end and date.start < one.end for one in self._linker.mentions)

    def _names_one(self, number: WrittenNumber, lines: set[tuple[int, int]]) -> bool:
        """Return whether a number is the label of a row that the segment takes a figure from."""
        for mention in self._linker.mentions:
            if mention.start != number.start:
                continue
            cells = self._results[mention.number]
            if any((cells.number, line.position) in lines for line in cells.find([mention.label])):
                return True
        return False


def _lines(place: Filled) -> Sequence[tuple[int, Line]]:
    return place.figure.lines if place.figure is not None else ()
