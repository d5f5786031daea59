"""Mentions of time in a question."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from tabchat.planner.intent import Period
from tabchat.planner.words.sentence import TimeSpan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.words.sentence import Concept
    from tabchat.planner.words.token import Word


def find_times(words: Sequence[Word], concepts: Sequence[Concept]) -> tuple[TimeSpan, ...]:
    """Return every mention of time."""
    del concepts
    return tuple(
        TimeSpan(
            start=place,
            end=place + 1,
            period=Period(
                start=dt.date(int(word.norm), 1, 1), end=dt.date(int(word.norm), 12, 31), unit="year"
            ),
        )
        for place, word in enumerate(words)
        if word.norm.isdigit() and len(word.norm) == 4 and 1500 <= int(word.norm) <= 2200  # noqa: PLR2004
    )
