"""The two ends of stdio that messages pass: what leaves is written into the egress ledger before it does.

While a server runs, file descriptor 1 leads to stderr and 0 to nothing, so that no print and no process of ours can put
a byte between the messages.
"""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from anyio import to_thread

from tabchat.audit import ASSISTANT, Outgoing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from tabchat.audit import Ledger

ADDRESS: Final = "mcp://stdio"
"""Where the ledger says that a message went."""
MOST_LINE: Final = 16 << 20
"""Bytes of one message that are taken."""


@dataclass
class Wire:
    """Messages as lines of UTF-8, in the two roles that the protocol's transport takes: a reader and a writer."""

    incoming: BinaryIO
    outgoing: BinaryIO
    ledger: Ledger
    assistant: str | None = None
    """What the other side calls itself, once it has said so."""
    _unsent: list[str] = field(default_factory=list)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        # A thread that waits for a line cannot be woken, so nobody waits for the thread.
        line = await to_thread.run_sync(self._read, abandon_on_cancel=True)
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    def _read(self) -> bytes:
        """Return the next line; one that is too long is passed over, and stands for no message."""
        line = self.incoming.readline(MOST_LINE)
        if len(line) < MOST_LINE or line.endswith(b"\n"):
            return line
        while (rest := self.incoming.readline(MOST_LINE)) and not rest.endswith(b"\n"):
            pass
        return b"too long\n"

    async def write(self, text: str) -> None:
        """Take a message; it is sent by `flush`."""
        self._unsent.append(text)

    async def flush(self) -> None:
        """Write what was taken into the ledger and then send it; raises `OutputError`, and sends nothing then."""
        body = "".join(self._unsent).encode("utf-8", "replace")
        self._unsent.clear()
        await to_thread.run_sync(self._send, body)

    def _send(self, body: bytes) -> None:
        message = Outgoing(
            method="MCP", url=ADDRESS, headers={}, body=body, model=self.assistant, kind=ASSISTANT
        )
        self.ledger.record(message)
        self.outgoing.write(body)
        self.outgoing.flush()


@contextlib.contextmanager
def claimed_stdio(ledger: Ledger) -> Iterator[Wire]:
    """Yield stdin and stdout as a wire that nobody else in this process can write to."""
    sys.stdout.flush()
    with contextlib.ExitStack() as stack:
        incoming, outgoing = (os.dup(number) for number in (0, 1))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        stack.callback(os.dup2, incoming, 0)
        stack.callback(os.dup2, outgoing, 1)
        # Never closed: a thread may still wait for a line when the server ends, and the process ends then, too.
        yield Wire(
            incoming=os.fdopen(incoming, "rb", closefd=False),
            outgoing=os.fdopen(outgoing, "wb", closefd=False),
            ledger=ledger,
        )
