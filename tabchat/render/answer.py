"""An answer on the two streams: stdout gets the sentence, the table and the bars; stderr says how it came about."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, assert_never

from tabchat.chat.turn.events import Asking, DataReady, Done, Failed, Rewriting, TextDelta, ToolEnd, ToolStart
from tabchat.engine.result.result import ResultKind
from tabchat.errors import TabchatError
from tabchat.render.block import narrate_notes, narrate_result, render_result, render_source
from tabchat.render.layout.text import sanitise, sanitise_lines
from tabchat.render.terminal.pager import paged
from tabchat.render.view import AnswerView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.chat.turn.answer import Answer
    from tabchat.chat.turn.events import Event
    from tabchat.engine.result.result import Frame
    from tabchat.render.terminal.console import Consoles

__all__ = ["AnswerView", "render_answer", "render_events"]


def render_events(consoles: Consoles, events: Iterable[Event], view: AnswerView) -> Answer:
    """Show a turn as it happens and return its answer; a failure is in `Answer.error`, for the caller to report.

    The rules' answer comes at once and whole. From the moment that a model is
    asked, each thing is shown when it is there; its text waits for the verdict
    on its figures, and in a file or a pipe the tables for the text that places them.
    """
    coming = iter(events)
    try:
        for event in coming:
            match event:
                case Asking():
                    from tabchat.render.terminal.stream import render_model_turn

                    return render_model_turn(consoles, event, coming, view)
                case Done() | Failed():
                    render_answer(consoles, event.answer, view)
                    return event.answer
                case ToolStart() | ToolEnd() | TextDelta() | DataReady() | Rewriting():
                    continue
                case _:
                    assert_never(event)
    finally:
        if isinstance(coming, Generator):
            # A turn that was stopped must not go on reading from a model.
            coming.close()
    raise TabchatError("The turn ended without an answer.")


def render_answer(
    consoles: Consoles, answer: Answer, view: AnswerView, *, source: Frame | None = None
) -> None:
    """Show an answer.

    `source` is the frame of the rows behind a kept result, for `view.source`;
    without it the result's own is used. Raises `UsageError` when there is none.
    """
    if answer.planner == "llm" and not view.source:
        from tabchat.render.terminal.stream import render_model_answer

        render_model_answer(consoles, answer, view)
        return
    with paged(consoles, wanted=view.pager):
        _render_plain(consoles, answer, view, source)


def _render_plain(consoles: Consoles, answer: Answer, view: AnswerView, source: Frame | None) -> None:
    if not view.quiet:
        narrate_reading(consoles, answer)
        if answer.block:
            narrate_notes(consoles, answer.block)
        narrate_warnings(consoles, answer)
    block = answer.block
    text = _marked_text(consoles, answer)
    if view.source and block is not None:
        if text and not view.quiet:
            consoles.say(text)
        render_source(consoles, block, source or block.result.source, view)
        return
    if text:
        consoles.prose(consoles.out, text)
    if block is None:
        return
    if text and block.result.kind is not ResultKind.SCALAR:
        consoles.out.print()
    render_result(consoles, block, view, has_text=bool(text))
    if not view.quiet:
        narrate_result(consoles, block)
        if view.receipts:
            from tabchat.render.receipts import render_receipts

            render_receipts(consoles, answer, consoles.err)


def narrate_reading(consoles: Consoles, answer: Answer) -> None:
    """Say how a question was read."""
    if answer.interpretation:
        told = f"read as: {sanitise(answer.interpretation, consoles.glyphs)}"
        consoles.prose(consoles.err, told, style="dim", hang=2)


def narrate_warnings(consoles: Consoles, answer: Answer) -> None:
    """Say what to be wary of."""
    for warning in answer.warnings:
        told = f"warning: {sanitise(warning, consoles.glyphs)}"
        consoles.prose(consoles.err, told, style="yellow", hang=2)


def _marked_text(consoles: Consoles, answer: Answer) -> str:
    """Return the text of an answer, each figure that no result backs marked where it stands."""
    if answer.verification.status != "unverified":
        return sanitise_lines(answer.text, consoles.glyphs)
    from tabchat.render.layout.prose import plain_text

    return plain_text(answer, consoles.glyphs)
