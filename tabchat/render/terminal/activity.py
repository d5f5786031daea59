"""What goes on while a person waits: one line on stderr, with the seconds and the share that is done.

It is drawn on a terminal only, once something takes longer than a moment, and is gone before anything else is
written. Elsewhere nothing is drawn.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, Self

from tabchat.chat.turn.events import Asking, Done, Failed
from tabchat.render.terminal.console import can_draw

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.chat.turn.events import Event
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.terminal.region import Region


class Watched(Protocol):
    """An engine that knows how far its query is."""

    def watch(self) -> None:
        """Begin to know it."""

    def share_done(self) -> float | None:
        """Return the share, 0 to 1, of the running query that is done; None where that is not known."""


class Activity:
    """The line, erased by `close`; inside `with`, it does not outlive a failure.

    Call it with the share done (0 … 1) and what is being done.
    """

    def __init__(self, consoles: Consoles, *, quiet: bool = False) -> None:
        self._consoles = consoles
        self._draws = not quiet and can_draw(consoles)
        self._region: Region | None = None
        self._since: float | None = None
        """When what goes on began: it is shown at once again after something was written meanwhile."""
        self._reopened = False
        self._shown = 0.0
        self._share: Callable[[], float | None] | None = None

    def follow(self, engine: Watched) -> None:
        """Show how far the engine's query is, where it knows."""
        if self._draws:
            engine.watch()
            self._share = engine.share_done

    def begin(self, what: str) -> None:
        """Begin to count the seconds of something."""
        self._since = time.monotonic()
        if (region := self._opened()) is not None:
            region.wait_for(what, self._share)

    def __call__(self, fraction: float, what: str) -> None:
        """Show that `fraction` of the work is done."""
        if (region := self._opened()) is not None:
            from tabchat.render.terminal.region import TICK_SECONDS

            region.tell(f"{min(max(fraction, 0.0), 1.0):.0%} {what}")
            now = time.monotonic()
            if self._reopened and now - self._shown > TICK_SECONDS:
                # What is written in between leaves no time for the thread that draws.
                self._shown = now
                region.show()

    def close(self) -> None:
        """Erase the line."""
        region, self._region = self._region, None
        if region is not None:
            region.close()

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Show the line while something is computed; nothing may be written meanwhile."""
        self.begin(what)
        try:
            yield
        finally:
            self.close()

    def along(self, events: Iterator[Event], what: str, *, shown: bool = False) -> Iterator[Event]:
        """Pass the events of a turn on; the line is away before the last one, and before each that is `shown`.

        From the moment that a model is asked, its turn has lines of its own.
        """
        self.begin(what)
        try:
            for event in events:
                if isinstance(event, (Asking, Done, Failed)):
                    self.close()
                    yield event
                    yield from events
                    return
                if shown:
                    self.close()
                yield event
        finally:
            self.close()

    def _opened(self) -> Region | None:
        if self._draws and self._region is None:
            from tabchat.render.terminal.region import GRACE_SECONDS, Region

            now = time.monotonic()
            self._since = now if self._since is None else self._since
            grace = max(0.0, self._since + GRACE_SECONDS - now)
            self._reopened = grace == 0
            self._region = Region(self._consoles, grace=grace)
            self._region.open()
        return self._region

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
