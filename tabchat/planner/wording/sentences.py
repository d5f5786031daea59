"""One deterministic sentence about a result, in the language of the question, with the evidence of each figure."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.model import Reply
from tabchat.engine.result import ResultKind
from tabchat.planner.intent import Measure, Output
from tabchat.planner.wording.emptiness import why_empty
from tabchat.planner.wording.figures import Figures, plural
from tabchat.planner.wording.phrases import phrases_of
from tabchat.planner.wording.reading import ending_parts, scope_parts, subject_parts
from tabchat.planner.wording.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.result import Result
    from tabchat.engine.types import Row, Value
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan import PlannedCall

_LISTED: Final = 3
"""Groups or rows that a sentence names at the most."""
_NAMED: Final = 10
"""Plain names, such as those of values, that a sentence gives at the most."""
_OF_UNIT: Final = frozenset(
    {"sum", "mean", "median", "min", "max", "std", "percentile", "range", "mode", "first", "last"}
)
"""Functions whose result has the unit of their column."""
_COUNT: Final = Measure()


def sentence(
    intent: Intent,
    call: PlannedCall,
    result: Result | None,
    facts: TableFacts,
    language: str,
    *,
    key: str = "",
    run: Callable[[PlannedCall], Result] | None = None,
) -> Reply:
    """Return the sentence that answers, with its figures as claims; no text for what a tool has described itself.

    `key` is the result's data key. `run`, where given, answers one more call: which filter of several left no row.
    """
    if result is None:
        return Reply()
    phrases = phrases_of(language)
    terms = Terms(phrases, facts)
    figures = Figures(phrases=phrases, key=key, units=_units(intent, result, facts))
    said = _Sentence(intent, result, facts, terms, figures, run).text()
    if call.rule:
        name, *holes = call.rule
        told = [terms.words.get(hole, hole) for hole in holes]
        said = f"{said} {_capital(terms.words[f'rule_{name}'].format(*told))}."
    return Reply(text=said, claims=tuple(figures.claims))


def _units(intent: Intent, result: Result, facts: TableFacts) -> dict[str, str]:
    """Return the unit of each result column that has one."""
    units = {column.name: column.unit for column in facts.columns if column.unit}
    for measure in intent.measures:
        unit = units.get(measure.column or "")
        if unit is not None and measure.function in _OF_UNIT:
            units |= {name: unit for name in result.frame.columns if name.endswith(f"_{measure.column}")}
    if intent.output is Output.COMPARISON and intent.measures:
        unit = units.get(intent.measures[0].column or "")
        names = [*(side.label for side in intent.sides), "difference"]
        units |= {name: unit for name in names if unit and intent.measures[0].function in _OF_UNIT}
    units |= {column.name: column.unit for column in result.frame.schema if column.unit}
    units |= {name: "%" for name in result.frame.columns if name.endswith("_change_pct")}
    units |= dict.fromkeys(("share", "percent", "percent_true"), "%")
    return {name: unit for name, unit in units.items() if unit and name in result.frame.columns}


class _Sentence:
    """The sentence about one result in the making."""

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

    def text(self) -> str:  # noqa: C901, PLR0911 - one line for each kind of result
        """Return the sentence, and note its figures."""
        if self.intent.output is Output.EXISTS:
            return self._exists()
        if self.result.kind is ResultKind.SCALAR:
            return self._scalar()
        if not self.result.frame.row_count:
            return self._empty()
        if self.result.kind is ResultKind.DICT:
            return self._several()
        match self.intent.output:
            case Output.VALUES:
                return self._values()
            case Output.MISSING if self.columns[:2] == ("column", "missing"):
                return self._missing()
            case Output.COMPARISON if not self.keys:
                return self._which()
            case Output.GROUPS if self.intent.limit is not None:
                return self._ranked_groups()
            case Output.ROWS if self.intent.limit is not None and self.intent.orders:
                return self._ranked_rows()
            case Output.GROUPS | Output.CHANGE | Output.DISTRIBUTION | Output.COMPARISON:
                return self._groups()
            case _:
                return self._rows()

    @property
    def aside(self) -> str:
        """The filters in brackets."""
        return f" ({', '.join(self.scope)})" if self.scope else ""

    def _subject(self) -> str:
        parts = [*subject_parts(self.intent, self.terms), *ending_parts(self.intent, self.terms)]
        return ", ".join(part for part in parts if part)

    # One figure, and several side by side

    def _exists(self) -> str:
        count = _whole(self.result.value)
        if not count:
            self.figures.counted(0, "row", ".value")
            return " ".join((self.words["exists_not"].format(scope=self.aside), *self._why()))
        return self.words["exists"].format(
            rows=self.figures.counted(count, "row", ".value"), scope=self.aside
        )

    def _scalar(self) -> str:
        name, value, intent = self.columns[0], self.result.value, self.intent
        measure = intent.measures[0] if intent.measures else _COUNT
        plain = intent.output is Output.VALUE and not intent.keys
        if value is None:
            return self._undefined(measure)
        if plain and measure == _COUNT:
            return self._count(_whole(value))
        shown = self.figures.figure(value, name, ".value")
        if plain and measure.part and measure.function == "count" and measure.column is None:
            condition = self.terms.clauses(measure.part)
            return self.words["percent"].format(value=shown, condition=condition, scope=self.aside)
        if plain and measure.function == "count_distinct" and not measure.part and measure.per is None:
            noun = plural(_whole(value), self.words["different"], self.words["plural"])
            return self.words["distinct_count"].format(
                value=shown, different=noun, column=measure.column, scope=self.aside
            )
        template = "stated" if plain and measure.function != "count" and not measure.part else "scalar"
        said = self.words[template].format(measure=self._subject(), value=shown, scope=self.aside)
        return _capital(said)

    def _undefined(self, measure: Measure) -> str:
        subject = self._subject() if not self.intent.measures else self.terms.measure(measure)
        said = _capital(self.words["undefined"].format(measure=subject, scope=self.aside))
        if self.result.source_row_count != 0:
            return said
        self.figures.counted(0, "row")
        return " ".join((said, *self._why()))

    def _count(self, count: int) -> str:
        if not self.scope:
            return self.words["count"].format(rows=self.figures.counted(count, "row", ".value"))
        counted = self.figures.counted(count, "matching", ".value")
        said = self.words["count_where"].format(rows=counted, scope=" · ".join(self.scope))
        return said if count else " ".join((said, *self._why()))

    def _several(self) -> str:
        names = list(self.result.values)
        labels: Sequence[str] = names
        if self.intent.output is Output.VALUE and len(self.intent.measures) == len(names):
            labels = [self.terms.measure(measure) for measure in self.intent.measures]
        parts = [
            f"{label}: {self.figures.figure(self.result.values[name], name, f'.values.{name}')}"
            for label, name in zip(labels, names, strict=True)
        ]
        subject = f"{self._subject()}: " if self.intent.output is Output.PROFILE else ""
        said = _capital(f"{subject}{', '.join(parts)}{self.aside}.")
        return said if self.result.source_row_count != 0 else " ".join((said, *self._why()))

    def _which(self) -> str:
        _, *names = self.columns
        row = self.result.frame.rows()[0]
        shown = [
            f"{name}: {self.figures.figure(value, name, f'[0].{name}')}"
            for name, value in zip(names, row[1:], strict=True)
        ]
        label = str(row[0] or self.words["nothing"])
        return _capital(self.words["which"].format(which=label, figures=", ".join(shown), scope=self.aside))

    # Nothing

    def _empty(self) -> str:
        self.figures.counted(0, "row")
        ending = [part for part in ending_parts(self.intent, self.terms) if self.intent.having]
        scope = " · ".join([*self.scope, *ending])
        if not scope:
            return self.words["nowhere"]
        return " ".join((self.words["empty"].format(scope=scope), *self._why()))

    def _why(self) -> list[str]:
        if self.run is None or self.intent.having or self.intent.output is Output.NEIGHBOUR:
            return []
        return why_empty(self.intent, self.facts, self.terms, self.figures, self.run)

    # Rows, groups, names

    def _rows(self) -> str:
        count = self.result.frame.row_count
        if self.scope and self.intent.output is Output.ROWS and self.intent.limit is None:
            matching = self.figures.counted(count, "matching")
            return self.words["count_where"].format(rows=matching, scope=" · ".join(self.scope))
        return self.words["listed"].format(rows=self.figures.counted(count, "row"))

    def _values(self) -> str:
        count = self.result.frame.row_count
        places = range(len(self.intent.columns))
        rows = self.result.frame.rows(_NAMED)
        names = [", ".join(self.figures.label(row[place]) for place in places) for row in rows]
        return self.words["distinct"].format(
            values=self.figures.counted(count, "different"),
            column=", ".join(self.intent.columns),
            scope=self.aside,
            listed=self._and_more(names, count),
        )

    def _missing(self) -> str:
        found = sorted((row for row in self.result.frame.rows() if row[1]), key=lambda row: -_whole(row[1]))
        if not found:
            return self.words["complete"]
        named = [self._named(row, at, [0], 1) for at, row in enumerate(found[:_LISTED])]
        return self.words["missing"].format(listed=self._and_more(named, len(found)))

    def _ranked_groups(self) -> str:
        place = self._measured()
        keys = [*range(self.keys)]
        named = [self._named(row, at, keys, place) for at, row in enumerate(self.result.frame.rows(_LISTED))]
        order = self.intent.orders[0] if self.intent.orders else None
        subject = self._subject()
        if self._is_best() and order is not None and order.column is None:
            template = self.words["highest" if order.descending else "lowest"]
            measure = self.intent.measures[order.measure] if self.intent.measures else _COUNT
            subject = template.format(k=self.terms.keys(self.intent.keys), m=self.terms.measure(measure))
        return self._winners(subject, named)

    def _ranked_rows(self) -> str:
        order = self.intent.orders[0]
        place = self.columns.index(str(order.column)) if order.column in self.columns else 0
        keys = [label for label in self._label_columns() if label != place]
        named = [self._named(row, at, keys, place) for at, row in enumerate(self.result.frame.rows(_LISTED))]
        subject = self._subject()
        if self._is_best():
            template = self.words["highest" if order.descending else "lowest"]
            said = self.terms.columns(self.intent.columns) or self.terms.words["rows"]
            subject = template.format(k=said, m=self.terms.column(str(order.column)))
        return self._winners(subject, named)

    def _is_best(self) -> bool:
        intent = self.intent
        return intent.limit == 1 and not (intent.limit_keys or intent.offset) and len(intent.orders) == 1

    def _label_columns(self) -> list[int]:
        """Return the places of the columns that name the rows: those asked for, or the first one of unique texts."""
        unique = [column.name for column in self.facts.columns if column.unique and column.texts]
        return [
            self.columns.index(name) for name in self.intent.columns or unique[:1] if name in self.columns
        ]

    def _winners(self, subject: str, named: Sequence[str]) -> str:
        count = self.result.frame.row_count
        tied = self._is_best() and count > 1
        listed = self._and_more(named, count)
        template = self.words["tied" if tied else "winner"]
        return _capital(template.format(subject=subject, listed=listed, scope=self.aside))

    def _groups(self) -> str:
        place = self._measured()
        rows = self.result.frame.rows()
        ranked = [row for row in rows if isinstance(row[place], int | float | Decimal)]
        counted = self.figures.counted(len(rows), "group" if self.keys else "row")
        keys = [*range(max(self.keys, 1))]
        if len(ranked) < 2 or place in keys:  # noqa: PLR2004 - one group has no extremes
            return self.words["grouped_only"].format(groups=counted)
        ends = [extreme(_number(row[place]) for row in ranked) for extreme in (max, min)]
        high, low = ([row for row in ranked if _number(row[place]) == end] for end in ends)
        return self.words["grouped"].format(
            groups=counted, high=self._tied(high, keys, place), low=self._tied(low, keys, place)
        )

    def _measured(self) -> int:
        """Return the place of the figure that groups are told by."""
        intent, last = self.intent, len(self.columns) - 1
        if intent.output is Output.CHANGE:
            return last
        first = intent.orders[0].measure if intent.orders and intent.orders[0].column is None else 0
        if intent.output is Output.COMPARISON:
            return (
                last if intent.comparison in {"difference", "ratio", "percent"} else min(self.keys + 1, last)
            )
        return min(self.keys + (0 if intent.output is Output.DISTRIBUTION else first), last)

    def _tied(self, rows: Sequence[Row], keys: Sequence[int], place: int) -> str:
        """Name the groups that share an extreme, the first few of them, and their figure once."""
        names = [self._label(row, keys) for row in rows]
        more = " …" if len(names) > _LISTED else ""
        figure = self._figure(rows[0], 0, keys, place)
        return f"{' · '.join(names[:_LISTED])}{more} ({figure})"

    def _named(self, row: Row, at: int, keys: Sequence[int], place: int) -> str:
        name = self._label(row, keys)
        figure = self._figure(row, at, keys, place)
        return f"{name} ({figure})" if keys else figure

    def _label(self, row: Row, keys: Sequence[int]) -> str:
        units = [key.unit for key in dict.fromkeys(self.intent.keys)]
        return ", ".join(
            self.figures.label(row[key], units[key] if key < len(units) else None) for key in keys
        )

    def _figure(self, row: Row, at: int, keys: Sequence[int], place: int) -> str:
        where = ", ".join(self.figures.label(row[key]) for key in keys)
        where = f"[{self.columns[keys[0]]}={where}]" if keys else f"[{at}]"
        return self.figures.figure(row[place], self.columns[place], f"{where}.{self.columns[place]}")

    def _and_more(self, named: Sequence[str], count: int) -> str:
        text, more = ", ".join(named), count - len(named)
        if more <= 0:
            return text
        return self.words["and_more"].format(listed=text, rows=self.figures.counted(more, "more"))


def _number(value: Value) -> float:
    return float(value) if isinstance(value, int | float | Decimal) else 0.0


def _whole(value: Value) -> int:
    return int(value) if isinstance(value, int | float | Decimal) else 0


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
