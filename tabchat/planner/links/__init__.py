"""Spans of a question → what they can stand for in one table: columns, cells, rows, numbers, times, concepts."""

from tabchat.planner.links.columns import TableColumn
from tabchat.planner.links.lattice import Lattice, Link, link, widened
from tabchat.planner.links.vocabulary import Vocabulary, vocabulary_of

__all__ = ["Lattice", "Link", "TableColumn", "Vocabulary", "link", "vocabulary_of", "widened"]
