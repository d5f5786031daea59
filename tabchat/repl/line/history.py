"""Past entries as the line that is typed goes back to them: those over the current table first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.history import History

from tabchat.repl.line.past import PastEntry

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterable

    from tabchat.repl.line.past import PastEntries


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
