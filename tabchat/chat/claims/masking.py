"""What of a Markdown text is not prose: code, links, placeholders, names of columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.claims.tokens import HOLE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


Cover: TypeAlias = tuple[int, int, str]
"""Start, end, and the character to put over each one in between."""

_RUN: Final = re.compile(r"[^\s|()<>\[\]{}\"*]++")
_TAG: Final = re.compile(r"</?[A-Za-z][^<>\n]{0,200}+>|<!--[^<>]{0,200}>")
_ENTITY: Final = re.compile(r"&#?[A-Za-z0-9]{1,8}+;")
_LINK: Final = re.compile(r"\]\([^()\s]{0,500}+\)|\[\^[^\[\]\s]{1,40}+\]")
_FENCE: Final = re.compile(r"[ \t>]{0,12}+(?P<mark>`{3,}+|~{3,}+)(?P<label>[^`\n]*+)")
_TICKS: Final = re.compile(r"`++")
_FIGURE_IN_CODE: Final = re.compile(
    r"[\s+\-−]{0,2}[$€£₴₽]?\s?[0-9][0-9.,:/\-\s]{0,40}\s?(?:[%$€£₴₽]|[kKMB]n?)?\s?"
)
_CODE_SIGN: Final = re.compile(r"[=;{}()]|\b(?:select|import|def|return)\b", re.IGNORECASE)
_PROSE_LABELS: Final = frozenset(
    {"", "text", "txt", "plain", "plaintext", "md", "markdown", "csv", "tsv", "table"}
)
_LONGEST_KEPT: Final = 60
_EMPHASIS: Final = "*"


def hide(text: str, names: Collection[str] = ()) -> str:
    """Return `text` with everything that is not prose replaced, at the same length.

    A code span that holds nothing but a figure (`` `1,234` ``) is prose, and so is a fenced
    block that is not labelled as code and does not look like it: a person reads both.
    """
    covers = [*_code(text), *_placeholders(text), *_addresses(text), *_names(text, names)]
    for pattern, cover in ((_TAG, HOLE), (_LINK, HOLE), (_ENTITY, " ")):
        covers += [(*match.span(), cover) for match in pattern.finditer(text)]
    return _covered(text, sorted(covers))


def _covered(text: str, covers: list[Cover]) -> str:
    parts: list[str] = []
    done = 0
    for start, end, cover in covers:
        if end <= done:
            continue
        begin = max(start, done)
        parts.append(text[done:begin])
        parts.append("".join("\n" if character == "\n" else cover for character in text[begin:end]))
        done = end
    parts.append(text[done:])
    return "".join(parts)


def _code(text: str) -> Iterator[Cover]:
    """Yield fenced blocks, and code spans on the other lines."""
    fence: tuple[str, int, str] | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if fence is None and mark:
            fence = (mark["mark"], position, mark["label"].strip().casefold())
        elif fence is None:
            yield from _code_spans(line, position)
        elif mark and mark["mark"].startswith(fence[0]) and not mark["label"].strip():
            yield from _fenced(text, fence, position + len(line))
            fence = None
        position += len(line)
    if fence is not None:
        yield from _fenced(text, fence, position)


def _fenced(text: str, fence: tuple[str, int, str], end: int) -> Iterator[Cover]:
    _, start, label = fence
    language = label.split()[0] if label else ""
    if language not in _PROSE_LABELS or _CODE_SIGN.search(text, start, end):
        yield start, end, HOLE


def _code_spans(line: str, position: int) -> Iterator[Cover]:
    """Yield what stands between two runs of as many backticks each."""
    runs = list(_TICKS.finditer(line))
    closing: dict[int, list[int]] = {}
    for at in range(len(runs) - 1, -1, -1):
        closing.setdefault(len(runs[at].group()), []).append(at)
    at = 0
    while at < len(runs):
        same = closing[len(runs[at].group())]
        while same and same[-1] <= at:
            same.pop()
        if not same:
            at += 1
            continue
        opened, closed = runs[at], runs[same[-1]]
        content = line[opened.end() : closed.start()]
        if len(content) <= _LONGEST_KEPT and _FIGURE_IN_CODE.fullmatch(content):
            for ticks in (opened, closed):
                yield position + ticks.start(), position + ticks.end(), _EMPHASIS
        else:
            yield position + opened.start(), position + closed.end(), HOLE
        at = same[-1] + 1


def _placeholders(text: str) -> Iterator[Cover]:
    start = text.find("{{")
    while start >= 0:
        end = text.find("}}", start)
        if end < 0:
            return
        yield start, end + 2, HOLE
        start = text.find("{{", end + 2)


def _addresses(text: str) -> Iterator[Cover]:
    """Yield web addresses, e-mail addresses and paths."""
    for match in _RUN.finditer(text):
        run = match.group()
        if "://" in run or run.startswith("www.") or ("@" in run[1:-1]) or run.count("/") > 2:  # noqa: PLR2004 -- `a/b/c/d` is a path, `15/03/2024` a date
            yield *match.span(), HOLE


def _names(text: str, names: Collection[str]) -> Iterator[Cover]:
    """Yield the names of columns that hold digits and something else."""
    wanted = [name for name in names if any(map(str.isdigit, name)) and not name.strip().isdigit()]
    if not wanted:
        return
    longest_first = sorted(wanted, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
    for match in pattern.finditer(text):
        yield *match.span(), HOLE
