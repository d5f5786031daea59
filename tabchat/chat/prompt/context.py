"""What the prompt of a question depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.config import PrivacyLevel
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tabchat.chat.turn.answer import DataBlock
    from tabchat.engine.profile.sketch import TableSketch
    from tabchat.engine.table import Table


@record
class RecentResult:
    """An earlier result that a follow-up may name."""

    number: int
    """1 for `r1`."""
    kind: str
    rows: int
    columns: tuple[str, ...] = ()
    title: str | None = None

    @classmethod
    def of(cls, block: DataBlock) -> RecentResult | None:
        """Describe a result of this conversation; nothing for one without a number."""
        if block.number is None:
            return None
        frame, unsaid = block.result.frame, block.result.metadata.cell_names
        return cls(
            number=block.number,
            kind=block.result.kind.value,
            rows=frame.row_count,
            columns=tuple(name for name in frame.columns if name not in unsaid),
            title=block.title,
        )


@record
class PromptContext:
    """One question over some tables, as a model may know them."""

    question: str
    tables: Mapping[str, Table]
    """The open tables without what is hidden from models."""
    current: str
    """Name of the table that the question is about, unless it says otherwise."""
    privacy: PrivacyLevel = PrivacyLevel.SUMMARY
    sketch_of: Callable[[Table], TableSketch] | None = None
    """Looks at a table; called when the prompt is written, and never at `strict`. Without it, tables are
    told by names and types alone."""
    results: Sequence[RecentResult] = ()
    """Earlier results, oldest first."""
    preview_rows: int = 5
    """Rows of the current table that are told at privacy level `preview`."""
