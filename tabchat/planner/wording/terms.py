"""What an intent is made of, in words: columns, values, conditions, periods, measures, keys.

Terms are exact: what computes something else is said otherwise. A name or a text that could be taken for words of the
reading is put in quotes. The words of a language are in its `phrases.<language>.toml`.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.planner.derived import SPANS
from tabchat.planner.intent import COUNT, MONTH_DAY, OWN_MEAN, AnyOf, Measure, Operator
from tabchat.planner.plan import expressions as write
from tabchat.planner.words.calendar import calendar_name
from tabchat.planner.words.data_files import DataFiles
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.intent import Clause, Condition, Having, Key, Period, Scalar, Side
    from tabchat.planner.words.data_files import Sections

LANGUAGES: Final = ("en", "uk", "ru")
"""Languages that readings and results are said in."""
_PRESENT: Final = {Operator.GT: "having_some", Operator.EQ: "having_none"}
"""How a number of rows is compared with 0 → the phrase for it."""


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
_NAMED: Final = {"month": ("months", 1), "weekday": ("weekdays", 0)}
"""Calendar part → where its names are, and the number of the first."""
_ENDS: Final = 2


class Terms:
    """Writes parts of an intent over one table in one language."""

    def __init__(self, phrases: Phrases, facts: TableFacts) -> None:
        self.words = phrases.read_as
        self._facts = facts

    def say(self, name: str, **holes: object) -> str:
        """Fill a template of the language."""
        return self.words[name].format(**holes)

    def listed(self, parts: Iterable[str]) -> str:
        """Write parts one behind the other; empty ones are none."""
        return self.words["listed"].join(filter(None, parts))

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

    def _dated(self, said: str, column: str | None, template: str, hole: str) -> str:
        """Write what is said of a date, with its column unless the table has no other."""
        name = column or next(iter(self._dates), "")
        return said if (name,) == self._dates else self.say(template, **{hole: said, "c": self.column(name)})

    def text(self, text: str) -> str:
        """Write a text so that it cannot be taken for anything else."""
        if _PLAIN.fullmatch(text) and "  " not in text and not self._reserved & set(text.casefold().split()):
            return text
        return self.words["quoted"].format(text.replace("“", "““").replace("”", "””"))

    def column(self, name: str) -> str:
        """Write the name of a column: in marks of its own where the language has some, which say where it ends."""
        marked = self.words["column"] != "{0}" and "«" not in name and "»" not in name
        return self.words["column"].format(name if marked else self.text(name))

    def columns(self, names: Iterable[str]) -> str:
        """Write names of columns."""
        return self.listed(map(self.column, names))

    def _value(self, value: Scalar, part: str | None) -> str:
        """Write a value; of a calendar part by its name."""
        match value:
            case bool():
                return self.words["yes" if value else "no"]
            case str():
                return self.text(value)
            case int() | float() if part in _NAMED or part == MONTH_DAY:
                return self._calendar_value(int(value), part)
            case int() | float():
                return write.number(value)
            case dt.datetime():
                return value.isoformat(sep=" ")
            case _:
                return value.isoformat()

    def _calendar_value(self, value: int, part: str) -> str:
        """Write a month or a day of the week by its name, a day of the year by its month."""
        if part == MONTH_DAY:
            month, day = divmod(value, 100)
            return self.say("day_in_year", month=self._calendar_value(month, "month"), m=month, d=day)
        name, first = _NAMED[part]
        return dict(enumerate(self.words[name].split("|"), first)).get(value, f"{value}")

    def clause(self, clause: Clause, *, among_others: bool = False) -> str:
        """Write a condition, or alternatives in brackets; `among_others`, what is above a mean says that it is that of all rows."""
        if isinstance(clause, AnyOf):
            said = self.words["either"].join(map(self._condition, clause.conditions))
            return f"({said})" if len(clause.conditions) > 1 else said
        return self._condition(clause, "mean_of_all" if among_others else "mean")

    def clauses(self, clauses: Sequence[Clause]) -> str:
        """Write conditions that all hold."""
        return self.words["both"].join(map(self.clause, clauses))

    def _condition(self, condition: Condition, mean: str = "mean") -> str:
        if condition.part in {"mean", OWN_MEAN}:
            mean = mean if condition.part == "mean" else "mean_of_these"
            column = self.column(condition.column)
            return self.say(condition.operator.value, c=column, v=self.say(mean, c=column))
        said = self._part(condition.column, condition.part)
        if condition.other is not None:
            return self.say(condition.operator.value, c=said, v=self._part(condition.other, condition.part))
        facts = self._facts.column(condition.column)
        # No header says what the values of a derived column are in.
        derived = facts.unit if facts is not None and facts.operands and facts.unit in SPANS else None
        unit = f" {self.words[f'unit_{derived}']}" if derived else ""
        values = [self._value(value, condition.part) + unit for value in condition.values]
        return self._compared(said, condition.operator, values)

    def _part(self, column: str, part: str | None) -> str:
        said = self.column(column)
        if part in {"row_before", "row_after"}:
            return self.say(part, c=said)
        return said if part is None else self.say("part_of", u=self.words.get(part, part), c=said)

    def _compared(self, subject: str, operator: Operator, values: Sequence[str]) -> str:
        low, high = (*values, "", "")[:_ENDS]
        said = self.words["listed"].join(values) if operator in _LISTS else low
        return self.say(operator.value, c=subject, v=said, w=high)

    def side(self, side: Side) -> str:
        """Name a side: a stretch of time and a part of the calendar as the language does."""
        if side.period is not None and not side.clauses:
            return self._stretch(side.period)
        only = side.clauses[0] if len(side.clauses) == 1 else None
        if only is None or isinstance(only, AnyOf) or only.part is None or side.period is not None:
            return side.label
        said = self.words.get(only.part, only.part)
        value = ", ".join(self._value(one, only.part) for one in only.values)
        return value if value[:1].isalpha() else f"{said} {value}"

    def period(self, period: Period) -> str:
        """Write a stretch of time, with its date where the table has several."""
        said = self._stretch(period)
        if period.column is None and len(self._dates) < _ENDS:
            return said
        return self._dated(said, period.column, "dated", "t")

    def _stretch(self, period: Period) -> str:
        unit, start, end = period.unit or "day", period.start, period.end
        if period.count is not None:
            return self.say(f"{unit}s_back", n=period.count)
        if period.ago is not None:
            named = {0: f"this_{unit}", 1: f"last_{unit}"}.get(period.ago, f"{unit}s_ago")
            return self.say(named, n=period.ago)
        if start is None or end is None:
            return self.say("until", t=end) if start is None else self.say("since", t=start)
        if (start.month, start.day, end.month, end.day) == (1, 1, 12, 31) and start.year < end.year:
            return f"{start.year}–{end.year}"
        return calendar_name(start, end) or self.say("from_to", t=start, t2=end)

    def measure(self, measure: Measure) -> str:
        """Write a figure over rows."""
        column = self.column(measure.column or "")
        if measure.column is None:
            said = self.words["number"]
        elif measure.parameter is not None:
            percent = write.number(round(measure.parameter * 100, 6))
            said = self.say("percentile", n=percent, c=column)
        else:
            facts = self._facts.column(measure.column)
            dated = f"{measure.function}_date" if facts is not None and facts.kind.is_temporal else ""
            said = self.say(dated if dated in self.words else measure.function, c=column)
        if measure.less is not None:
            said = self.say("less", m=said, n=self.measure(replace(measure, column=measure.less, less=None)))
        if measure.per is not None:
            said = self.say("per_percent" if measure.percent else "per", m=said, c=self.column(measure.per))
        if measure.per_unit is not None:
            unit = self.words.get(f"per_{measure.per_unit}") or self.words[measure.per_unit]
            said = self.say("per_unit", m=said, u=unit)
        if measure.part:
            said = self.say("part", m=said, f=self.clauses(measure.part))
        return self.say("share", m=said) if measure.share else said

    def measures(self, measures: Sequence[Measure]) -> str:
        """Write figures; the rows are counted where none is named."""
        return self.listed(map(self.measure, measures or (COUNT,)))

    def _key(self, key: Key, form: str) -> str:
        if key.width is not None:
            return self.say("width", c=self.column(key.column or ""), n=write.number(key.width))
        if key.unit is None:
            return self.column(key.column or "")
        said = self.words.get(f"{form}{key.unit}") or self.words.get(key.unit, key.unit)
        return self._dated(said, key.column, "unit", "u")

    def keys(self, keys: Iterable[Key], form: str = "") -> str:
        """Write what rows are grouped by, each with its date where the table has several.

        `form` is `by_` behind a preposition, where a language has another form of the units there.
        """
        return self.listed(self._key(key, form) for key in keys)

    def bound(self, having: Having) -> str:
        """Write a condition on a figure of a group; of rows of a kind, that there are some, or none."""
        kind = None if any(having.values) else _PRESENT.get(having.operator)
        if kind is not None and having.measure.part and having.measure == Measure(part=having.measure.part):
            return self.say(kind, f=self.clauses(having.measure.part))
        figure, values = self.measure(having.measure), [*map(write.number, having.values)]
        return self.say("having", m=self._compared(figure, having.operator, values))
