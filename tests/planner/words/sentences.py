"""Questions taken apart for the tests, and short ways to write down what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.words import read_sentence, shipped_languages
from tabchat.planner.words.calendar import YEAR_DAY, YEAR_DAYS, date_of

if TYPE_CHECKING:
    from tabchat.planner.intent import Period
    from tabchat.planner.words import Quantity, Sentence, TimeSpan


def read(text: str, known: frozenset[str] = frozenset()) -> Sentence:
    return read_sentence(text, lexicons=shipped_languages(), known=known)


def concepts(text: str) -> set[tuple[str, str]]:
    """Return (concept, the words that say it) of a question."""
    sentence = read(text)
    return {
        (concept.name, " ".join(word.norm for word in sentence.words[concept.start : concept.end]))
        for concept in sentence.concepts
    }


def longest_times(text: str) -> list[str]:
    """Return the times of a question that lie within no other."""
    spans = read(text).times
    return [
        shown_time(span)
        for span in spans
        if not any(
            other.start <= span.start
            and span.end <= other.end
            and (other.start, other.end) != (span.start, span.end)
            for other in spans
        )
    ]


def shown_time(span: TimeSpan) -> str:
    said = [shown_period(span.period)] if span.period is not None else []
    said += [f"{unit} {shown_numbers(unit, numbers)}" for unit, numbers in span.parts]
    if span.periods:
        said.append(" | ".join(shown_period(period) for period in span.periods))
    return "; ".join([*said, *([span.opened] if span.opened else [])])


def shown_numbers(unit: str, numbers: tuple[int, ...]) -> str:
    """Write numbers of a part of the calendar; days of the year as dates, a stretch of them by its ends."""
    if unit != YEAR_DAY:
        return " ".join(map(str, numbers))
    dates = [f"{date_of(number):%m-%d}" for number in numbers]
    stretch = len(numbers) == (numbers[-1] - numbers[0]) % YEAR_DAYS + 1
    return f"{dates[0]}..{dates[-1]}" if stretch and len(dates) > 1 else " ".join(dates)


def shown_period(period: Period) -> str:
    if period.count is not None:
        return f"last {period.count} {period.unit}"
    if period.ago is not None:
        return f"{period.unit} {period.ago} ago"
    return f"{period.unit} {period.start or ''}..{period.end or ''}"


def shown_quantity(quantity: Quantity) -> str:
    unit = "%" if quantity.percent else quantity.unit or ""
    ordinal = "th" if quantity.ordinal else ""
    return f"{quantity.value:g}{ordinal} {unit}".strip()
