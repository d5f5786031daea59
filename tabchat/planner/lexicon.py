"""Lexicons, as the older modules of the planner call them."""

from tabchat.planner.words.languages import Languages, open_languages, shipped_languages
from tabchat.planner.words.lexicon import Lexicon
from tabchat.planner.words.lexicon_file import CELL
from tabchat.planner.words.phrases import Phrase

__all__ = ["CELL", "Languages", "Lexicon", "Phrase", "open_languages", "shipped_languages"]
