"""Answers as models write them, each with the figures and names that must be flagged."""
