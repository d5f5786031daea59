"""Exact answers without a model: questions become plans by rules, or are refused."""

from tabchat.planner.router import OfflinePlanner

__all__ = ["OfflinePlanner"]
