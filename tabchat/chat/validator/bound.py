"""A figure with what the text attaches to it: groups, a column, roles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention


@record
class Bound:
    """A figure with what the text attaches to it."""

    claim: WrittenNumber
    statement: Statement
    segment: Span
    own: tuple[Mention, ...] = ()
    """Groups that are named with the figure itself."""
    inherited: tuple[Mention, ...] = ()
    """Groups that the statement named before."""
    context: tuple[Mention, ...] = ()
    """Groups of the heading, lead line or item above."""
    nearby: tuple[Mention, ...] = ()
    """Groups that only come later, or that the sentence before named."""
    roles: frozenset[str] = frozenset()
    echoed: frozenset[str] = frozenset()
    """Roles of the figure before, where this one stands in brackets behind it: `56.5K on average (151 orders)`."""
    columns: frozenset[tuple[int, str]] = frozenset()
    """(result, column) that the text names; empty when it names none."""
    may_be_whole: bool = False
    """It is the second one of `302 of 5,000`: a figure of the group, or of everything."""
    is_whole: bool = False
    """The words speak of everything together."""
    is_interval: bool = False
    """The statement speaks of an interval of confidence."""
    said: tuple[Mention, ...] = ()
    """Every group in the statement, in order."""
    around: tuple[Mention, ...] = ()
    """Groups of the statements beside it and above it."""
    when: tuple[Mention, ...] = ()
    """Periods that the text, else the question, spoke of last, where the statement names none."""
    these: tuple[Mention, ...] = ()
    """Groups named before that the statement takes together: `these three`, `they`."""
    stretch: Mention | None = None
    """The range of periods that its date is an end of."""
    rival: Mention | None = None
    """The only other group that the words around speak of."""
    bracketed: Mention | None = None
    """The group of one of two figures in brackets behind two names."""
    is_against: bool = False
    """A word such as `versus` leads to it."""
    reach: Span
    """From the figure before to the figure after, within the statement."""

    @property
    def named_before(self) -> bool:
        """True when a group is named before the figure in its statement, or above it."""
        return bool(self.context) or any(item.end <= self.claim.start for item in self.inherited)

    def barred(self) -> frozenset[int]:
        """Return the results that speak of other groups or days than the figure is said of."""
        said = distinct(self.own + self.inherited + self.context)
        return frozenset(at for item in said for at in item.outside())

    def left_out(self) -> frozenset[int]:
        """Return those of the barred results that no name beside the figure is of, not even for a comparison."""
        return self.barred() - {at for item in (*self.said, *self.around) for at in _held(item)}

    def readings(self) -> Iterator[tuple[Mention, ...]]:
        """Yield which groups may be meant, the fullest first; never without those named with the figure."""
        if self.own:
            yield from dict.fromkeys(
                (
                    distinct(self.own + self.inherited + self.context),
                    distinct(self.own + self.inherited),
                    distinct(self.own + self.context),
                    self.own,
                )
            )
        elif self.inherited:
            yield from dict.fromkeys((distinct(self.inherited + self.context), self.inherited))
        elif self.context:
            yield self.context
        else:
            yield ()
            for mention in self.nearby:
                yield (mention,)
            if len({item.text for item in self.when}) == 1:
                yield self.when[:1]
        yield from self._meant()

    def _meant(self) -> Iterator[tuple[Mention, ...]]:
        """Yield groups and periods that the words around the figure may mean instead, or besides."""
        named = distinct(self.own + self.inherited + self.context)
        if self.bracketed is not None:
            yield (self.bracketed,)
        if self.is_against and self.rival is not None and not self.own:
            yield distinct((self.rival, *self.inherited, *self.context))
        if named and len({item.text for item in self.when}) == 1:
            yield distinct(named + self.when)
        if self.stretch is not None:
            groups = tuple(item for item in named if not item.is_date)
            yield (*groups, self.stretch)
        if self.may_be_whole and named:
            yield ()


def distinct(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return mentions without those of a dimension that an earlier one names."""
    kept: list[Mention] = []
    for mention in mentions:
        named = {column for _, column in mention.columns()}
        if not any(named & {column for _, column in other.columns()} for other in kept):
            kept.append(mention)
    return tuple(kept)


def _held(mention: Mention) -> frozenset[int]:
    """Return the results that were held to what the mention names."""
    return frozenset(item.view for item in mention.named if item.wanted is None and not item.is_outside)
