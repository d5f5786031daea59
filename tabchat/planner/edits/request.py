"""One edit request over one table: its words by class, the patterns that fit them, and what its stretches name.

A pattern is a text: `rename column? {old} to_name {new}`. A word is a class of the language's data file, `a|b` one of
several, `?` what may be left out, `{…}` a stretch of one word or more, `@type` any class of the family `type.` whose
name is kept. The same patterns serve every language.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.links.lattice import LinkKind
from tabchat.planner.words.token import TokenKind, fold, header_words
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.edits.heads import Words
    from tabchat.planner.links import Lattice, Link, TableColumn
    from tabchat.planner.words import Quantity, Word

Span = tuple[int, int]
"""(first token, one past the last)."""

_OWN: Final = 0.35
"""Cost up to which a column is named by its own name, rather than by another word or by a part of it."""
_MISSPELT: Final = 0.2
_ALIKE: Final = 0.25
"""Difference of costs up to which it is open which of two columns is meant; of parts of names it is more."""
_MOST: Final = 400
"""Ways of one pattern to fit that are looked at."""
_LONGEST_NAME: Final = 4
"""Words of a new name that stands without quotation marks."""
_NAMELESS: Final = ("pronoun", "column", "row", "everything", "filler")
STRUCTURE: Final = (
    *("where", "equals_only", "equals", "and", "to", "to_name", "in", "from", "with", "by", "called"),
    *("column", "row", "pronoun", "filler", "scope", "new", "missing_in", "values"),
)
"""Classes that hold a request together; a name or a text of several words has none of them unless it is quoted."""
_NAME_SIGNS: Final = "%-/()&#+$€£₴₽"


class Unfit(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """A reading of a request that does not hold; the message says why."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@record
class Fit:
    """A way in which a pattern fits the whole of a request."""

    request: Request
    slots: Mapping[str, Span]
    """Slot → where it stands."""
    told: Mapping[str, str]
    """Family → the class that was said."""

    def trimmed(self, slot: str, *names: str) -> Span:
        """Return where a slot stands, without fillers and words of some classes at its front."""
        return self.request.trimmed(self.slots[slot], *names)

    def columns(self, slot: str = "column") -> tuple[TableColumn, ...]:
        """Return the columns that a slot may name."""
        return self.request.columns_of(self.slots[slot])

    def column_lists(self, slot: str = "columns") -> list[tuple[TableColumn, ...]]:
        """Return the lists of columns that a slot may name."""
        return self.request.column_lists(self.slots[slot])

    def new_name(self, slot: str) -> str | None:
        """Return the name that a slot gives a column."""
        return self.request.new_name(self.slots[slot])


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
        verbs = words.listed("verbs")
        # Only at the front a verb asks for an edit.
        self._phrases = [
            [item for item in words.found(self.tokens, start) if start == 0 or item[0] not in verbs]
            for start in range(len(tokens))
        ]

    # Words and patterns

    def starts(self, place: int, *names: str) -> int | None:
        """Return the end of the longest phrase of some classes that begins at a token."""
        return max((end for name, end in self._at(place) if name in names), default=None)

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
        while start < end and (skip := self.starts(start, "filler", *names)) is not None and skip < end:
            start = skip
        return start, end

    def matches(self, pattern: str) -> Iterator[Fit]:
        """Yield the ways in which a pattern fits the whole of the request."""
        steps = pattern.split()
        if self.starts(0, steps[0]) is not None:
            yield from islice(self._match(steps, 0, Fit(request=self, slots={}, told={})), _MOST)

    def _match(self, steps: Sequence[str], place: int, fit: Fit) -> Iterator[Fit]:
        if not steps:
            if self._passed(place) == len(self.tokens):
                yield fit
            return
        step = steps[0].removesuffix("?")
        for end, longer in self._taken(step, place, fit, last=len(steps) == 1):
            yield from self._match(steps[1:], end, longer)
        if step != steps[0]:
            yield from self._match(steps[1:], place, fit)

    def _taken(self, step: str, place: int, fit: Fit, *, last: bool) -> Iterator[tuple[int, Fit]]:
        """Yield where one step can end, and the fit with what it binds."""
        starts = sorted({place, self._passed(place)})
        if step[0] == "{":
            first, length = starts[-1], len(self.tokens)
            for end in range(max(first + 1, length if last else 0), length + 1):
                yield end, replace(fit, slots={**fit.slots, step[1:-1]: (first, end)})
            return
        for start in starts:
            if step[0] == "@":
                for name, end in self.families(start, step[1:]):
                    yield end, replace(fit, told={**fit.told, step[1:]: name})
            else:
                yield from ((end, fit) for name, end in self._at(start) if name in step.split("|"))

    def _passed(self, place: int) -> int:
        """Return where the words that say nothing end."""
        while (end := self.starts(place, "filler")) is not None:
            place = end
        return place

    # What stretches are

    def text(self, span: Span) -> str:
        """Return a stretch as it was typed, without the quotation marks of a quoted one."""
        first, last = self.tokens[span[0]], self.tokens[span[1] - 1]
        if span[1] - span[0] == 1 and first.kind is TokenKind.QUOTED:
            return first.text
        minus = first.number is not None and first.number < 0
        return self.question[first.start - minus : last.end]

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
        return any(cost <= _OWN for cost, _ in self.rated_columns(span))

    def _find_columns(self, span: Span) -> tuple[tuple[float, TableColumn], ...]:
        typed = self.text(span)
        exact = [column for column in self.columns if fold(column.name) == fold(typed)]
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
        reach = best + (_ALIKE if best <= _OWN else 2 * _ALIKE)
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

    def new_name(self, span: Span) -> str | None:
        """Return the name that a stretch gives a column; a long or doubtful one must stand in quotation marks."""
        span = self.trimmed(span, "called")
        quoted = self.quoted(span)
        if quoted is not None:
            return quoted.strip() or None
        typed, tokens = self.text(span), self.tokens[slice(*span)]
        if len(typed.split()) > _LONGEST_NAME or not all(map(_may_stand, tokens)):
            return None
        if len(typed.split()) == 1:
            figure = tokens[0].kind in {TokenKind.NUMBER, TokenKind.DATE}
            nameless = figure or self.is_class(span, *_NAMELESS) or not typed.strip(_NAME_SIGNS)
            return None if nameless else typed
        apart = (place for place in range(*span) if place == span[0] or self._is_apart(place))
        return None if any(self.starts(place, *STRUCTURE) is not None for place in apart) else typed

    def _is_apart(self, place: int) -> bool:
        return self.question[self.tokens[place - 1].end].isspace()


def _may_stand(token: Word) -> bool:
    """Tell whether a token can be a part of a name without quotation marks."""
    return token.text in _NAME_SIGNS if token.kind is TokenKind.SIGN else token.kind is not TokenKind.QUOTED


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Any]:
    """Return the patterns of edits, and what tells of a guess or of a name that is not quite meant."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text(encoding="utf-8"))
