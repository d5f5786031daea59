"""Figures that the describing tools told: of a table, of one of its columns, or of one value of a column.

Each is bound like a cell: the text must name the column, the value, and what the figure is of it.
"""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.assignment import assign
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.parsed import Parsed
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.words import alike, words_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from tabchat.chat.claims import WrittenDate
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.engine.types import JsonValue

_STATISTICS: Final = frozenset({"min", "max", "mean", "median", "std", "sum", "first", "last"})
_ROWS: Final = frozenset({"rows", "row_count", "record_count", "rows_scanned"})
_COUNTED: Final = frozenset({"count", "matches"})
_EDITED: Final = frozenset({"rows_before", "removed", "added", "changed"})
"""What an edit did; the cue of the same name says it in words."""
_OF_OTHERS: Final = ("column", "distinct", "missing", "removed", "added", "changed")
_BEHIND: Final = 2


@record
class Told:
    """One value that was told, and what it is of."""

    value: Decimal
    field: str
    column: str | None = None
    label: str | None = None
    rows: Decimal | None = None
    """Rows of the table, for shares."""


@record
class Spot:
    """A column or a value, named at a place in the text."""

    start: int
    end: int
    names: frozenset[str]


def find_fact(
    ground: Ground, bound: Bound, facts: Sequence[Mapping[str, JsonValue]], bounds: Sequence[Bound]
) -> Proof | None:
    """Look for the figure among what was told, where the words name what it is of."""
    for fact in facts:
        subject = str(fact.get("table") or fact.get("data_key") or "table")
        told = list(_told(fact))
        columns = _spots(ground, bound, {item.column for item in told if item.column})
        labels = _spots(ground, bound, {item.label for item in told if item.label})
        column = _governing(ground, bound, bounds, columns)
        label = _governing(ground, bound, bounds, labels)
        described = {item.column for item in told if item.column}
        for item in told:
            if not _is_said(bound, item, ground):
                continue
            if _is_of(ground, bound, item, (column, columns), (label, labels), alone=len(described) == 1):
                place = ".".join(part for part in (item.column, item.label, item.field) if part)
                return Proof(evidence=f"description of {subject}: {place}")
    return None


def find_told_date(
    claim: WrittenDate, facts: Sequence[Mapping[str, JsonValue]], roles: frozenset[str]
) -> Proof | None:
    """Look for a date among the first and last days that were told."""
    for fact in facts:
        for column in _columns(fact):
            for field, role in (("min", "first"), ("max", "last")):
                try:
                    day = dt.date.fromisoformat(str(column.get(field))[:10])
                except ValueError:
                    continue
                ends = roles & {"first", "last", "min", "max"}
                if any(low <= day <= high for low, high in claim.readings) and (
                    not ends or ends & {role, field}
                ):
                    subject = str(fact.get("table") or "table")
                    return Proof(evidence=f"description of {subject}: {column.get('name')}.{field}")
    return None


def _columns(fact: Mapping[str, JsonValue]) -> list[Mapping[str, JsonValue]]:
    exact = fact.get("exact")
    listed = fact.get("columns") or (exact.get("columns") if isinstance(exact, dict) else None)
    return [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []


def _told(fact: Mapping[str, JsonValue]) -> Iterator[Told]:
    rows = next((number for name in _ROWS if (number := decimal_of(fact.get(name))) is not None), None)
    for name, value in fact.items():
        yield from _plain(name, value, rows)
    for column in _columns(fact):
        of = str(column.get("name"))
        for name, value in column.items():
            number = decimal_of(value)
            if number is not None:
                yield Told(value=number, field=name, column=of, rows=rows)
        values = column.get("top_values")
        for item in values if isinstance(values, list) else ():
            number = decimal_of(item.get("count")) if isinstance(item, dict) else None
            if isinstance(item, dict) and number is not None:
                yield Told(value=number, field="count", column=of, label=str(item.get("value")), rows=rows)


def _plain(name: str, value: JsonValue, rows: Decimal | None) -> Iterator[Told]:
    number = decimal_of(value)
    if number is not None:
        yield Told(value=number, field=name, rows=rows)
    elif isinstance(value, dict) and name not in {"columns", "exact"}:
        for inner, item in value.items():
            if isinstance(item, dict):
                found = ((field, decimal_of(each)) for field, each in item.items())
                yield from (
                    Told(value=of, field=field, column=inner) for field, of in found if of is not None
                )
            elif (of := decimal_of(item)) is not None:
                yield Told(value=of, field={"min_row": "min", "max_row": "max"}.get(name, name), column=inner)


def _is_said(bound: Bound, item: Told, ground: Ground) -> bool:
    if agrees(bound.claim, Actual(value=item.value), ground.tolerance):
        return True
    share = bound.claim.kind is NumberKind.PERCENT and item.rows and item.field in {"count", "nulls"}
    if not share or not item.rows:
        return False
    return agrees(bound.claim, Actual(value=item.value / item.rows, nature=Nature.FRACTION), ground.tolerance)


def _is_of(
    ground: Ground,
    bound: Bound,
    item: Told,
    column: tuple[Spot | None, Sequence[Spot]],
    label: tuple[Spot | None, Sequence[Spot]],
    *,
    alone: bool,
) -> bool:
    """Tell whether the words name the column, the value and the field."""
    if item.label is not None:
        return label[0] is not None and item.label in label[0].names and not bound.roles & _STATISTICS
    if label[0] is not None and item.field not in _ROWS:
        return False
    behind = _behind(bound, column[1])
    if item.column is None:
        return _is_of_table(ground, bound, item, behind)
    if item.field == "distinct":
        near = behind or (column[0] if _says(ground, bound, "distinct") else None)
        return near is not None and item.column in near.names and bound.claim.kind is not NumberKind.PERCENT
    named = item.column in column[0].names if column[0] is not None else alone and not column[1]
    return named and _is_field(ground, bound, item.field)


def _is_field(ground: Ground, bound: Bound, field: str) -> bool:
    if field == "nulls":
        return _says(ground, bound, "missing")
    if field in _COUNTED:
        return not bound.roles & _STATISTICS
    span = (bound.statement.start, bound.statement.end)
    if field in {"min", "max"} and ground.scene.speaks_of(span, "range"):
        return field == ("max" if bound.claim.is_range_end and _is_upper(ground, bound) else "min") or not (
            bound.claim.is_range_end
        )
    return field in bound.roles or field not in _STATISTICS


def _is_upper(ground: Ground, bound: Bound) -> bool:
    return any(item.is_range_end for item in ground.before(bound))


def _is_of_table(ground: Ground, bound: Bound, item: Told, behind: Spot | None) -> bool:
    """Tell whether a figure of the whole table is meant: its rows, or its columns."""
    if item.field == "cols":
        return _says(ground, bound, "column")
    led = bool(ground.scene.cues_in((bound.reach[0], bound.claim.start), "instead"))
    if item.field in _EDITED:
        return _says(ground, bound, item.field) or (led and item.field == "rows_before")
    if item.field in _ROWS:
        counted = bound.claim.kind is NumberKind.COUNT or "count" in bound.roles or bound.is_whole
        return not led and (counted or behind is not None) and not _says(ground, bound, *_OF_OTHERS)
    return item.field in bound.roles or item.field == "value"


def _says(ground: Ground, bound: Bound, *cues: str) -> bool:
    """Tell whether a word stands beside the figure, up to the figures around it."""
    return bool(ground.scene.cues_in(bound.reach, *cues))


def _behind(bound: Bound, spots: Sequence[Spot]) -> Spot | None:
    """Return the column that the noun right behind the figure names."""
    return next((item for item in spots if 0 <= item.start - bound.claim.end <= _BEHIND), None)


def _governing(ground: Ground, bound: Bound, bounds: Sequence[Bound], spots: Sequence[Spot]) -> Spot | None:
    """Return which of `spots` belongs to the figure, by the order of the statement."""
    figures = [other.claim for other in bounds if other.statement is bound.statement]
    parts = Parsed(ground.scene, bound.statement, figures).parts
    given = assign(ground.scene.text, parts, spots, figures, figures)
    at = next((index for index, item in enumerate(figures) if item.start == bound.claim.start), None)
    found = given.get(at) if at is not None else None
    if found is None:
        return None
    return next(iter((*found.own, *found.inherited, *found.ahead)), None)


def _spots(ground: Ground, bound: Bound, names: set[str]) -> list[Spot]:
    """Find the names in the statement, the longest at each place; nouns stand for columns in other languages."""
    words = words_of(ground.scene.text[bound.statement.start : bound.statement.end], bound.statement.start)
    nouns = shipped_lexicon().nouns
    tokens = {name: tuple(word.text for word in words_of(name.replace("_", " "))) for name in names}
    spots: list[Spot] = []
    at = 0
    while at < len(words):
        found: dict[int, set[str]] = {}
        for name, parts in tokens.items():
            said = words[at : at + len(parts)]
            if parts and len(said) == len(parts) and all(map(alike, (word.text for word in said), parts)):
                found.setdefault(len(parts), set()).add(name)
        if not found:
            concepts = {item.name for item in nouns.find(words, at)}
            near = {name for name in names if nouns.names(name.replace("_", " ")) & concepts}
            if near:
                found[1] = near
        length = max(found, default=1)
        if found:
            spots.append(
                Spot(start=words[at].start, end=words[at + length - 1].end, names=frozenset(found[length]))
            )
        at += length
    return spots
