"""The check of a text's figures: each is traced to what was computed, derived from it, or marked."""

from tabchat.chat.validator.validate import validate
from tabchat.chat.validator.verdict import Verdict

__all__ = ["Verdict", "validate"]
