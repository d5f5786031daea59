"""The search for the evidence of one figure after another: where the text says that it stands, then elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.beyond import find_beyond, find_median_half, find_signed
from tabchat.chat.validator.bounded import find_number_within, find_of_named
from tabchat.chat.validator.counted_parts import find_counted_part
from tabchat.chat.validator.counts import find_count
from tabchat.chat.validator.derived import find_derived
from tabchat.chat.validator.figures import find_figure
from tabchat.chat.validator.journeys import find_journey
from tabchat.chat.validator.leaders import find_leaders
from tabchat.chat.validator.parts_of import find_part
from tabchat.chat.validator.portions import find_portion
from tabchat.chat.validator.proof import Finding, Miss, Proof
from tabchat.chat.validator.quoted import find_quoted, find_year
from tabchat.chat.validator.ranks import find_rank, find_ranked
from tabchat.chat.validator.runs import find_in_run
from tabchat.chat.validator.told import find_fact
from tabchat.chat.validator.universals import find_universal, quantifier
from tabchat.chat.validator.year_earlier import find_year_earlier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.operand import Operand
    from tabchat.engine.types import JsonValue


@dataclass(kw_only=True)
class Search:
    """Everything that the evidence of a text's figures is looked for in."""

    ground: Ground
    bounds: Sequence[Bound]
    question: str
    facts: Sequence[Mapping[str, JsonValue]]
    own: int
    """How many of the results are of this turn."""
    proven: list[tuple[Bound, Operand]] = field(default_factory=list)
    """Figures that have evidence, in the order in which it was found."""

    def find(self, bound: Bound) -> Proof | None:
        """Return the evidence of a figure, if there is any."""
        readings = (bound, replace(bound, roles=bound.echoed)) if bound.echoed else (bound,)
        for whole in self._grounds():
            ground = replace(whole, barred=bound.barred())
            for item in readings:
                for finder in self._finders(item):
                    finding = finder(ground, item)
                    if isinstance(finding, Proof):
                        return finding
        return None

    def _finders(self, bound: Bound) -> Sequence[Callable[[Ground, Bound], Finding | None]]:
        if bound.claim.kind is NumberKind.ORDINAL:
            return (find_rank,)
        if quantifier(self.ground, bound) is not None:
            return (find_universal,)
        places = [
            int(other.claim.value)
            for other in self.bounds
            if other.statement is bound.statement and other.claim.kind is NumberKind.ORDINAL
        ]
        return (
            find_figure,
            find_count,
            lambda ground, item: find_ranked(ground, item, places),
            lambda ground, item: find_derived(replace(ground, barred=item.left_out()), item, self.proven),
            lambda ground, item: find_part(ground, item, self.proven),
            lambda ground, item: find_in_run(ground, item, self.bounds),
            lambda ground, item: find_beyond(ground, item, self.bounds),
            lambda ground, item: find_of_named(ground, item, self.bounds),
            lambda ground, item: find_number_within(ground, item, self.bounds),
            find_signed,
            find_counted_part,
            find_median_half,
            find_year_earlier,
            find_journey,
            lambda ground, item: find_leaders(ground, item, self.bounds),
            lambda ground, item: find_quoted(ground, item, self.question),
            find_year,
            lambda ground, item: find_fact(ground, item, self.facts, self.bounds),
        )

    def _grounds(self) -> Iterator[Ground]:
        """Yield the results of this turn, then those of the turns before."""
        yield replace(self.ground, first=0, last=self.own)
        if self.own < len(self.ground.views):
            yield replace(self.ground, first=self.own, last=len(self.ground.views))

    def derive(self, bound: Bound) -> Proof | None:
        """Return a derivation of a figure from all figures that have evidence by now."""
        ground = replace(self.ground, barred=bound.left_out())
        return find_derived(ground, bound, self.proven) or find_portion(ground, bound, self.proven)

    def issue(self, bound: Bound) -> str:
        """Return what to tell of a figure without evidence."""
        find = find_rank if bound.claim.kind is NumberKind.ORDINAL else find_figure
        miss = find(replace(self.ground, barred=bound.barred()), bound)
        if isinstance(miss, Miss):
            return f"{miss.place}: reported {bound.claim.text}, actual {miss.actual}"
        return f"figure: reported {bound.claim.text}, actual unknown"
