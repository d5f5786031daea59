"""Checking a table: what may be wrong with it, the rows of each finding kept under a key."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.engine.profile.quality import Finding, find_flaws

if TYPE_CHECKING:
    from tabchat.session.session import Session


def check_table(session: Session, name: str | None = None) -> tuple[Finding, ...]:
    """Return what may be wrong with a table, the current one by default."""
    table = session.versions.stored(session.table(name))
    profile = session.profile(table.name)
    return tuple(
        replace(finding, data_key=_kept(session, table.name, finding))
        for finding in find_flaws(session.engine, table, profile)
    )


def _kept(session: Session, table: str, finding: Finding) -> str | None:
    """Keep the rows of a finding, and return their key; nothing where every row is alike."""
    if finding.plan is None:
        return None
    block = session.query({"table": table, **finding.plan}).block
    return block.data_key if block is not None else None
