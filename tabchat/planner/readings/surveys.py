"""Drafts → intents about the table as such: its columns, first rows, missing cells, repeats, spread, and series."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from tabchat.planner.intent import Having, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.readings.draft import Built
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.figures import figures
from tabchat.planner.readings.rows import idle, opened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.readings.draft import Draft, Scope

_OUTPUTS = {
    "missing": Output.MISSING,
    "dup": Output.DUPLICATES,
    "dup.more": Output.DUPLICATES,
    "outlier": Output.OUTLIERS,
    "distribution": Output.DISTRIBUTION,
    "bins": Output.DISTRIBUTION,
    "columns": Output.SCHEMA,
    "types": Output.SCHEMA,
    "schema": Output.SCHEMA,
    "stats": Output.PROFILE,
    "head": Output.HEAD,
    "tail": Output.HEAD,
}
_COUNTABLE = frozenset({Output.SCHEMA, Output.DUPLICATES, Output.OUTLIERS})
_IDLE = ("exist", "table", "all", "values", "columns", "types", "schema", "dup", "dup.more", "stats", "bins")


def survey_intents(draft: Draft) -> Iterator[Built]:
    """Read an output that a word of the question names by itself."""
    for name, place in draft.marks.items():
        output = _OUTPUTS.get(name)
        if output is None:
            continue
        columns = draft.places(Kind.COLUMN)
        names = tuple(dict.fromkeys(draft.column(draft.effects[other]).name for other in columns))
        for scope in draft.scopes():
            yield from _survey(draft, output, name, place, names, scope)


def _survey(
    draft: Draft, output: Output, name: str, place: int, names: tuple[str, ...], scope: Scope
) -> Iterator[Built]:
    used = (
        {place, *draft.places(Kind.COLUMN), *draft.places(Kind.COUNT, Kind.DISTINCT)}
        | scope.used
        | draft.asks
        | draft.rows
    )
    used |= idle(draft, *_IDLE)
    keys: tuple[Key, ...] = ()
    orders: tuple[Order, ...] = ()
    limit = None
    if output is Output.DISTRIBUTION:
        if not names:
            return
        keys, names = (Key(column=names[0]),), ()
    if output is Output.OUTLIERS and not names:
        names = tuple(column.name for column in draft.measures[:1])
    if output is Output.HEAD:
        orders = (Order(descending=name == "tail"),)
        limit = 5
        numbers = [other for other in draft.places(Kind.BOUND) if draft.effects[other].values]
        if numbers:
            limit = int(draft.effects[numbers[0]].values[0])
            used.add(numbers[0])
    counted = bool(draft.places(Kind.COUNT)) or draft.opener == "howmany"
    if name == "dup.more" and names:
        # Texts that stand in several rows, rather than the rows.
        yield Built(
            intent=Intent(
                output=Output.GROUPS,
                measures=(Measure(),),
                keys=tuple(Key(column=column) for column in names),
                clauses=scope.clauses,
                periods=scope.periods,
                having=(Having(measure=Measure(), operator=Operator.GT, values=(1.0,)),),
            ),
            used=frozenset(used),
            features=(*scope.features, ("survey.repeated", 1.0), *opened(draft, "survey")),
        )
    for measures in ((Measure(),), ()) if counted and output in _COUNTABLE else ((),):
        yield Built(
            intent=Intent(
                output=output,
                measures=measures,
                columns=names,
                keys=keys,
                clauses=scope.clauses,
                periods=scope.periods,
                orders=orders,
                limit=limit,
            ),
            used=frozenset(used),
            features=(
                *scope.features,
                (f"survey.{output.value}", 1.0),
                ("survey.columns", float(bool(names))),
                ("survey.counted", float(counted and bool(measures))),
                ("survey.uncounted", float(counted and not measures)),
                *opened(draft, "survey"),
            ),
        )


def series_intents(draft: Draft) -> Iterator[Built]:
    """Read a measure over time: a trend, a chart, a moving mean, a running total."""
    marks = draft.marks
    charts = [name for name in marks if name == "chart" or name.startswith("chart.")]
    moving = [name for name in ("moving", "rolling") if name in marks]
    running = "cumulative" in marks
    if not (charts or moving or running or "trend" in marks):
        return
    keys = tuple(key for place in draft.places(Kind.KEY) for key in draft.effects[place].keys)
    spare = draft.places(Kind.COLUMN)
    for figure in figures(draft):
        for scope in draft.scopes(figure.focus):
            own, features = keys, []
            texts = [place for place in spare if place not in figure.used]
            if not own and texts:
                own = (Key(column=draft.column(draft.effects[texts[0]]).name),)
                features.append(("series.bare_key", 1.0))
            elif not own and (draft.vocabulary.dates or draft.vocabulary.year_columns):
                own = (_time_key(draft),)
                features.append(("series.default_key", 1.0))
            if not own:
                continue
            timed = (
                own[0].unit is not None
                or draft.vocabulary.by_name.get(own[0].column or "") in draft.vocabulary.dates
            )
            chart = next((name.partition(".")[2] for name in charts if "." in name), None)
            measures = figure.measures
            window = _window(draft)
            yield Built(
                intent=Intent(
                    output=Output.GROUPS,
                    measures=measures,
                    keys=own,
                    clauses=scope.clauses,
                    periods=scope.periods,
                    chart=chart or (("line" if timed else "bar") if charts or "trend" in marks else None),
                    window=window if moving else None,
                    cumulative=running,
                ),
                used=frozenset(
                    {*texts, *draft.places(Kind.KEY), *(marks[name] for name in (*charts, *moving))}
                    | figure.used
                    | scope.used
                    | draft.asks
                    | draft.rows
                    | idle(draft, "trend", "cumulative", "table", "all")
                ),
                features=(*figure.features, *scope.features, *features, *opened(draft, "series")),
            )


def _window(draft: Draft) -> int:
    counts = [draft.effects[place].values for place in draft.places(Kind.BOUND)]
    return int(counts[0][0]) if counts and counts[0] else 7


def _time_key(draft: Draft) -> Key:
    """Return the calendar unit that gives a series of readable length."""
    dates = draft.vocabulary.dates
    if not dates:
        return Key(column=draft.vocabulary.year_columns[0].name)
    low, high = dates[0].facts.low, dates[0].facts.high
    days = (
        (high - low).days
        if isinstance(low, date) and isinstance(high, date) and type(low) is type(high)
        else 0
    )
    if days > 365 * 12:
        return Key(unit="year")
    return Key(unit="month" if days > 62 else "day")  # noqa: PLR2004
