"""Sessions: one person's work on some tables."""

from tabchat.session.conversation import HISTORY_TURNS
from tabchat.session.session import Session

__all__ = ["HISTORY_TURNS", "Session"]
