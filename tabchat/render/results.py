"""The list of kept results, newest first, one line each."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final, assert_never

from tabchat.engine.result.result import ResultKind
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.values import format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles
    from tabchat.store import ResultRecipe, StoredResult

QUESTION_FLOOR: Final = 24
"""Cells that a question keeps on a narrow screen: it is what a result is recognised by."""

_UNITS: Final = ("B", "kB", "MB", "GB", "TB")
_STEP: Final = 1000


def render_results(consoles: Consoles, entries: Sequence[StoredResult]) -> None:
    """Print kept results to stdout: key, local time, question, what it gave, table, size, pin."""
    if not entries:
        consoles.err.print("No results are kept.", style="dim")
        return
    glyphs = consoles.glyphs
    columns = [
        GridColumn(header="key", cells=[entry.key for entry in entries]),
        GridColumn(header="when", cells=[local_time(entry.created_at) for entry in entries]),
        GridColumn(
            header="question",
            cells=[_asked(entry, glyphs) for entry in entries],
            elastic=True,
            floor=QUESTION_FLOOR,
        ),
        GridColumn(header="result", cells=[_gave(entry, glyphs) for entry in entries], right=True),
        GridColumn(header="table", cells=[_tables(entry, glyphs) for entry in entries], elastic=True),
        GridColumn(header="size", cells=[_size(entry) for entry in entries], right=True),
        GridColumn(header="pinned", cells=["yes" if entry.pinned else "" for entry in entries]),
    ]
    if hidden := draw_fitting(consoles, columns):
        consoles.out.print(
            f"+{len(hidden)} more: {', '.join(hidden)}; tabchat results --json has them", style="dim"
        )


def local_time(seconds: float) -> str:
    """Return seconds since the epoch as local time, to the minute."""
    return dt.datetime.fromtimestamp(seconds).astimezone().strftime("%Y-%m-%d %H:%M")


def human_size(size: int) -> str:
    """Return a number of bytes with a decimal unit: `1.2 MB`."""
    value, unit = float(size), 0
    while round(value, 1) >= _STEP and unit < len(_UNITS) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{value:.1f} {_UNITS[unit]}" if unit else f"{size} B"


def _asked(entry: StoredResult, glyphs: Glyphs) -> str:
    asked = entry.question or entry.title or _computed(entry.recipe)
    return sanitise(" ".join(asked.split()), glyphs)


def _computed(recipe: ResultRecipe) -> str:
    """Return in words what nobody asked in words: a plan, SQL, code, a recipe, or the last edit of a table."""
    from tabchat.render.calls import describe_call

    plan = recipe.plan or {}
    match recipe.kind:
        case "sql":
            return recipe.sql or ""
        case "code":
            return str(plan.get("code"))
        case "analysis":
            return describe_call(
                str(plan.get("recipe")), {name: plan[name] for name in plan if name != "recipe"}
            )
        case "plan" if not plan and recipe.tables[0].edits:
            last = recipe.tables[0].edits[-1]
            edit = last.get("edit")
            from tabchat.engine.edits.wording import describe_edit

            return describe_edit(edit if isinstance(edit, dict) else last)
        case "plan":
            return describe_call("run_query", plan).removeprefix("run_query ")
        case _:
            assert_never(recipe.kind)


def _gave(entry: StoredResult, glyphs: Glyphs) -> str:
    if entry.kind is ResultKind.SCALAR:
        value = format_value(entry.value, glyphs)
        return value if not isinstance(entry.value, str) else "1 value"
    if entry.kind is ResultKind.DICT:
        return f"{len(entry.values)} values"
    noun = "group" if entry.kind is ResultKind.GROUPED else "row"
    return f"{entry.row_count:,} {noun}{'' if entry.row_count == 1 else 's'}"


def _tables(entry: StoredResult, glyphs: Glyphs) -> str:
    return sanitise(", ".join(table.name for table in entry.recipe.tables), glyphs)


def _size(entry: StoredResult) -> str:
    return human_size(entry.frame_bytes) if entry.frame_bytes else "evicted"
