"""Drafts → intents about the table as such: its columns, values, first rows, missing cells, repeats, spread; whether it has rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.intent import COUNT, AnyOf, Condition, Having, Key, Operator, Order, Output
from tabchat.planner.links.link import told
from tabchat.planner.readings.effect import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.links import TableColumn, Vocabulary
    from tabchat.planner.readings.draft import Built, Draft
    from tabchat.planner.readings.effect import Scope

_OUTPUTS: Final = {
    "missing": Output.MISSING,
    "unusual": Output.ODDITIES,
    "outlier": Output.OUTLIERS,
    "stats": Output.PROFILE,
    **dict.fromkeys(("dup", "dup.more"), Output.DUPLICATES),
    **dict.fromkeys(("distribution", "chart.hist", "bins"), Output.DISTRIBUTION),
    **dict.fromkeys(("columns", "types", "schema"), Output.SCHEMA),
    **dict.fromkeys(("head", "tail"), Output.HEAD),
}
_COUNTABLE: Final = frozenset({Output.SCHEMA, Output.DUPLICATES, Output.OUTLIERS})
_IDLE: Final = (
    *("exist", "table", "all", "values", "columns", "types", "schema", "dup", "dup.more", "stats", "bins"),
    *("chart", "chart.hist"),
)
_HEAD: Final = 5


def survey_intents(draft: Draft) -> Iterator[Built]:
    """Read an output that a word of the question names by itself."""
    for name in draft.marks:
        # `head 3` says how many, and of nothing else that it is 3.
        counted = frozenset(_numbers(draft) if _OUTPUTS.get(name) is Output.HEAD else ())
        for scope in draft.scopes(without=counted) if name in _OUTPUTS else ():
            yield from _survey(draft, name, scope)


def _survey(draft: Draft, name: str, scope: Scope) -> Iterator[Built]:
    output, names = _OUTPUTS[name], draft.names(draft.places(Kind.COLUMN))
    used = {draft.marks[name], *draft.places(Kind.COLUMN, Kind.COUNT, Kind.DISTINCT), *draft.idle(*_IDLE)}
    fields: dict[str, Any] = {"columns": names}
    if output is Output.DISTRIBUTION:
        if not names:
            return
        fields, names = {"keys": (Key(column=names[0]),)}, ()
    if output is Output.OUTLIERS and not names:
        names = tuple(column.name for column in draft.measures[:1])
        fields = {"columns": names}
    if name == "schema" and names and all(draft.vocabulary.by_name[column].numeric for column in names):
        output = Output.PROFILE
    if name == "chart.hist":
        fields["chart"] = "hist"
    gaps = [column for column in draft.vocabulary.columns if draft.vocabulary.lacks(column)]
    rows = {place for place in draft.places(Kind.MEASURE) if draft.effects[place].measure == COUNT}
    rows.update(draft.places(Kind.ROWS) if draft.opener == "howmany" else ())
    if output is Output.MISSING and not names and gaps and rows:
        # How many rows, not how many cells of each column.
        missing = tuple(Condition(column=column.name, operator=Operator.MISSING) for column in gaps)
        clause = AnyOf(conditions=missing) if len(missing) > 1 else missing[0]
        scope, output = replace(scope, clauses=(*scope.clauses, clause)), Output.VALUE
        used |= rows
        fields = {"measures": (COUNT,)}
    if output is Output.HEAD:
        numbers = _numbers(draft)
        limit = next((int(draft.effects[other].values[0]) for other in numbers), _HEAD)
        fields |= {"orders": (Order(descending=name == "tail"),), "limit": limit}
        used.update(numbers)
    counted = bool(draft.places(Kind.COUNT)) or draft.opener == "howmany"
    if name == "dup.more" and names:
        # Texts that stand in several rows, or how many they are, rather than the rows.
        having = (Having(measure=COUNT, operator=Operator.GT, values=(1.0,)),)
        keys = tuple(Key(column=column) for column in names)
        repeated: Mapping[str, Any] = {"measures": (COUNT,), "keys": keys, "having": having}
        features = (("survey.repeated", 1.0),)
        found = Output.VALUE if counted else Output.GROUPS
        yield draft.built("survey", scope, None, used, features, output=found, **repeated)
    for measures in ((COUNT,), ()) if counted and output in _COUNTABLE else ((),):
        said = {
            f"survey.{output.value}": 1,
            "survey.columns": bool(names),
            "survey.counted": counted and bool(measures),
            "survey.uncounted": counted and not measures,
        }
        fields |= {"output": output} if output is Output.VALUE else {"output": output, "measures": measures}
        yield draft.built("survey", scope, None, used, told(said), **fields)


def _numbers(draft: Draft) -> list[int]:
    """Return the place of the first bare number, if there is one."""
    return [other for other in draft.places(Kind.BOUND) if draft.effects[other].values][:1]


def value_list_intents(draft: Draft) -> Iterator[Built]:
    """Read the different values of a column."""
    columns, distinct = draft.places(Kind.COLUMN, Kind.LISTED), draft.places(Kind.DISTINCT)
    lists = bool(draft.places(Kind.LISTED))
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION):
        return
    if not columns and draft.opener == "which" and not draft.places(Kind.ROWS):
        yield from _what_there_is(draft)
    if len(columns) not in {1, 2} or (lists and not distinct):
        # `name and city` are those of the rows.
        return
    first = draft.vocabulary.by_name[draft.names(columns)[0]]
    said = ("values", "exist", "all", "also")
    used = {*columns, *distinct, *draft.idle(*said, "table")}
    for scope in draft.scopes():
        features = {
            "values.distinct": bool(distinct),
            "values.listed": lists,
            "values.said": draft.has(*said),
            "values.numeric": first.measure,
            "values.unique": first.kept_unique,
            "values.scoped": bool(scope.clauses or scope.periods),
        }
        yield draft.built("values", scope, None, used, told(features), columns=draft.names(columns))


def kinds_of(vocabulary: Vocabulary) -> list[TableColumn]:
    """Return the columns of texts that tell kinds of things: neither who nor where, nor yes or no."""
    others = {*vocabulary.people, *vocabulary.places}
    texts = [column for column in vocabulary.columns if column.text and column.wordy and column not in others]
    return [column for column in texts if not (column.flag or column.kept_unique)]


def _what_there_is(draft: Draft) -> Iterator[Built]:
    """Read what there is as the kinds of things that a table tells: `what do we print`, `which desserts do we bake`."""
    kinds = kinds_of(draft.vocabulary)
    for scope in draft.scopes():
        told_of = {one.column for one in scope.clauses if isinstance(one, Condition)}
        unsaid = (column.name for column in kinds if column.name not in told_of)
        for rank, name in enumerate(islice(unsaid, 2)):
            features = (("values.unsaid", 1.0), ("default.rank", float(rank)))
            yield draft.built("values", scope, None, (), features, columns=(name,))


def exists_intents(draft: Draft) -> Iterator[Built]:
    """Whether there are rows in scope."""
    if draft.opener != "yesno" and "exist" not in draft.marks:
        return
    if draft.places(Kind.SUPER, Kind.KEY, Kind.MEASURE, Kind.FUNCTION, Kind.COUNT):
        return
    for scope in draft.scopes([effect.column for effect in draft.each(Kind.COLUMN)]):
        if scope.clauses or scope.periods:
            yield draft.built("exists", scope, None, draft.idle("exist", "table"))
