"""Which columns each figure of a statement is said to be of."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.parsed import inside

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.mentions import ColumnMention
    from tabchat.chat.validator.parsed import Parsed

Places: TypeAlias = frozenset[tuple[int, str]]
"""(result, column)."""


def columns_of(parsed: Parsed) -> list[Places]:
    """Return the columns of each figure, in their order; nothing where the text names none."""
    return [
        _cell_columns(parsed, figure) if parsed.statement.cells else _columns(parsed, figure)
        for figure in parsed.figures
    ]


def _columns(parsed: Parsed, figure: WrittenNumber) -> Places:
    part = parsed.part_of(figure)
    own = parsed.scene.columns_in(part)
    beside = parsed.figures_in(part)
    if figure.kind is NumberKind.COUNT:
        own = [item for item in own if item.start >= figure.end]
        return own[0].columns if own and len(beside) == 1 else frozenset()
    if own and len(own) == len(beside):
        return own[beside.index(figure)].columns
    if own and len(beside) == 1:
        return _joined(own)
    if own and figure.kind is NumberKind.RATIO:
        return _joined(own)
    if own:
        return _closest(figure, own, beside)
    led = parsed.scene.columns_in((parsed.since(figure), figure.start))
    return _joined(item for item in led if parsed.is_free(item))


def _closest(figure: WrittenNumber, own: Sequence[ColumnMention], beside: Sequence[WrittenNumber]) -> Places:
    for item in own:
        nearest = min(beside, key=lambda other: min(abs(item.end - other.start), abs(item.start - other.end)))
        if nearest is figure:
            return item.columns
    return frozenset()


def _cell_columns(parsed: Parsed, figure: WrittenNumber) -> Places:
    header = parsed.header_of(parsed.part_of(figure))
    named = parsed.scene.columns_in(header) if header is not None else []
    if named:
        return _joined(named)
    texts = [part for part in parsed.parts if not any(inside(item, part) for item in parsed.figures)]
    return _joined(item for part in texts for item in parsed.scene.columns_in(part))


def _joined(mentions: Iterable[ColumnMention]) -> Places:
    return frozenset(place for item in mentions for place in item.columns)
