"""The line at the bottom of the screen: the table, what leaves the machine, what it cost, what is not saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.render.block import counted
from tabchat.render.layout.text import cut, sanitise, width_of
from tabchat.render.verdict import dollars
from tabchat.repl.asking import asks_a_model
from tabchat.repl.leaving import describe_unsaved

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.repl.shell import Shell

_HELP: Final = "/help"
_LONGEST_NAME: Final = 30
"""Cells of the longest name of a table or a model that is written out."""


@record
class _Part:
    text: str
    rank: int
    """What can be done without has the greatest."""


def toolbar(shell: Shell, width: int | None = None) -> str:
    """Return the line, which fits `width` cells (those of the terminal by default): the least important goes first."""
    glyphs = shell.consoles.glyphs
    room = (width or shell.consoles.width) - 1
    parts = list(_parts(shell, columns=True))
    if width_of(_line(parts, glyphs.separator)) > room:
        parts = [part for part in _parts(shell, columns=False) if part.text != _HELP]
    while len(parts) > 1 and width_of(_line(parts, glyphs.separator)) > room:
        parts.remove(max(parts, key=lambda part: part.rank))
    return f" {cut(_line(parts, glyphs.separator), room, glyphs)}"


def place(shell: Shell) -> str:
    """Return what the prompt says: the table that questions are about."""
    return _name(shell, shell.session.current.name) if shell.session.tables else "tabchat"


def _line(parts: Sequence[_Part], separator: str) -> str:
    return separator.join(part.text for part in parts)


def _parts(shell: Shell, *, columns: bool) -> Iterator[_Part]:
    session, glyphs = shell.session, shell.consoles.glyphs
    if not session.tables:
        yield _Part(text="no table", rank=0)
        yield _Part(text="/load FILE", rank=1)
        return
    table, settings, spent = session.current, session.settings, session.spent
    yield _Part(text=_name(shell, table.name), rank=0)
    wide = f" {glyphs.times} {counted(len(table.schema), 'column')}" if columns else ""
    yield _Part(text=f"{counted(table.row_count, 'row')}{wide}", rank=5)
    if asks_a_model(shell):
        yield _Part(text=_name(shell, settings.model or ""), rank=2)
        yield _Part(text=settings.privacy.value, rank=3)
        if spent.requests:
            yield _Part(text=dollars(spent.cost_usd), rank=4)
    else:
        yield _Part(text="offline", rank=2)
    if unsaved := session.unsaved:
        yield _Part(text=f"not saved: {describe_unsaved(unsaved)}", rank=1)
    yield _Part(text=_HELP, rank=6)


def _name(shell: Shell, name: str) -> str:
    return cut(sanitise(name, shell.consoles.glyphs), _LONGEST_NAME, shell.consoles.glyphs)
