"""Lines of text on their way into a file, a compressed file or a terminal."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

from tabchat.export.formats import Compression
from tabchat.inert import UNSAFE

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import BinaryIO

    from tabchat.export.target import Output

_BREAKS: Final = frozenset("\n\t")
"""What the formats themselves are made of."""
_PICTURES: Final = 0x2400
"""Unicode's pictures of the first 32 control characters."""
_FIRST_PRINTABLE: Final = 0x20


class TextOutput:
    """Writes UTF-8; what would command a terminal is shown as a symbol there, and kept everywhere else."""

    def __init__(self, sink: Any, *, is_terminal: bool, file: BinaryIO | None = None) -> None:
        self._sink = sink
        self.is_terminal = is_terminal
        self.file = file
        """The file itself, where nothing but the text goes into it."""
        self.replaced = False

    def write(self, text: str) -> None:
        """Write `text`."""
        if self.is_terminal:
            shown = UNSAFE.sub(_picture, text)
            self.replaced = self.replaced or shown != text
            text = shown
        self._sink.write(text.encode("utf-8", "replace"))

    def write_bytes(self, data: bytes) -> None:
        """Write UTF-8 as it is, which is not for a terminal."""
        self._sink.write(data)

    def warnings(self) -> tuple[str, ...]:
        """Return what the person should know."""
        if not self.replaced:
            return ()
        return (
            "Control and invisible characters are shown as symbols on a terminal; a file or a pipe gets them as they are.",
        )


@contextlib.contextmanager
def open_text(output: Output, compression: Compression | None) -> Iterator[TextOutput]:
    """Open an output for text; equal content gives equal bytes, compressed or not."""
    match compression:
        case None:
            yield TextOutput(output, is_terminal=output.is_terminal, file=output.regular)
        case Compression.GZIP:
            import gzip

            with gzip.GzipFile(filename="", mode="wb", fileobj=output, mtime=0) as packed:
                yield TextOutput(packed, is_terminal=False)
        case Compression.ZSTD:
            import zstandard

            with zstandard.ZstdCompressor().stream_writer(output, closefd=False) as packed:  # type: ignore[arg-type]  # only write is used
                yield TextOutput(packed, is_terminal=False)


def _picture(match: re.Match[str]) -> str:
    if match.group() in _BREAKS:
        return match.group()
    code = ord(match.group())
    return chr(_PICTURES + code) if code < _FIRST_PRINTABLE else "\ufffd"
