"""Which name belongs to which figure of one statement, by the order and the segments they stand in.

Names are groups of one dimension, dates, columns or roles; each sort is assigned on its own. The order of
names and figures decides first (`Asia and Europe made 120 and 95`, `120 in Asia, 95 in Europe`), then the
segment between commas and conjunctions, then what was named before.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

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


N = TypeVar("N", bound=Placed)

_MARKS: Final = re.compile(r"[,;:()\[\]—–|=→]|\s[-−]\s")
_ADJACENT: Final = re.compile(r"(?:'s|’s)?[\s*_`\"'«»“”(]{0,3}(?:[^\W\d_]{1,4}\s+)?[\s*_`\"'«»“”($€£₴]{0,3}")


@record
class Given:
    """Names that a figure has."""

    own: tuple[Placed, ...] = ()
    """From its own segment, or by the order of the statement."""
    inherited: tuple[Placed, ...] = ()
    """Named earlier in the statement."""
    ahead: tuple[Placed, ...] = ()
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
    names: Sequence[Placed],
    figures: Sequence[Placed],
    counted: Sequence[Placed],
) -> Mapping[int, Given]:
    """Give names to `figures` (by index); `counted` are those that take part in the order of the statement."""
    if not names:
        return {}
    by_order = _ordered(text, parts, names, counted)
    given: dict[int, Given] = {}
    for at, figure in enumerate(figures):
        name = by_order.get(figure.start)
        given[at] = Given(own=(name,)) if name is not None else _local(text, parts, names, figures, figure)
    return given


def _ordered(
    text: str, parts: Sequence[Span], names: Sequence[Placed], figures: Sequence[Placed]
) -> Mapping[int, Placed]:
    """Pair by order where the statement lists all names and then all figures, or puts each figure first."""
    row = sorted(
        [(item.start, False, item) for item in figures] + [(item.start, True, item) for item in names]
    )
    kinds = "".join("L" if is_name else "N" for _, is_name, _ in row)
    half = len(names)
    lists = {"L" * half + "N" * half, "N" * half + "L" * half}
    if half > 1 and kinds in lists and not _interleaved(parts, names, figures):
        return {figure.start: name for figure, name in zip(figures, names, strict=True)}
    if kinds.startswith("N") and kinds.endswith("L") and half > 1 and _figures_lead(parts, names, figures):
        return dict(_next_names(names, figures))
    if "NL" in kinds:
        return dict(_bracketed(text, names, figures))
    return {}


def _interleaved(parts: Sequence[Span], names: Sequence[Placed], figures: Sequence[Placed]) -> bool:
    # One figure for many names is no list: `Asia, Europe and Africa: 120` does not end up here, but
    # `Asia is ahead of Europe with 120 and 95` is one.
    return len(names) != len(figures) or not parts


def _figures_lead(parts: Sequence[Span], names: Sequence[Placed], figures: Sequence[Placed]) -> bool:
    together = False
    for part in parts:
        inner = [item for item in names if _within(item, part)]
        figured = [item for item in figures if _within(item, part)]
        if inner and figured:
            if min(item.start for item in inner) < max(item.start for item in figured):
                return False
            together = True
    return together or len(names) == len(figures)


def _next_names(names: Sequence[Placed], figures: Sequence[Placed]) -> Iterator[tuple[int, Placed]]:
    for figure in figures:
        following = [item for item in names if item.start >= figure.end]
        if following:
            yield figure.start, following[0]


def _bracketed(text: str, names: Sequence[Placed], figures: Sequence[Placed]) -> Iterator[tuple[int, Placed]]:
    """Yield pairs such as `120 (Asia)`, unless the figure has a name right before it."""
    for figure in figures:
        for name in names:
            between = text[figure.end : name.start] if name.start >= figure.end else "-"
            if between.strip("%* ") == "(" and not any(
                item.end <= figure.start and not text[item.end : figure.start].strip(" :=*_—–-'s")
                for item in names
            ):
                yield figure.start, name


def _local(
    text: str, parts: Sequence[Span], names: Sequence[Placed], figures: Sequence[Placed], figure: Placed
) -> Given:
    part = next((item for item in parts if _within(figure, item)), None)
    if part is None:
        return Given()
    own = [item for item in names if _within(item, part)]
    beside = [item for item in figures if _within(item, part)]
    if len(own) == 1:
        return Given(own=(own[0],))
    if own and len(own) == len(beside):
        return Given(own=(own[beside.index(figure)],))
    if own:
        return Given(own=(_nearest(text, own, beside, figure),))
    before = [item for item in names if item.end <= figure.start]
    if before:
        return Given(inherited=(before[-1],))
    after = [item for item in names if item.start >= figure.end]
    place = next((item for item in parts if after and _within(after[0], item)), None)
    if place is None:
        return Given()
    taken = any(_within(item, place) for item in figures)
    return Given(ahead=(after[0],)) if taken else Given(inherited=(after[0],))


def _nearest(text: str, own: Sequence[Placed], beside: Sequence[Placed], figure: Placed) -> Placed:
    """Return the name right before the figure, else with one figure the subject, else the nearest."""
    before = [item for item in own if item.end <= figure.start]
    if before and _ADJACENT.fullmatch(text, before[-1].end, figure.start):
        return before[-1]
    if len(beside) == 1:
        return own[0]
    return before[-1] if before else own[0]


def _within(item: Placed, span: Span) -> bool:
    return span[0] <= item.start and item.end <= span[1]
