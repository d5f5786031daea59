"""Prose as careful models write it, right and wrong, over results of every kind."""
