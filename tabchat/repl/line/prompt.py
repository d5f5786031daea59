"""The prompt at which entries are typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.filters import Condition, completion_is_selected, is_searching
from prompt_toolkit.history import History
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.output import create_output
from prompt_toolkit.search import accept_search

from tabchat.render.terminal.input_line import InertLine
from tabchat.repl.entry import is_complete
from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.past import PastEntry
from tabchat.repl.line.toolbar import place, toolbar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable, Iterator

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent

    from tabchat.repl.line.hints import Hints
    from tabchat.repl.line.past import PastEntries
    from tabchat.repl.shell import Shell

_PAUSE_SECONDS: Final = 0.2


def line_keys() -> KeyBindings:
    """Return the keys: Enter ends an entry that is whole, Alt-Enter begins a line."""
    keys = KeyBindings()

    @keys.add("enter", filter=is_searching)
    def take_found(event: KeyPressEvent) -> None:
        accept_search()
        enter(event)

    @keys.add("enter", filter=~completion_is_selected & ~is_searching)
    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("enter", filter=completion_is_selected)
    def take_completion(event: KeyPressEvent) -> None:
        state = event.current_buffer.complete_state
        event.current_buffer.complete_state = None
        # Where nothing else was offered, nothing was chosen that could be looked at once more.
        if state is not None and len(state.completions) == 1:
            enter(event)

    @keys.add("escape", "enter")
    def next_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


class TableHistory(History):
    """Past entries; `table` returns the path of the table that questions are about now."""

    def __init__(self, past: PastEntries, table: Callable[[], str]) -> None:
        super().__init__()
        self._past = past
        self._table = table

    async def load(self) -> AsyncGenerator[str, None]:
        """Yield the entries, the nearest first; called for each line anew, so another table changes the order."""
        for entry in self.load_history_strings():
            yield entry

    def get_strings(self) -> list[str]:
        """Return the entries, the nearest last."""
        return list(self.load_history_strings())[::-1]

    def load_history_strings(self) -> Iterable[str]:
        """Return the entries, the nearest first."""
        table = self._table()
        return (*self._past.over(table), *self._past.elsewhere(table))

    def append_string(self, string: str) -> None:
        """Add an entry."""
        self.store_string(string)

    def store_string(self, string: str) -> None:
        """Write an entry down."""
        self._past.add(PastEntry(text=string, table=self._table()))


class Ghost(AutoSuggest):
    """Suggests how a line goes on: `entries` returns what it may become, the likeliest first."""

    def __init__(self, entries: Callable[[], Iterable[str]]) -> None:
        self._entries = entries

    def get_suggestion(self, _buffer: Buffer, document: Document) -> Suggestion | None:
        """Return the rest of the first entry that begins with the text; nothing for a text of several lines."""
        typed = document.text
        if not typed.strip() or "\n" in typed:
            return None
        for entry in self._entries():
            begins = entry[: len(typed)]
            # What is accepted is added to what was typed, in the case in which that was typed.
            if len(begins) < len(entry) and begins.casefold() == typed.casefold() and "\n" not in entry:
                return Suggestion(entry[len(typed) :])
        return None


def make_prompt(shell: Shell, hints: Hints) -> PromptSession[str]:
    """Return the prompt of a conversation; `hints` is what is known of its tables."""

    def table() -> str:
        return str(shell.session.current.source) if shell.session.tables else ""

    def likely() -> Iterator[str]:
        yield from shell.past.over(table())
        yield from hints.current().questions
        yield from shell.past.elsewhere(table())

    completer = ShellCompleter(shell, hints)
    return PromptSession(
        message=lambda: [("bold", f"{place(shell)}> ")],
        prompt_continuation=lambda width, _line, wrapped: " " * (width - 2) + ("  " if wrapped else "· "),
        history=TableHistory(shell.past, table),
        auto_suggest=Ghost(likely),
        completer=completer,
        input_processors=[InertLine()],
        # A menu over a half-typed question is in the way; Tab opens it.
        complete_while_typing=Condition(lambda: completer.is_closed(get_app().current_buffer.text)),
        search_ignore_case=True,
        multiline=True,
        key_bindings=line_keys(),
        bottom_toolbar=lambda: [("", toolbar(shell, get_app().output.get_size().columns))],
        output=create_output(always_prefer_tty=True),
        enable_open_in_editor=True,
        vi_mode=shell.session.settings.vi,
    )


def read_entry(prompt: PromptSession[str], hints: Hints) -> str:
    """Return what is typed next; raises `EOFError` for Ctrl-D on an empty line, `KeyboardInterrupt` for Ctrl-C."""

    def find_out_soon() -> None:
        # What is known of the table is found out behind the prompt, not before it.
        asyncio.get_running_loop().call_later(_PAUSE_SECONDS, hints.current)

    try:
        return prompt.prompt(pre_run=find_out_soon)
    finally:
        hints.stop()
