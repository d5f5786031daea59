"""`ask -f`: a list of questions, asked several at a time, shown in the order of the list."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.answer import Usage
from tabchat.errors import ExitCode, InputError, TabchatError
from tabchat.private_files import read_text
from tabchat.render.block import counted
from tabchat.render.diagnostics import report
from tabchat.render.terminal.activity import Activity
from tabchat.session.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.chat.turn.events import Event
    from tabchat.cli.present import Presenter
    from tabchat.session import Session
    from tabchat.session.answers import AnswersFile

_OUTCOMES: Final = {
    ExitCode.ANSWERED: "answered",
    ExitCode.UNVERIFIED: "unverified",
    ExitCode.NOT_UNDERSTOOD: "not understood",
}
"""What a question came to, by its exit code; every other code is a failure."""


def read_questions(source: str) -> list[str]:
    """Return the questions of a file or of stdin (`-`), one a line, without blank lines and `#` comments."""
    try:
        text = read_text(sys.stdin if source == "-" else Path(source))
    except (OSError, UnicodeDecodeError) as error:
        message = f"The questions in {source!r} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise InputError(message, hint="Give a UTF-8 text file with one question a line.") from error
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]


def answers_file(session: Session, path: Path) -> AnswersFile:
    """Return the file that a batch over the tables of `session` goes on from."""
    from tabchat.session.answers import AnswersFile

    versions = {name: table.version for name, table in session.tables.items()}
    return AnswersFile(path, versions, rows=session.settings.rows)


def run_batch(
    session: Session, presenter: Presenter, questions: Sequence[str], *, jobs: int, resume: Path | None
) -> int:
    """Ask every question on its own and show the answers in order.

    Returns the exit code of the first question that was not answered, 0 when all
    were, and 130 when the person stopped it; what was done by then is shown.
    """
    kept = answers_file(session, resume) if resume is not None else None
    with kept or nullcontext():
        before = {number: kept.take(question) for number, question in enumerate(questions)} if kept else {}
        known = {number: code for number, code in before.items() if code is not None}
        asked = {number: question for number, question in enumerate(questions) if number not in known}
        tally = Tally(total=len(questions), before=len(known))

        def finished(_: int, answer: Answer) -> None:
            if kept is not None:
                kept.append(answer)
            tally.note(answer)

        with Batch(session, asked, jobs=jobs, finished=finished) as batch:
            run = _Run(session, presenter, batch, tally)
            codes = known | run.show(asked)
    for line in tally.summary():
        presenter.say(line)
    if run.was_stopped:
        return ExitCode.INTERRUPTED
    return next((codes[number] for number in sorted(codes) if codes[number]), ExitCode.ANSWERED)


@dataclass
class Tally:
    """How many questions came to what; counted on the threads that ask."""

    total: int
    before: int = 0
    """Questions that an earlier run had answered."""
    usage: Usage = field(default_factory=Usage)
    _counts: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, answer: Answer) -> None:
        """Count an answer."""
        with self._lock:
            self._counts[_OUTCOMES.get(answer.exit_code, "failed")] += 1
            self.usage += answer.usage

    def progress(self) -> tuple[float, str]:
        """Return the share that is done, and `12/40 answered, 1 failed`."""
        with self._lock:
            done = self.before + self._counts.total()
            answered = self.before + self._counts["answered"] + self._counts["unverified"]
        failed = f", {done - answered} failed" if done > answered else ""
        return done / self.total, f"{answered}/{self.total} answered{failed}"

    def summary(self) -> Iterator[str]:
        """Yield what all questions came to, and what they cost."""
        left = self.total - self.before - self._counts.total()
        counts = {"answered before": self.before, "answered": self._counts["answered"]}
        counts |= {name: self._counts[name] for name in ("unverified", "not understood", "failed")}
        counts["not finished"] = left
        told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count) or "none asked"
        yield f"{counted(self.total, 'question')}: {told}."
        if self.usage.model is not None:
            from tabchat.render.verdict import describe_usage

            yield ", ".join(describe_usage(self.usage))


@dataclass
class _Run:
    """Shows a batch; a line of progress stands where nothing else is being written."""

    session: Session
    presenter: Presenter
    batch: Batch
    tally: Tally
    was_stopped: bool = False
    _activity: Activity = field(init=False)

    def __post_init__(self) -> None:
        self._activity = Activity(self.presenter.consoles, quiet=self.presenter.running.quiet)

    def show(self, asked: dict[int, str]) -> dict[int, int]:
        """Show every answer in order; after Ctrl-C, those that are there."""
        codes: dict[int, int] = {}
        left = dict(asked)
        try:
            for number, question in asked.items():
                codes[number] = self._show(number, question)
                del left[number]
        except KeyboardInterrupt:
            self.was_stopped = True
            self._close()
            self.batch.stop()
            for number, question in left.items():
                if self.batch.is_over(number):
                    codes[number] = self._show(number, question)
        finally:
            self._close()
        return codes

    def _show(self, number: int, question: str) -> int:
        presenter = self.presenter
        self._close()
        presenter.say(f"> {question}")
        try:
            return presenter.turn(self.session, question, self._events(number), number=number)
        except TabchatError as error:
            # What one answer has not, such as source rows, the next one may have.
            self._close()
            return report(error, presenter.consoles)

    def _events(self, number: int) -> Iterator[Event]:
        # A model's text is written piece by piece, and a line of progress in its middle would tear it.
        is_whole = self.presenter.shows_whole
        is_begun = False

        def meanwhile() -> None:
            if is_whole or not is_begun:
                self._draw()

        meanwhile()
        for event in self.batch.events(number, meanwhile=meanwhile):
            is_begun = True
            if not is_whole:
                self._close()
            yield event
        self._close()

    def _draw(self) -> None:
        self._activity(*self.tally.progress())

    def _close(self) -> None:
        self._activity.close()
