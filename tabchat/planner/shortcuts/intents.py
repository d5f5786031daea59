"""What an intent is: what people ask for, how they put it, and the plan that answers it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.values import JsonValue

GUARDS: Final = frozenset({"many_rows_a_day"})
"""What an intent may require of a table."""
SHAPES: Final = frozenset({"measure", "percent", "argmax", "top", "group", "list", "preview"})
"""Kinds of sentences that answer."""


@record
class Utterance:
    """One way to put a question: words, with slots between them."""

    text: str
    parts: tuple[str, ...]
    """The words between the slots; one more than there are slots."""
    slots: tuple[str, ...]

    @property
    def words(self) -> str:
        """The words alone."""
        return " ".join(part.strip() for part in self.parts if part.strip())


@record
class Intent:
    """Something that people ask for, the ways in which they put it, and the plan that answers it."""

    id: str
    meaning: str
    """How the question was read, with slots."""
    utterances: Mapping[str, tuple[Utterance, ...]]
    """Language → wordings."""
    plan: Mapping[str, JsonValue] | None = None
    """A query plan with slots in its texts."""
    asks: str | None = None
    """A question that means the same and that the grammar reads, in place of a plan."""
    asks_language: str = "en"
    requires: tuple[str, ...] = ()
    """What must be true of the table, of `GUARDS`."""
    shape: str = "list"
    """The kind of sentence that answers, of `SHAPES`."""
    details: Mapping[str, str] = field(default_factory=dict)
    """`measure` and `key`: result columns that the sentence names."""
