"""Which name belongs to which figure of one statement, by the order and the segments they stand in.

Names are groups of one dimension, dates, columns or roles; each sort is assigned on its own. The order of
names and figures decides first (`Asia and Europe made 120 and 95`, `120 in Asia, 95 in Europe`), then the
segment between commas and conjunctions, then what was named before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span


class Placed(Protocol):
    """Something at a place in the text."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends, not included."""


NameT = TypeVar("NameT", bound=Placed)

_MARKS: Final = re.compile(r"[,;:()\[\]—–|=→]|\s[-−]\s")
_ADJACENT: Final = re.compile(r"(?:'s|’s)?[\s*_`\"'«»“”(]{0,3}(?:[^\W\d_]{1,4}\s+)?[\s*_`\"'«»“”($€£₴]{0,3}")


@record
class Given(Generic[NameT]):
    """Names that a figure has."""

    own: tuple[NameT, ...] = ()
    """From its own segment, or by the order of the statement."""
    inherited: tuple[NameT, ...] = ()
    """Named earlier in the statement."""
    ahead: tuple[NameT, ...] = ()
    """Named only later in the statement."""


def segments(text: str, span: Span, cuts: Sequence[Span], whole: Sequence[Span]) -> list[Span]:
    """Cut `span` at punctuation and at `cuts` (conjunctions), but never within one of `whole`."""
    marks = [match.span() for match in _MARKS.finditer(text, *span)]
    marks += [cut for cut in cuts if span[0] <= cut[0] and cut[1] <= span[1]]
    free = [mark for mark in marks if not any(low < mark[1] and mark[0] < high for low, high in whole)]
    edges = sorted(free)
    found: list[Span] = []
    at = span[0]
    for low, high in edges:
        if low > at:
            found.append((at, low))
        at = max(at, high)
    found.append((at, span[1]))
    return [item for item in found if text[item[0] : item[1]].strip()]


def assign(
    text: str,
    parts: Sequence[Span],
    names: Sequence[NameT],
    figures: Sequence[Placed],
    counted: Sequence[Placed],
) -> Mapping[int, Given[NameT]]:
    """Give names to `figures` (by index); `counted` are those that take part in the order of the statement."""
    if not names:
        return {}
    by_order = _ordered(text, parts, names, counted)
    given: dict[int, Given[NameT]] = {}
    for at, figure in enumerate(figures):
        name = by_order.get(figure.start)
        beside = counted if figure in counted else figures
        given[at] = Given(own=(name,)) if name is not None else _local(text, parts, names, beside, figure)
    return given


def _ordered(
    text: str, parts: Sequence[Span], names: Sequence[NameT], figures: Sequence[Placed]
) -> Mapping[int, NameT]:
    """Pair by order where the statement lists all names and then all figures, or puts each figure first."""
    row = sorted([(item.start, "N") for item in figures] + [(item.start, "L") for item in names])
    kinds = "".join(kind for _, kind in row)
    size = len(names)
    if size > 1 and kinds in {"L" * size + "N" * size, "N" * size + "L" * size}:
        return {figure.start: name for figure, name in zip(figures, names, strict=True)}
    if size > 1 and kinds.startswith("N") and kinds.endswith("L") and _figures_lead(parts, names, figures):
        return dict(_next_names(names, figures))
    return dict(_bracketed(text, names, figures)) if "NL" in kinds else {}


def _figures_lead(parts: Sequence[Span], names: Sequence[Placed], figures: Sequence[Placed]) -> bool:
    """Tell whether figures stand before names wherever both share a segment."""
    together = False
    for part in parts:
        inner = [item.start for item in names if _within(item, part)]
        figured = [item.start for item in figures if _within(item, part)]
        if inner and figured:
            if min(inner) < max(figured):
                return False
            together = True
    return together or len(names) == len(figures)


def _next_names(names: Sequence[NameT], figures: Sequence[Placed]) -> Iterator[tuple[int, NameT]]:
    for figure in figures:
        following = [item for item in names if item.start >= figure.end]
        if following:
            yield figure.start, following[0]


def _bracketed(text: str, names: Sequence[NameT], figures: Sequence[Placed]) -> Iterator[tuple[int, NameT]]:
    """Yield pairs such as `120 (Asia)`, unless the figure has a name right before it."""
    for figure in figures:
        before = [item for item in names if item.end <= figure.start]
        if any(not text[item.end : figure.start].strip(" :=*_—–-'s") for item in before):
            continue
        for name in names:
            if name.start >= figure.end and text[figure.end : name.start].strip("%* ") == "(":
                yield figure.start, name


def _local(
    text: str, parts: Sequence[Span], names: Sequence[NameT], figures: Sequence[Placed], figure: Placed
) -> Given[NameT]:
    """Give the names of the figure's own segment, else those named before it, else after it."""
    part = next((item for item in parts if _within(figure, item)), None)
    if part is None:
        return Given()
    own = [item for item in names if _within(item, part)]
    if own:
        return Given(own=(_nearest(text, own, [item for item in figures if _within(item, part)], figure),))
    before = [item for item in names if item.end <= figure.start]
    if before:
        return Given(inherited=(before[-1],))
    after = [item for item in names if item.start >= figure.end]
    place = next((item for item in parts if after and _within(after[0], item)), None)
    if place is None:
        return Given()
    taken = any(_within(item, place) for item in figures)
    return Given(ahead=(after[0],)) if taken else Given(inherited=(after[0],))


def _nearest(text: str, own: Sequence[NameT], beside: Sequence[Placed], figure: Placed) -> NameT:
    """Return the name in the figure's place, the one right before it, the subject of a single figure, the nearest."""
    if len(own) == len(beside):
        return own[beside.index(figure)]
    before = [item for item in own if item.end <= figure.start]
    if before and _ADJACENT.fullmatch(text, before[-1].end, figure.start):
        return before[-1]
    return before[-1] if before and len(beside) > 1 else own[0]


def _within(item: Placed, span: Span) -> bool:
    return span[0] <= item.start and item.end <= span[1]
