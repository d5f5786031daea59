"""Asking tables from Python: `open_table` gives what is asked, and what it gives back is a `TableAnswer`."""

from tabchat.api.answer import TableAnswer
from tabchat.api.table import OpenTable, open_table

__all__ = ["OpenTable", "TableAnswer", "open_table"]
