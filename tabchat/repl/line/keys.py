"""What keys do in the line that is typed, where they do not do what prompt-toolkit has them do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.filters import completion_is_selected, is_searching
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.search import accept_search

from tabchat.repl.entry import is_complete

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent


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
