"""One text being checked: what it names is found first, then the evidence of each figure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import WrittenDate, WrittenNumber, extract_claims
from tabchat.chat.validator.asked_back import asked_back, is_supposed
from tabchat.chat.validator.assertions import refuted_assertions
from tabchat.chat.validator.binding import Binder
from tabchat.chat.validator.filled import find_filled, refutes
from tabchat.chat.validator.ground import Ground
from tabchat.chat.validator.layout import statements
from tabchat.chat.validator.marks import (
    is_of_group,
    named_claim,
    proven_claim,
    proven_operand,
    unverified_claim,
)
from tabchat.chat.validator.mentions import look
from tabchat.chat.validator.named import find_mentions, find_periods
from tabchat.chat.validator.names import unknown_names
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.quoted import find_date
from tabchat.chat.validator.search import Search
from tabchat.chat.validator.stretches import range_mentions
from tabchat.chat.validator.structured import check_stats
from tabchat.chat.validator.told import find_told_date
from tabchat.chat.validator.verdict import Verdict, verdict_of
from tabchat.chat.validator.words import word_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.answer import Claim
    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.filled import Filled
    from tabchat.chat.validator.views import View
    from tabchat.config import Tolerance
    from tabchat.engine.types import JsonValue

_ROUNDS: Final = 2
"""A derivation may be made of another one, not of a third."""
_HIDDEN: Final = "actual: see the result"


@dataclass(kw_only=True)
class Check:
    """A text, and everything that it is checked against."""

    text: str
    question: str
    views: Sequence[View]
    """Results; those of this turn come first."""
    facts: Sequence[Mapping[str, JsonValue]]
    stats: Mapping[str, JsonValue]
    traced: Sequence[Claim]
    tolerance: Tolerance
    reveal: bool
    is_lenient: bool = False
    """Parts of names, initials and names in another alphabet count as names."""
    own: int | None = None
    """How many of `views` are of this turn; all of them when absent."""

    def with_more(self, views: Sequence[View]) -> Check:
        """Return the same check with results of earlier turns, which are asked after the others."""
        return replace(self, views=[*self.views, *views], own=len(self.views))

    def with_short_names(self) -> Check:
        """Return the same check, which takes other words for names as names, too."""
        return replace(self, is_lenient=True)

    def __post_init__(self) -> None:
        self._filled = find_filled(self.traced, self.views)
        own = {id(item.claim) for item in self._filled}
        self._skipped = [
            (claim.start, claim.start + len(claim.text))
            for claim in self.traced
            if claim.start is not None and id(claim) not in own
        ]
        columns = dict.fromkeys(column.name for view in self.views for column in view.columns)
        claims = extract_claims(self.text, question=self.question, names=tuple(columns))
        self._claims = [claim for claim in claims if not self._is_skipped(claim.start, claim.end)]
        self._statements = statements(self.text)
        found = find_mentions(self.text, self.views, self._claims, is_lenient=self.is_lenient)
        self._mentions = [item for item in found if not self._is_skipped(item.start, item.end)]
        numbers = [claim for claim in self._claims if isinstance(claim, WrittenNumber)]
        scene = look(self.text, self.views, self._mentions)
        dates = [item for item in self._mentions if item.is_date]
        scene.ranges = list(range_mentions(self.text, self.views, dates))
        binder = Binder(
            scene=scene,
            statements=self._statements,
            numbers=numbers,
            asked=tuple(find_periods(self.question, self.views)),
        )
        self._asked = asked_back(scene, self._statements)
        self._skipped += self._asked
        self._claims = [claim for claim in self._claims if not self._is_skipped(claim.start, claim.end)]
        self._bounds = [
            bound for bound in binder.bind() if not self._is_skipped(bound.claim.start, bound.claim.end)
        ]
        self._ground = Ground(
            scene=scene,
            views=self.views,
            tolerance=self.tolerance,
            counts=tuple(numbers),
            statements=self._statements,
        )
        self._search = Search(
            ground=self._ground,
            bounds=self._bounds,
            question=self.question,
            facts=self.facts,
            own=len(self.views) if self.own is None else self.own,
        )

    def verdict(self) -> Verdict:
        """Return the verdict on the text and on `stats`."""
        found: list[Claim] = []
        issues = [
            f"{claim.text}: names no single value of a result"
            for claim in self.traced
            if claim.status == "unverified"
        ]
        structured = check_stats(self._ground, self.stats)
        for claim, issue in chain(
            self._numbers(), self._labels(), self._names(), self._orders(found), structured
        ):
            found.append(claim)
            if issue is not None:
                issues.append(issue if self.reveal else f"{issue.partition(', actual ')[0]}, {_HIDDEN}")
        refuted = {claim.start for claim in found if claim.status == "unverified"}
        kept = [
            claim
            for claim in (*self.traced, *found)
            if claim.status == "unverified" or claim.start is None or claim.start not in refuted
        ]
        claims = sorted(kept, key=lambda claim: claim.start or 0)
        return verdict_of(claims, issues)

    def _is_skipped(self, start: int, end: int) -> bool:
        return any(low < end and start < high for low, high in self._skipped)

    def _numbers(self) -> Iterator[tuple[Claim, str | None]]:
        waiting: list[Bound] = []
        for bound in self._bounds:
            filled = self._filled_at(bound.claim)
            if filled is not None:
                yield from self._refuted(bound, filled)
                continue
            proof = self._search.find(bound)
            if proof is None:
                waiting.append(bound)
                continue
            self._search.proven.append((bound, proven_operand(bound, proof)))
            yield proven_claim(bound.claim, proof), None
        yield from self._derived(waiting)

    def _derived(self, waiting: Sequence[Bound]) -> Iterator[tuple[Claim, str | None]]:
        """Yield the figures that follow from others, which may stand behind them, and those without evidence."""
        left = list(waiting)
        for _ in range(_ROUNDS):
            for bound in list(left):
                proof = self._search.derive(bound)
                if proof is not None:
                    left.remove(bound)
                    self._search.proven.append((bound, proven_operand(bound, proof)))
                    yield proven_claim(bound.claim, proof), None
        for bound in left:
            if not self._is_idle(bound):
                yield unverified_claim(bound.claim), self._search.issue(bound)

    def _filled_at(self, claim: WrittenClaim) -> Filled | None:
        places = ((item, item.span) for item in self._filled)
        return next((item for item, span in places if span[0] < claim.end and claim.start < span[1]), None)

    def _refuted(self, bound: Bound, filled: Filled) -> Iterator[tuple[Claim, str | None]]:
        against = refutes(self._ground, bound, filled)
        if against is None:
            proof = Proof(evidence=filled.claim.evidence or "", traces=filled.claim.traces)
            self._search.proven.append((bound, proven_operand(bound, proof)))
            return
        place = f"{self.views[filled.view].key}.{filled.column}"
        claim = replace(filled.claim, status="unverified", evidence=None, traces=())
        yield claim, f"{place}: the words beside the placeholder speak of {against}"

    def _is_idle(self, bound: Bound) -> bool:
        """Tell whether a figure is only offered, or a word such as `half` in a sentence that speaks of no result."""
        span = (bound.statement.start, bound.statement.end)
        if is_supposed(self._ground.scene, bound):
            return True
        if bound.said or any(char.isdigit() for char in self.text[slice(*span)]):
            return False
        words = self._ground.scene.words
        first, behind = word_from(words, span[0]), word_from(words, span[1])
        return not any(at in view.key_words(words) for view in self.views for at in range(first, behind))

    def _labels(self) -> Iterator[tuple[Claim, str | None]]:
        """Yield dates, and the numbers that name rows; digits within other names are no claims."""
        bound = {item.claim.start for item in self._bounds}
        for claim in self._claims:
            if self._filled_at(claim) is not None:
                continue
            mention = next((item for item in self._mentions if item.start <= claim.start < item.end), None)
            if mention is not None:
                if mention.views() and (mention.is_date or mention.start == claim.start):
                    yield named_claim(claim, mention, self.views), None
            elif isinstance(claim, WrittenDate):
                roles = self._roles_around(claim)
                proof = find_date(self.views, claim, roles) or find_told_date(claim, self.facts, roles)
                issue = f"date: reported {claim.text}, actual unknown"
                yield (proven_claim(claim, proof), None) if proof else (unverified_claim(claim), issue)
            elif claim.start not in bound:
                yield unverified_claim(claim), f"figure: reported {claim.text}, actual unknown"

    def _roles_around(self, claim: WrittenDate) -> frozenset[str]:
        inside = (item for item in self._statements if item.start <= claim.start < item.end)
        spans = [(item.start, item.end) for item in inside]
        return frozenset(role.name for span in spans for role in self._ground.scene.roles_in(span))

    def _orders(self, found: Sequence[Claim]) -> Iterator[tuple[Claim, str | None]]:
        """Yield what is said wrongly of an order, in statements that are not marked already."""
        marked = [claim.start for claim in found if claim.status == "unverified" and claim.start is not None]
        open_ones = [
            statement
            for statement in self._statements
            if not any(
                statement.start <= at < statement.end for at in (*marked, *(low for low, _ in self._asked))
            )
        ]
        yield from refuted_assertions(self._ground.scene, open_ones, self._bounds, self.views, found)

    def _names(self) -> Iterator[tuple[Claim, str | None]]:
        known = [self.question]
        for view in self.views:
            known += [view.block.title or "", view.key, *view.query.tables]
        settled = {item.claim.start for item, operand in self._search.proven if not is_of_group(operand)}
        scene = self._ground.scene
        for claim in unknown_names(scene, self._statements, self.views, self._bounds, known, settled):
            start = claim.start or 0
            if not self._is_skipped(start, start + len(claim.text)):
                yield claim, f"group: reported '{claim.text}', no such group"
