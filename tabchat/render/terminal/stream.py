"""A model's turn as it happens: each result when its tool ends, the text when its figures are checked.

A result stands where the text places it, else before the text. Who looks on sees it at once, and there again; in a file
or a pipe it waits for the text. What a model writes before the verdict is only ever shown in a region of stderr
that is erased: nothing unchecked reaches stdout, a file or the scrollback.
"""

from __future__ import annotations

import re
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, assert_never

from tabchat.answers.template import table_mark
from tabchat.chat.turn.events import Asking, DataReady, Done, Failed, Rewriting, TextDelta, ToolEnd, ToolStart
from tabchat.errors import TabchatError
from tabchat.render.answer import narrate_reading, narrate_warnings, render_answer
from tabchat.render.block import counted, narrate_notes, narrate_result, render_result
from tabchat.render.calls import describe_call, describe_end
from tabchat.render.commands import REPL, REPL_BY_KEY
from tabchat.render.layout.prose import render_prose
from tabchat.render.layout.text import cut, sanitise
from tabchat.render.layout.wrapping import wrap_text
from tabchat.render.terminal.console import can_draw, fit_to_terminal
from tabchat.render.terminal.region import Region
from tabchat.render.verdict import narrate_verdict

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from tabchat.chat.turn.answer import Answer, DataBlock
    from tabchat.chat.turn.events import Event
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.view import AnswerView

_MARK: Final = re.compile(r"^[^\S\n]*\[table: .+\)\][^\S\n]*$", re.MULTILINE)
"""A line that may stand for a table."""


def render_model_turn(consoles: Consoles, first: Asking, events: Iterator[Event], view: AnswerView) -> Answer:
    """Show the rest of a turn from the moment that a model is asked; returns its answer."""
    page = _Page(consoles=consoles, view=view)
    try:
        with Region(consoles) if can_draw(consoles) and not view.quiet else nullcontext() as region:
            if region is not None and view.watch is not None:
                view.watch(region)
            turn = _ModelTurn(consoles=consoles, view=view, region=region, page=page)
            turn.show(first)
            for event in events:
                if turn.show(event) and isinstance(event, (Done, Failed)):
                    return event.answer
    finally:
        # Of a turn that was stopped, what was computed is there all the same.
        page.add_waiting()
    raise TabchatError("The turn ended without an answer.")


def render_model_answer(consoles: Consoles, answer: Answer, view: AnswerView) -> None:
    """Show a model's answer again: the result that answers and those that the text places, its figures marked."""
    page = _Page(consoles=consoles, view=view)
    if answer.block is not None:
        page.wait_for_text(answer.block)
    page.add_text(answer)


@dataclass
class _Page:
    """What a model's answer puts on the two streams, in order, with a blank line between its parts."""

    consoles: Consoles
    view: AnswerView
    has_begun: bool = False
    keys: set[str] = field(default_factory=set)
    """Keys of the results that came."""
    waiting: list[DataBlock] = field(default_factory=list)
    """Results that are not shown yet."""

    def part(self) -> None:
        """Begin a part of its own on stdout."""
        if self.has_begun:
            self.consoles.out.print()
        self.has_begun = True

    def wait_for_text(self, block: DataBlock) -> None:
        """Keep a result until the text comes, which may place it."""
        self._say_notes(block)
        self.waiting.append(block)

    def add_at_once(self, block: DataBlock) -> None:
        """Show a result before there is a text."""
        self._say_notes(block)
        self._print_block(block)

    def _say_notes(self, block: DataBlock) -> None:
        if not self.view.quiet:
            narrate_notes(self.consoles, block)
        if block.data_key:
            self.keys.add(block.data_key)

    def add_waiting(self, placed: Container[str] = ()) -> None:
        """Show the results that came, but those whose marks stand in the text."""
        for block in self.waiting:
            if _mark(block) not in placed:
                self._add_block(block)
        self.waiting = []

    def _add_block(self, block: DataBlock) -> None:
        self.part()
        self._print_block(block)

    def _print_block(self, block: DataBlock) -> None:
        glyphs = self.consoles.glyphs
        if block.title:
            self.consoles.out.print(
                cut(sanitise(block.title, glyphs), self.consoles.width, glyphs), style="bold"
            )
        render_result(self.consoles, block, self._view_of_blocks(), has_text=False)
        if not self.view.quiet:
            narrate_result(self.consoles, block)

    def _view_of_blocks(self) -> AnswerView:
        """Return a view whose commands name the key: a result need not be the last one of its answer."""
        return replace(self.view, commands=REPL_BY_KEY) if self.view.commands is REPL else self.view

    def add_text(self, answer: Answer) -> None:
        """Show the text, and each result where it is placed first."""
        marks = {_mark(block): block for block in answer.blocks}
        places = [match for match in _MARK.finditer(answer.text) if match[0].strip() in marks]
        self.add_waiting({match[0].strip() for match in places})
        if not self.view.quiet:
            narrate_reading(self.consoles, answer)
            narrate_warnings(self.consoles, answer)
        begin = 0
        for match in places:
            if block := marks.pop(match[0].strip(), None):
                self._add_prose(answer, begin, match.start())
                self._add_block(block)
                begin = match.end()
        self._add_prose(answer, begin, len(answer.text))
        if not self.view.quiet:
            narrate_verdict(self.consoles, answer, self.view)

    def _add_prose(self, answer: Answer, begin: int, end: int) -> None:
        if answer.text[begin:end].strip():
            self.part()
            render_prose(self.consoles, answer, begin, end)


def _mark(block: DataBlock) -> str:
    return table_mark(block.title, block.result.frame.columns, block.data_key or f"r{block.number}")


@dataclass
class _ModelTurn:
    """One turn on its way to an answer."""

    consoles: Consoles
    view: AnswerView
    region: Region | None
    page: _Page
    call: ToolStart | None = None
    ended: list[str] = field(default_factory=list)
    """How the last tool went, until it is known whether a result follows."""

    def show(self, event: Event) -> bool:
        """Show one thing that happened; returns whether the turn is over."""
        if self.ended and not isinstance(event, DataReady):
            self._say_ended()
        match event:
            case Asking():
                self._wait_for(f"asking {event.model}")
            case ToolStart():
                self.call = event
                self._wait_for(describe_call(event.tool, event.input))
            case ToolEnd():
                given = self.call.input if self.call is not None else {}
                self.ended = describe_end(self.consoles, describe_call(event.tool, given), event)
            case DataReady():
                self._show_block(event.block)
            case TextDelta():
                if self.region is not None:
                    self.region.write(event.text, "writing, figures not checked yet")
            case Rewriting():
                self._say_rewriting(event)
            case Done() | Failed():
                self._finish(event.answer)
                return True
            case _:
                assert_never(event)
        return False

    def _wait_for(self, what: str) -> None:
        if self.region is not None:
            self.region.wait_for(what[: self.consoles.width * 2])

    @contextmanager
    def _printing(self) -> Iterator[None]:
        if self.region is None:
            yield
            return
        with self.region.paused():
            # A turn with a model takes long enough for the terminal to be resized in it.
            fit_to_terminal(self.consoles)
            yield

    def _say(self, lines: list[str]) -> None:
        if not self.view.quiet:
            with self._printing():
                self.consoles.say(*lines)

    def _say_ended(self) -> None:
        self._say(self.ended)
        self.ended = []

    def _show_block(self, block: DataBlock) -> None:
        if self.view.source or block.data_key in self.page.keys:
            self._say_ended()
        elif self.region is None:
            self._say_ended()
            self.page.wait_for_text(block)
        else:
            with self._printing():
                self.page.part()
                self._say_ended()
                self.page.add_at_once(block)

    def _say_rewriting(self, event: Rewriting) -> None:
        from tabchat.chat.turn.loop import MAX_REWRITES

        glyphs = self.consoles.glyphs
        again = f"asking again ({event.attempt} of {MAX_REWRITES})"
        said = f"{counted(len(event.issues), 'figure')} did not check, {again}: {'; '.join(event.issues)}"
        width = self.consoles.width
        self._say(wrap_text(cut(sanitise(said, glyphs), width * 4, glyphs), width, hang=2))

    def _finish(self, answer: Answer) -> None:
        with self._printing():
            if self.view.source and answer.block is not None:
                render_answer(self.consoles, answer, self.view)
            else:
                self.page.add_text(answer)
