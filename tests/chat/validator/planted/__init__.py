"""Answers in three languages over generated tables, right ones and ones with a planted error."""
