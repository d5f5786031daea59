"""How a shell asks for candidates, and how it is answered: `--complete SHELL NUMBER WORD…`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.cli.completion.candidates import candidates
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def answer(arguments: Sequence[str]) -> str:
    """Return the lines that a shell reads: words, and what they are about where it shows that; raises `UsageError`.

    `arguments` are the shell, the number of the word with the cursor (`tabchat` is 0), and all words.
    """
    shell, number, *words = (*arguments, "", "")
    if not number.isdecimal():
        message = "--complete is what a shell asks with, not a person."
        raise UsageError(message, hint="tabchat --install-completion")
    at = int(number)
    before, typed = words[1:at], words[at] if at < len(words) else ""
    if shell == "bash":
        before, typed, parted = _joined(before, typed)
        # bash puts what is said here behind the last colon of what was typed.
        return _lines(one.word.removeprefix(parted) for one in candidates(before, typed))
    found = candidates(before, typed)
    if shell == "zsh":
        return _lines("{}:{}".format(one.word.replace(":", r"\:"), one.about) for one in found)
    return _lines(f"{one.word}\t{one.about}" for one in found)


def _joined(before: Sequence[str], typed: str) -> tuple[list[str], str, str]:
    """Undo that bash parts words at colons; also return what of the last one it takes as typed already."""
    words: list[str] = []
    for word in (*before, typed):
        if words and (word == ":" or words[-1].endswith(":")):
            words[-1] += word
        else:
            words.append(word)
    last = "" if words[-1] == "=" else words[-1]
    ahead = words[:-1] if words[-1] != "=" else words
    return ahead, last, last[: last.rfind(":") + 1]


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
