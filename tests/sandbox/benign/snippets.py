"""Ordinary pandas code as analysts and language models write it, and the frame that each piece is for."""

import re
from pathlib import Path
from typing import Final

from tabchat.record import record

_HEADER: Final = re.compile(r"^### (?P<name>.+) \[(?P<frame>\w+)\]$", re.MULTILINE)


@record
class Snippet:
    """A piece of code that leaves its answer in `result`."""

    name: str
    code: str
    frame: str
    """Name of the frame in `frames.FRAMES` that it sees as `df`."""
    with_stats: bool = False
    """It needs SciPy, statsmodels or scikit-learn."""


def _read(file: str, *, with_stats: bool) -> tuple[Snippet, ...]:
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    headers = list(_HEADER.finditer(text))
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return tuple(
        Snippet(
            name=header["name"],
            code=text[header.end() : end].strip("\n") + "\n",
            frame=header["frame"],
            with_stats=with_stats,
        )
        for header, end in zip(headers, ends, strict=True)
    )


SNIPPETS: Final[tuple[Snippet, ...]] = (
    *_read("pandas.txt", with_stats=False),
    *_read("statistics.txt", with_stats=True),
)
"""All of them; what they give is the same in the sandbox as outside."""
