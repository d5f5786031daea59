"""What a shortcut is: what people ask for, how they put it, and the plan that answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.values import JsonValue


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
class Shortcut:
    """Something that people ask for, the ways in which they put it, and the plan that answers it."""

    id: str
    meaning: str
    """How the question was read, with slots."""
    utterances: Mapping[str, tuple[Utterance, ...]]
    """Language → wordings."""
    plan: Mapping[str, JsonValue] | None = None
    """A query plan with slots in its texts."""
    asks: str | None = None
    """A question that means the same, in place of a plan."""
