"""One statement cut into segments, with the names and figures in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabchat.chat.validator.assignment import Placed, segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene


@dataclass
class Parsed:
    """A statement; its segments are the cells of a table's row, else what stands between commas and conjunctions."""

    scene: Scene
    statement: Statement
    figures: Sequence[WrittenNumber]

    def __post_init__(self) -> None:
        self.span: Span = (self.statement.start, self.statement.end)
        self.names: list[Mention] = self.scene.mentions_in(self.span)
        whole = [(item.start, item.end) for item in self.everything()]
        cuts = [(item.start, item.end) for item in self.scene.separators]
        self.parts: list[Span] = list(self.statement.cells) or segments(
            self.scene.text, self.span, cuts, whole
        )

    def everything(self) -> list[Placed]:
        """Return the names and the figures."""
        placed: list[Placed] = []
        placed.extend(self.names)
        placed.extend(self.figures)
        return placed

    def part_of(self, item: Placed) -> Span:
        """Return the segment that `item` stands in."""
        return next((part for part in self.parts if part[0] <= item.start < part[1]), self.span)

    def figures_in(self, part: Span) -> list[WrittenNumber]:
        """Return the figures of a segment."""
        return [figure for figure in self.figures if inside(figure, part)]

    def since(self, figure: Placed) -> int:
        """Return where the figure before ends, else where the statement begins."""
        return max((item.end for item in self.figures if item.end <= figure.start), default=self.span[0])

    def reach(self, figure: Placed) -> Span:
        """Return what lies between the figure before and the figure after."""
        after = [item.start for item in self.figures if item.start >= figure.end]
        return (self.since(figure), min(after, default=self.span[1]))

    def is_free(self, item: Placed) -> bool:
        """Tell whether no figure stands in the segment of a word: it may belong to the next figure."""
        part = next((part for part in self.parts if inside(item, part)), None)
        return part is None or not self.figures_in(part)

    def header_of(self, part: Span) -> Span | None:
        """Return the header of a table's cell."""
        at = self.parts.index(part) if part in self.parts else -1
        headers = self.statement.headers
        return headers[at] if 0 <= at < len(headers) else None


def inside(item: Placed, span: Span) -> bool:
    """Tell whether `item` stands within `span`."""
    return span[0] <= item.start and item.end <= span[1]
