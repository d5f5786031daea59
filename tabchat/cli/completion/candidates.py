"""The words that can follow those that were typed: commands, options, their values, keys of results, settings, models.

A shell asks for them by `--complete SHELL NUMBER WORD…`.
"""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from dataclasses import fields
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

_SAFE: Final = re.compile(r"[\w.,:/@+=-]+")
"""What a word may hold that others wrote, such as the name of a model: nothing that means something to a shell."""
_KEY: Final = re.compile(r"entry:(ds_[a-z2-7]{20})")
_MOST: Final = 200
_BUSY_SECONDS: Final = 0.2


@record
class Candidate:
    """One word that fits."""

    word: str
    about: str = ""


def candidates(words: Sequence[str], typed: str) -> list[Candidate]:
    """Return what can stand after `words` (those behind `tabchat`) and begins with `typed`; nothing means a file."""
    commands: Mapping[str, Any] = json.loads(files(__package__).joinpath("commands.json").read_text("utf-8"))
    path, rest = _command(commands, words)
    found = commands.get(path)
    if found is None:
        children = _children(commands, path)
        root = [] if path else [Candidate(word=name, about=about) for name, about in _ROOT.items()]
        return _fitting([*children, *root], typed)
    options: Mapping[str, Any] = found["options"]
    before = rest[-1] if rest else ""
    if before == "=" and len(rest) > 1:
        # bash parts --name=value into three words.
        before = rest[-2]
    if (option := options.get(before)) is not None and option["value"] is not None:
        return _fitting(_values(option["value"]), typed)
    if typed.startswith("-"):
        name, equals, value = typed.partition("=")
        if equals and name in options:
            whole = _values(options[name]["value"] or [])
            return [Candidate(word=f"{name}={one.word}", about=one.about) for one in _fitting(whole, value)]
        return _fitting([Candidate(word=name, about=one["help"]) for name, one in options.items()], typed)
    return _fitting(_values(found["argument"]), typed)


_ROOT: Final = {
    "--version": "Print the version and exit.",
    "--help": "Show the help and exit.",
    "--install-completion": "Install completion for a shell.",
    "--show-completion": "Print the completion script of a shell.",
}


def _command(commands: Mapping[str, Any], words: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Return the path of the command that the words name, and the words behind it; a file stands for `ask`."""
    for length in (2, 1):
        path = " ".join(words[:length])
        if len(words) >= length and path in commands:
            return path, words[length:]
    if not words or any(name.startswith(f"{words[0]} ") for name in commands):
        return " ".join(words[:1]), words[1:]
    return ("ask", words) if not words[0].startswith("-") else ("", words[1:])


def _children(commands: Mapping[str, Any], path: str) -> list[Candidate]:
    """Return the next word of every command that begins with `path`, each with what it does."""
    begin = f"{path} " if path else ""
    found: dict[str, str] = {}
    for name, command in commands.items():
        if name.startswith(begin):
            word, _, more = name.removeprefix(begin).partition(" ")
            found.setdefault(word, command["group"] if more else command["help"])
    return [Candidate(word=word, about=about) for word, about in found.items()]


def _fitting(listed: Iterable[Candidate], typed: str) -> list[Candidate]:
    fitting = (one for one in listed if one.word.startswith(typed) and _SAFE.fullmatch(one.word))
    return list(fitting)[:_MOST]


def _values(kind: str | Sequence[str]) -> list[Candidate]:
    """Return the words of a kind of value, or the choices themselves."""
    if not isinstance(kind, str):
        return [Candidate(word=str(choice)) for choice in kind]
    return [Candidate(word=word) for word in _SOURCES[kind]()] if kind in _SOURCES else []


def _keys() -> Iterator[str]:
    """Yield the keys of kept results, newest first.

    Read from the index itself: the store's own module would load the engine.
    """
    from tabchat.config import load_settings

    index = load_settings().cache_dir / "results" / "cache.db"
    for text in _column(index, "SELECT key FROM Cache ORDER BY store_time DESC LIMIT 1000"):
        match = _KEY.fullmatch(text)
        if match is not None:
            yield match[1]


def _column(index: Path, query: str) -> list[str]:
    if not index.is_file():
        return []
    with closing(sqlite3.connect(f"{index.as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS)) as connection:
        return [str(row[0]) for row in connection.execute(query)]


def _requests() -> Iterator[str]:
    from tabchat.audit import EgressLedger
    from tabchat.config import load_settings

    settings = load_settings()
    ledger = EgressLedger(settings.data_dir / "egress", max_bytes=settings.egress_size)
    yield from (request.id for request in ledger.entries(limit=_MOST))


def _settings() -> Iterator[str]:
    from tabchat.config import Settings

    yield from (item.name for item in fields(Settings))


def _models() -> Iterator[str]:
    from tabchat.chat.provider.model_catalogue import offered_models, provider_keys

    yield from (model.name for model in offered_models(provider_keys().keys() or None))


_SOURCES: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "key": _keys,
    "request": _requests,
    "setting": _settings,
    "model": _models,
}


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
