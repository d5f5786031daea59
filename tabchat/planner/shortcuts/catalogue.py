"""The shortcuts that are known, read from TOML: the shipped ones, and those of a person's own file."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError
from tabchat.planner.shortcuts.entries import Entry
from tabchat.planner.words.token import tokenize

if TYPE_CHECKING:
    from tabchat.planner.shortcuts.shortcut import Shortcut
    from tabchat.planner.words import Languages

SHIPPED: Final = Path(__file__).with_name("catalogue.toml")


@lru_cache(maxsize=1)
def shipped_shortcuts() -> tuple[Shortcut, ...]:
    """Return the shortcuts that come with the package; their languages are those of the shipped lexicons."""
    return _read_file(SHIPPED)


def load_shortcuts(own: Path | None, languages: Languages) -> tuple[Shortcut, ...]:
    """Return the shipped shortcuts and those of the file `own`; an id of the shipped ones is replaced.

    Raises `UsageError` that names the file, the entry and what is wrong with it.
    """
    found = {shortcut.id: shortcut for shortcut in shipped_shortcuts()}
    for shortcut in _read_file(own) if own is not None else ():
        _check_languages(shortcut, own, languages)
        found[shortcut.id] = shortcut
    return tuple(found.values())


def _read_file(path: Path) -> tuple[Shortcut, ...]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        message = f"The shortcuts in {path} cannot be read: {error}"
        raise UsageError(message, hint="Mend the file, or leave the setting `shortcuts` out.") from error
    unknown = sorted(set(content) - {"intent"})
    entries = content.get("intent", [])
    if unknown or not isinstance(entries, list):
        message = f"The shortcuts in {path} have {', '.join(unknown) or 'intent'} where only [[intent]] entries belong."
        raise UsageError(message, hint="Begin every entry with [[intent]].")
    found: dict[str, Shortcut] = {}
    for place, entry in enumerate(entries, start=1):
        reader = Entry(path, place, entry)
        shortcut = reader.shortcut()
        if shortcut.id in found:
            raise reader.wrong("has the id of another entry", "Give each entry an id of its own.")
        found[shortcut.id] = shortcut
    return tuple(found.values())


def _check_languages(shortcut: Shortcut, path: Path | None, languages: Languages) -> None:
    for language, utterances in shortcut.utterances.items():
        if language not in languages.letters:
            known = ", ".join(languages.letters)
            message = f"The shortcut {shortcut.id!r} in {path} has utterances in {language!r}, which is no language here."
            raise UsageError(message, hint=f"Languages: {known}.")
        lexicon = languages.load(language)
        for utterance in utterances:
            edits = [
                token.text
                for token in tokenize(utterance.words)
                if "refuse.edit" in lexicon.find((token.norm,))
            ]
            if edits:
                message = f"The shortcut {shortcut.id!r} in {path} asks for an edit: {edits[0]!r} in {utterance.text!r}."
                raise UsageError(
                    message, hint="Shortcuts only answer questions; `tabchat edit` changes a table."
                )
