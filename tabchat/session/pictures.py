"""Drawing a result to a file, and as a picture in a terminal that shows them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tabchat.config import Pictures
from tabchat.engine.chart.chart import ChartKind
from tabchat.engine.chart.picture import default_kind, picture_of
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.chat.turn.answer import DataBlock
    from tabchat.config import Settings
    from tabchat.engine.chart.chart import Picture
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.terminal.inline import Inline
    from tabchat.session.session import Session


def draw_to_file(
    session: Session, block: DataBlock, target: Path, kind: ChartKind | None = None, *, force: bool = False
) -> str:
    """Draw a result to an SVG, PNG or HTML file, never to a source file; returns the sentence that says so.

    Without a kind it is drawn as in the terminal, a result that is no chart by itself as bars. Raises `UsageError`
    when it lacks the columns, for another name of the file, or without the extra `charts`.
    """
    from tabchat.export.picture import write_picture

    if kind is ChartKind.NONE:
        message = f"{target} cannot hold a chart of the kind none."
        raise UsageError(message, hint="Leave the kind out, or name one: bar, line, hist, scatter or box.")
    chosen = kind or default_kind(block.result)
    chosen = ChartKind.BAR if chosen is ChartKind.NONE else chosen
    picture = picture_of(block.result, chosen)
    write_picture(
        picture, target, title=block.title, force=force, protected=session.protected(block.data_key)
    )
    return f"Drawn to {target}: {picture.told}." if picture.told else f"Drawn to {target}."


def inline_pictures(settings: Settings, consoles: Consoles) -> Inline | None:
    """Return what shows charts as pictures in this terminal; None where they are drawn in characters."""
    if settings.pictures is Pictures.NEVER or not consoles.out.file.isatty():
        return None
    from tabchat.render.terminal.inline import Inline, Protocol, protocol_of

    protocol = protocol_of(consoles, settings.pictures)
    if protocol is None:
        return None
    # Sixels are dots of the screen, and not scaled to its cells.
    return Inline(protocol=protocol, paint=partial(_png, scale=1.0 if protocol is Protocol.SIXEL else 2.0))


def _png(picture: Picture, scale: float) -> bytes | None:
    # Drawing libraries take a second to load; an answer without a chart does not wait for them.
    from tabchat.export.picture import picture_png

    return picture_png(picture, scale)
