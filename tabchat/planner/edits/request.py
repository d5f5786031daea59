"""One edit request over one table: its words by class, and what its stretches name.

What exists in the table exactly as it was typed, a header or a cell, is taken whole: `The Hague` is not `Hague`.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.edits.heads import request_tokens
from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.words.token import TokenKind, fold, header_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.heads import Words
    from tabchat.planner.links import Lattice, Link, TableColumn
    from tabchat.planner.words import Quantity, Word

Span = tuple[int, int]
"""(first token, one past the last)."""

OWN: Final = 0.35
"""Cost up to which a column is named by its own name, rather than by another word or by a part of it."""
_MISSPELT: Final = 0.2
_ALIKE: Final = 0.25
"""Difference of costs up to which it is open which of two columns is meant; of parts of names it is more."""
STRUCTURE: Final = (
    *("where", "equals_only", "equals", "and", "to", "to_name", "in", "from", "with", "by", "called"),
    *("column", "row", "pronoun", "filler", "scope", "new", "missing_in", "values"),
)
"""Classes that hold a request together; a name or a text of several words has none of them unless it is quoted."""
_BESIDE: Final = "\"'«»“”‘’`,;:()=<>"
"""Signs right beside which a word still stands alone, unlike the `to` of `to_do`."""
_ENDS: Final = ".!?…"
"""Marks that end a sentence."""


class Unfit(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """A reading of a request that does not hold; the message says why."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Request:
    """A request taken apart; what its stretches name is found out once."""

    def __init__(
        self,
        question: str,
        tokens: Sequence[Word],
        words: Words,
        lattice: Lattice,
        linked: Callable[[str], Lattice],
    ) -> None:
        """Find the words of every class; `lattice` is the whole question as `linked` links texts to the table."""
        self.linked = linked
        self.question = question
        self.tokens = tuple(tokens)
        self.words = words
        self.lattice = lattice
        self.facts = lattice.vocabulary.facts
        self.columns = lattice.vocabulary.columns
        self._places = {word.start: place for place, word in enumerate(lattice.sentence.words)}
        self._named: dict[Span, tuple[tuple[float, TableColumn], ...]] = {}
        self._spelt: dict[int, int] = {}
        verbs = words.listed("verbs")
        # Only at the front a verb asks for an edit.
        self._phrases = [
            [
                (name, end)
                for name, end in words.found(self.tokens, start)
                if self._stands_alone((start, end)) and (start == 0 or name not in verbs)
            ]
            for start in range(len(tokens))
        ]

    @cached_property
    def end(self) -> int:
        """Where the text of the request ends, without what is only polite and the marks that end its sentence."""
        last = self.tokens[-1].end
        return last + len(self.question[last : self._behind].rstrip(f"{_ENDS} \t\n"))

    @property
    def marks(self) -> str:
        """The marks that end its sentence, if it is one."""
        return self.question[self.end : self._behind].strip()

    @property
    def is_sentence(self) -> bool:
        """Whether it begins like a sentence, with a capital letter or politely."""
        return self.question[: self.tokens[0].start].strip() != "" or self.tokens[0].text[:1].isupper()

    @cached_property
    def _behind(self) -> int:
        last = self.tokens[-1].end
        starts = (token.start for token in request_tokens(self.question) if token.start >= last)
        return next(starts, len(self.question))

    def _stands_alone(self, span: Span) -> bool:
        """Tell whether a stretch is words of their own: those of `to_do` and `x.in.y` are parts of one."""
        first, last = self.tokens[span[0]], self.tokens[span[1] - 1]
        before, after = self.question[: first.start][-1:], self.question[last.end :].lstrip(_ENDS)[:1]
        if first.kind is not TokenKind.WORD or last.kind is not TokenKind.WORD:
            return True
        inner = (self.question[one.end : two.start] for one, two in pairwise(self.tokens[slice(*span)]))
        beside = all(not sign.strip() or sign in _BESIDE for sign in (before, after))
        return beside and not any(set(gap.strip()) - {"-"} for gap in inner)

    # Words and patterns

    def starts(self, place: int, *names: str) -> int | None:
        """Return the end of the longest phrase of some classes that begins at a token."""
        return max(self.ends(place, *names), default=None)

    def ends(self, place: int, *names: str) -> list[int]:
        """Return the ends of the phrases of some classes that begin at a token."""
        return [end for name, end in self._at(place) if name in names]

    def is_class(self, span: Span, *names: str) -> bool:
        """Tell whether a stretch is a phrase of one of some classes."""
        return any(end == span[1] and name in names for name, end in self._at(span[0]))

    def families(self, place: int, family: str) -> list[tuple[str, int]]:
        """Return (class, end) of the phrases of a family that begin at a token."""
        begun = f"{family}."
        return [(name.removeprefix(begun), end) for name, end in self._at(place) if name.startswith(begun)]

    def family(self, span: Span, family: str) -> str | None:
        """Return the class of a family that a stretch is a phrase of."""
        return next((name for name, end in self.families(span[0], family) if end == span[1]), None)

    def _at(self, place: int) -> Sequence[tuple[str, int]]:
        return self._phrases[place] if place < len(self._phrases) else ()

    def trimmed(self, span: Span, *names: str) -> Span:
        """Leave out fillers and words of some classes at the front of a stretch."""
        start, end = span
        while (
            start < end
            and (skip := self.starts(start, "filler", *names)) is not None
            and skip < end
            and not self._is_name((start, skip), end)
        ):
            start = skip
        return start, end

    def _is_name(self, span: Span, end: int) -> bool:
        """Tell whether a stretch is a header or a cell, alone as in `a = 5` or with what stands up to `end`."""
        spelt, after = self.spelt(span[0]), self.tokens[span[1]]
        related = after.kind is TokenKind.SIGN or self.families(span[1], "sign")
        alone = spelt == span[1] and (related or self.starts(span[1], "equals") is not None)
        return span[1] < spelt <= end or bool(alone)

    def spelt(self, place: int) -> int:
        """Return where the longest header or cell ends that is written so from a token on; the token when none is."""
        if place >= len(self.tokens) or self.tokens[place].kind is TokenKind.QUOTED:
            return place
        if place not in self._spelt:
            start, head = self.tokens[place].start, self.tokens[place].text.casefold()
            names = {fold(name) for name in self._contents if name[: len(head)].casefold() == head}
            ends = range(place + 1, len(self.tokens) + 1) if names else ()
            written = [end for end in ends if fold(self.question[start : self.tokens[end - 1].end]) in names]
            self._spelt[place] = max(written, default=place)
        return self._spelt[place]

    @property
    def _contents(self) -> Iterator[str]:
        for column in self.columns:
            yield column.name
            yield from column.facts.texts

    # What stretches are

    def text(self, span: Span) -> str:
        """Return a stretch as it was typed, without the quotation marks of a quoted one."""
        first, last = self.tokens[span[0]], self.tokens[span[1] - 1]
        if span[1] - span[0] == 1 and first.kind is TokenKind.QUOTED:
            return first.text
        minus = first.number is not None and first.number < 0
        return self.question[first.start - minus : last.end]

    def typed(self, span: Span) -> str:
        """Return everything that was typed from the word before a stretch to the word behind it."""
        start = self.tokens[span[0] - 1].end if span[0] else 0
        end = self.tokens[span[1]].start if span[1] < len(self.tokens) else self.end
        return self.question[start:end].strip()

    def is_whole(self, span: Span) -> bool:
        """Tell whether the words of a stretch are everything that was typed there."""
        marks = 0 if self.quoted(span) is None else 2
        return len(self.typed(span)) == len(self.text(span)) + marks

    def quoted(self, span: Span) -> str | None:
        """Return the text between quotation marks when that is the whole stretch."""
        token = self.tokens[span[0]]
        return token.text if span[1] - span[0] == 1 and token.kind is TokenKind.QUOTED else None

    def links(self, span: Span, kind: LinkKind) -> list[Link]:
        """Return the links of exactly the words of a stretch."""
        places = [self._places.get(token.start) for token in self.tokens[slice(*span)]]
        if not places or places[0] is None or places[-1] is None:
            return []
        return [link for link in self.lattice.at(places[0], kind) if link.end == places[-1] + 1]

    def is_misspelt(self, link: Link) -> bool:
        """Tell whether nothing knows a word of a link as it was typed."""
        return any(word.spellings for word in self.lattice.sentence.words[link.start : link.end])

    def number(self, span: Span) -> Quantity | None:
        """Return the number that a stretch is, in digits or in letters."""
        found = [link.quantity for link in self.links(span, LinkKind.NUMBER)]
        number = next((quantity for quantity in found if quantity is not None and not quantity.ordinal), None)
        if number is None and span[1] - span[0] > 1 and self.is_class((span[0] + 1, span[1]), "percent"):
            number = self.number((span[0], span[0] + 1))
            return replace(number, percent=True) if number is not None else None
        return number

    def rated_columns(self, span: Span) -> tuple[tuple[float, TableColumn], ...]:
        """Return (cost, column) of what a stretch names: one column, or several that it may mean."""
        span = self.trimmed(span, "column")
        if span not in self._named:
            self._named[span] = self._find_columns(span)
        return self._named[span]

    def columns_of(self, span: Span) -> tuple[TableColumn, ...]:
        """Return the columns that a stretch may name."""
        return tuple(column for _, column in self.rated_columns(span))

    def is_own_name(self, span: Span) -> bool:
        """Tell whether a stretch names a column by its own name."""
        return any(cost <= OWN for cost, _ in self.rated_columns(span))

    def _find_columns(self, span: Span) -> tuple[tuple[float, TableColumn], ...]:
        typed, whole = self.text(span), fold(self.typed(span))
        exact = [column for column in self.columns if fold(column.name) == whole]
        exact = exact or [column for column in self.columns if fold(column.name) == fold(typed)]
        if exact:
            same = [column for column in exact if column.name == typed]
            return tuple((0.0, column) for column in same or exact)
        if self.quoted(span) is not None:
            words = header_words(typed)
            return tuple((0.0, column) for column in self.columns if column.words == words)
        found: list[tuple[float, TableColumn]] = []
        for link in self.links(span, LinkKind.COLUMN):
            misspelt = self.is_misspelt(link)
            cost = sum(rules()["costs"].get(name, 0.0) * value for name, value in link.features)
            # Two guesses in a row, the word and then what it stands for, are too many for an edit.
            if not misspelt or "column.synonym" not in dict(link.features):
                found.append((cost + _MISSPELT * misspelt, self.columns[link.column]))
        found.sort(key=lambda pair: pair[0])
        best = found[0][0] if found else 0.0
        reach = best + (_ALIKE if best <= OWN else 2 * _ALIKE)
        return tuple(pair for pair in found if pair[0] <= reach) or self._before_noun(span)

    def _before_noun(self, span: Span) -> tuple[tuple[float, TableColumn], ...]:
        """Read `the notes column`, `discount values`: the last word only says what is named."""
        naming = {word for lexicon in self.lattice.lexicons for word in lexicon.naming}
        for place in range(span[0] + 1, span[1]):
            named = place == span[1] - 1 and self.tokens[place].norm in naming
            if named or self.is_class((place, span[1]), "column", "values"):
                return self.rated_columns((span[0], place))
        return ()

    def column_lists(self, span: Span) -> list[tuple[TableColumn, ...]]:
        """Return the lists of columns that a stretch may name: `a, b and c`."""
        found: list[tuple[TableColumn, ...]] = [(column,) for column in self.columns_of(span)]
        for place in range(span[0] + 1, span[1] - 1) if not found else ():
            joint = self.starts(place, "and")
            if joint is not None and joint < span[1]:
                heads = self.columns_of((span[0], place))
                rests = self.column_lists((joint, span[1])) if heads else ()
                found += [(head, *rest) for head in heads for rest in rests if head not in rest]
        return found


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Any]:
    """Return the patterns of edits, and what tells of a guess or of a name that is not quite meant."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
