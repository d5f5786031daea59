"""The REPL with a model that begins to answer and never ends.

python -m tests.journal.killed TABLE
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, ClassVar, Literal

from tabchat.chat.turn.model import Delta
from tabchat.config import load_settings
from tabchat.journal.folder import SessionFolder
from tabchat.journal.journal import Journal
from tabchat.planner import OfflinePlanner
from tabchat.render.terminal.console import make_consoles
from tabchat.repl import run_repl
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.turn.model import ModelRequest, Piece


class EndlessModel:
    """Writes a word, and nothing more."""

    name = "endless/model"
    planner: ClassVar[Literal["rules", "llm"]] = "llm"

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Begin to answer."""
        yield Delta(text="Thinking ")
        while True:
            time.sleep(1)


def main() -> None:
    """Talk on this process's own streams."""
    settings = load_settings()
    with Session.open(sys.argv[1:], settings=settings) as session:
        session.panel.models = (session.panel.rules(), EndlessModel())
        assert isinstance(session.panel.models[0], OfflinePlanner)
        journal = Journal(SessionFolder(session), session)
        raise SystemExit(run_repl(session, make_consoles(), journal))


if __name__ == "__main__":
    main()
