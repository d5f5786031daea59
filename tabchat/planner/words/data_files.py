"""Data files that are read once: beside them lies what their text comes to, as long as it is made of that text.

A compiled file is made with a wheel and with an installation (`planner/compiling.py`). Its first line is the digest of the
data files and of the code that reads them; the others are `name<tab>JSON`, of which only those are parsed that are asked
for. A file with another digest is passed over, and the data files are read instead: what is said of them never depends on
whether they were compiled. Whoever can write beside the code can write the code, so nothing here is sealed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tabchat.record import record

Sections = Mapping[str, Any]
"""Name of a section → what it holds, which JSON can hold."""


@record
class DataFiles:
    """Data files that are read together, and the code that reads them."""

    paths: tuple[Path, ...]
    """Those that are not there are read as empty."""
    code: tuple[Path, ...]
    """Modules that what is read depends on, beside this one."""
    compiled: Path
    read: Callable[..., Sections]
    """The texts of the files → their sections."""

    def sections(self) -> Sections:
        """Return what the files hold: from the compiled file when it was made of them, else from themselves."""
        contents = [_content(path) for path in self.paths]
        # One that cannot be read is passed over like one that is not there.
        with contextlib.suppress(OSError):
            kept = _content(self.compiled)
            if kept.startswith(self._digest(contents)):
                return _Lines(kept)
        return self.read(*(content.decode() for content in contents))

    def compile(self) -> None:
        """Write the compiled file; one that was there is exchanged in one step."""
        contents = [_content(path) for path in self.paths]
        sections = self.read(*(content.decode() for content in contents))
        lines = [f"{name}\t{json.dumps(held, ensure_ascii=False)}\n" for name, held in sections.items()]
        written = self.compiled.with_suffix(f".{os.getpid()}")
        written.write_bytes(self._digest(contents) + "".join(lines).encode())
        written.replace(self.compiled)

    def _digest(self, contents: list[bytes]) -> bytes:
        """Return the first line of what is made of these contents."""
        digest = blake2b(digest_size=32)
        for content in (*contents, *map(_content, (*self.code, Path(__file__)))):
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)
        return digest.hexdigest().encode() + b"\n"


def _content(path: Path) -> bytes:
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 - a start opens a dozen of them
            return file.read()
    except FileNotFoundError:
        return b""


class _Lines(Mapping[str, Any]):
    """The sections of a compiled file, each parsed when it is asked for."""

    def __init__(self, content: bytes) -> None:
        self._lines = dict(line.split(b"\t", 1) for line in content.split(b"\n")[1:-1])
        self._parsed: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._parsed:
            self._parsed[name] = json.loads(self._lines[name.encode()].decode())
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return (name.decode() for name in self._lines)

    def __len__(self) -> int:
        return len(self._lines)
