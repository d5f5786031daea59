"""The REPL with a model that writes slowly, and ends only when it is told to.

python -m tests.repl.slow_model TABLE FOLDER     # `touch FOLDER/go` lets it end
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from tabchat.chat.turn.model import Delta, Reply
from tabchat.config import load_settings
from tabchat.render.terminal.console import make_consoles
from tabchat.repl import run_repl
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.turn.model import ModelRequest, Piece

SAID = "Nothing here needs a figure, so there is none."


class SlowModel:
    """Writes `SAID` word by word, and then waits."""

    name = "slow/model"
    planner: ClassVar[Literal["rules", "llm"]] = "llm"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Write, and wait until there is a file `go`."""
        for word in SAID.split(" "):
            yield Delta(text=f"{word} ")
        while not (self._folder / "go").exists():
            time.sleep(0.01)
        yield Reply(text=SAID)


def main() -> None:
    """Talk on this process's own streams."""
    table, folder = sys.argv[1:]
    with Session.open([table], settings=load_settings(), models=[SlowModel(Path(folder))]) as session:
        raise SystemExit(run_repl(session, make_consoles()))


if __name__ == "__main__":
    main()
