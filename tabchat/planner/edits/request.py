"""One edit request over one table: its tokens, its words by class, and what stretches of it name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.planner.edits.patterns import Lattice
from tabchat.planner.headers import COLUMN_WINDOW, HEAD, NAMING, PART
from tabchat.planner.tokens import TokenKind, fold, header_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.patterns import Found, Span
    from tabchat.planner.edits.words import Words
    from tabchat.planner.linker import Linked, Linker
    from tabchat.planner.scene import Scene
    from tabchat.planner.tokens import Token


class Unfit(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """A reading of a request that does not hold; the message says why."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, kw_only=True, eq=False)
class Request:
    """A request taken apart; what its stretches name is found out once."""

    question: str
    tokens: tuple[Token, ...]
    """Misspelt words of requests put right, if need be."""
    typed: tuple[Token, ...]
    """The same as they were typed: a cell that is to be replaced is never guessed."""
    words: Words
    lattice: Lattice
    linker: Linker
    scene: Scene
    say: Callable[[str], str]
    """Says a fragment of a condition in the language of the request."""
    _linked: dict[Span, Linked] = field(default_factory=dict)
    _columns: dict[Span, tuple[tuple[float, ColumnFacts], ...]] = field(default_factory=dict)

    def text(self, span: Span) -> str:
        """Return a stretch as it was typed, without the quotation marks of a quoted one."""
        first, last = self.tokens[span[0]], self.tokens[span[1] - 1]
        if span[1] - span[0] == 1 and first.kind is TokenKind.QUOTED:
            return first.text
        start = first.start
        if first.number is not None and first.number < 0:
            start -= 1
        return self.question[start : last.end]

    def span(self, found: Found, slot: str) -> Span:
        """Return where a slot of a match stands."""
        span = found[slot]
        return span if isinstance(span, tuple) else (0, 0)

    def joined(self, fragments: Sequence[str]) -> str:
        """Say the parts of a condition in the language of the request."""
        return self.words.readings["and"].join(self.say(fragment) for fragment in fragments)

    def quoted(self, span: Span) -> str | None:
        """Return the text between quotation marks when that is the whole stretch."""
        token = self.tokens[span[0]]
        return token.text if span[1] - span[0] == 1 and token.kind is TokenKind.QUOTED else None

    def is_headed(self, verb: str) -> bool:
        """Tell whether the request begins with a verb of a class."""
        return (verb, 0) in self.lattice.places

    def is_class(self, span: Span, *names: str) -> bool:
        """Tell whether a stretch is a phrase of one of some classes."""
        return any(span[1] in self.lattice.places.get((name, span[0]), ()) for name in names)

    def starts(self, place: int, *names: str) -> int | None:
        """Return the end of the longest phrase of some classes that begins at a token."""
        ends = [end for name in names for end in self.lattice.places.get((name, place), ())]
        return max(ends, default=None)

    def family(self, span: Span, family: str) -> str | None:
        """Return the class of a family that a stretch is a phrase of."""
        for name, end in self.lattice.families.get((family, span[0]), ()):
            if end == span[1]:
                return name
        return None

    def families(self, place: int, family: str) -> bool:
        """Tell whether a phrase of a family begins at a token."""
        return (family, place) in self.lattice.families

    def trimmed(self, span: Span, *names: str) -> Span:
        """Leave out fillers and words of some classes at the front of a stretch."""
        start, end = span
        while start < end:
            skip = self.starts(start, "filler", *names)
            if skip is None or skip >= end:
                break
            start = skip
        return start, end

    def linked(self, span: Span) -> Linked:
        """Return what the words of a stretch mean in this table."""
        if span not in self._linked:
            self._linked[span] = self.linker.link(self.tokens[span[0] : span[1]], self.question)
        return self._linked[span]

    def columns(self, span: Span) -> tuple[ColumnFacts, ...]:
        """Return the columns that a stretch names: one, or several that it may mean."""
        return tuple(column for _, column in self.rated_columns(span))

    def rated_columns(self, span: Span) -> tuple[tuple[float, ColumnFacts], ...]:
        """Return (cost, column) of the columns that a stretch names."""
        span = self.trimmed(span, "column")
        if span not in self._columns:
            self._columns[span] = self._find_columns(span)
        return self._columns[span]

    def number(self, span: Span) -> float | None:
        """Return the number that a stretch is, in digits or in one word."""
        if span[1] - span[0] != 1:
            return None
        token = self.tokens[span[0]]
        if token.kind is TokenKind.NUMBER:
            return token.number
        words = [
            concept.removeprefix("number.")
            for lexicon in self.linker.lexicons
            for concept in lexicon.find((token.norm,))
            if concept.startswith("number.")
        ]
        return float(words[0]) if words else None

    def _find_columns(self, span: Span) -> tuple[tuple[float, ColumnFacts], ...]:
        wanted = fold(self.text(span))
        exact = [column for column in self.scene.table.columns if fold(column.name) == wanted]
        if exact:
            same = [column for column in exact if column.name == self.text(span)]
            return tuple((0.0, column) for column in same or exact)
        quoted = self.quoted(span)
        if quoted is not None:
            words = header_words(quoted)
            return tuple((0.0, column) for column in self.scene.table.columns if column.words == words)
        found = [
            (match.cost, match.column)
            for match in self.linker.headers.find(self.tokens[slice(*span)], 0)
            if match.length == span[1] - span[0]
        ]
        best = min((cost for cost, _ in found), default=0.0)
        window = COLUMN_WINDOW if best <= NAMING else PART - HEAD
        return tuple(pair for pair in found if pair[0] <= best + window) or self._before_noun(span)

    def _before_noun(self, span: Span) -> tuple[tuple[float, ColumnFacts], ...]:
        """Read `the notes column`, `discount values`: the last word only says what is named."""
        for place in range(span[0] + 1, span[1]):
            if self.is_class((place, span[1]), "column", "values"):
                return self.rated_columns((span[0], place))
        return ()

    def column_lists(self, span: Span) -> list[tuple[ColumnFacts, ...]]:
        """Return the lists of columns that a stretch may name: `a, b and c`."""
        whole: list[tuple[ColumnFacts, ...]] = [(column,) for column in self.columns(span)]
        if whole:
            return whole
        found: list[tuple[ColumnFacts, ...]] = []
        for place in range(span[0] + 1, span[1] - 1):
            joint = self.starts(place, "and")
            if joint is None or joint >= span[1]:
                continue
            heads = self.columns((span[0], place))
            found += [
                (head, *rest)
                for head in heads
                for rest in self.column_lists((joint, span[1]))
                if head not in rest
            ]
        return list(dict.fromkeys(found))


def build_lattice(tokens: Sequence[Token], words: Words) -> Lattice:
    """Find the words of every class."""
    places: dict[tuple[str, int], set[int]] = {}
    families: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for start in range(len(tokens)):
        for name, end in words.found(tokens, start):
            if name not in words.verbs or start == 0:
                places.setdefault((name, start), set()).add(end)
            family, dot, member = name.partition(".")
            if dot:
                families.setdefault((family, start), set()).add((member, end))
    return Lattice(
        length=len(tokens),
        places={key: frozenset(ends) for key, ends in places.items()},
        families={key: tuple(sorted(pairs, key=lambda pair: -pair[1])) for key, pairs in families.items()},
    )
