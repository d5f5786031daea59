"""The commands that an output names as the next thing to type, at the shell and inside the REPL."""

from __future__ import annotations

from typing import Final

from tabchat.record import record

KEY_SHOWN: Final = 7
"""Characters of a key that are shown: as good as always enough to name a result."""


def short_key(key: str) -> str:
    """Return the beginning of a key, which stands for it wherever a person types one."""
    return key[:KEY_SHOWN]


@record
class NextCommands:
    """Templates of commands, empty for what cannot be proposed; `{key}`, `{rows}` and `{width}` are filled in."""

    rows: str
    """Shows `{rows}` rows of the result."""
    source_rows: str
    """Shows `{rows}` of the rows behind the result."""
    columns: str
    """Shows the columns that did not fit."""
    export: str
    """Writes the whole result to a file."""
    export_source: str
    """Writes the rows behind the result to a file."""
    receipts: str
    """Shows where every figure of an answer comes from."""


SHELL: Final = NextCommands(
    rows="tabchat show {key} --rows {rows}",
    source_rows="tabchat show {key} --source --rows {rows}",
    columns="COLUMNS={width} tabchat show {key} | less -S",
    export="tabchat export {key} -o out.csv",
    export_source="tabchat export {key} --source -o out.csv",
    receipts="--receipts lists them",
)

REPL: Final = NextCommands(
    rows="/rows {rows}",
    source_rows="/source {rows}",
    columns="/columns",
    export="/export out.csv",
    export_source="/export --source out.csv",
    receipts="/trace lists them",
)

REPL_BY_KEY: Final = NextCommands(
    rows="/show {key}",
    source_rows="/show {key}",
    columns="/show {key}",
    export="",
    export_source="",
    receipts=REPL.receipts,
)
"""For results that need not be the last one of their answer."""
