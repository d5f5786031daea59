"""Short ways to write one's own keys: `_` for the newest result, and as much of a key as no other begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import DataKeyError
from tabchat.store.keys import begins_key

if TYPE_CHECKING:
    from tabchat.store.protocol import DataStore

NEWEST: Final = "_"
_HINT: Final = "List the kept results with: tabchat results"


def is_short(text: str) -> bool:
    """Return whether `text` is a short way to write a key."""
    return text == NEWEST or begins_key(text)


def full_key(text: str, *stores: DataStore) -> str:
    """Return the key that `text` stands for in `stores`; a text that is no short way to write one as it is.

    For the person alone: to whoever does not own the results, what a key begins with must tell nothing.
    Raises `DataKeyError` when there is no such result, and when there are several.
    """
    if not is_short(text):
        return text
    kept = sorted((entry for store in stores for entry in store.list()), key=lambda entry: -entry.created_at)
    if text == NEWEST:
        if not kept:
            message = "There is no kept result that `_` could stand for."
            raise DataKeyError(message, hint='Ask a question first: tabchat ask FILE "QUESTION"')
        return kept[0].key
    found = {entry.key for entry in kept if entry.key.startswith(text.rstrip("…."))}
    if len(found) == 1:
        return found.pop()
    if not found:
        raise DataKeyError(f"No kept result has a key that begins with {text!r}.", hint=_HINT)
    message = f"{len(found):,} kept results have a key that begins with {text!r}."
    raise DataKeyError(message, hint="Write more of it; tabchat results lists the keys.")
