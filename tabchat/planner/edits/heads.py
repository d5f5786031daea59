"""Is it a request to change the table? It begins with a verb that asks for it, and reads like one behind it.

The words of requests are data: one TOML file for each language, in the form of the planner's other lexicons.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import NotUnderstoodError
from tabchat.planner.words.data_files import DataFiles
from tabchat.planner.words.languages import CODE, shipped_languages
from tabchat.planner.words.lexicon import as_words
from tabchat.planner.words.phrases import PhraseIndex
from tabchat.planner.words.token import TokenKind, Word, fold, tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.words.data_files import Sections

_FOLDER: Final = Path(__file__).parent / "words"
_SHORT: Final = "SHORT"
"""Stands among the needs of a verb that makes a request with a name alone: `round price`."""
_NUMBER: Final = "NUMBER"
"""Stands among the needs of a verb that makes a request with a number right behind it: `add 5 to price`."""
_SHORTEST_REST: Final = 2
"""Words of such a name."""
_BESIDES: Final = re.compile(
    r"""(?P<empty>(?<!\w)(?:''|""|``|«»|“”|‘’)(?!\w))|(?P<sign>[:→×÷−])|(?P<alone>(?<!\S)\S+)"""
)
"""What says something between the words of a request, though not in a question: an empty text, signs, and `😀`."""
_ENDS: Final = frozenset(".!?…")
_SHORTEST_TYPO: Final = 4
"""Letters of a misspelt verb; the verb has more."""


class Words:
    """The words of requests in one language: what `prepared_requests` made of its data file."""

    def __init__(self, sections: Sections) -> None:
        """Take over the prepared sections of a language."""
        self.language = str(sections["language"])
        self._sections = sections
        self._index = PhraseIndex(firsts=sections["classes"], every=True)
        self._lists: dict[str, frozenset[str]] = {}

    @property
    def readings(self) -> Mapping[str, str]:
        """Templates of what an edit is read as."""
        templates: Mapping[str, str] = self._sections["readings"]
        return templates

    def listed(self, name: str) -> frozenset[str]:
        """Return a list by its name, such as the classes of `verbs`."""
        if name not in self._lists:
            self._lists[name] = as_words(self._sections["lists"][name])
        return self._lists[name]

    def needs(self, verb: str) -> frozenset[str] | None:
        """Return the classes of which one must come behind a verb, else it begins a question; None when none must."""
        needed = self._sections["needs"].get(verb)
        return None if needed is None else frozenset(needed.split())

    def found(self, tokens: Sequence[Word], start: int) -> list[tuple[str, int]]:
        """Return (class, end) of every phrase that begins at token `start`."""
        said = [_said(token) for token in tokens[start:]]
        hits = self._index.at(said, 0, self._stems)
        return list(dict.fromkeys((name, start + hit.end) for hit in hits for name in sorted(hit.concepts)))

    def _stems(self, word: str) -> list[str]:
        stems = (f"{word[:end]}*" for end in range(len(word), 1, -1))
        return [stem for stem in stems if stem in self.listed("stems")]


@record
class Head:
    """A request whose verb is known."""

    words: Words
    tokens: tuple[Word, ...]
    """From the verb on, without what is only polite."""
    command: str | None = None
    """`undo` or `redo`, when that is the whole request."""


def _said(token: Word) -> str:
    """Return a token as a list would have it; what stands in quotation marks is in none."""
    if token.kind is TokenKind.QUOTED:
        return ""
    return token.text.casefold() if token.kind is TokenKind.NUMBER else token.norm


@lru_cache(maxsize=8)
def edit_words(language: str) -> Words | None:
    """Return the words of a language; None when it has no file."""
    path = _FOLDER / f"{language}.toml"
    return Words(word_files(language).sections()) if path.is_file() else None


def word_files(language: str) -> DataFiles:
    """Return the data file of a language."""

    def read(text: str) -> Sections:
        from tabchat.planner.words.prepared import prepared_requests

        return prepared_requests(text)

    path = _FOLDER / f"{language}.toml"
    return DataFiles(paths=(path,), code=CODE, compiled=path.with_suffix(".compiled"), read=read)


def is_edit(question: str) -> bool:
    """Tell whether a text asks to change the table; whether it can be read is another matter."""
    return bool(heads_of(question))


def refuse_edit(question: str) -> None:
    """Raise `NotUnderstoodError` for a question that asks to change the table: an answer changes nothing."""
    heads = heads_of(question)
    if heads:
        word = heads[0].tokens[0].text
        raise NotUnderstoodError(
            f"Not understood: “{word}”. That asks to change the table, and a question only looks at it.",
            hint='Edit with `tabchat edit FILE "…" -o NEW_FILE`, or in `tabchat repl FILE`.',
            words=(word,),
        )


def heads_of(question: str) -> tuple[Head, ...]:
    """Return how a text begins as an edit, in each language in which it does."""
    tokens = request_tokens(question)
    known = [words for name in shipped_languages().of(question) if (words := edit_words(name)) is not None]
    found = [head for words in known if (head := _head(tokens, words)) is not None]
    return tuple(found or [head for words in known if (head := _misspelt(tokens, words)) is not None])


def request_tokens(question: str) -> tuple[Word, ...]:
    """Split a request into words; a colon or an arrow says something there, and so does what stands alone."""
    tokens: list[Word] = []
    for token in tokenize(question):
        tokens += _between(question, tokens[-1].end if tokens else token.start, token.start)
        tokens.append(token)
    tokens += _between(question, tokens[-1].end if tokens else len(question), len(question))
    while tokens and _ENDS.issuperset(tokens[-1].text) and tokens[-1].kind is TokenKind.WORD:
        # A mark that ends the sentence, behind a blank.
        tokens.pop()
    return tuple(tokens)


def _between(question: str, start: int, end: int) -> Iterator[Word]:
    """Yield what says something where no word is."""
    kinds = {"empty": TokenKind.QUOTED, "sign": TokenKind.SIGN, "alone": TokenKind.WORD}
    for found in _BESIDES.finditer(question, start, end):
        name, text = found.lastgroup or "", found.group()
        if name != "alone" or not question[found.end() :][:1].strip():
            said = "" if name == "empty" else text
            yield Word(text=said, norm=fold(said), kind=kinds[name], start=found.start(), end=found.end())


def _head(tokens: tuple[Word, ...], words: Words) -> Head | None:
    kept = _without_courtesy(tokens, words)
    if not kept:
        return None
    said = " ".join(token.norm for token in kept)
    for command in ("undo", "redo"):
        if said in words.listed(command):
            return Head(words=words, tokens=kept, command=command)
    ends = {end for name, end in words.found(kept, 0) if name in words.listed("verbs")}
    return Head(words=words, tokens=kept) if ends and _asks(kept, max(ends), words) else None


def _misspelt(tokens: tuple[Word, ...], words: Words) -> Head | None:
    """Return how a text begins when a letter of its verb was left out, doubled or exchanged with the next."""
    kept = _without_courtesy(tokens, words)
    if not kept or kept[0].kind is not TokenKind.WORD or kept[0].norm in words.listed("verb_words"):
        return None
    meant = [verb for verb in words.listed("verb_words") if _is_slip(kept[0].norm, verb)]
    return _head((replace(kept[0], norm=meant[0]), *kept[1:]), words) if len(meant) == 1 else None


def _is_slip(typed: str, verb: str) -> bool:
    """Tell whether `typed` is `verb` with one slip of the finger; endings such as `removed` are no slips."""
    if not len(typed) >= _SHORTEST_TYPO or len(verb) <= _SHORTEST_TYPO or typed[0] != verb[0]:
        return False
    left_out = {verb[:at] + verb[at + 1 :] for at in range(1, len(verb))}
    doubled = {verb[:at] + verb[at] + verb[at:] for at in range(len(verb))}
    swapped = {verb[:at] + verb[at + 1] + verb[at] + verb[at + 2 :] for at in range(1, len(verb) - 1)}
    return typed in left_out | doubled | swapped


def _asks(tokens: Sequence[Word], end: int, words: Words) -> bool:
    """Tell whether what is behind the verb makes a request of it."""
    verb = " ".join(token.norm for token in tokens[:end])
    needed = words.needs(verb)
    needed = words.needs(tokens[0].norm) if needed is None else needed
    if needed is None:
        return True
    pictured = any(token.norm in words.listed("pictures") for token in tokens[end:])
    if pictured or end >= len(tokens) or tokens[end].norm in words.listed("after"):
        return False
    named = _SHORT in needed and len(tokens) - end <= _SHORTEST_REST
    if not needed or named or (_NUMBER in needed and tokens[end].kind is TokenKind.NUMBER):
        return True
    behind = {
        name
        for place in range(end, len(tokens))
        for name, stop in words.found(tokens, place)
        if name != "by_amount" or (stop < len(tokens) and tokens[stop].kind is TokenKind.NUMBER)
    }
    return bool(behind & needed)


def _without_courtesy(tokens: tuple[Word, ...], words: Words) -> tuple[Word, ...]:
    """Return the tokens without what is only polite before and behind them."""
    while tokens:
        ends = [end for name, end in words.found(tokens, 0) if name == "polite.before"]
        if not ends:
            break
        tokens = tokens[max(ends) :]
        tokens = tokens[1:] if tokens and tokens[0].norm == "," else tokens
    for start in range(len(tokens) - 1, 0, -1):
        if any(name == "polite.after" and end == len(tokens) for name, end in words.found(tokens, start)):
            return _without_courtesy(tokens[: start - (tokens[start - 1].norm == ",")], words)
    return tokens
