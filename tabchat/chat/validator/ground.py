"""What figures are checked against: the results, what the text names in them, and which of them are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.mentions import within
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.units import unit_behind
from tabchat.chat.validator.words import words_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.views import View, Wanted
    from tabchat.chat.validator.words import Word
    from tabchat.config import Tolerance

AGGREGATES: Final = frozenset({"mean", "median", "sum"})
EXTREMES: Final = frozenset({"max", "min"})
ENDS: Final = frozenset({"first", "last"})
ADDITIVE: Final = frozenset({"sum", "count"})
_STEP: Final = 24
_THINGS: Final = frozenset(
    {"order", "customer", "employee", "product", "region", "country", "city", "category", "store", "brand"}
)
_OF_VALUES: Final = frozenset({"mean", "median", "std", "correlation"})
_LINKS: Final = frozenset({"of", "all", "the", "від", "усіх", "всіх", "от", "всех"})
_RATE: Final = frozenset({"rate", "low", "high"})
_OWN: Final = frozenset({"mean", "median", "sum", "count", "std", "correlation"})


@record
class Ground:
    """Everything that figures are checked against."""

    scene: Scene
    views: Sequence[View]
    tolerance: Tolerance
    counts: Sequence[WrittenNumber] = ()
    """Every number of the text."""
    statements: Sequence[Statement] = ()
    first: int = 0
    last: int | None = None
    """Which of the results are asked."""

    barred: frozenset[int] = frozenset()
    """Results of other groups or days than the figure is said of."""

    def asked(self) -> list[int]:
        """Return the indices of the results that are asked."""
        last = len(self.views) if self.last is None else self.last
        return [at for at in range(self.first, last) if at not in self.barred]

    def before(self, bound: Bound) -> list[WrittenNumber]:
        """Return the numbers of the statement that stand before the figure."""
        return list(within(self.counts, (bound.statement.start, bound.claim.start)))

    def agree(self, bound: Bound, actual: Actual | None) -> bool:
        """Tell whether the figure says `actual`."""
        if actual is None:
            return False
        if bound.claim.direction is not None and not actual.is_change and self._is_step(bound):
            return False
        if actual.nature in {Nature.PERCENT, Nature.FRACTION} and self._counts(bound):
            return False
        unit = unit_behind(self.scene.text, bound.claim.end) if actual.measure is not None else None
        return agrees(bound.claim, actual, self.tolerance, unit=unit)

    def _is_step(self, bound: Bound) -> bool:
        """Tell whether the words give the figure as the size of a change: `fell by 5`."""
        near = (max(bound.statement.start, bound.claim.start - _STEP), bound.claim.start)
        cues = self.scene.cues_in(near, "by")
        return any(not self.scene.text[cue.end : bound.claim.start].strip(" $€£₴₽*_") for cue in cues)

    def _counts(self, bound: Bound) -> bool:
        """Tell whether the figure counts things, such as orders or people, by the word behind it."""
        if bound.claim.kind not in {NumberKind.NUMBER, NumberKind.COUNT} or bound.statement.cells:
            return False
        return self.is_of_things(bound)

    def is_of_things(self, bound: Bound) -> bool:
        """Tell whether the word behind the figure is a noun for things, such as orders or people."""
        following = words_of(self.scene.text[bound.claim.end : bound.claim.end + _STEP])
        following = following[_links(following) :][:1]
        nouns = {item.name for item in shipped_lexicon().nouns.find(following, 0)} if following else set()
        return bool(nouns & _THINGS)


def _links(words: Sequence[Word]) -> int:
    """Return how many words of a link such as `of the` stand first."""
    return next((at for at, word in enumerate(words) if word.text not in _LINKS), len(words))


def eligible(ground: Ground, mentions: Sequence[Mention]) -> list[int]:
    """Return the results that know most of what is named; every one when nothing is named."""
    if not mentions:
        return list(ground.asked())
    known = {at: sum(at in mention.views() for mention in mentions) for at in ground.asked()}
    best = max(known.values(), default=0)
    return [at for at, count in known.items() if count == best and best > 0]


def wanted_rows(at: int, mentions: Sequence[Mention]) -> dict[str, Wanted]:
    """Return column → values that `mentions` name in result `at`."""
    wanted: dict[str, Wanted] = {}
    for mention in mentions:
        for item in mention.named:
            if item.view == at and item.wanted is not None:
                wanted.setdefault(item.column, item.wanted)
    return wanted


def columns_for(bound: Bound, at: int, view: View) -> tuple[str, ...]:
    """Return the columns that the figure may be of, by the names and the roles beside it."""
    named = tuple(column for number, column in bound.columns if number == at)
    columns = tuple(column for column in view.numeric if column in named) or view.numeric
    if not bound.is_interval and set(view.numeric) >= _RATE:
        # The ends of an interval are never meant where only the rate is spoken of.
        columns = tuple(column for column in columns if column not in _RATE or column == "rate") or columns
    if bound.claim.kind is NumberKind.PERCENT and not any(_is_percent(view, column) for column in columns):
        columns += tuple(column for column in view.numeric if _is_percent(view, column))
    asked = bound.roles & _OWN
    if "sum" in asked:
        # A total may be one of counts as well.
        asked |= {"count"}
    # `Кількість` may be a number of rows, or the column of that name.
    meant = {column for column in named if "count" in asked and "quantity" in view.qualities[column].concepts}
    fitting = tuple(column for column in columns if view.qualities[column].role in asked or column in meant)
    return fitting or columns


def _is_percent(view: View, column: str) -> bool:
    return view.qualities[column].nature in {Nature.PERCENT, Nature.FRACTION, Nature.LOOSE}


def contradicts(roles: frozenset[str], role: str | None) -> bool:
    """Tell whether words such as `average` speak of something else than an aggregate of `role`."""
    if role in ENDS:
        return bool(roles & ENDS) and role not in roles
    kinds = roles & (AGGREGATES | {"count", "std", "correlation"} | EXTREMES)
    if role is None or not kinds or role in kinds:
        return False
    if role in ADDITIVE:
        return bool(kinds & _OF_VALUES) and not kinds & ADDITIVE
    if role in _OF_VALUES:
        return bool(kinds - EXTREMES) and not kinds & EXTREMES
    return bool(kinds)
