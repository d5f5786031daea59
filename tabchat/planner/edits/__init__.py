"""Requests to change a table, read by rules: words become the arguments of `edit_table`, or are refused.

`heads.is_edit` tells requests from questions; `reading.EditReader` and `reading.read_edit` read them.
"""
