"""From an intent and the facts of a table to the tool call that computes it."""

from __future__ import annotations

from tabchat.planner.plan.call import PlannedCall, Unplannable
from tabchat.planner.plan.writer import plan_of

__all__ = ["PlannedCall", "Unplannable", "plan_of"]
