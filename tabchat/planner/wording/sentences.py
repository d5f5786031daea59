"""One deterministic sentence about a result, in the language of the question, with the evidence of each figure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.model import Reply
from tabchat.engine.result.result import ResultKind
from tabchat.planner.intent import Intent, Output, Side
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.wording.naming import COUNT, Figures, Naming, capital, plural, whole
from tabchat.planner.wording.reading import ending_parts
from tabchat.planner.wording.terms import Terms, phrases_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.result.result import Result
    from tabchat.planner.intent import Measure
    from tabchat.planner.plan import PlannedCall


def why_empty(
    intent: Intent,
    facts: TableFacts,
    terms: Terms,
    figures: Figures,
    run: Callable[[PlannedCall], Result],
) -> list[str]:
    """Say which filter leaves no row, when there are several of them; `run` answers one more call."""
    filters = [(terms.clause(clause), Side(label="", clauses=(clause,))) for clause in intent.clauses]
    filters += [(terms.period(period), Side(label="", period=period)) for period in intent.periods]
    if len(filters) < 2 or len(intent.periods) > 1:  # noqa: PLR2004 - one filter alone is no riddle
        return []
    sides = [side for _, side in filters]
    counted = [*sides, *(_all_but(side, intent) for side in sides)]
    named = tuple(replace(side, label=f"filter {place}") for place, side in enumerate(counted))
    try:
        call = plan_of(Intent(output=Output.COMPARISON, sides=named), facts)
    except Unplannable:
        return []
    counts = [int(str(value)) for value in run(call).values.values()]
    texts = [text for text, _ in filters]
    alone, others = counts[: len(texts)], counts[len(texts) :]
    found = [
        _removing(text, left, figures)
        for text, count, left in zip(texts, alone, others, strict=True)
        if not count
    ]
    if found:
        return found
    listed = ", ".join(
        f"{text}: {figures.counted(count, 'row', f' rows where {text}')}"
        for text, count in zip(texts, alone, strict=True)
    )
    return [figures.words["together"].format(alone=listed)]


def _all_but(side: Side, intent: Intent) -> Side:
    clauses = tuple(clause for clause in intent.clauses if clause not in side.clauses)
    period = intent.periods[0] if intent.periods and side.period is None else None
    return Side(label="", clauses=clauses, period=period)


def _removing(text: str, left: int, figures: Figures) -> str:
    if not left:
        return figures.words["never"].format(condition=text)
    rows = figures.counted(left, "row", f" rows without {text}")
    return figures.words["never_without"].format(condition=text, rows=rows)


_OF_UNIT: Final = frozenset(
    {"sum", "mean", "median", "min", "max", "std", "percentile", "range", "mode", "first", "last"}
)
"""Functions whose result has the unit of their column."""


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
    """Return the sentence that answers, with its figures as receipts; no text for what a tool has described itself.

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
        said = f"{said} {capital(terms.words[f'rule_{name}'].format(*told))}."
    return Reply(text=said, receipts=tuple(figures.receipts))


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


class _Sentence(Naming):
    """The sentence about one result in the making."""

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

    # One figure, and several side by side

    def _exists(self) -> str:
        count = whole(self.result.values["count"])
        if not count:
            self.figures.counted(0, "row", ".values.count")
            return " ".join((self.words["exists_not"].format(scope=self.aside), *self._why()))
        return self.words["exists"].format(
            rows=self.figures.counted(count, "row", ".values.count"), scope=self.aside
        )

    def _scalar(self) -> str:
        name, value, intent = self.columns[0], self.result.value, self.intent
        measure = intent.measures[0] if intent.measures else COUNT
        plain = intent.output is Output.VALUE and not intent.keys
        if value is None:
            return self._undefined(measure)
        if plain and measure == COUNT:
            return self._count(whole(value))
        shown = self.figures.figure(value, name, ".value")
        if plain and measure.part and measure.function == "count" and measure.column is None:
            condition = self.terms.clauses(measure.part)
            return self.words["percent"].format(value=shown, condition=condition, scope=self.aside)
        if (
            plain
            and measure.function == "count_distinct"
            and not measure.part
            and measure.per is measure.per_unit is None
        ):
            noun = plural(whole(value), self.words["different"], self.words["plural"])
            return self.words["distinct_count"].format(
                value=shown, different=noun, column=measure.column, scope=self.aside
            )
        template = "stated" if plain and measure.function != "count" and not measure.part else "scalar"
        said = self.words[template].format(measure=self._subject(), value=shown, scope=self.aside)
        return capital(said)

    def _undefined(self, measure: Measure) -> str:
        subject = self._subject() if not self.intent.measures else self.terms.measure(measure)
        said = capital(self.words["undefined"].format(measure=subject, scope=self.aside))
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
        said = capital(f"{subject}{', '.join(parts)}{self.aside}.")
        return said if self.result.source_row_count != 0 else " ".join((said, *self._why()))

    def _which(self) -> str:
        _, *names = self.columns
        row = self.result.frame.rows()[0]
        shown = [
            f"{name}: {self.figures.figure(value, name, f'[0].{name}')}"
            for name, value in zip(names, row[1:], strict=True)
        ]
        label = str(row[0] or self.words["nothing"])
        return capital(self.words["which"].format(which=label, figures=", ".join(shown), scope=self.aside))

    # Nothing

    def _empty(self) -> str:
        self.figures.counted(0, "row")
        ending = [part for part in ending_parts(self.intent, self.terms) if self.intent.having]
        scope = " · ".join([*self.scope, *ending])
        if not scope:
            return self.words["ordinary" if self.intent.output is Output.ODDITIES else "nowhere"]
        return " ".join((self.words["empty"].format(scope=scope), *self._why()))

    def _why(self) -> list[str]:
        if self.run is None or self.intent.having:
            return []
        return why_empty(self.intent, self.facts, self.terms, self.figures, self.run)


def plain_sentence(result: Result, language: str, *, key: str = "") -> Reply:
    """Return the sentence with its figures as claims; `key` is the result's data key."""
    units = {column.name: column.unit for column in result.frame.schema if column.unit}
    figures = Figures(phrases=phrases_of(language), key=key, units=units)
    said = _figures(result, figures) or figures.counted(result.frame.row_count, "row")
    return Reply(text=f"{said}.", receipts=tuple(figures.receipts))


def _figures(result: Result, figures: Figures) -> str:
    if result.kind is ResultKind.SCALAR:
        (name,) = result.frame.columns
        return f"{name}: {figures.figure(result.value, name, '.value')}"
    named = result.values if result.kind is ResultKind.DICT else {}
    return ", ".join(
        f"{name}: {figures.figure(value, name, f'.values.{name}')}" for name, value in named.items()
    )
