"""What is said of a result whose query no intent says: its figures by their names, or how many rows it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.turn.model import Reply
from tabchat.engine.result import ResultKind
from tabchat.planner.wording.figures import Figures
from tabchat.planner.wording.phrases import phrases_of

if TYPE_CHECKING:
    from tabchat.engine.result import Result


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
