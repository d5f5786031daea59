"""Kept sessions on a person's screen and as JSON: a list of them, and the turns of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.block import counted
from tabchat.render.commands import short_key
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.wrapping import wrap_text
from tabchat.render.results import local_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.types import JsonValue
    from tabchat.journal.kept import KeptSession
    from tabchat.journal.records import KeptTurn
    from tabchat.render.terminal.console import Consoles

_ASKED_FLOOR = 24
"""Cells that a question keeps on a narrow screen: it is what a session is recognised by."""


def render_sessions(consoles: Consoles, sessions: Sequence[KeptSession]) -> None:
    """Print sessions to stdout, a line each: id, local time, turns, tables, the last thing that was asked."""
    if not sessions:
        consoles.err.print("No sessions are kept.", style="dim")
        return
    glyphs = consoles.glyphs
    columns = [
        GridColumn(header="session", cells=[kept.name for kept in sessions]),
        GridColumn(header="when", cells=[local_time(kept.ended) for kept in sessions]),
        GridColumn(header="turns", cells=[f"{_count(kept):,}" for kept in sessions], right=True),
        GridColumn(
            header="tables", cells=[sanitise(_tables(kept), glyphs) for kept in sessions], elastic=True
        ),
        GridColumn(
            header="last asked",
            cells=[sanitise(_last_entry(kept), glyphs) for kept in sessions],
            elastic=True,
            floor=_ASKED_FLOOR,
        ),
    ]
    draw_fitting(consoles, columns)


def render_session(consoles: Consoles, kept: KeptSession) -> None:
    """Print the turns of a session to stdout."""
    glyphs = consoles.glyphs
    for table in kept.workspace.tables:
        consoles.out.print(sanitise(f"{table.reference.name}: {table.source}", glyphs), style="dim")
    if kept.dropped:
        consoles.out.print(f"{counted(kept.dropped, 'earlier turn')} not kept any more", style="dim")
    for number, turn in enumerate(kept.turns, start=kept.dropped + 1):
        consoles.out.print(f"{number:>3}  {sanitise(' '.join(turn.entry.split()), glyphs)}", style="bold")
        for line in _lines(turn, glyphs.separator):
            for part in wrap_text(sanitise(line, glyphs), max(consoles.width - 5, 20)):
                consoles.out.print(f"     {part}")


def session_listing(kept: KeptSession, *, turns: bool = False) -> dict[str, JsonValue]:
    """Return a session as plain JSON, with its turns on request."""
    told: dict[str, JsonValue] = {
        "session": kept.id,
        "began_at": kept.began,
        "ended_at": kept.ended,
        "turn_count": _count(kept),
        "tables": [{"name": t.reference.name, "source": t.reference.source} for t in kept.workspace.tables],
        "edits": kept.workspace.done,
    }
    if turns:
        told["turns"] = [_turn_json(turn) for turn in kept.turns]
    return told


def _turn_json(turn: KeptTurn) -> dict[str, JsonValue]:
    answer = turn.answer
    block = answer.block if answer is not None else None
    return {
        "entry": turn.entry,
        "at": turn.at,
        "exit_code": turn.code,
        "answer": answer.text if answer is not None else None,
        "interpretation": answer.interpretation if answer is not None else None,
        "planner": answer.planner if answer is not None else None,
        "model": answer.model if answer is not None else None,
        "verification": answer.verdict if answer is not None else None,
        "data_key": block.key if block is not None else None,
        "changes": [change.to_json() for change in turn.changes],
    }


def _lines(turn: KeptTurn, separator: str) -> Iterator[str]:
    answer = turn.answer
    if answer is not None:
        if answer.interpretation:
            yield f"read as: {answer.interpretation}"
        if answer.text or answer.block is not None:
            yield answer.text or (answer.block.summary if answer.block is not None else "")
        who = answer.model or ("rules" if answer.planner == "rules" else None)
        doubt = "not verified" if answer.verdict == "unverified" else None
        key = short_key(answer.block.key) if answer.block is not None and answer.block.key else None
        if said := separator.join(part for part in (who, doubt, key) if part):
            yield said
    yield from (f"{change.kind}: {change.text}" for change in turn.changes)
    if turn.code:
        yield f"exit code {turn.code}"


def _count(kept: KeptSession) -> int:
    return len(kept.turns) + kept.dropped


def _tables(kept: KeptSession) -> str:
    return ", ".join(table.reference.name for table in kept.workspace.tables)


def _last_entry(kept: KeptSession) -> str:
    return " ".join(kept.turns[-1].entry.split()) if kept.turns else ""
