"""Headers that a question spells as the file does: `sum of col_2`, where neither `col` nor `2` is meant."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.tokens import TokenKind, fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts, PlannerTable
    from tabchat.planner.tokens import Token

_IDENTIFIER: Final = re.compile(r"(?=\w*_)\w+")
"""A word with an underscore is no word of a language."""


def literal_column(
    table: PlannerTable, tokens: Sequence[Token], start: int, question: str
) -> tuple[int, ColumnFacts] | None:
    """Return the column whose whole header stands at a token, with the token behind it; in any case of letters."""
    begins = tokens[start].start
    if "_" not in question[begins:] or question[max(0, begins - 1) : begins].isalnum():
        return None
    found = _IDENTIFIER.match(question, begins)
    if found is None:
        return None
    said = found.group()
    named = [column for column in table.columns if column.name.casefold() == said.casefold()]
    exact = [column for column in named if column.name == said]
    chosen = exact or named
    end = next((at for at in range(start, len(tokens)) if tokens[at].end == found.end()), None)
    return (end + 1, chosen[0]) if len(chosen) == 1 and end is not None else None


def joined(tokens: Sequence[Token], table: PlannerTable, question: str) -> tuple[Token, ...]:
    """Make one token of each header that is spelled as the file does, so that no part of it is read as a word."""
    found: list[Token] = []
    at = 0
    while at < len(tokens):
        literal = literal_column(table, tokens, at, question)
        end = at + 1 if literal is None else literal[0]
        text = question[tokens[at].start : tokens[end - 1].end]
        whole = replace(tokens[at], text=text, norm=fold(text), kind=TokenKind.WORD, end=tokens[end - 1].end)
        found.append(tokens[at] if end == at + 1 else whole)
        at = end
    return tuple(found)
