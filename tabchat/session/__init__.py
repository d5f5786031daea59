"""Sessions: one person's work on some tables. Its names load when they are first used: a list of results needs none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.session.conversation import HISTORY_TURNS
    from tabchat.session.session import Session

__all__ = ["HISTORY_TURNS", "Session"]

_HOMES = {"HISTORY_TURNS": "tabchat.session.conversation", "Session": "tabchat.session.session"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
