"""How a command speaks: answers to stdout in the form that was asked for, the rest to stderr."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from tabchat.chat.turn.answer import Answer, table_json
from tabchat.chat.turn.events import Done, Failed, event_json, last_word
from tabchat.cli.options.groups import Drawn
from tabchat.cli.stdout import check_format, check_one_form, check_output_file, check_rows_as, write_frame
from tabchat.config import load_settings
from tabchat.errors import ExitCode, UsageError
from tabchat.record import mutable
from tabchat.render.layout.formats import json_line, json_pieces
from tabchat.render.layout.text import sanitise, sanitise_lines
from tabchat.render.load import alarms_of, narrate_load_report, render_load_report
from tabchat.render.terminal.activity import Activity
from tabchat.render.terminal.console import make_consoles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from contextlib import AbstractContextManager

    from tabchat.chat.turn.events import Event
    from tabchat.cli.options.groups import Local, Output
    from tabchat.config import Settings
    from tabchat.engine.chart.chart import ChartKind
    from tabchat.engine.result.result import Frame
    from tabchat.engine.table import Table
    from tabchat.engine.types import JsonValue
    from tabchat.export import ExportReport
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.view import AnswerView
    from tabchat.session import Session


@mutable
class Presenter:
    """Shows what a command found; inside `with`, a line of progress does not outlive a failure."""

    running: Local
    output: Output
    events: bool = False
    receipts: bool = False
    """List where the figures of a model's answer come from."""
    consoles: Consoles = field(init=False)
    _activity: Activity = field(init=False)
    _chart: ChartKind | None = field(init=False, default=None)
    _chart_out: Path | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.consoles = make_consoles(self.running.color, plain=self.running.ascii)
        self._activity = Activity(self.consoles, quiet=self.running.quiet)
        check_format(self.output.format)
        check_one_form(self.output.format, json=self.output.json, events=self.events)
        check_rows_as(self.output.rows_as, in_json=self.output.json or self.events)
        if self.output.output is not None:
            from tabchat.export.formats import choose_format
            from tabchat.export.target import check_target

            # Nobody is to wait and pay for an answer that cannot be written then.
            check_output_file(self.output.output)
            check_target(self.output.output, force=self.output.force, protected=())
            choose_format(self.output.output, None)
        if isinstance(self.output, Drawn):
            self._chart = _chart_kind(self.output.chart)
            self._chart_out = self.output.chart_out
        if self._chart_out is not None:
            from tabchat.export.picture import check_picture_file

            check_picture_file(self._chart_out, force=self.output.force)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._activity.close()

    # While it runs

    def settings(self) -> Settings:
        """Return the settings of this run, and say what a project's file may not set."""
        return load_settings(self.running.flags() | self.output.flags(), told=self.say)

    def progress(self) -> Activity:
        """Begin to show that files are read, and return what is to be told how far that is."""
        self._activity.begin("reading")
        return self._activity

    def working(self, what: str) -> AbstractContextManager[None]:
        """Show that something is computed, which writes nothing meanwhile."""
        return self._activity.working(what)

    def loaded(self, session: Session, *, listing: str = "-v lists them") -> None:
        """Say what reading the tables repaired or rejected: in a line each, all of it on request (-v)."""
        self._activity.close()
        self._activity.follow(session.engine)
        if not self.running.quiet:
            from tabchat.tools.hiding import hidden_twins

            for table in session.tables.values():
                if self.running.verbose:
                    render_load_report(self.consoles, table)
                else:
                    narrate_load_report(self.consoles, table, listing)
            for sentence in hidden_twins(session.tables, session.settings.hide):
                self.say(sentence)

    def reported(self, table: Table) -> None:
        """Say everything that reading a table inferred, repaired or rejected."""
        self._activity.close()
        if not self.running.quiet:
            render_load_report(self.consoles, table)

    def say(self, text: str) -> None:
        """Say one line on stderr."""
        self._activity.close()
        if not self.running.quiet:
            self.consoles.err.print(sanitise(text, self.consoles.glyphs), style="dim")

    # Answers

    def turn(
        self,
        session: Session,
        question: str,
        events: Iterator[Event] | None = None,
        *,
        number: int | None = None,
        pick: int | None = None,
    ) -> int:
        """Ask a question, show the answer, and return the exit code.

        `events` tells what happens elsewhere instead of asking here; `number` is
        the question's place in a list of them; `pick` is that of a reading that
        was offered for it.
        """
        happening = events
        if happening is None:
            asked = session.ask(question, pick=pick)
            happening = self._activity.along(asked, "answering", shown=self.events)
        if self.events:
            answer = self._stream(session, happening, number)
        elif self._is_human():
            from tabchat.render.answer import render_events

            answer = render_events(self.consoles, happening, self._view(session))
        else:
            answer = last_word(happening)
            if answer.ok or self.output.json:
                self._machine(session, answer)
        if answer.error is not None:
            from tabchat.render.diagnostics import report

            report(answer.error, self.consoles)
        elif self.events or self._is_human():
            self.written(session, answer)
        return answer.exit_code

    @property
    def shows_whole(self) -> bool:
        """Whether an answer is written at once, when all of it is there."""
        return not self.events and not self._is_human()

    def computed(self, session: Session, compute: Callable[[], Answer]) -> int:
        """Compute an answer that needs no turn, show it, and return the exit code."""
        with self.working("computing"):
            answer = compute()
        if self._is_human():
            from tabchat.render.answer import render_answer

            source = self._source(session, answer) if self.output.source else None
            render_answer(self.consoles, answer, self._view(session), source=source)
            self.written(session, answer)
        else:
            self._machine(session, answer)
        return answer.exit_code

    def prompt(self, session: Session, question: str) -> int:
        """Print the request that a model would be sent first; says so when rules answer and nothing is sent."""
        request = session.first_request(question)
        if request is None:
            self.say("Nothing would be sent: rules answer this question.")
        else:
            import json

            self.text(json.dumps(json.loads(request), ensure_ascii=False, indent=2))
        return ExitCode.ANSWERED

    def _stream(self, session: Session, happening: Iterator[Event], number: int | None) -> Answer:
        place: dict[str, JsonValue] = {} if number is None else {"question_index": number}
        answer = Answer(question="")
        for event in happening:
            self.json(event_json(event, rows=session.settings.rows) | place)
            if isinstance(event, (Done, Failed)):
                answer = event.answer
        return answer

    def _machine(self, session: Session, answer: Answer) -> None:
        if self.output.json and answer.ok:
            # A file that cannot be written is an error, and there is one object to say so.
            self.written(session, answer)
        if self.output.json:
            told = answer.to_json(rows=session.settings.rows)
            if self.output.source and answer.block is not None:
                told["table"] = table_json(self._source(session, answer), session.settings.rows)
            self.json(told | {"warnings": [*answer.warnings, *alarms_of(session.tables.values())]})
            return
        if answer.block is not None:
            for warning in answer.warnings:
                self.say(f"warning: {warning}")
            self.print_frame(self._frame(session, answer))
        elif answer.text:
            self.consoles.out.print(sanitise(answer.text, self.consoles.glyphs))
        self.written(session, answer)

    def print_frame(self, frame: Frame) -> None:
        """Print all rows in the format that was asked for, and say what a reader of them should know."""
        for warning in write_frame(frame, self.output.format).warnings:
            self.say(f"warning: {warning}")

    def written(self, session: Session, answer: Answer) -> None:
        """Write an answer to the files that were asked for, if any were."""
        if self._chart_out is not None:
            self._write_picture(session, answer, self._chart_out)
        target = self.output.output
        if target is None or answer.block is None:
            return
        from tabchat.export import export_frame

        with self.working("writing"):
            done = export_frame(
                self._frame(session, answer),
                target,
                None,
                force=self.output.force,
                title=answer.block.title,
                protected=session.protected(answer.block.data_key),
            )
        self.exported(done, target)

    def _write_picture(self, session: Session, answer: Answer, target: Path) -> None:
        from tabchat.session.pictures import draw_to_file

        if answer.block is None:
            message = "The answer has no table to draw."
            raise UsageError(message, hint="Ask for numbers by group, such as: total revenue by region.")
        with self.working("drawing"):
            drawn = draw_to_file(session, answer.block, target, self._chart, force=self.output.force)
        self.say(drawn)

    def _frame(self, session: Session, answer: Answer) -> Frame:
        if self.output.source:
            return self._source(session, answer)
        if answer.block is None:
            raise UsageError("The answer has no table.", hint="Ask for rows or numbers.")
        return answer.block.result.frame

    def _source(self, session: Session, answer: Answer) -> Frame:
        block = answer.block
        source = block.result.source if block else None
        if source is None and block is not None and block.data_key is not None:
            source = session.source(block.data_key)
        if source is None:
            message = "This result has no separate source rows: it is a table of its own."
            raise UsageError(message, hint="Leave --source out.")
        return source

    def _is_human(self) -> bool:
        return not self.output.json and self.output.format == "table"

    def _view(self, session: Session) -> AnswerView:
        from tabchat.render.view import AnswerView
        from tabchat.session.pictures import inline_pictures

        return AnswerView(
            inline=inline_pictures(session.settings, self.consoles),
            rows=session.settings.rows,
            source=self.output.source,
            receipts=self.receipts,
            quiet=self.running.quiet,
            chart=self._chart,
            pager=session.settings.pager,
        )

    def json(self, value: dict[str, JsonValue]) -> None:
        """Print one JSON object to stdout."""
        self._activity.close()
        if self.output.rows_as == "objects":
            from tabchat.render.layout.formats import with_row_objects

            value = with_row_objects(value)
        self.consoles.out.file.write(json_line(value) + "\n")
        self.consoles.out.file.flush()

    # Other commands

    def exported(self, done: ExportReport, target: Path | None) -> None:
        """Say what was written."""
        if not self.running.quiet:
            from tabchat.render.block import narrate_written

            narrate_written(self.consoles, done.rows, target, done.warnings)

    def text(self, text: str) -> None:
        """Print lines to stdout, inert."""
        self._activity.close()
        self.consoles.out.print(sanitise_lines(text, self.consoles.glyphs))

    def lines(self, pairs: dict[str, str]) -> None:
        """Print `name  value` lines to stdout."""
        width = max(map(len, pairs), default=0)
        for name, value in pairs.items():
            self.consoles.out.print(f"{name:{width}}  {sanitise(value, self.consoles.glyphs)}")

    def json_list(self, name: str, items: Iterable[JsonValue]) -> None:
        """Print one JSON object to stdout whose `name` is a list that may be long."""
        self._activity.close()
        for piece in json_pieces({"ok": True}, name, items):
            self.consoles.out.file.write(piece)
        self.consoles.out.file.write("\n")


def _chart_kind(name: str | None) -> ChartKind | None:
    if name is None:
        return None
    from tabchat.engine.chart.chart import ChartKind

    kinds = [kind.value for kind in ChartKind]
    if name.lower() not in kinds:
        raise UsageError(f"--chart cannot be {name!r}.", hint=f"Use {', '.join(kinds[:-1])} or {kinds[-1]}.")
    return ChartKind(name.lower())
