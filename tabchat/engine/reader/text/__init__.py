"""Delimited text: its layout, its cells, and how they become values."""
