"""Spark: the plans, SQL and recipes of a session run there, and only results come to this machine."""

from typing import Final

INPUT_FORMAT: Final = "spark"
"""Format of a table that only Spark reads, in its load report."""
