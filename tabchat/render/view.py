"""How an answer is shown: how much of it, and what is said beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record
from tabchat.render.commands import SHELL

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.chart.chart import ChartKind
    from tabchat.render.commands import NextCommands
    from tabchat.render.terminal.inline import Inline
    from tabchat.render.terminal.region import Region


@record
class AnswerView:
    """How answers are shown."""

    rows: int = 50
    """Rows of a table that are shown."""
    source: bool = False
    """Show the rows behind the result instead of the result."""
    receipts: bool = False
    """List where every figure of a model's answer comes from."""
    quiet: bool = False
    """Say nothing on stderr."""
    chart: ChartKind | None = None
    """How results are drawn; as fits them when absent."""
    inline: Inline | None = None
    """Shows charts as pictures; in characters when absent."""
    pager: bool = False
    """On a terminal, what is longer than the screen goes through the pager."""
    commands: NextCommands = SHELL
    columns: tuple[str, ...] = ()
    """Columns of a table to show; all that fit when empty."""
    watch: Callable[[Region], None] | None = None
    """Told of the lines that are drawn while a model answers; whoever prints in between pauses them."""
