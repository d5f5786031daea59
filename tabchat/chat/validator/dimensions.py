"""What names are names of: those that share a column are of one dimension, and a period may hold another."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tabchat.chat.validator.parsed import inside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.parsed import Parsed


def without_wider(parsed: Parsed, members: Sequence[Mention]) -> list[Mention]:
    """Leave out a period that holds another one of its segment: `in 2024, revenue in Q4`."""
    wide = {
        item.start
        for part in parsed.parts
        for item in members
        for other in members
        if inside(item, part) and inside(other, part) and item.is_date and holds(item, other)
    }
    return [item for item in members if item.start not in wide]


def sorted_by_dimension(mentions: Sequence[Mention]) -> Mapping[str, list[Mention]]:
    """Sort mentions by what they are names of: mentions that share a column are of one dimension."""
    found: dict[str, list[Mention]] = defaultdict(list)
    known: dict[str, str] = {}
    for mention in mentions:
        columns = sorted({item.column.casefold() for item in mention.named})
        name = next((known[column] for column in columns if column in known), columns[0])
        known.update(dict.fromkeys(columns, name))
        found[name].append(mention)
    return found


def holds(wide: Mention, narrow: Mention) -> bool:
    """Tell whether one period holds another in some result."""
    for one in wide.named:
        for other in narrow.named:
            if (one.view, one.column) != (other.view, other.column) or one.wanted == other.wanted:
                continue
            if isinstance(one.wanted, tuple) and isinstance(other.wanted, tuple):
                return one.wanted[0] <= other.wanted[0] and other.wanted[1] <= one.wanted[1]
            if isinstance(one.wanted, frozenset) and isinstance(other.wanted, frozenset):
                return one.wanted > other.wanted
    return False


def of_other_dimensions(context: Sequence[Mention], named: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return what the context names beside the dimensions of `named`."""
    columns = {column for mention in named for _, column in mention.columns()}
    return tuple(item for item in context if not columns & {column for _, column in item.columns()})
