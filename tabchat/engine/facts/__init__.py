"""What is known of a table without a query: gathered while it is read, and kept with the version."""

from tabchat.engine.facts.asking import facts_of, survey
from tabchat.engine.facts.records import MOST_BYTES, MOST_TEXTS, ColumnFacts, Figures, TableFacts

__all__ = ["MOST_BYTES", "MOST_TEXTS", "ColumnFacts", "Figures", "TableFacts", "facts_of", "survey"]
