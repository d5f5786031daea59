"""The links of a question → what it can mean: phrases, the best ways through them, and their composition."""

from tabchat.planner.readings.composition import Reading, readings_of

__all__ = ["Reading", "readings_of"]
