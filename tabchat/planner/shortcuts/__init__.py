"""Common questions in a person's own words, each with the query that answers it."""

from __future__ import annotations

from tabchat.planner.shortcuts.reader import ShortcutReader

__all__ = ["ShortcutReader"]
