"""The offline planner: a question and the facts of a table → readings, and the answer to the one that is certain.

The stages follow one another, and a question enters each of them once: `words` → `links` → `readings` → `choice` → `plan` →
`wording`. What they hand on is an `Intent`.
"""

from tabchat.planner.offline import OfflinePlanner

__all__ = ["OfflinePlanner"]
