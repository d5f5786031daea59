"""Edits of tables: declared as JSON, compiled to queries, written as new versions, and counted exactly."""
