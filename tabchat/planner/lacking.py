"""Why a question whose words are all known has no answer: a column that is kept as text, or a figure that no column holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.catalog import holds_written_numbers, lists_figures, written_example
from tabchat.planner.senses import SenseKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.linker import Linked
    from tabchat.planner.senses import Item, Sense

_FIGURES: Final = (
    "agg.",
    "super.",
    "top.",
    "cmp.",
    "between",
    "scale.",
    "howmuch",
    "share",
    "growth",
    "corr",
    "sort",
)
"""Concepts of questions that ask figures of a column."""
_COMPUTED: Final = ("agg.", "top.", "howmuch")


def kept_as_text(table: PlannerTable, column: ColumnFacts) -> str | None:
    """Say that a column whose cells are figures with notes is a text to the table; nothing when it is not."""
    if column.kind.value != "text" or not (
        holds_written_numbers(table, column) or lists_figures(table, column)
    ):
        return None
    example = written_example(table, column)
    shown = f", such as “{example}”," if example else ""
    return (
        f"{column.name} is kept as text{shown} so it cannot be computed with or compared; "
        "convert it to numbers first"
    )


def reason_of(linked: Linked, table: PlannerTable) -> str | None:
    """Return why nothing came of a question, if its words show it."""
    meant = [item for item in linked.items if not _has(item, "stop.")]
    wanted = [item for item in meant if _has(item, *_FIGURES)]
    if not wanted:
        return None
    columns = [sense.column for item in meant if (sense := _column(item)) is not None]
    for column in columns:
        said = kept_as_text(table, column) if column is not None else None
        if said is not None:
            return said
    nouns = [item.text for item in meant if item not in wanted and _is_noun(item)]
    computed = any(_has(item, *_COMPUTED) for item in wanted)
    if computed and nouns and not any(column and column.kind.is_numeric for column in columns):
        return f"no column of numbers is called “{nouns[-1]}”"
    return None


def _has(item: Item, *concepts: str) -> bool:
    return any(sense.has(*concepts) for sense in item.senses)


def _column(item: Item) -> Sense | None:
    return next((sense for sense in item.senses if sense.kind is SenseKind.COLUMN), None)


def _is_noun(item: Item) -> bool:
    senses: Sequence[Sense] = item.senses
    return all(sense.has("entity.", "event.") for sense in senses) and _has(item, "entity.", "event.")
