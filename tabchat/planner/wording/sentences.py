"""One deterministic sentence about a result, in the language of the question, with the evidence of each figure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.model import Reply
from tabchat.engine.result.result import ResultKind
from tabchat.engine.table import some
from tabchat.planner.intent import COUNT, Intent, Measure, Output, Side
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.wording.naming import LISTED, Figures, Naming, plural, whole
from tabchat.planner.wording.reading import ending_parts
from tabchat.planner.wording.terms import Terms, phrases_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.result.result import Result
    from tabchat.planner.plan import PlannedCall

_ENDS: Final = frozenset({"min", "max", "first", "last", "mode"})
"""Functions that give a cell as it is."""
_OF_UNIT: Final = frozenset(
    {"sum", "mean", "median", "min", "max", "std", "percentile", "range", "mode", "first", "last"}
)
"""Functions whose result has the unit of their column."""


def sentence(
    intent: Intent,
    call: PlannedCall,
    result: Result,
    facts: TableFacts,
    language: str,
    *,
    key: str = "",
    run: Callable[[PlannedCall], Result] | None = None,
) -> Reply:
    """Return the sentence that answers, with its figures as receipts.

    `key` is the result's data key. `run`, where given, answers one more call: which filter of several left no row.
    """
    phrases = phrases_of(language)
    terms = Terms(phrases, facts)
    units, stored = _units(intent, result, facts), _stored(intent, result, facts)
    figures = Figures(phrases=phrases, key=key, units=units, stored=stored)
    said = _capital(_Sentence(intent, result, facts, terms, figures, run).text())
    if result.metadata.cuts_ties:
        said = f"{said} {phrases.phrasing['cut_each' if intent.limit_keys else 'cut']}"
    elif result.metadata.shares_places:
        said = f"{said} {phrases.phrasing['shared_place']}"
    if call.rule:
        name, *holes = call.rule
        told = [terms.words.get(hole, hole) for hole in holes]
        said = f"{said} {_capital(terms.words[f'rule_{name}'].format(*told))}."
    return _reply(said, figures)


def counting_totals(said: Reply, facts: TableFacts, language: str, totals: Sequence[str]) -> Reply:
    """Return what was said of rows of a table with a word on those among them, `totals`, that sum up others."""
    if not totals:
        return said
    phrases = phrases_of(language)
    quoted = Terms(phrases, facts).words["quoted"]
    named = phrases.phrasing["totals"].format(
        labels=some([quoted.format(_one_line(label)) for label in totals])
    )
    return replace(said, text=f"{said.text} {named}")


def plain_sentence(result: Result, language: str, *, key: str = "") -> Reply:
    """Return the figures of a result that no intent is known of, each behind its name, or its number of rows."""
    units = {column.name: column.unit for column in result.frame.schema if column.unit}
    figures = Figures(phrases=phrases_of(language), key=key, units=units)
    if result.kind is ResultKind.SCALAR:
        (name,) = result.frame.columns
        said = f"{name}: {figures.figure(result.value, name, '.value')}"
    else:
        said = figures.named(result.values, ".values") if result.kind is ResultKind.DICT else ""
    said = said or figures.counted(result.frame.row_count, "row")
    return _reply(f"{said}.", figures)


def _reply(said: str, figures: Figures) -> Reply:
    traced = (replace(one, text=_one_line(one.text)) for one in figures.receipts)
    return Reply(text=_one_line(said), receipts=tuple(traced))


def _one_line(text: str) -> str:
    """Return a text whose line ends are signs: no cell begins a line of its own in an answer."""
    return "⏎".join(text.splitlines())


def _units(intent: Intent, result: Result, facts: TableFacts) -> dict[str, str]:
    """Return the unit of each result column that has one."""
    names = result.frame.columns
    units = {column.name: column.unit for column in facts.columns if column.unit}
    for measure in intent.measures:
        unit = units.get(measure.column or "")
        if unit is not None and measure.function in _OF_UNIT:
            units |= {name: unit for name in names if name.endswith(f"_{measure.column}")}
            if intent.output is Output.COMPARISON and measure is intent.measures[0]:
                units |= dict.fromkeys((*(side.label for side in intent.sides), "difference"), unit)
    units |= {column.name: column.unit for column in result.frame.schema if column.unit}
    units |= {name: "%" for name in names if name.endswith("_change_pct")}
    units |= dict.fromkeys(("share", "percent", "percent_true"), "%")
    return {name: unit for name, unit in units.items() if unit and name in names}


def _stored(intent: Intent, result: Result, facts: TableFacts) -> frozenset[str]:
    """Return the result columns whose cells are cells of the table: its own, and the ends of some."""
    names = result.frame.columns
    ends = [one.column for one in intent.measures if one.function in _ENDS and one.column]
    return frozenset(
        name
        for name in names
        if any(name == column.name for column in facts.columns)
        or any(name.endswith(f"_{column}") for column in ends)
    )


def _capital(text: str) -> str:
    """Begin a sentence."""
    return text[:1].upper() + text[1:]


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
            case Output.STANDING:
                return self._standing()
            case Output.COMPARISON if not self.keys:
                return self._which()
            case Output.GROUPS | Output.CHANGE if self.intent.limit is not None:
                return self._ranked()
            case Output.ROWS if self.intent.limit is not None and self.intent.orders:
                return self._ranked()
            case Output.GROUPS | Output.CHANGE | Output.DISTRIBUTION | Output.COMPARISON:
                return self._groups()
            case _:
                return self._rows()

    # One figure, and several side by side

    def _exists(self) -> str:
        count = whole(self.result.values["count"])
        rows = self.figures.counted(count, "row", ".values.count")
        return self._say("exists", rows=rows) if count else self._with_why(self._say("exists_not"))

    def _scalar(self) -> str:
        name, value, intent = self.columns[0], self.result.value, self.intent
        measure = intent.measures[0] if intent.measures else COUNT
        is_plain = intent.output is Output.VALUE and not intent.keys
        if value is None:
            subject = self.terms.measure(measure) if intent.measures else self._subject()
            return self._undefined(subject)
        if is_plain and measure == COUNT:
            return self._count(whole(value))
        shown = self.figures.figure(value, name, ".value")
        if is_plain and measure.part and measure == Measure(part=measure.part):
            return self._say("percent", value=shown, condition=self.terms.clauses(measure.part))
        if is_plain and measure == Measure(function="count_distinct", column=measure.column):
            noun = plural(whole(value), self.words["different"], self.words["plural"])
            return self._say("distinct_count", value=shown, different=noun, column=measure.column)
        template = "stated" if is_plain and measure.function != "count" and not measure.part else "scalar"
        return self._say(template, measure=self._subject(), value=shown)

    def _undefined(self, subject: str) -> str:
        said = self._say("undefined", measure=subject)
        # What says that there is nothing has no other figure: the numbers in it are those of its conditions.
        if self.result.source_row_count != 0:
            self.figures.counted(self.result.metadata.used_rows or 0, "row", ".used_rows")
            return said
        self.figures.counted(0, "row")
        return self._with_why(said)

    def _count(self, count: int) -> str:
        if not self.scope:
            return self._say("count", rows=self.figures.counted(count, "row", ".value"))
        counted = self.figures.counted(count, "matching", ".value")
        said = self._say("count_where", rows=counted, scope=" · ".join(self.scope))
        return said if count else self._with_why(said)

    def _several(self) -> str:
        values, measures = self.result.values, self.intent.measures
        are_said = self.intent.output is Output.VALUE and len(measures) == len(values)
        labels = [*map(self.terms.measure, measures)] if are_said else [*map(self._called, values)]
        listed = self.figures.named(values, ".values", labels)
        subject = f"{self._subject()}: " if self.intent.output is Output.PROFILE else ""
        said = f"{subject}{listed}{self.aside}."
        return said if self.result.source_row_count != 0 else self._with_why(said)

    def _which(self) -> str:
        (which, *row), (_, *names) = self.result.frame.rows()[0], self.columns
        listed = self.figures.named(dict(zip(names, row, strict=True)), "[0]", [*map(self._called, names)])
        return self._say("which", which=self._called(str(which or self.words["nothing"])), figures=listed)

    def _standing(self) -> str:
        keys, count = [*range(self.keys)], self.result.frame.row_count
        measure = self.terms.measure(self.intent.measures[0])
        named = []
        for at, row in enumerate(self.result.frame.rows(LISTED)):
            place, value = (self._figure(row, at, keys, self.keys + behind) for behind in range(2))
            named.append(self._say("standing", t=self._label(row, keys), n=place, m=measure, v=value))
        return self._say("listed", rows=f"{self._and_more(named, count)}{self.aside}")

    # Nothing

    def _empty(self) -> str:
        self.figures.counted(0, "row")
        ending = ending_parts(self.intent, self.terms) if self.intent.having else []
        scope = " · ".join(filter(None, [*self.scope, *ending]))
        if not scope:
            return self.words["ordinary" if self.intent.output is Output.ODDITIES else "nowhere"]
        return self._with_why(self._say("empty", scope=scope))

    def _with_why(self, said: str) -> str:
        """Say as well which filter leaves no row, when there are several of them, from one more call."""
        intent, terms = self.intent, self.terms
        texts = [*map(terms.clause, intent.clauses), *map(terms.period, intent.periods)]
        if self.run is None or intent.having or len(texts) < 2 or len(intent.periods) > 1:  # noqa: PLR2004 - one filter alone is no riddle
            return said
        alone = [Side(label="", clauses=(clause,)) for clause in intent.clauses]
        alone += [Side(label="", period=period) for period in intent.periods]
        sides = [*alone, *(_all_but(side, intent) for side in alone)]
        named = tuple(replace(side, label=f"filter {place}") for place, side in enumerate(sides))
        try:
            call = plan_of(Intent(output=Output.COMPARISON, sides=named), self.facts)
        except Unplannable:
            return said
        counts = [int(str(value)) for value in self.run(call).values.values()]
        counted = [*zip(texts, counts[: len(texts)], counts[len(texts) :], strict=True)]
        why = [self._removing(text, left) for text, count, left in counted if not count]
        if not why:
            listed = ", ".join(
                f"{text}: {self.figures.counted(count, 'row', f' rows where {text}')}"
                for text, count, _ in counted
            )
            why = [self._say("together", alone=listed)]
        return " ".join((said, *why))

    def _removing(self, text: str, left: int) -> str:
        if not left:
            return self._say("never", condition=text)
        rows = self.figures.counted(left, "row", f" rows without {text}")
        return self._say("never_without", condition=text, rows=rows)


def _all_but(side: Side, intent: Intent) -> Side:
    clauses = tuple(clause for clause in intent.clauses if clause not in side.clauses)
    period = intent.periods[0] if intent.periods and side.period is None else None
    return Side(label="", clauses=clauses, period=period)
