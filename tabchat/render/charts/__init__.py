"""Charts in text."""
