"""Common questions in a person's own words, each with the query that answers it: readings of what says them word by word.

A question that the grammar reads asks for those of the person alone: without any, the catalogue is not loaded.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tabchat.planner.plan import Unplannable
from tabchat.planner.wording.terms import Terms, phrases_of
from tabchat.planner.words import shipped_languages
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.interpretation import Interpreter
    from tabchat.planner.links import Lattice
    from tabchat.planner.plan import PlannedCall
    from tabchat.planner.shortcuts.catalogue import Shortcut
    from tabchat.planner.shortcuts.matching import Match

__all__ = ["ShortcutReader", "Shortened"]


@record
class Shortened:
    """A shortcut as a reading: its query, or the question that it stands for."""

    interpretation: str
    call: PlannedCall | None = None
    asks: str | None = None


@mutable
class ShortcutReader:
    """Reads questions by the catalogue."""

    own: Path | None = None
    """TOML file of the person's own shortcuts."""

    @cached_property
    def _shortcuts(self) -> tuple[Shortcut, ...]:
        from tabchat.planner.shortcuts.catalogue import load_shortcuts

        return load_shortcuts(self.own, shipped_languages())

    @cached_property
    def _own(self) -> tuple[Shortcut, ...]:
        if self.own is None:
            return ()
        from tabchat.planner.shortcuts.catalogue import shipped_shortcuts

        shipped = shipped_shortcuts()
        return tuple(shortcut for shortcut in self._shortcuts if shortcut not in shipped)

    def said(self, lattice: Lattice, interpreter: Interpreter, *, own: bool = False) -> list[Shortened]:
        """Return the shortcuts that a question says word by word, each query once; with `own` only the person's."""
        known = self._own if own else self._shortcuts
        if not known:
            return []
        from tabchat.planner.shortcuts.matching import Matcher

        matcher = Matcher(lattice, interpreter.weights)
        found = [
            made
            for shortcut in known
            for match in matcher.said(shortcut)
            for made in _read(match, lattice, interpreter.facts)
        ]
        return _distinct(found)


def _read(match: Match, lattice: Lattice, facts: TableFacts) -> Iterator[Shortened]:
    from tabchat.planner.shortcuts.slots import filled_call, said_with, with_date

    shortcut = match.shortcut
    try:
        fillings = with_date(shortcut, match.fillings, facts)
        if shortcut.asks is not None:
            if match.clauses or match.periods:
                return
            asked = said_with(shortcut.asks, fillings)
            yield Shortened(interpretation=asked, asks=asked)
            return
        call = filled_call(shortcut, fillings, match.clauses, match.periods, facts)
    except Unplannable:
        return
    terms = Terms(phrases_of(lattice.sentence.language), facts)
    said = [said_with(shortcut.meaning, fillings)]
    said += [*map(terms.clause, match.clauses), *map(terms.period, match.periods)]
    yield Shortened(interpretation=terms.words["separator"].join(said), call=call)


def _distinct(found: Sequence[Shortened]) -> list[Shortened]:
    kept: list[Shortened] = []
    for made in found:
        if all((made.call, made.asks) != (other.call, other.asks) for other in kept):
            kept.append(made)
    return kept
