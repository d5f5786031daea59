"""A document of a session as a test: opened, repeated, told, and brought up to date."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Self

from tabchat.config import PrivacyLevel, ToolChoice
from tabchat.engine.table import ReadOptions
from tabchat.errors import InputError
from tabchat.export.target import open_output
from tabchat.journal.document.document import Document, Head, TableFile, fenced, read_document
from tabchat.journal.document.markdown import found_block, updated
from tabchat.journal.replay.replay import Replay
from tabchat.private_files import read_regular
from tabchat.record import record
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.values import format_value
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.config import Settings
    from tabchat.engine.reader import Progress
    from tabchat.engine.types import JsonValue
    from tabchat.journal.replay.figures import Difference
    from tabchat.journal.replay.replay import Outcome
    from tabchat.render.terminal.console import Consoles

MOST_BYTES: Final = 64 * 1024 * 1024
MOST_TOLD: Final = 20
"""Differences of one step that are told on the screen; JSON has all."""


@record
class SessionTest:
    """A document that was read from a file."""

    path: Path
    text: str
    document: Document

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the document at `path`; raises `InputError`."""
        try:
            text = read_regular(path, MOST_BYTES).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            message = f"{path} cannot be read: {getattr(error, 'strerror', None) or error}."
            raise InputError(message, hint="Name a file of tabchat session export.") from error
        text = text.replace("\r\n", "\n")
        return cls(path=path, text=text, document=read_document(text, str(path)))

    def opened(self, settings: Settings, progress: Progress | None = None) -> Session:
        """Open the tables of the document, with the settings that its results depend on; nothing may be sent."""
        head = self.document.head
        session = Session.open([], settings=_settings(head, settings), progress=progress)
        try:
            for table in head.tables:
                self._add(session, table, progress)
            hide = head.settings.get("hide")
            if isinstance(hide, list):
                session.set_hidden(tuple(map(str, hide)))
        except BaseException:
            session.close()
            raise
        return session

    def _add(self, session: Session, table: TableFile, progress: Progress | None) -> None:
        source = self.path.absolute().parent / table.file
        options = _options(table.options, str(self.path))
        try:
            session.add(source, options=options, name=table.name, progress=progress)
        except InputError as error:
            if source.exists():
                raise
            way = f'Mend "file" in the first block of {self.path}; it is seen from the folder of that.'
            raise InputError(error.message, hint=f"{error.hint or ''}\n{way}".lstrip()) from error

    def run(self, session: Session) -> tuple[Outcome, ...]:
        """Repeat every step."""
        return tuple(Replay(session).run([step for _, step in self.document.steps]))

    def update(self, outcomes: Sequence[Outcome]) -> None:
        """Write the figures as they are now into the file; steps that failed stay as they are."""
        blocks, found = [], []
        for (placed, _), outcome in zip(self.document.steps, outcomes, strict=True):
            if outcome.ok or outcome.now is None:
                continue
            blocks.append((placed.start, placed.end, fenced(outcome.now.to_json())))
            if outcome.answer is not None:
                found.append((placed.start, found_block(outcome.answer)))
        sources = [self.path.absolute().parent / table.file for table in self.document.head.tables]
        with open_output(self.path, force=True, protected=sources) as out:
            out.write(updated(self.text, blocks, found).encode())


def _settings(head: Head, settings: Settings) -> Settings:
    """Return the settings of a replay; raises `InputError` for one of the document that cannot be."""
    from tabchat.coercion import coerced

    given: dict[str, Any] = {}
    try:
        if "week_start" in head.settings:
            given["week_start"] = coerced("week_start", head.settings["week_start"], str)
        if isinstance(windows := head.settings.get("sessions"), dict):
            given["sessions"] = {name: (str(window[0]), str(window[1])) for name, window in windows.items()}
        given["privacy"] = PrivacyLevel(str(head.settings.get("privacy", settings.privacy)))
    except (ValueError, TypeError, LookupError) as error:
        message = f"The settings of the session cannot be used: {error}"
        raise InputError(message, hint="Mend the first block of the file.") from error
    return replace(settings, **given, hide=(), model=None, offline=True, tools=ToolChoice.FULL)


def _options(fields: Any, name: str) -> ReadOptions:
    try:
        return ReadOptions.from_json(fields)
    except (TypeError, ValueError) as error:
        message = f"The options of a table in {name} cannot be used: {error}"
        raise InputError(message, hint="Mend the first block of the file.") from error


# What is told


def outcome_json(number: int, outcome: Outcome) -> dict[str, JsonValue]:
    """Return what became of a step as plain JSON."""
    return {
        "step": number,
        "question": outcome.step.title,
        "ok": outcome.ok,
        "checked": outcome.is_checked,
        "differences": [difference.to_json() for difference in outcome.differences],
        "error": outcome.error.to_json() if outcome.error is not None else None,
    }


def render_outcomes(consoles: Consoles, outcomes: Sequence[Outcome]) -> None:
    """Print the steps that are not as they were, each with what was and what is, to stdout."""
    glyphs = consoles.glyphs
    for number, outcome in enumerate(outcomes, start=1):
        if outcome.ok:
            continue
        consoles.out.print(
            f"{number}. {sanitise(' '.join(outcome.step.title.split()), glyphs)}", style="bold"
        )
        if outcome.error is not None:
            consoles.out.print(f"   failed: {sanitise(outcome.error.message, glyphs)}")
            for place, line in enumerate((outcome.error.hint or "").splitlines()):
                consoles.out.print(f"   {'     ' if place else 'try: '}{sanitise(line, glyphs)}")
        for line in _difference_lines(outcome.differences):
            consoles.out.print(f"   {sanitise(line, glyphs)}")


def _difference_lines(differences: Sequence[Difference]) -> Iterator[str]:
    for difference in differences[:MOST_TOLD]:
        yield describe_difference(difference)
    if len(differences) > MOST_TOLD:
        yield f"+{len(differences) - MOST_TOLD:,} more; --json has them"


def describe_difference(difference: Difference) -> str:
    """Return one difference in a line: `region=Asia: revenue was 1,200, is 1,100 (-8.33%)`."""
    row = ", ".join(f"{name}={_shown(value)}" for name, value in difference.row.items())
    if difference.kind in {"appeared", "vanished"}:
        cells = difference.now if difference.kind == "appeared" else difference.was
        told = cells if isinstance(cells, dict) else {}
        rest = ", ".join(
            f"{name}={_shown(value)}" for name, value in told.items() if name not in difference.row
        )
        return f"{difference.kind}: {', '.join(part for part in (row, rest) if part)}"
    if difference.kind == "column":
        return f"column {difference.column} {'is new' if difference.was is None else 'is gone'}"
    share = f" ({difference.share}%)" if difference.share else ""
    place = f"{row}: " if row else ""
    return f"{place}{difference.column} was {_shown(difference.was)}, is {_shown(difference.now)}{share}"


def _shown(value: JsonValue) -> str:
    if value is None:
        return "missing"
    if isinstance(value, (bool, int, float, str)):
        return format_value(value)
    return str(value)
