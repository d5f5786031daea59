"""The shortcuts that are known, read from TOML and checked: the shipped ones, and those of a person's own file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import PlanValidationError, UsageError
from tabchat.planner.shortcuts.slots import KINDS, SLOT, kind_of
from tabchat.planner.words.token import tokenize
from tabchat.record import record
from tabchat.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.planner.words import Languages
    from tabchat.values import JsonValue


@record
class Utterance:
    """One way to put a question: words, with slots between them."""

    text: str
    parts: tuple[str, ...]
    """The words between the slots; one more than there are slots."""
    slots: tuple[str, ...]

    @property
    def words(self) -> str:
        """The words alone."""
        return " ".join(part.strip() for part in self.parts if part.strip())


@record
class Shortcut:
    """Something that people ask for, the ways in which they put it, and the plan that answers it."""

    id: str
    meaning: str
    """How the question was read, with slots."""
    utterances: Mapping[str, tuple[Utterance, ...]]
    """Language → wordings."""
    plan: Mapping[str, JsonValue] | None = None
    """A query plan with slots in its texts."""
    asks: str | None = None
    """A question that means the same, in place of a plan."""


IMPLIED: Final = frozenset({"date"})
"""Slots of a plan that the table can fill: its date column."""
_FIELDS: Final = frozenset({"id", "meaning", "utterances", "plan", "asks"})


class Entry:
    """One entry of a file, as it is checked."""

    def __init__(self, path: Path, place: int, entry: object) -> None:
        self._path = path
        self._name = f"Entry {place}"
        if not isinstance(entry, dict):
            raise self.wrong("is no table", "Begin every entry with [[intent]].")
        self._entry: dict[str, object] = entry
        name = entry.get("id")
        if isinstance(name, str) and name:
            self._name = f"The shortcut {name!r}"

    def wrong(self, what: str, hint: str) -> UsageError:
        """Return the error that names the file and the entry."""
        return UsageError(f"{self._name} in {self._path} {what}.", hint=hint)

    def shortcut(self) -> Shortcut:
        """Read the entry."""
        unknown = sorted(set(self._entry) - _FIELDS)
        if unknown:
            raise self.wrong(f"has an unknown field {unknown[0]!r}", f"Fields: {', '.join(sorted(_FIELDS))}.")
        utterances = self._utterances()
        plan, asks = self._entry.get("plan"), self._entry.get("asks")
        if (plan is None) is (asks is None):
            raise self.wrong("needs either a plan or a question that it `asks`", "Give one of the two.")
        shortcut = Shortcut(
            id=self._text("id"),
            meaning=self._text("meaning"),
            utterances=utterances,
            plan=self._plan(plan) if plan is not None else None,
            asks=self._text("asks") if asks is not None else None,
        )
        self._check_slots(shortcut)
        return shortcut

    def _text(self, name: str) -> str:
        value = self._entry.get(name)
        if not isinstance(value, str) or not value.strip():
            raise self.wrong(f"needs a text in the field {name!r}", f'Such as {name} = "…".')
        return value

    def _utterances(self) -> dict[str, tuple[Utterance, ...]]:
        value = self._entry.get("utterances")
        if not isinstance(value, dict) or not value:
            raise self.wrong("has no utterances", 'Such as utterances.en = ["how is {measure} distributed"].')
        return {str(language): tuple(self._listed(str(language), texts)) for language, texts in value.items()}

    def _listed(self, language: str, texts: object) -> Iterator[Utterance]:
        if not isinstance(texts, list) or not texts:
            raise self.wrong(f"has no list of utterances in {language!r}", "Give a list of texts.")
        for text in texts:
            if not isinstance(text, str) or not text.strip():
                raise self.wrong(f"has an utterance {text!r} in {language!r}", "An utterance is a text.")
            yield self._utterance(text)

    def _utterance(self, text: str) -> Utterance:
        slots = tuple(match.group(0)[1:-1] for match in SLOT.finditer(text))
        unknown = [slot for slot in slots if kind_of(slot) not in KINDS]
        parts = tuple(SLOT.sub("\n", text).split("\n"))
        if unknown or any(mark in part for part in parts for mark in "{}"):
            named = f"slot {{{unknown[0]}}}" if unknown else "brace"
            raise self.wrong(
                f"has an unknown {named} in {text!r}", f"Slots: {', '.join(f'{{{kind}}}' for kind in KINDS)}."
            )
        if len(set(slots)) < len(slots):
            raise self.wrong(f"has a slot twice in {text!r}", "Number them: {measure} and {measure2}.")
        if not any(part.strip() for part in parts):
            raise self.wrong(f"has an utterance without words: {text!r}", "Say in words what is asked.")
        return Utterance(text=text, parts=parts, slots=slots)

    def _plan(self, plan: object) -> Mapping[str, JsonValue]:
        from tabchat.engine.plan.query_plan import parse_plan

        if not isinstance(plan, dict):
            raise self.wrong("has a plan that is no table", "Write it below [intent.plan].")
        try:
            parse_plan(_with_number(plan))
        except PlanValidationError as error:
            raise self.wrong(
                f"has a plan that cannot be: {error.message}",
                error.hint or "Its fields: run_query in docs/reference/tools.md.",
            ) from error
        return plan

    def _check_slots(self, shortcut: Shortcut) -> None:
        used = {match.group(0)[1:-1] for text in _texts(shortcut) for match in SLOT.finditer(text)}
        for utterances in shortcut.utterances.values():
            for utterance in utterances:
                unfilled = sorted(used - set(utterance.slots) - IMPLIED)
                if unfilled:
                    raise self.wrong(
                        f"needs {{{unfilled[0]}}}, which the utterance {utterance.text!r} does not have",
                        "Every utterance needs all the slots of the plan, the meaning and the question.",
                    )


def _with_number(plan: object) -> object:
    """Put a number in the place of a slot where a plan has no texts, to check the rest."""
    match plan:
        case dict():
            return {
                name: 1 if name == "limit" and value == "{n}" else _with_number(value)
                for name, value in plan.items()
            }
        case list():
            return [_with_number(item) for item in plan]
        case _:
            return plan


def _texts(shortcut: Shortcut) -> Iterator[str]:
    yield shortcut.meaning
    if shortcut.asks is not None:
        yield shortcut.asks
    yield from _texts_in(shortcut.plan)


def _texts_in(value: object) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for name, inner in value.items():
                yield str(name)
                yield from _texts_in(inner)
        case list():
            for inner in value:
                yield from _texts_in(inner)
        case _:
            return


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
        content = read_toml(path)
    except (OSError, ValueError) as error:
        message = f"The shortcuts in {path} cannot be read: {getattr(error, 'strerror', None) or error}"
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
