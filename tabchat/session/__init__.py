"""Sessions: one person's work on some tables."""

from tabchat.session.session import HISTORY_TURNS, Session

__all__ = ["HISTORY_TURNS", "Session"]
