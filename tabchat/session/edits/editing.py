"""Several edits of one table, one after the other, and what they change together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record
from tabchat.session.edits.requests import preview_request, read_request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.session.edits.versions import PendingEdit
    from tabchat.session.session import Session


@record
class TableChange:
    """Edits that were made in a session, and all that is different since."""

    steps: tuple[PendingEdit, ...]
    readings: tuple[str | None, ...]
    """How each request was read, where it was words."""
    summary: MutationSummary
    """Columns are matched by name, through what they were renamed to."""


def edit_in_order(session: Session, requests: Sequence[str]) -> TableChange:
    """Make every edit that is asked for, each of the version that the one before made; nothing is saved.

    Raises what reading or previewing the first of them that fails raises; the edits before it stay made.
    """
    steps, readings = [], []
    for text in requests:
        request = read_request(session, text)
        pending = preview_request(session, request)
        session.commit(pending)
        steps.append(pending)
        readings.append(request.interpretation)
    return TableChange(steps=tuple(steps), readings=tuple(readings), summary=_together(session, steps))


def _together(session: Session, steps: Sequence[PendingEdit]) -> MutationSummary:
    if len(steps) == 1:
        return steps[0].summary
    from tabchat.engine.edits.comparing import compare_versions

    before, after = steps[0].before, steps[-1].after
    names = {name: name for name in before.by_name}
    for step in steps:
        renamed = step.summary.renamed_columns
        names = {old: renamed.get(now, now) for old, now in names.items()}
    moved = {old: now for old, now in names.items() if old != now}
    return compare_versions(session.engine, before, after, renamed=moved, adds_rows=True)
