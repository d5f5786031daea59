"""What may be wrong with a table: a line a finding, and the commands that show and mend it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.block import counted
from tabchat.render.commands import short_key
from tabchat.render.layout.text import pack, sanitise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.profile.quality import Finding
    from tabchat.engine.table import Table
    from tabchat.render.terminal.console import Consoles


def render_findings(
    consoles: Consoles,
    findings: Sequence[Finding],
    table: Table,
    *,
    show: str,
    mend: Callable[[str], str],
) -> None:
    """Print findings to stdout, and their number to stderr.

    `show` is a command with `{key}`, `mend` gives the command that makes an edit in words.
    """
    glyphs = consoles.glyphs
    for finding in findings:
        about = f"{sanitise(finding.column, glyphs)}: " if finding.column is not None else ""
        said = f"{finding.kind:<10} {about}{counted(finding.count, 'row')} {sanitise(finding.text, glyphs)}."
        consoles.prose(consoles.out, said, hang=11)
        commands = [show.format(key=short_key(finding.data_key))] if finding.data_key else []
        mending = mend(finding.mend) if finding.mend else ""
        # A command that had to be made inert names another file or column.
        commands += [mending] if mending and sanitise(mending, glyphs) == mending else []
        for line in pack(commands, consoles.width - 11, glyphs):
            consoles.out.print(f"{'':11}{line}", style="dim")
    rows = counted(table.row_count, "row")
    name = sanitise(table.name, glyphs)
    consoles.say(f"{name}: {counted(len(findings), 'finding') if findings else 'nothing found'} in {rows}")
