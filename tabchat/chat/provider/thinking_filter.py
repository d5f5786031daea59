"""Takes a model's thinking, and tool calls that a server left in it, out of its text, also when a tag is split between two pieces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_OPENING: Final = ("<think>", "<thinking>", "<tool_call>")
_CLOSING: Final = {tag: f"</{tag[1:]}" for tag in _OPENING}
_CALL: Final = re.compile(
    r"^[ \t]*<tool_call>(.*?)(?:</tool_call>|\Z)", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_THOUGHT: Final = re.compile(
    r"^[ \t]*<(think(?:ing)?)>.*?(?:</\1>|\Z)", re.DOTALL | re.MULTILINE | re.IGNORECASE
)
_STRAY_END: Final = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)


@dataclass
class ThinkingFilter:
    """Passes on the text outside of `<think>…</think>` and `<tool_call>…</tool_call>`.

    They are taken out wherever a line begins with their tag; a tag inside a
    line is text that the model writes about. Blank space after a block goes too.
    """

    _held: str = ""
    """Text that may be the beginning of a tag."""
    _closing: str | None = None
    """The tag that ends the block that is being left out."""
    _at_line_start: bool = True
    _strip: bool = True
    """Whether blank space is left out: at the beginning and after a block."""

    def feed(self, text: str) -> str:
        """Return what of `text`, and of the text held before it, the person may see."""
        self._held += text
        shown = ""
        while True:
            step = self._inside() if self._closing else self._outside()
            if step is None:
                return shown
            shown += step

    def finish(self) -> str:
        """Return the text that was held to the end; a block that never ended is thinking to the end."""
        rest = "" if self._closing else self._held
        self._held = ""
        return rest

    def _inside(self) -> str | None:
        closing = self._closing or ""
        at = self._held.lower().find(closing)
        if at < 0:
            self._held = self._held[-(len(closing) - 1) :]
            return None
        self._held = self._held[at + len(closing) :]
        self._closing, self._strip, self._at_line_start = None, True, True
        return ""

    def _outside(self) -> str | None:
        if self._strip:
            self._held = self._held.lstrip()
            self._strip = not self._held
        if not self._held:
            return None
        if self._at_line_start:
            return self._line_start()
        line, newline, rest = self._held.partition("\n")
        self._held = rest
        self._at_line_start = bool(newline)
        return line + newline

    def _line_start(self) -> str | None:
        stripped = self._held.lstrip(" \t").lower()
        tag = next((tag for tag in _OPENING if stripped.startswith(tag)), None)
        if tag is not None:
            self._held = self._held.lstrip(" \t")[len(tag) :]
            self._closing = _CLOSING[tag]
            return ""
        if any(tag.startswith(stripped) for tag in _OPENING):
            return None
        self._at_line_start = False
        return ""


def written_calls(text: str) -> tuple[str, ...]:
    """Return what stands in the `<tool_call>` blocks of a text: JSON, if the model keeps to the form that it was trained on.

    Servers that know the form give calls by the protocol; others leave it in the text, some without its end.
    """
    said = _STRAY_END.sub("", _THOUGHT.sub("", text))
    return tuple(block.strip() for block in _CALL.findall(said.lstrip()))


def without_thinking(text: str) -> str:
    """Return `text` without thinking, also without a block whose opening tag the server swallowed."""
    shown = _filtered(text)
    return _filtered(_STRAY_END.sub("", shown)) if _STRAY_END.match(shown) else shown


def _filtered(text: str) -> str:
    filtering = ThinkingFilter()
    return filtering.feed(text) + filtering.finish()
