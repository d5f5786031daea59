"""Edits of the open tables."""
