"""What the tools that change tables ask of the session: versions, and the person's consent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue


@record
class AppliedEdit:
    """An edit that is in effect now, or was taken back."""

    table: str
    text: str
    """The edit in a line."""
    summary: MutationSummary
    """What is different from before."""
    twins: Mapping[str, str]
    """Columns of the table that repeat a header → that header."""


class Editor(Protocol):
    """Changes the open tables for a model; every edit is shown to the person first."""

    def edit(self, table: Table, arguments: Mapping[str, JsonValue]) -> AppliedEdit:
        """Carry out an edit of `table`, of which the caller sees the visible columns alone.

        Raises `PlanError` for one that cannot be, and `DeclinedError` when the person does not agree.
        """

    def edit_rows(self, table: Table, rows: pa.Table, label: str) -> AppliedEdit:
        """Let `rows`, the outcome of code over `table`, be its rows; `label` says in a line what the code did.

        An integer column `__row__` says which rows they were. Raises as `edit` does.
        """

    def go_back(self) -> AppliedEdit:
        """Take the last edit back; raises `PlanError` when there is none."""

    def go_forward(self) -> AppliedEdit:
        """Make the edit again that was taken back last; raises `PlanError` when there is none."""
