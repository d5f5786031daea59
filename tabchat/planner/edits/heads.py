"""Is it a request to change the table? It begins with a verb that asks for it, and reads like one behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.errors import NotUnderstoodError
from tabchat.planner.edits.words import edit_words
from tabchat.planner.lexicon import shipped_languages
from tabchat.planner.tokens import Token, TokenKind, tokenize
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.edits.words import Words

SHORT: Final = "SHORT"
"""Stands among the needs of a verb that makes a request with a name alone: `round price`."""
NUMBER: Final = "NUMBER"
"""Stands among the needs of a verb that makes a request with a number right behind it: `add 5 to price`."""
_SHORTEST_REST: Final = 2
"""Words of such a name."""

_SIGNS: Final = ":→"
"""What says something between the words of a request, though not in a question."""
_SHORTEST_TYPO: Final = 4
"""Letters of a misspelt verb; the verb has more."""


@record
class Head:
    """A request whose verb is known."""

    words: Words
    tokens: tuple[Token, ...]
    """From the verb on, without what is only polite."""
    command: str | None = None
    """`undo` or `redo`, when that is the whole request."""


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
    found = [head for words in known if (head := head_of(tokens, words)) is not None]
    found = found or [head for words in known if (head := _misspelt_head(tokens, words)) is not None]
    return tuple(found)


def request_tokens(question: str) -> tuple[Token, ...]:
    """Split a request into tokens; a colon or an arrow says something there."""
    tokens: list[Token] = []
    for token in tokenize(question):
        before = tokens[-1].end if tokens else 0
        gap = question[before : token.start]
        for place, sign in enumerate(gap, start=before):
            if sign in _SIGNS and tokens:
                tokens.append(Token(text=sign, norm=sign, kind=TokenKind.SIGN, start=place, end=place + 1))
        tokens.append(token)
    return tuple(tokens)


def head_of(tokens: Sequence[Token], words: Words) -> Head | None:
    """Return how a text begins as an edit in one language; None when it does not."""
    kept = _without_courtesy(tuple(tokens), words)
    if not kept:
        return None
    said = tuple(token.norm for token in kept)
    for command, phrases in words.undo.items():
        if said in phrases:
            return Head(words=words, tokens=kept, command=command)
    ends = {end for name, end in words.found(kept, 0) if name in words.verbs}
    return Head(words=words, tokens=kept) if ends and _asks(kept, max(ends), words) else None


def _misspelt_head(tokens: tuple[Token, ...], words: Words) -> Head | None:
    """Return how a text begins when a letter of its verb was left out, doubled or exchanged with the next."""
    kept = _without_courtesy(tokens, words)
    if not kept or kept[0].kind is not TokenKind.WORD or len(kept[0].norm) < _SHORTEST_TYPO:
        return None
    if kept[0].norm in words.verb_words:
        return None
    meant = [verb for verb in words.verb_words if _is_slip(kept[0].norm, verb)]
    heads = [head_of((replace(kept[0], norm=verb), *kept[1:]), words) for verb in meant[:1]]
    return heads[0] if len(meant) == 1 else None


def _is_slip(typed: str, verb: str) -> bool:
    """Tell whether `typed` is `verb` with one slip of the finger; endings such as `removed` are no slips."""
    if len(verb) <= _SHORTEST_TYPO or typed[0] != verb[0] or abs(len(typed) - len(verb)) > 1:
        return False
    slips = {verb[:place] + verb[place + 1 :] for place in range(1, len(verb))}
    slips |= {verb[:place] + verb[place] + verb[place:] for place in range(len(verb))}
    slips |= {
        verb[:place] + verb[place + 1] + verb[place] + verb[place + 2 :] for place in range(1, len(verb) - 1)
    }
    return typed in slips


def _asks(tokens: Sequence[Token], end: int, words: Words) -> bool:
    """Tell whether what is behind the verb makes a request of it."""
    verb = " ".join(token.norm for token in tokens[:end])
    needed = words.needs.get(verb, words.needs.get(tokens[0].norm))
    if needed is None:
        return True
    if end >= len(tokens) or tokens[end].norm in words.nouns:
        return False
    if any(token.norm in words.pictures for token in tokens[end:]):
        return False
    if not needed or (SHORT in needed and len(tokens) - end <= _SHORTEST_REST):
        return True
    if NUMBER in needed and tokens[end].kind is TokenKind.NUMBER:
        return True
    behind = {
        name
        for place in range(end, len(tokens))
        for name, stop in words.found(tokens, place)
        if name != "by_amount" or (stop < len(tokens) and tokens[stop].kind is TokenKind.NUMBER)
    }
    return bool(behind & set(needed))


def _without_courtesy(tokens: tuple[Token, ...], words: Words) -> tuple[Token, ...]:
    while tokens:
        ends = [end for name, end in words.found(tokens, 0) if name == "polite.before"]
        rest = tokens[max(ends) :] if ends else tokens
        if rest and rest[0].norm == "," and ends:
            rest = rest[1:]
        if rest == tokens:
            break
        tokens = rest
    for start in range(len(tokens) - 1, 0, -1):
        if any(name == "polite.after" and end == len(tokens) for name, end in words.found(tokens, start)):
            return _without_courtesy(tokens[: start - (tokens[start - 1].norm == ",")], words)
    return tokens
