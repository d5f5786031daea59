"""Fields of a request that may be left out, and what a server was found not to take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from tabchat.chat.provider.failure import Failure
    from tabchat.chat.turn.model import ModelRequest

TEMPERATURE: Final = 0.0
"""The same question should get the same tool calls."""

_OPTIONAL: Final = ("temperature", "stream_options", "max_tokens")


class ToolsRefusedError(Exception):
    """The server takes no tools by the protocol."""


@dataclass
class AcceptedFields:
    """What one server takes; found out by its refusals, and remembered."""

    _refused: set[str] = field(default_factory=set)

    def refuses(self, name: str) -> bool:
        """Whether the server was found not to take the field `name`."""
        return name in self._refused

    def fields(self, request: ModelRequest) -> dict[str, Any]:
        """Return the optional fields for `request`."""
        wanted: dict[str, Any] = {"temperature": TEMPERATURE, "stream_options": {"include_usage": True}}
        if request.max_output_tokens is not None:
            # Newer servers know the limit by its newer name only.
            name = "max_completion_tokens" if self.refuses("max_tokens") else "max_tokens"
            wanted[name] = request.max_output_tokens
        return {name: value for name, value in wanted.items() if not self.refuses(name)}

    def adapt(self, failure: Failure, *, native_tools: bool) -> bool:
        """Do without what the server refused, from now on; tells whether there was such a thing.

        Raises `ToolsRefusedError` when it was the tools, and `native_tools` says that they were sent.
        """
        if failure.meaning is not None:
            return False
        if native_tools and failure.mentions("tool"):
            self._refused.add("tools")
            raise ToolsRefusedError
        refused = {name for name in _OPTIONAL if failure.mentions(name)} - self._refused
        self._refused |= refused
        return bool(refused)
