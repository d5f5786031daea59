"""Figures and plurals as a language writes them, each noted with its evidence; sentences that name rows, groups, values."""

from __future__ import annotations

import datetime as dt
from dataclasses import field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.answers.receipts import Receipt
from tabchat.engine.cells import shown_decimals
from tabchat.engine.result.units import SIGNS, with_unit
from tabchat.engine.types import is_finite
from tabchat.planner.intent import COUNT, Output
from tabchat.planner.wording.reading import ending_parts, scope_parts, subject_parts
from tabchat.record import mutable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Row, Value
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.wording.terms import Phrases, Terms

_TEENS: Final = range(11, 15)
_FEW: Final = range(2, 5)
_CALENDAR: Final = {
    "weekday": ("weekdays", "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "month_name": (
        "months",
        "January February March April May June July August September October November December",
    ),
}
"""Unit → where a language has the names of its days or months, and those that the engine gives them."""
_CENTS: Final = 2
"""Decimals of an amount of money."""
LISTED: Final = 3
"""Groups or rows that a sentence names at the most."""
_NAMED: Final = 10
"""Plain names, such as those of values, that a sentence gives at the most."""


@mutable
class Figures:
    """Writes the figures of one result; collects them as it writes."""

    phrases: Phrases
    key: str
    """Data key of the result."""
    units: Mapping[str, str]
    """Unit of each result column that has one."""
    stored: frozenset[str] = frozenset()
    """Result columns whose cells the table holds itself: they are written as they are."""
    receipts: list[Receipt] = field(default_factory=list)

    @property
    def words(self) -> Mapping[str, str]:
        """Templates of sentences."""
        return self.phrases.phrasing

    def figure(self, value: Value, column: str, place: str) -> str:
        """Write a value with its unit, and note it as traced to `place`."""
        text = self._shown(value, self.units.get(column), computed=column not in self.stored)
        # A time of day and a text such as `300-` hold figures, too.
        if any(map(str.isdigit, text)):
            self._note(text, value, place)
        return text

    def named(self, values: Mapping[str, Value], place: str, labels: Sequence[str] = ()) -> str:
        """Write values, each behind its name or its label."""
        return ", ".join(
            f"{label}: {self.figure(value, name, f'{place}.{name}')}"
            for label, (name, value) in zip(labels or values, values.items(), strict=True)
        )

    def counted(self, number: int, noun: str, place: str = ".rows") -> str:
        """Write a number of things in the right plural form, and note it: the rows of the result, if nothing else."""
        text = self._shown(number)
        self._note(text, number, place)
        return f"{text} {plural(number, self.words[noun], self.words['plural'])}"

    def _note(self, text: str, value: Value, place: str) -> None:
        self.receipts.append(
            Receipt(text=text, value=value, status="verified", evidence=f"{self.key}{place}")
        )

    def _shown(self, value: Value, unit: str | None = None, *, computed: bool = False) -> str:
        """Write a value as the language does: separators, words for yes, no and nothing."""
        match value:
            case None:
                return self.words["nothing"]
            case bool():
                return self.words["yes" if value else "no"]
            case int() | float() | Decimal():
                return self._measured(self._number(value, computed=computed, unit=unit), unit)
            case dt.datetime():
                return value.isoformat(sep=" ").removesuffix(" 00:00:00")
            case dt.date():
                return value.isoformat()
            case _:
                return str(value)

    def _measured(self, number: str, unit: str | None) -> str:
        """Write a number with its unit: an amount of money has two decimals or none."""
        if not unit or unit[0] not in SIGNS:
            return with_unit(number, self.words.get(f"unit_{unit}", unit))
        _, mark, fraction = number.rpartition(self.words["decimal"])
        padded = f"{number}0" if unit in SIGNS and mark and len(fraction) < _CENTS else number
        if self.words["sign"] == "before":
            return with_unit(padded, unit)
        return "\u00a0".join(filter(None, (padded, unit[1:].strip(), unit[0])))

    def label(self, value: Value, unit: str | None = None) -> str:
        """Write the name of a group or a row: a year or a code is no quantity, its digits stand together."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        names, own = _CALENDAR.get(unit or "", ("", ""))
        if value in own.split():
            return self.phrases.read_as[names].split("|")[own.split().index(str(value))]
        return self._shown(value)

    def _number(self, value: float | Decimal, *, computed: bool, unit: str | None = None) -> str:
        # As a fraction, a whole number beyond 2 ** 53 would be another one.
        exact = isinstance(value, int) or not is_finite(value)
        count = 0 if exact else shown_decimals(value, computed=computed)
        if computed and unit in SIGNS and abs(float(value)) >= 1 and round(value, _CENTS + 1) != value:
            # What is rounded anyway is told in cents.
            count = min(count, _CENTS)
        decimals = "" if exact else f".{count}f"
        whole, _, fraction = f"{value:,{decimals}}".partition(".")
        fraction = fraction.rstrip("0")
        whole = "0" if whole == "-0" and not fraction else whole.replace(",", self.words["thousands"])
        return f"{whole}{self.words['decimal']}{fraction}" if fraction else whole


def plural(number: int, forms: str, rule: str) -> str:
    """Choose a plural form: `one|other`, or by the Slavic rule `one|few|many`."""
    options = forms.split("|")
    if rule != "slavic":
        return options[0] if number == 1 else options[-1]
    tens, ones = abs(number) % 100, abs(number) % 10
    if tens in _TEENS:
        return options[2]
    return options[0] if ones == 1 else options[1] if ones in _FEW else options[2]


class Naming:
    """A result, and how its rows and groups are named."""

    def __init__(
        self,
        intent: Intent,
        result: Result,
        facts: TableFacts,
        terms: Terms,
        figures: Figures,
        run: Callable[[PlannedCall], Result] | None,
    ) -> None:
        self.intent, self.result, self.facts, self.run = intent, result, facts, run
        self.terms, self.figures, self.words = terms, figures, figures.words
        self.scope = scope_parts(intent, terms)
        self.columns = result.frame.columns
        self.keys = len(dict.fromkeys(intent.keys))

    @property
    def aside(self) -> str:
        """The filters in brackets."""
        return f" ({', '.join(self.scope)})" if self.scope else ""

    def _say(self, name: str, **holes: object) -> str:
        """Fill a template, with the filters in brackets for `scope` unless it is given."""
        said = self.words[name].format(**{"scope": self.aside, **holes})
        # A cell such as `м.` ends the sentence itself.
        return said[:-1] if said.endswith("..") and not said.endswith("...") else said

    def _called(self, name: str) -> str:
        """Return what a figure beside others is called: a side, or what becomes of both."""
        side = next((side for side in self.intent.sides if side.label == name), None)
        return self.words.get(f"{name}_of", name) if side is None else self.terms.side(side)

    def _subject(self) -> str:
        parts = [*subject_parts(self.intent, self.terms), *ending_parts(self.intent, self.terms)]
        return ", ".join(part for part in parts if part)

    def _rows(self) -> str:
        count = self.result.frame.row_count
        if self.scope and self.intent.output is Output.ROWS and self.intent.limit is None:
            matching = self.figures.counted(count, "matching")
            return self._say("count_where", rows=matching, scope=" · ".join(self.scope))
        return self._say("listed", rows=self.figures.counted(count, "row"))

    def _values(self) -> str:
        count, width = self.result.frame.row_count, len(self.intent.columns)
        names = [", ".join(map(self.figures.label, row[:width])) for row in self.result.frame.rows(_NAMED)]
        values = self.figures.counted(count, "different")
        column = ", ".join(self.intent.columns)
        return self._say("distinct", values=values, column=column, listed=self._and_more(names, count))

    def _missing(self) -> str:
        found = sorted((row for row in self.result.frame.rows() if row[1]), key=lambda row: -whole(row[1]))
        if not found:
            return self.words["complete"]
        named = [self._named(row, at, [0], 1) for at, row in enumerate(found[:LISTED])]
        return self._say("missing", listed=self._and_more(named, len(found)))

    def _ranked(self) -> str:
        """Name the first groups or rows, what they are the first of, and their figures."""
        intent, terms, count = self.intent, self.terms, self.result.frame.row_count
        order = intent.orders[0] if intent.orders else None
        is_best = intent.limit == 1 and not (intent.limit_keys or intent.offset) and len(intent.orders) == 1
        if intent.output is Output.ROWS and order is not None:
            place = self.columns.index(str(order.column)) if order.column in self.columns else 0
            keys = [label for label in self._label_columns() if label != place]
        else:
            place, keys = self._measured(), [*range(self.keys)]
        named = [self._named(row, at, keys, place) for at, row in enumerate(self.result.frame.rows(LISTED))]
        subject = self._subject()
        if is_best and order is not None and (intent.output is Output.ROWS or order.column is None):
            if order.column is not None:
                ranked_by = terms.column(order.column)
            else:
                ranked_by = terms.measure(intent.measures[order.measure] if intent.measures else COUNT)
                if intent.output is Output.CHANGE:
                    ranked_by = terms.say(f"change_{intent.change or 'difference'}", m=ranked_by)
            said = terms.keys(intent.keys) or terms.columns(intent.columns) or terms.words["rows"]
            subject = self._say("highest" if order.descending else "lowest", k=said, m=ranked_by)
        template = "tied" if is_best and count > 1 else "winner"
        return self._say(template, subject=subject, listed=self._and_more(named, count))

    def _label_columns(self) -> list[int]:
        """Return the places of the columns that name the rows: those asked for, or the first one of unique texts."""
        unique = [column.name for column in self.facts.columns if column.unique and column.texts]
        return [
            self.columns.index(name) for name in self.intent.columns or unique[:1] if name in self.columns
        ]

    def _groups(self) -> str:
        place = self._measured()
        rows = self.result.frame.rows()
        ranked = [(value, row) for row in rows if isinstance(value := row[place], int | float | Decimal)]
        counted = self.figures.counted(len(rows), "group" if self.keys else "row")
        keys = [*range(max(self.keys, 1))]
        if len(ranked) < 2 or place in keys:  # noqa: PLR2004 - one group has no extremes
            return self._say("grouped_only", groups=counted)
        numbers = [number for number, _ in ranked]
        if min(numbers) == max(numbers):
            return self._say("grouped_even", groups=counted, value=self._figure(ranked[0][1], 0, keys, place))
        high, low = (
            self._tied([row for number, row in ranked if number == end], keys, place)
            for end in (max(numbers), min(numbers))
        )
        return self._say("grouped", groups=counted, high=high, low=low)

    def _measured(self) -> int:
        """Return the place of the figure that groups are told by."""
        intent, last = self.intent, len(self.columns) - 1
        if intent.output is Output.CHANGE or intent.comparison in {"difference", "ratio", "percent"}:
            return last
        first = intent.orders[0].measure if intent.orders and intent.orders[0].column is None else 0
        if intent.output is Output.COMPARISON:
            first = 1
        return min(self.keys + (0 if intent.output is Output.DISTRIBUTION else first), last)

    def _tied(self, rows: Sequence[Row], keys: Sequence[int], place: int) -> str:
        """Name the groups that share an extreme, the first few of them, and their figure once."""
        names = [self._label(row, keys) for row in rows]
        more = " …" if len(names) > LISTED else ""
        figure = self._figure(rows[0], 0, keys, place)
        return f"{' · '.join(names[:LISTED])}{more} ({figure})"

    def _named(self, row: Row, at: int, keys: Sequence[int], place: int) -> str:
        figure = self._figure(row, at, keys, place)
        return f"{self._label(row, keys)} ({figure})" if keys else figure

    def _label(self, row: Row, keys: Sequence[int]) -> str:
        units = dict(enumerate(key.unit for key in dict.fromkeys(self.intent.keys)))
        return ", ".join(self.figures.label(row[key], units.get(key)) for key in keys)

    def _figure(self, row: Row, at: int, keys: Sequence[int], place: int) -> str:
        where = ", ".join(self.figures.label(row[key]) for key in keys)
        where = f"[{self.columns[keys[0]]}={where}]" if keys else f"[{at}]"
        return self.figures.figure(row[place], self.columns[place], f"{where}.{self.columns[place]}")

    def _and_more(self, named: Sequence[str], count: int) -> str:
        text, more = ", ".join(named), count - len(named)
        return (
            text if more <= 0 else self._say("and_more", listed=text, rows=self.figures.counted(more, "more"))
        )


def whole(value: Value) -> int:
    """Return a count that came as any kind of number."""
    return int(value) if isinstance(value, int | float | Decimal) else 0
