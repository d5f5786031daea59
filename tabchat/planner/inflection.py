"""Forms of words, as the older modules of the planner call them."""

from tabchat.planner.words.inflection import IOTATED, MIN_STEM, Inflection, is_family, merged

__all__ = ["IOTATED", "MIN_STEM", "Inflection", "is_family", "merged"]
