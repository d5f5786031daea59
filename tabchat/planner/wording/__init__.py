"""From an intent to the line that says it, and from a result to the sentence that answers."""

from __future__ import annotations

from tabchat.planner.wording.reading import read_as
from tabchat.planner.wording.sentences import sentence

__all__ = ["read_as", "sentence"]
