"""Whether the ledger is whole: every line as it was written, in its place, and none missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.audit.entry import GENESIS, DamagedLineError, from_line, line_hash
from tabchat.audit.folder import CURRENT, HEAD, opened
from tabchat.audit.lines import forwards
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.audit.folder import Snapshot
    from tabchat.audit.lines import Line


@record
class LedgerCheck:
    """What a check found."""

    requests: int
    files: int
    problems: tuple[str, ...] = ()
    """What is not as tabchat wrote it, a sentence each; none when the ledger is whole."""
    notes: tuple[str, ...] = ()
    """Lines that tabchat itself left unfinished; their requests were not sent."""


def check_ledger(seen: Snapshot) -> LedgerCheck:
    """Verify a snapshot; raises `OSError`."""
    walk = _Walk()
    files = 0
    for file in opened(seen):
        files += 1
        for number, line in enumerate(forwards(file.stream, file.size), start=1):
            walk.step(f"{file.name} line {number}", line)
            if file.name == CURRENT and seen.head is not None and line.end == seen.head.size:
                walk.at_head = walk.hash
    if seen.head is None and walk.requests:
        walk.problems.append(f"{HEAD} is missing, so nobody can tell whether lines are gone from the end.")
    elif seen.head is not None and seen.head.hash not in {walk.hash, walk.at_head}:
        walk.problems.append(f"{CURRENT}: lines were changed at its end or are gone from there.")
    return LedgerCheck(
        requests=walk.requests, files=files, problems=tuple(walk.problems), notes=tuple(walk.notes)
    )


@dataclass
class _Walk:
    """From one line to the next, with the hash that the next one must name."""

    hash: str = GENESIS
    at_head: str | None = None
    """Hash of the line that the head ends with."""
    requests: int = 0
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def step(self, place: str, line: Line) -> None:
        expected, self.hash = self.hash, line_hash(line.content)
        try:
            request = from_line(line.content)
        except DamagedLineError:
            self.notes.append(f"{place} was cut off while it was written; nothing was sent then.")
            return
        self.requests += 1
        if request.previous != expected:
            gone, changed = (
                "the lines before it are missing",
                "a line before it was changed, put in or taken out",
            )
            self.problems.append(f"{place}: {gone if expected == GENESIS else changed}.")
        if not request.is_sound:
            self.problems.append(f"{place}: its body is not the one that was written down.")
