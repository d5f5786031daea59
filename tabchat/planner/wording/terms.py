"""What an intent is made of, in words: columns, values, conditions, periods, measures, keys.

Terms are exact: what computes something else is said otherwise. A name or a text that could be taken for words of the
reading is put in quotes. The words of a language are in its `phrases.<language>.toml`.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Condition, Measure, Operator
from tabchat.planner.words.data_files import DataFiles
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.intent import Clause, Having, Key, Period, Scalar
    from tabchat.planner.words.data_files import Sections

LANGUAGES: Final = ("en", "uk", "ru")
"""Languages that readings and results are said in."""


@record
class Phrases:
    """Templates of one language, by name."""

    read_as: Mapping[str, str]
    phrasing: Mapping[str, str]
    suggestions: Mapping[str, str]
    refusals: Mapping[str, str]


@cache
def phrases_of(language: str) -> Phrases:
    """Return the templates of a language, those of English for one that is not spoken."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    return Phrases(**phrase_files(spoken).sections())


def phrase_files(language: str) -> DataFiles:
    """Return the data file of the templates of a language."""

    def read(text: str) -> Sections:
        from tabchat.planner.words.lexicon_file import read_sections

        return read_sections(text)

    path = Path(__file__).with_name(f"phrases.{language}.toml")
    code = tuple(Path(__file__).parents[1] / "words" / name for name in ("lexicon_file.py", "token.py"))
    return DataFiles(paths=(path,), code=code, compiled=path.with_suffix(".compiled"), read=read)


_PLAIN: Final = re.compile(r"[^\W\d](?:[\w .&'’/#№%$€£₴₽+-]*[\w.%$€£₴₽])?")
"""A text that needs no quotes, unless one of its words is of the reading."""
_LISTS: Final = frozenset({Operator.IN, Operator.NOT_IN})
_ENDS: Final = 2


class Terms:
    """Writes parts of an intent over one table in one language."""

    def __init__(self, phrases: Phrases, facts: TableFacts) -> None:
        self.words = phrases.read_as
        self._facts = facts

    def say(self, name: str, **holes: object) -> str:
        """Fill a template of the language."""
        return self.words[name].format(**holes)

    @cached_property
    def _reserved(self) -> frozenset[str]:
        return frozenset(self.words["reserved"].split())

    @cached_property
    def _dates(self) -> tuple[str, ...]:
        columns = self._facts.columns
        kinds = (
            [column.name for column in columns if column.kind.is_temporal],
            [column.name for column in columns if column.span is not None],
            [column.name for column in columns if column.years],
        )
        return tuple(next(filter(None, kinds), ()))

    def text(self, text: str) -> str:
        """Write a text so that it cannot be taken for anything else."""
        if _PLAIN.fullmatch(text) and "  " not in text and not self._reserved & set(text.casefold().split()):
            return text
        return self.words["quoted"].format(text.replace("“", "““").replace("”", "””"))

    def column(self, name: str) -> str:
        """Write the name of a column."""
        return self.words["column"].format(self.text(name))

    def columns(self, names: Iterable[str]) -> str:
        """Write names of columns."""
        return self.words["listed"].join(self.column(name) for name in names)

    def value(self, value: Scalar, part: str | None = None) -> str:
        """Write a value; of a calendar part by its name."""
        match value:
            case bool():
                return self.words["yes" if value else "no"]
            case str():
                return self.text(value)
            case int() | float() if part in {"month", "weekday"}:
                names = self.words["months" if part == "month" else "weekdays"].split("|")
                place = int(value) - (part == "month")
                return (
                    names[place]
                    if 0 <= place < len(names) and place == value - (part == "month")
                    else f"{value}"
                )
            case int() | float():
                return plain_number(value)
            case dt.datetime():
                return value.isoformat(sep=" ")
            case _:
                return value.isoformat()

    def clause(self, clause: Clause) -> str:
        """Write a condition, or alternatives in brackets."""
        if isinstance(clause, AnyOf):
            said = self.words["either"].join(self.condition(item) for item in clause.conditions)
            return f"({said})" if len(clause.conditions) > 1 else said
        return self.condition(clause)

    def clauses(self, clauses: Sequence[Clause]) -> str:
        """Write conditions that all hold."""
        return self.words["both"].join(self.clause(clause) for clause in clauses)

    def condition(self, condition: Condition) -> str:
        """Write one condition."""
        if condition.part == "mean":
            column = self.column(condition.column)
            return self.say(condition.operator.value, c=column, v=self.say("mean", c=column))
        column = self._part(condition.column, condition.part)
        if condition.part in {"row_before", "row_after"}:
            column = self.say(condition.part, c=self.column(condition.column))
        if condition.other is not None:
            return self.say(condition.operator.value, c=column, v=self._part(condition.other, condition.part))
        values = [self.value(value, condition.part) for value in condition.values]
        if condition.operator in _LISTS:
            return self.say(condition.operator.value, c=column, v=self.words["listed"].join(values))
        low, high = (*values, "", "")[:_ENDS]
        return self.say(condition.operator.value, c=column, v=low, w=high)

    def _part(self, column: str, part: str | None) -> str:
        said = self.column(column)
        return said if part is None else self.say("part_of", u=self.words.get(part, part), c=said)

    def period(self, period: Period) -> str:
        """Write a stretch of time, with its date where the table has several."""
        said = self._stretch(period)
        if period.column is None and len(self._dates) < _ENDS:
            return said
        column = period.column or (self._dates[0] if self._dates else "")
        return said if (column,) == self._dates else self.say("dated", t=said, c=self.column(column))

    def _stretch(self, period: Period) -> str:
        unit = period.unit or "day"
        if period.count is not None:
            return self.say(f"{unit}s_back", n=period.count)
        if period.ago is not None:
            named = {0: f"this_{unit}", 1: f"last_{unit}"}.get(period.ago)
            return self.words[named] if named is not None else self.say(f"{unit}s_ago", n=period.ago)
        start, end = period.start, period.end
        if start is None or end is None:
            return self.say("since", t=start) if start is not None else self.say("until", t=end)
        return self._span(start, end)

    def _span(self, start: dt.date, end: dt.date) -> str:
        if start == end:
            return start.isoformat()
        if start == dt.date(start.year, 1, 1) and (end.month, end.day) == (12, 31):
            return f"{start.year}" if start.year == end.year else f"{start.year}–{end.year}"
        month_end = (end + dt.timedelta(days=1)).day == 1 if end < dt.date.max else True
        if start.day == 1 and month_end and (start.year, start.month) == (end.year, end.month):
            return f"{start:%Y-%m}"
        return self.say("from_to", t=start, t2=end)

    def measure(self, measure: Measure) -> str:
        """Write a figure over rows."""
        if measure.column is None:
            said = self.words["number"]
        elif measure.parameter is not None:
            percent = plain_number(round(measure.parameter * 100, 6))
            said = self.say("percentile", n=percent, c=self.column(measure.column))
        else:
            said = self.say(measure.function, c=self.column(measure.column))
        if measure.per is not None:
            said = self.say("per", m=said, c=self.column(measure.per))
        if measure.per_unit is not None:
            unit = self.words.get(f"per_{measure.per_unit}") or self.words[measure.per_unit]
            said = self.say("per_unit", m=said, u=unit)
        if measure.part:
            said = self.say("part", m=said, f=self.clauses(measure.part))
        return self.say("share", m=said) if measure.share else said

    def measures(self, measures: Sequence[Measure]) -> str:
        """Write figures; the rows are counted where none is named."""
        return self.words["listed"].join(self.measure(item) for item in measures or (Measure(),))

    def key(self, key: Key, form: str = "") -> str:
        """Write what rows are grouped by, with its date where the table has several.

        `form` is `by_` behind a preposition, where a language has another form of the units there.
        """
        if key.width is not None:
            said = self.say("width", c=self.column(key.column or ""), n=plain_number(key.width))
        elif key.unit is None:
            said = self.column(key.column or "")
        else:
            said = self.words.get(f"{form}{key.unit}") or self.words.get(key.unit, key.unit)
            column = key.column or (self._dates[0] if self._dates else "")
            if (column,) != self._dates:
                said = self.say("unit", u=said, c=self.column(column))
        return said

    def keys(self, keys: Iterable[Key], form: str = "") -> str:
        """Write several keys."""
        return self.words["listed"].join(self.key(key, form) for key in keys)

    def bound(self, having: Having) -> str:
        """Write a condition on a figure of a group."""
        figure = self.measure(having.measure)
        values = [plain_number(value) for value in having.values]
        low, high = (*values, "", "")[:_ENDS]
        said = low if having.operator not in _LISTS else self.words["listed"].join(values)
        return self.say("having", m=self.say(having.operator.value, c=figure, v=said, w=high))


def plain_number(value: float) -> str:
    """Write a number as short as it can be written."""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)  # noqa: PLR2004 - whole floats above this are not exact
