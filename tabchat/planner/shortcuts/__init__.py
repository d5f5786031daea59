"""Shortcuts: common questions in their everyday wordings, found by likeness and checked word by word."""
