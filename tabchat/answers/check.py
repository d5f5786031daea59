"""From a model's text to the answer that a person reads: filled in, every figure with a receipt, and what is wrong."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.answers.digits import SegmentLinker
from tabchat.answers.evaluate import Evaluator
from tabchat.answers.feedback import feedback_of, suggestion
from tabchat.answers.fill import Issue, fill
from tabchat.answers.labels import find_mentions
from tabchat.answers.names import header_spans, name_spans, named_in
from tabchat.answers.prose import list_numbers, segments_of
from tabchat.answers.receipts import Receipt, Verification
from tabchat.answers.template import own_text, parse_template
from tabchat.engine.result.labels import fold, label_text
from tabchat.languages.notation import CURRENCY, CURRENCY_CODES, ENGLISH, language_of
from tabchat.languages.written import read_dates, read_numbers
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from decimal import Decimal

    from tabchat.answers.fill import Filled
    from tabchat.answers.labels import Mention
    from tabchat.answers.prose import Segment
    from tabchat.answers.receipts import Verdict
    from tabchat.answers.results import NumberedResult
    from tabchat.engine.result.lookup import Line
    from tabchat.engine.types import JsonValue
    from tabchat.languages.written import WrittenDate, WrittenNumber

_NEW_CLAUSE: Final = re.compile(
    r"[,;:|()—–\n]|\b(?:and|but|while|whereas|versus|vs|і|й|та|а|але|тоді|и|но|тогда)\b", re.IGNORECASE
)
"""What parts a figure from a label that is not its own; without it a label may be that of the figure before."""


@record
class Said:
    """A label that a text names, or a figure that it takes from the row of a label."""

    start: int
    end: int
    label: str
    is_figure: bool


def crossed(text: str, said: Iterable[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield the figures that stand behind each other's labels, each with the label that it stands behind.

    Only where no other reading is left: one label in front of each figure, or of several of one row, each pair in a clause
    of its own, and the figures that are behind a wrong label are of these very labels.
    """
    order = sorted(said, key=lambda one: one.start)
    pairs = list(_pairs(text, order))
    wrong = [(figure, name) for figure, name in pairs if figure.label != name.label]
    if {figure.label for figure, _ in wrong} == {name.label for _, name in wrong}:
        yield from wrong


def _pairs(text: str, order: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield each figure with the label in front of it; nothing when the two do not take turns."""
    turns = [list(group) for _, group in itertools.groupby(order, key=lambda one: one.is_figure)]
    names, figures = turns[::2], turns[1::2]
    if not order or order[0].is_figure or len(names) != len(figures):
        return
    if any(len({one.label for one in group}) > 1 for group in turns):
        return
    for group, following in zip(figures, names[1:], strict=False):
        if not _NEW_CLAUSE.search(text, group[-1].end, following[0].start):
            return
    for group, own in zip(names, figures, strict=True):
        yield from ((figure, group[-1]) for figure in own)


_FILLED: Final = "\ufffc"
"""Stands for every character that is not the model's own while its digits are looked at."""

_OPEN: Final = re.compile(r"\{\s*(?:\w+\(\s*)?[rR]\d{1,6}(?:\.\w+|\[[^\]\n]*\]?)+\)?(?::[^\s{}]*\}?)?")
"""A reference that was left open; those that are whole are filled in by now."""
_LIMIT: Final = re.compile(r"\b(?:limit|offset|fetch first)\b\W{1,4}\d+", re.IGNORECASE)
_AMOUNT: Final = re.compile(rf"[{CURRENCY}]|{CURRENCY_CODES}")


@record
class AnswerContext:
    """What an answer may rest on."""

    results: Sequence[NumberedResult]
    """The results of the conversation, oldest first."""
    question: str = ""
    arguments: Sequence[str] = ()
    """What the plans, SQL and code of this conversation hold."""
    texts: Sequence[str] = ()
    """What the model was told by tools, in which names stand."""
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
    """The same for a model that may be told nothing of the cells."""


def check_answer(text: str, context: AnswerContext) -> CheckedAnswer:
    """Fill the references of `text` in and check the digits that it holds beside them."""
    return _Check(text, context).checked()


class _Check:
    """One text on its way."""

    def __init__(self, text: str, context: AnswerContext) -> None:
        self._context = context
        self._results = {result.number: result for result in context.results}
        parts = parse_template(text)
        self._language = language_of(own_text(parts), context.question)
        evaluator = Evaluator(self._results, by_label=context.shows_values)
        filled = fill(parts, evaluator, self._language, self._is_said)
        self._text, self._places = filled.text, filled.places
        self._issues = list(filled.issues)
        self._receipts = [place.receipt for place in filled.places if place.receipt is not None]
        self._masked = self._mask()
        self._mentions = find_mentions(self._masked, context.results)
        self._shown = self._mentions if context.shows_values else []
        self._dates = list(read_dates(self._masked))
        self._numbers = list(read_numbers(self._without_names(), self._language))

    def checked(self) -> CheckedAnswer:
        """Return the answer with everything checked."""
        self._check_text()
        receipts = tuple(sorted(self._receipts, key=lambda receipt: receipt.start or 0))
        doubtful = any(receipt.status == "unverified" for receipt in receipts)
        has_figures = bool(receipts or (self._results and self._numbers))
        status: Verdict = "unverified" if doubtful else "verified" if has_figures else "not_applicable"
        return CheckedAnswer(
            text=self._text,
            verification=Verification(status=status, receipts=receipts),
            issues=tuple(f"{issue.quote}: {issue.reason}" for issue in self._issues),
            feedback=feedback_of(self._issues, reveals=self._context.shows_values),
            discreet_feedback=feedback_of(self._issues, reveals=False),
        )

    def _mask(self) -> str:
        spans = [(place.start, place.end) for place in self._places]
        spans += list_numbers(self._text)
        spans += header_spans(self._text, self._context.names)
        masked = _masked(self._text, spans)
        self._open = [match.span() for match in _OPEN.finditer(masked)]
        return _masked(masked, self._open)

    def _without_names(self) -> str:
        """Return the text without anything whose numerals are no figure; what else holds one is a figure."""
        taken = [(date.start, date.end) for date in self._dates]
        taken += [(one.start, one.end) for one in self._shown if not one.is_number]
        rest = _masked(self._masked, taken)
        said = named_in((self._context.question, *self._context.arguments, *self._context.texts))
        return _masked(rest, list(name_spans(rest, said)))

    def _check_text(self) -> None:
        for start, end in self._open:
            self._doubt(
                self._text[start:end], start, "is never closed: end it with }, its quotes and brackets before"
            )
        for date in self._dates:
            if not self._is_known(date):
                self._doubt(date.text, date.start, "is typed; write the date as an expression in braces")
        for segment in segments_of(self._masked):
            places = [place for place in self._places if segment.start <= place.start < segment.end]
            self._check_digits(segment, places)
            self._check_labels(segment, places)

    def _check_digits(self, segment: Segment, places: Sequence[Filled]) -> None:
        inside = [one for one in self._numbers if segment.start <= one.start < segment.end]
        inside = [one for one in inside if not self._is_exempt(one)]
        starts = {mention.start for mention in self._shown if mention.is_number}
        plain = [one for one in inside if one.scale == 1 and not one.is_percent]
        labels = [one for one in plain if one.start in starts]
        linker = self._linker(segment, [number for number in inside if number not in labels])
        links = linker.links()
        cited = [*(link.lines for link in links.values()), *map(_lines, places)]
        rows = {(of, line.position) for lines in cited for of, line in lines}
        for number in inside:
            if number in labels:
                if self._names_row(number, rows):
                    continue
                links |= self._linker(segment, [number]).links()
            link = links.get(number)
            if link is None:
                self._doubt(number.text, number.start, f"is typed; {suggestion(linker, number)}")
                continue
            self._receipts.append(link.receipt(number))

    def _linker(self, segment: Segment, numbers: Sequence[WrittenNumber]) -> SegmentLinker:
        return SegmentLinker(
            text=self._masked,
            segment=segment,
            numbers=numbers,
            mentions=self._shown,
            results=self._context.results if self._context.shows_values else (),
            told=self._context.told,
        )

    def _check_labels(self, segment: Segment, places: Sequence[Filled]) -> None:
        """Object where a segment names one label of a key column and its references cite exactly one other, or are exchanged."""
        inside = [one for one in self._mentions if segment.start <= one.start < segment.end]
        for number, column in (
            (result.number, name) for result in self._context.results for name in result.naming
        ):
            said = [one for one in inside if (one.number, one.column) == (number, column)]
            rows = [(place, line) for place in places for of, line in _lines(place) if of == number]
            labels = [(place, fold(label_text(line.cells[column]))) for place, line in rows]
            cited = {label for place, label in labels if not _is_label(place)}
            named = {one.label for one in said} | {label for place, label in labels if _is_label(place)}
            if said and len(named) == len(cited) == 1 and named != cited:
                text = self._text[said[0].start : said[0].end]
                self._mismatch({place.start for place, _ in labels if not _is_label(place)}, text)
            for figure, name in crossed(self._text, _in_order(said, labels)):
                self._mismatch({figure.start}, self._text[name.start : name.end])

    def _mismatch(self, starts: set[int], label: str) -> None:
        reason = f'is of another row than "{label}", which the sentence names'
        for place, receipt in enumerate(self._receipts):
            if receipt.start in starts and receipt.status in {"verified", "derived"}:
                self._receipts[place] = replace(receipt, status="unverified")
                told = self._context.shows_values
                quote = f"{{{receipt.expression}}}"
                self._issues.append(Issue(quote=quote, reason=reason, names_data=True, is_told=told))

    def _doubt(self, text: str, start: int, reason: str) -> None:
        self._receipts.append(Receipt(text=text, value=text, status="unverified", start=start))
        self._issues.append(Issue(quote=text.strip(), reason=reason, names_data=True))

    def _is_exempt(self, number: WrittenNumber) -> bool:
        if number.is_year and int(number.text) in self._years:
            return True
        if number.text == "1" and re.fullmatch(r"[\d\ufffc]:", self._masked[number.start - 2 : number.start]):
            return True  # of a ratio, `3:1`
        is_amount = number.is_percent or _AMOUNT.search(number.text) is not None
        conditions = self._limited if is_amount else self._conditions
        return any(
            (number.is_percent, number.scale, reading) in self._asked
            or (number.scale == 1 and abs(reading) in conditions)
            for reading, _ in number.readings
        )

    def _is_said(self, value: Decimal) -> bool:
        return value in self._conditions or any(value == asked for _, _, asked in self._asked)

    @cached_property
    def _asked(self) -> set[tuple[bool, int, Decimal]]:
        """Numbers in the question: percent sign, scale, value."""
        numbers = read_numbers(self._context.question, language_of(self._context.question))
        return {(one.is_percent, one.scale, reading) for one in numbers for reading, _ in one.readings}

    @cached_property
    def _conditions(self) -> set[Decimal]:
        """Numbers in the arguments of plans, whatever their sign; a part of one also as a percentage."""
        return _values(self._context.arguments)

    @cached_property
    def _limited(self) -> set[Decimal]:
        """Those that may be a percentage or money: not how many rows are wanted."""
        return _values(_LIMIT.sub(" ", text) for text in self._context.arguments)

    @cached_property
    def _days(self) -> set[tuple[int, int, int]]:
        """The dates that are labels, or that were said."""
        texts = [self._context.question, *self._context.arguments]
        for result in self._context.results if self._context.shows_values else ():
            for name in result.naming:
                texts += map(label_text, result.labels(name, self._text).values())
        dates = [date for text in texts for date in read_dates(text)]
        return {(date.year or 0, date.month, date.day or 1) for date in dates}

    @cached_property
    def _years(self) -> set[int]:
        labels = {one.label for one in self._shown if re.fullmatch(r"[12]\d{3}", one.label)}
        return {year for year, _, _ in self._days} | set(map(int, labels))

    def _is_known(self, date: WrittenDate) -> bool:
        known = any(date.fits(*day) for day in self._days)
        return known or any(one.start < date.end and date.start < one.end for one in self._shown)

    def _names_row(self, number: WrittenNumber, rows: set[tuple[int, int]]) -> bool:
        """Return whether a number is the label of a row that the segment takes a figure from."""
        mentions = [one for one in self._shown if one.start == number.start]
        found = [(one.number, self._results[one.number].find([one.label])) for one in mentions]
        return any((of, line.position) in rows for of, lines in found for line in lines)


def _values(texts: Iterable[str]) -> set[Decimal]:
    numbers = [number for text in texts for number in read_numbers(text, ENGLISH)]
    values = {abs(reading) for number in numbers for reading, _ in number.readings}
    return values | {value * 100 for value in values if value <= 1}


def _masked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    masked = list(text)
    for start, end in spans:
        masked[start:end] = _FILLED * (end - start)
    return "".join(masked)


def _lines(place: Filled) -> Sequence[tuple[int, Line]]:
    return place.figure.lines if place.figure is not None else ()


def _in_order(said: Sequence[Mention], labels: Sequence[tuple[Filled, str]]) -> Iterator[Said]:
    """Yield the labels that a segment names, and those of the rows that its references take a figure from."""
    yield from (Said(start=one.start, end=one.end, label=one.label, is_figure=False) for one in said)
    rows = Counter(place.start for place, _ in labels)
    for place, label in labels:
        if rows[place.start] == 1:
            yield Said(start=place.start, end=place.end, label=label, is_figure=not _is_label(place))


def _is_label(place: Filled) -> bool:
    return place.figure is not None and place.figure.is_label
