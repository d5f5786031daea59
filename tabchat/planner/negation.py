"""Words that deny a yes/no column by their beginning: `inactive`, `неоплачений`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.headers import COLUMN_WINDOW, HEAD
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.headers import HeaderIndex
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

_SHORTEST: Final = 4
"""Letters that are left of a word without its beginning."""


def parted(tokens: Sequence[Token], headers: HeaderIndex, lexicons: Sequence[Lexicon]) -> tuple[Token, ...]:
    """Write `inactive` as `not active` where a yes/no column is called so, and nothing by the whole word."""
    row: list[Token] = []
    for token in tokens:
        row += _parts(token, headers, lexicons) or [token]
    return tuple(row)


def _parts(token: Token, headers: HeaderIndex, lexicons: Sequence[Lexicon]) -> list[Token]:
    if token.kind is not TokenKind.WORD or len(token.text) != len(token.norm):
        return []
    for lexicon in lexicons:
        for beginning, denial in lexicon.denying:
            rest = token.norm.removeprefix(beginning)
            if len(rest) < _SHORTEST or rest == token.norm:
                continue
            known = lexicon.find((token.norm,)) or headers.find([token], 0)
            middle = token.start + len(beginning)
            positive = replace(token, text=token.text[len(beginning) :], norm=rest, start=middle)
            if not known and _is_flag(positive, headers):
                return [replace(token, text=token.text[: len(beginning)], norm=denial, end=middle), positive]
    return []


def _is_flag(token: Token, headers: HeaderIndex) -> bool:
    found = headers.find([token], 0)
    best = min((match.cost for match in found), default=HEAD)
    rivals = [match for match in found if match.cost <= best + COLUMN_WINDOW]
    return bool(rivals) and all(
        match.cost <= HEAD
        and (match.column.kind is ColumnKind.BOOLEAN or _says_done(token, match.column, headers))
        for match in rivals
    )


def _says_done(token: Token, column: ColumnFacts, headers: HeaderIndex) -> bool:
    """Tell whether a column says when or by whom rows underwent what a word says: `Assigned To`, `Paid On`."""
    filled = column.kind is ColumnKind.TEXT or column.kind.is_temporal
    return (
        filled
        and column.words[0] == token.norm
        and len(column.words) > 1
        and column.words[-1] in headers.joining
    )
