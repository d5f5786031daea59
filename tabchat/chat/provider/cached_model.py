"""A model that gives the reply it gave before: the same request over the same tables is sent only once."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol

from tabchat.chat.provider.response_cache import ResponseCache
from tabchat.chat.turn.answer import Usage
from tabchat.chat.turn.model import Delta, Model, Reply

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tabchat.chat.turn.model import ModelRequest, Piece
    from tabchat.sealed import Seal

_FORM: Final = "replies 1"
"""Version of what is kept; replies of another form are never found."""
_ADDRESSES: Final = ("_API_BASE", "_BASE_URL")
"""How the names of variables end that hold the address of a server."""


class KeyedModel(Model, Protocol):
    """A model whose requests can be named before they are sent."""

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return what would be sent for `request`; equal requests give equal bytes."""


@dataclass
class CachedModel:
    """Gives the kept reply when everything that the model would be told is the same; it costs nothing then.

    Only replies that are whole are kept: not a text that was cut, not an empty
    one, not a call that could not be read. Those are worth asking for again.
    """

    inner: KeyedModel
    directory: Path
    seal: Seal
    versions: Sequence[str] = ()
    """Versions of the tables that the conversation is about."""
    api_base: str | None = None
    """Where the model is asked: servers may give one name to different models."""
    fresh: bool = False
    """Ask again, and keep the new reply."""
    named_by: Callable[[ModelRequest], bytes] | None = None
    """What names a request, where that is cheaper than what `inner` would send."""
    planner: Literal["rules", "llm"] = "llm"

    @property
    def name(self) -> str:
        """The model's name."""
        return self.inner.name

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return what would be sent for `request`."""
        return self.inner.request_bytes(request)

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Answer `request`, from what is kept if that can be."""
        kept = ResponseCache(self.directory, seal=self.seal)
        key = self._key(request)
        known = None if self.fresh else kept.get(key)
        if known is not None:
            if known.text:
                yield Delta(text=known.text)
            yield replace(known, usage=Usage(model=self.name))
            return
        for piece in self.inner.respond(request):
            if isinstance(piece, Reply) and _is_whole(piece):
                kept.put(key, piece)
            yield piece

    def _key(self, request: ModelRequest) -> str:
        name = self.named_by or self.inner.request_bytes
        # Providers' libraries also take the address of a server from the environment.
        servers = sorted(item for item in os.environ.items() if item[0].endswith(_ADDRESSES))
        scope = [_FORM, self.name, self.api_base, servers, list(self.versions)]
        digest = hashlib.sha256(json.dumps(scope).encode())
        digest.update(b"\n")
        digest.update(name(request))
        return digest.hexdigest()


def _is_whole(reply: Reply) -> bool:
    """Return whether a reply is worth keeping; one with figures traced by the model itself has no JSON form."""
    readable = all(call.malformed is None for call in reply.tool_calls)
    says_something = bool(reply.text.strip() or reply.tool_calls)
    return readable and says_something and not reply.receipts and reply.finish != "length"
