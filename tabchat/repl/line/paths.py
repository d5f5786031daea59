"""Completion of file names as a shell would take them: blanks and quotation marks are escaped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import CompleteEvent, PathCompleter
from prompt_toolkit.document import Document

from tabchat.repl.line.menu import offered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.completion import Completion

_LAST_WORD: Final = re.compile(r"""(?:[^\s\\'"]|\\.|'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))*\\?$""", re.DOTALL)
_QUOTED: Final = re.compile(r"""\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\$""", re.DOTALL)
_SPECIAL: Final = re.compile(r"""([\s\\'"])""")
_FILES: Final = PathCompleter(expanduser=True)


def paths(argument: str) -> Iterator[Completion]:
    """Yield the files and folders that the last word of `argument` may name."""
    found = _LAST_WORD.search(argument)
    word = found.group() if found is not None else ""
    typed = _unquoted(word)
    for file in _FILES.get_completions(Document(typed), CompleteEvent()):
        yield offered(_escaped(f"{typed}{file.text}"), -len(word), "", shown=file.display_text)


def _unquoted(word: str) -> str:
    return _QUOTED.sub(lambda part: "".join(text or "" for text in part.groups()), word)


def _escaped(path: str) -> str:
    return _SPECIAL.sub(r"\\\1", path)
