"""How long to wait before a request is sent again."""

from __future__ import annotations

import random
import time
from dataclasses import field
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_PATIENCE: Final = 60.0
"""Seconds that a server may ask for with Retry-After; a longer wait is the person's to decide on."""


@record
class Backoff:
    """Exponential back-off with full jitter above a half.

    Waits `first`, twice that, … up to `most` seconds, each shortened by up to a
    half at random, so that questions asked side by side do not come back together.
    """

    first: float = 0.5
    most: float = 16.0
    sleep: Callable[[float], None] = field(default=time.sleep)
    chance: Callable[[], float] = field(default=random.random)
    """A number from 0 to 1."""

    def pause(self, attempt: int, retry_after: float | None = None) -> float:
        """Return the seconds to wait after the failed `attempt`, which counts from 0.

        What the server asks for is never cut short.
        """
        grown = min(self.first * 2.0**attempt, self.most)
        return max(grown * (1 - self.chance() / 2), retry_after or 0.0)
