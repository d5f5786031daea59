"""Changing one named part of the last intent by a few words: `by month`, `filter country = Germany`, `limit 5`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner.intent import COUNT, Intent, Output
from tabchat.planner.intent_changes import Change, is_silent
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.search import HEAVY
from tabchat.planner.wording.reading import order_of
from tabchat.planner.wording.terms import Terms, phrases_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.interpretation import Interpreter

PARTS: Final = ("measure", "filter", "by", "period", "sort", "limit")
"""The parts of an intent that can be set, in the order in which they are shown."""
_NOTHING: Final = frozenset({"none", "off", "-"})
_KINDS: Final[Mapping[str, frozenset[Kind]]] = {
    "measure": frozenset({Kind.MEASURE, Kind.FUNCTION, Kind.COLUMN, Kind.COUNT}),
    "filter": frozenset({Kind.CLAUSE, Kind.CELLS, Kind.ROWS}),
    "period": frozenset({Kind.PERIOD}),
    "by": frozenset({Kind.KEY}),
    "sort": frozenset({Kind.ORDER, Kind.DIRECTION}),
}
_EXAMPLES: Final = {
    "measure": "/set measure median price",
    "filter": "/set filter country = Germany",
    "by": "/set by month",
    "period": "/set period 2024",
    "sort": "/set sort price desc",
    "limit": "/set limit 5",
}
_OPENINGS: Final = {"by": "by ", "sort": "sort by "}
"""What the words of a part are read behind; words of every language may follow."""


def named_parts(intent: Intent, facts: TableFacts) -> tuple[tuple[str, str], ...]:
    """Return (part, what it is) of an intent, an empty text for what it does not have."""
    terms = Terms(phrases_of("en"), facts)
    listed = intent.output is Output.ROWS
    shown = {
        "measure": terms.words["rows"] if listed else terms.measures(intent.measures),
        "filter": terms.words["separator"].join(map(terms.clause, intent.clauses)),
        "by": terms.keys(intent.keys, "by_"),
        "period": terms.words["either"].join(map(terms.period, intent.periods)),
        "sort": terms.words["listed"].join(order_of(order, intent, terms) for order in intent.orders),
        "limit": str(intent.limit or ""),
    }
    return tuple((name, shown[name]) for name in PARTS)


def check_part(name: str) -> None:
    """Raise `UsageError` unless an intent has a part of that name."""
    if name not in PARTS:
        near = nearest(name, PARTS) or PARTS
        message = f"A query has no part {name!r}."
        raise UsageError(message, hint=f"One of: {', '.join(near if len(near) == 1 else PARTS)}.")


def with_part(intent: Intent, name: str, text: str, interpreter: Interpreter) -> Intent:
    """Return an intent with one part changed to what `text` says, or without it when that is `none`.

    Raises `UsageError` for a part that there is not or no number of rows, `NotUnderstoodError` for words that are
    none of this part, or do not go with the others.
    """
    check_part(name)
    if not text.strip():
        message = f"/set {name} needs what it is to be."
        raise UsageError(message, hint=f"Such as {_EXAMPLES[name]}, or /set {name} none.")
    if text.strip().casefold() in _NOTHING:
        changed = _without(intent, name)
    elif name == "limit":
        changed = replace(intent, limit=_count(text))
    else:
        changed = _said(intent, name, f"{_OPENINGS.get(name, '')}{text}", interpreter)
    if not interpreter.can_answer(changed):
        raise _unfit(name)
    return changed


def _said(intent: Intent, name: str, text: str, interpreter: Interpreter) -> Intent:
    lattice = interpreter.lattice(text)
    change, base = Change(lattice.vocabulary, frozenset()), _base(intent, name)
    for way in interpreter.ways(lattice):
        kinds = {effect.kind for effect in way.effects if not is_silent(effect)}
        loses_words = any(lattice.skips[place] in HEAVY for place in way.skipped)
        if not kinds or not kinds <= _KINDS[name] or loses_words:
            continue
        if found := change.applied(base, way.effects):
            return replace(found[0], limit=intent.limit) if name == "sort" else found[0]
    raise _unfit(name, interpreter.strange(lattice))


def _base(intent: Intent, name: str) -> Intent:
    """Return what the part is changed in: rows are counted once they are grouped."""
    if intent.output is Output.ROWS and name in {"measure", "by"}:
        return replace(intent, output=Output.VALUE, measures=(COUNT,), columns=(), orders=(), limit=None)
    cleared = {"sort": replace(intent, limit=None), "period": replace(intent, periods=())}
    return cleared.get(name, intent)


def _without(intent: Intent, name: str) -> Intent:
    grouped = {Output.GROUPS, Output.STANDING, Output.CHANGE}
    ungrouped = Output.VALUE if intent.output in grouped else intent.output
    plain = replace(intent, having=(), orders=(), limit=None, limit_keys=(), change=None, window=None)
    cleared = {
        "measure": Intent(output=Output.ROWS, clauses=intent.clauses, periods=intent.periods),
        "filter": replace(intent, clauses=()),
        "by": replace(plain, output=ungrouped, keys=(), placed=(), against=None),
        "period": replace(intent, periods=()),
        "sort": replace(intent, orders=()),
        "limit": replace(intent, limit=None, offset=0, limit_keys=(), with_ties=False),
    }
    return cleared[name]


def _count(text: str) -> int:
    digits = text.strip().replace(",", "").replace("_", "")
    if not digits.isdecimal() or int(digits) < 1:
        message = f"{text.strip()!r} is no number of rows."
        raise UsageError(message, hint=f"Such as {_EXAMPLES['limit']}.")
    return int(digits)


def _unfit(name: str, words: tuple[str, ...] = ()) -> NotUnderstoodError:
    said = ", ".join(f"“{word}”" for word in words)
    message = f"Not understood: {said}." if words else f"That is no {name} for this query."
    return NotUnderstoodError(message, hint=f"Such as {_EXAMPLES[name]}.", words=words)
