"""What was sent to models: a list of requests, newest first, and one request for reading."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise, sanitise_lines
from tabchat.render.results import human_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.audit import SentRequest
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

NOTHING_SENT: Final = "Nothing was ever sent to a model."
_HOST_FLOOR: Final = 12


def render_egress(consoles: Consoles, entries: Iterable[SentRequest], *, nothing: str = NOTHING_SENT) -> int:
    """Print requests to stdout: id, local time, model, host, size; returns how many there were.

    Says `nothing` on stderr when there is none. Bodies are not held, so a long
    list takes little memory.
    """
    glyphs = consoles.glyphs
    rows = [_row(entry, glyphs) for entry in entries]
    if not rows:
        consoles.say(nothing)
        return 0
    cells = dict(zip(("id", "when", "model", "host", "sent"), zip(*rows, strict=True), strict=True))
    columns = [
        GridColumn(header="id", cells=cells["id"]),
        GridColumn(header="when", cells=cells["when"]),
        GridColumn(header="model", cells=cells["model"], elastic=True),
        GridColumn(header="host", cells=cells["host"], elastic=True, floor=_HOST_FLOOR),
        GridColumn(header="sent", cells=cells["sent"], right=True),
    ]
    if hidden := draw_fitting(consoles, columns):
        consoles.say(f"+{len(hidden)} more: {', '.join(hidden)}; tabchat egress --json has them")
    return len(rows)


def render_request(consoles: Consoles, entry: SentRequest) -> None:
    """Print the body of a request to stdout, laid out for reading; what is around it goes to stderr."""
    glyphs = consoles.glyphs
    consoles.say(
        sanitise(f"{entry.method} {entry.url}", glyphs),
        *(sanitise(f"{name}: {value}", glyphs) for name, value in entry.headers.items()),
    )
    consoles.out.print(sanitise_lines(_readable(entry), glyphs))
    model = f" for {sanitise(entry.model, glyphs)}" if entry.model else ""
    consoles.say(
        f"sent {entry.time:%Y-%m-%d %H:%M:%S} UTC{model}: {entry.size:,} bytes, SHA-256 {entry.sha256}",
        f"exact bytes: tabchat egress --raw {entry.id}",
    )


def narrate_damage(consoles: Consoles, places: Sequence[str]) -> None:
    """Say on stderr which lines of the ledger could not be read."""
    for place in places:
        told = f"warning: {place} is not whole, so it is not listed; see tabchat egress --check"
        consoles.err.print(sanitise(told, consoles.glyphs), style="yellow")


def _row(entry: SentRequest, glyphs: Glyphs) -> tuple[str, ...]:
    return (
        sanitise(entry.id, glyphs),
        f"{entry.time.astimezone():%Y-%m-%d %H:%M:%S}",
        sanitise(entry.model or "", glyphs),
        sanitise(entry.host, glyphs),
        human_size(entry.size),
    )


def _readable(entry: SentRequest) -> str:
    if entry.body is None:
        return "(withheld: a form, such as providers take keys in)"
    try:
        text = entry.body.decode("utf-8")
    except UnicodeDecodeError:
        return f"({entry.size:,} bytes that are not text)"
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    except (ValueError, RecursionError):
        return text
