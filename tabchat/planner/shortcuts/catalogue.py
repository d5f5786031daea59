"""The shortcuts that are known, read from TOML and checked: the shipped ones, and those of a person's own file."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.errors import PlanValidationError, UsageError
from tabchat.planner.shortcuts.slots import KINDS, SLOT, kind_of
from tabchat.planner.words.token import tokenize
from tabchat.record import record
from tabchat.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tabchat.planner.words import Languages
    from tabchat.values import JsonValue

SHIPPED: Final = Path(__file__).with_name("catalogue.toml")
_IMPLIED: Final = frozenset({"date"})
"""Slots of a plan that the table can fill: its date column."""
_FIELDS: Final = frozenset({"id", "meaning", "utterances", "plan", "asks"})


@record
class Utterance:
    """One way to put a question: words, with slots between them."""

    text: str
    slots: tuple[str, ...]


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


@lru_cache(maxsize=1)
def shipped_shortcuts() -> tuple[Shortcut, ...]:
    """Return the shortcuts that come with the package; their languages are those of the shipped lexicons."""
    return _read_file(SHIPPED, None)


def load_shortcuts(own: Path | None, languages: Languages) -> tuple[Shortcut, ...]:
    """Return the shipped shortcuts and those of the file `own`; an id of the shipped ones is replaced.

    Raises `UsageError` that names the file, the entry and what is wrong with it.
    """
    listed = (*shipped_shortcuts(), *(_read_file(own, languages) if own is not None else ()))
    return tuple({shortcut.id: shortcut for shortcut in listed}.values())


def _read_file(path: Path, languages: Languages | None) -> tuple[Shortcut, ...]:
    """Read a file; with `languages`, its utterances must be in one of them and ask for no edit."""
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
        for what, hint in _problems(entry, languages):
            name = entry.get("id") if isinstance(entry, dict) else None
            named = f"The shortcut {name!r}" if isinstance(name, str) and name else f"Entry {place}"
            raise UsageError(f"{named} in {path} {what}.", hint=hint)
        if entry["id"] in found:
            message = f"The shortcut {entry['id']!r} in {path} has the id of another entry."
            raise UsageError(message, hint="Give each entry an id of its own.")
        found[entry["id"]] = _shortcut(entry)
    return tuple(found.values())


def _shortcut(entry: Mapping[str, Any]) -> Shortcut:
    utterances = {
        language: tuple(Utterance(text=text, slots=tuple(SLOT.findall(text))) for text in texts)
        for language, texts in entry["utterances"].items()
    }
    plan = json.loads(_json(entry["plan"])) if "plan" in entry else None
    return Shortcut(
        id=entry["id"],
        meaning=entry["meaning"],
        utterances=utterances,
        plan=plan,
        asks=entry.get("asks"),
    )


def _json(plan: object) -> str:
    return json.dumps(plan, ensure_ascii=False, default=str)


Problems: TypeAlias = "Iterator[tuple[str, str]]"
"""What is wrong with an entry, and what to do. Nobody looks beyond the first: what follows it may rely on what is right."""


def _problems(entry: Any, languages: Languages | None) -> Problems:
    if not isinstance(entry, dict):
        yield "is no table", "Begin every entry with [[intent]]."
    for field in sorted(set(entry) - _FIELDS):
        yield f"has an unknown field {field!r}", f"Fields: {', '.join(sorted(_FIELDS))}."
    utterances = entry.get("utterances")
    if not isinstance(utterances, dict) or not utterances:
        yield "has no utterances", 'Such as utterances.en = ["how is {measure} distributed"].'
    if ("plan" in entry) is ("asks" in entry):
        yield "needs either a plan or a question that it `asks`", "Give one of the two."
    for name in ("id", "meaning", *entry.keys() & {"asks"}):
        if not _is_text(entry.get(name)):
            yield f"needs a text in the field {name!r}", f'Such as {name} = "…".'
    if "plan" in entry:
        yield from _plan_problems(entry["plan"])
    yield from _utterance_problems(entry, languages)


def _utterance_problems(entry: Mapping[str, Any], languages: Languages | None) -> Problems:
    used = {slot for name in ("meaning", "asks", "plan") for slot in SLOT.findall(_json(entry.get(name)))}
    for language, texts in entry["utterances"].items():
        if not isinstance(texts, list) or not texts:
            yield f"has no list of utterances in {language!r}", "Give a list of texts."
        for text in texts:
            if not _is_text(text):
                yield f"has an utterance {text!r} in {language!r}", "An utterance is a text."
            yield from _slot_problems(text, used - _IMPLIED)
        if languages is not None:
            yield from _word_problems(language, texts, languages)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _plan_problems(plan: object) -> Problems:
    from tabchat.engine.plan.query_plan import parse_plan

    if not isinstance(plan, dict):
        yield "has a plan that is no table", "Write it below [intent.plan]."
    try:
        # A slot stands for a number where a plan has no texts.
        parse_plan(json.loads(_json(plan).replace('"limit": "{n}"', '"limit": 1')))
    except PlanValidationError as error:
        hint = error.hint or "Its fields: run_query in docs/reference/tools.md."
        yield f"has a plan that cannot be: {error.message}", hint


def _slot_problems(text: str, used: set[str]) -> Problems:
    """Yield what is wrong with an utterance, which has every slot that is `used`."""
    slots, words = SLOT.findall(text), SLOT.sub(" ", text)
    unknown = [f"slot {{{slot}}}" for slot in slots if kind_of(slot) not in KINDS]
    for named in (*unknown, *("brace" for mark in "{}" if mark in words)):
        kinds = ", ".join(f"{{{kind}}}" for kind in KINDS)
        yield f"has an unknown {named} in {text!r}", f"Slots: {kinds}."
    if len(set(slots)) < len(slots):
        yield f"has a slot twice in {text!r}", "Number them: {measure} and {measure2}."
    if not words.strip():
        yield f"has an utterance without words: {text!r}", "Say in words what is asked."
    for slot in sorted(used - set(slots)):
        what = f"needs {{{slot}}}, which the utterance {text!r} does not have"
        yield what, "Every utterance needs all the slots of the plan, the meaning and the question."


def _word_problems(language: str, texts: Iterable[str], languages: Languages) -> Problems:
    if language not in languages.letters:
        known = ", ".join(languages.letters)
        yield f"has utterances in {language!r}, which is no language here", f"Languages: {known}."
    lexicon = languages.load(language)
    for text in texts:
        for word in tokenize(SLOT.sub(" ", text)):
            if "refuse.edit" in lexicon.find((word.norm,)):
                what = f"asks for an edit: {word.text!r} in {text!r}"
                yield what, "Shortcuts only answer questions; `tabchat edit` changes a table."
