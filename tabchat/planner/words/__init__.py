"""The first stage of the planner: the words of a question, and what the lexicons know of them."""

from tabchat.planner.words.languages import Languages, retyped, shipped_languages
from tabchat.planner.words.lexicon import Lexicon
from tabchat.planner.words.reader import last_language, ranked_languages, read_sentence
from tabchat.planner.words.sentence import Concept, Quantity, Sentence, TimeSpan
from tabchat.planner.words.token import TokenKind, Word, tokenize

__all__ = [
    "Concept",
    "Languages",
    "Lexicon",
    "Quantity",
    "Sentence",
    "TimeSpan",
    "TokenKind",
    "Word",
    "last_language",
    "ranked_languages",
    "read_sentence",
    "retyped",
    "shipped_languages",
    "tokenize",
]
