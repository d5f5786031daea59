"""What `tabchat --help` says of each command, so that a look at the list loads none of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

OUTLINE: Final[Mapping[str, str]] = {
    "ask": "Answer a question about a table.",
    "repl": "Talk to tables: ask, look, follow up, export.",
    "query": "Run a QueryPlan on a table.",
    "sql": "Run one read-only SELECT.",
    "run": "Run pandas code over a table, in a locked process.",
    "edit": "Change a table and save it to another file.",
    "profile": "Describe every column of a table.",
    "view": "Look at a table or a kept result on the whole screen.",
    "check": "Look for what may be wrong with a table.",
    "show": "Show a kept result again.",
    "results": "List the results that are kept, newest first.",
    "export": "Write every row of a kept result to a file or to stdout.",
    "mcp": "Let another assistant ask tables (Model Context Protocol).",
    "rerun": "Compute a kept result again on another file, and compare.",
    "test": "Repeat a session on the files as they are now.",
    "egress": "List what was sent to models, newest first, or show one request.",
    "words": "List your own words for columns and cells, or teach one.",
    "doctor": "Look at what tabchat stands on, from folders to sandbox.",
    "analyze": "Run an analysis recipe: yields, causes, control charts.",
    "session": "The kept conversations of the REPL.",
    "config": "Show the settings, and change your own file of them.",
    "model": "List, choose or show the model that is asked.",
    "cache": "The cached table versions, results, replies of models and sessions.",
}
"""Command → what it does, in the order of the list: groups of commands come last."""
