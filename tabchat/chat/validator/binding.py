"""What each figure of a text is said to be: of which groups, of which column, in which role."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.assignment import Given, assign
from tabchat.chat.validator.bound import Bound, distinct
from tabchat.chat.validator.column_names import columns_of
from tabchat.chat.validator.dimensions import of_other_dimensions, sorted_by_dimension, without_wider
from tabchat.chat.validator.directions import directed
from tabchat.chat.validator.ground import AGGREGATES
from tabchat.chat.validator.mentions import within
from tabchat.chat.validator.merging import within_year
from tabchat.chat.validator.parsed import Parsed, inside
from tabchat.chat.validator.pointing_back import bracketed, is_against, rival, these
from tabchat.chat.validator.roles import roles_of
from tabchat.chat.validator.wholes import (
    has_part_before,
    is_no_more,
    is_second_of,
    is_whole_figure,
    of_name_behind,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene

"""`302 of 5,000`."""
_OPENING: Final = 48
_LEADS: Final = 4
"""Letters of an article or of bold type before the subject of a sentence."""
_FAR: Final = 24
_NEAR: Final = 8
_COMPARING: Final = ("difference", "times", "together")


@dataclass
class Binder:
    """Binds the figures of a text, statement by statement."""

    scene: Scene
    statements: Sequence[Statement]
    numbers: Sequence[WrittenNumber]
    asked: Sequence[Mention] = ()
    """Periods that the question names."""

    def bind(self) -> Iterator[Bound]:
        """Yield every figure with what belongs to it, in order; digits within names are no figures."""
        for at, statement in enumerate(self.statements):
            span = (statement.start, statement.end)
            taken = self.scene.mentions_in(span)
            figures = [
                number
                for number in within(self.numbers, span)
                if not any(item.start <= number.start and number.end <= item.end for item in taken)
            ]
            if figures:
                yield from self._bound(at, Parsed(self.scene, statement, figures))

    def _bound(self, at: int, parsed: Parsed) -> Iterator[Bound]:
        only = {figure.start for figure in parsed.figures if is_no_more(parsed, figure)}
        wholes = {figure.start for figure in parsed.figures if is_whole_figure(parsed, figure)} - only
        given = _given(parsed, wholes)
        context = tuple(self._context(parsed.statement))
        before = tuple(self._before(at))
        all_roles = roles_of(parsed)
        pointed_back = these(self.scene, self.statements, at, parsed)
        details = zip(parsed.figures, given, all_roles, columns_of(parsed), strict=True)
        for figure, names, roles, columns in details:
            reach = _reach(parsed, figure)
            bound = Bound(
                claim=directed(parsed, figure),
                reach=reach,
                statement=parsed.statement,
                segment=parsed.part_of(figure),
                roles=roles - {"sum"} if figure.start in only else roles,
                echoed=_echoed(parsed, figure, all_roles),
                columns=columns,
                said=tuple(parsed.names),
                when=tuple(self._when(at, parsed, figure)),
                around=(*context, *before),
                is_whole=figure.start in wholes,
                may_be_whole=is_second_of(parsed, figure),
                these=pointed_back,
                is_interval=bool(parsed.statement.cells or self.scene.cues_in(parsed.span, "interval")),
            )
            if bound.is_whole:
                dates = tuple(item for item in parsed.names if item.is_date)
                yield replace(bound, nearby=dates) if has_part_before(parsed, figure) else bound
                continue
            yield self._named(at, parsed, names, bound)

    def _named(self, at: int, parsed: Parsed, names: Given[Mention], bound: Bound) -> Bound:
        """Return the figure with its groups."""
        figure, before = bound.claim, tuple(self._before(at))
        given = of_name_behind(parsed, figure, names) if bound.may_be_whole else names
        meant = self._meant(at, parsed, figure, given)
        # What `it` stands for goes before a name that only comes later.
        later = all(item.start >= figure.end for item in given.inherited)
        inherited = meant if meant and later else given.inherited
        context = tuple(self._context(parsed.statement))
        own = (*given.own, *inherited)
        return replace(
            bound,
            own=given.own,
            inherited=inherited,
            context=of_other_dimensions(context, own),
            nearby=(*given.ahead, *(() if parsed.names else before)),
            stretch=self._stretch(parsed, own),
            rival=rival(self.scene, parsed, before, own or before),
            bracketed=bracketed(self.scene, parsed, figure),
            is_against=is_against(self.scene, parsed, figure),
        )

    def _stretch(self, parsed: Parsed, named: Sequence[Mention]) -> Mention | None:
        """Return the range of periods that a date of the figure is an end of."""
        dates = [item.start for item in named if item.is_date]
        ranges = [item for item in self.scene.ranges if inside(item, parsed.span)]
        return next((item for item in ranges if any(item.start <= at < item.end for at in dates)), None)

    def _meant(
        self, at: int, parsed: Parsed, figure: WrittenNumber, names: Given[Mention]
    ) -> tuple[Mention, ...]:
        """Return the subject, or the only group, of the sentence before, where `it` stands for it."""
        opening = (parsed.span[0], min(parsed.span[0] + _OPENING, figure.start))
        named = any(item.start < figure.start for item in parsed.names)
        if names.own or named or not self.scene.cues_in(opening, "it"):
            return ()
        before = tuple(item for item in self._before(at) if not item.is_date)
        leads = before and before[0].start - self.statements[at - 1].start <= _LEADS
        return before[:1] if leads or len({item.text for item in before}) == 1 else ()

    def _context(self, statement: Statement) -> Iterator[Mention]:
        """Yield the groups of headings and items above; several of one dimension name none of them."""
        for span in statement.under:
            for members in sorted_by_dimension(self.scene.mentions_in(span)).values():
                if len(members) == 1 and not _is_base(self.scene, members[0]):
                    yield members[0]

    def _before(self, at: int) -> Iterator[Mention]:
        """Yield the groups of the sentence before, in the same paragraph."""
        if at == 0:
            return
        before = self.statements[at - 1]
        if before.paragraph == self.statements[at].paragraph and not before.cells:
            yield from self.scene.mentions_in((before.start, before.end))

    def _when(self, at: int, parsed: Parsed, figure: WrittenNumber) -> Sequence[Mention]:
        """Return the periods named last in the paragraph, else above it, else in the question."""
        if any(item.is_date and item.start < figure.start for item in parsed.names):
            return ()
        same = [item for item in self.statements[:at] if item.paragraph == parsed.statement.paragraph]
        spans = [(item.start, item.end) for item in reversed(same) if not item.cells]
        for span in (*spans, *parsed.statement.under):
            dates = [item for item in self.scene.mentions_in(span) if item.is_date]
            if dates:
                return dates
        return self.asked


def _is_base(scene: Scene, mention: Mention) -> bool:
    """Tell whether a period of a line above is what its items are compared with: `compared with 2023:`."""
    cues = scene.cues_in((max(0, mention.start - _FAR), mention.start), "than")
    return mention.is_date and any(mention.start - cue.end <= _NEAR for cue in cues)


def _reach(parsed: Parsed, figure: WrittenNumber) -> Span:
    """Return the place of a figure between others; what it is a part of is none: `302 of 5,000 were deleted`."""
    low, high = parsed.reach(figure)
    after = next((item for item in parsed.figures if item.start == high), None)
    return (low, parsed.reach(after)[1]) if after is not None and is_second_of(parsed, after) else (low, high)


def _given(parsed: Parsed, wholes: set[int]) -> list[Given[Mention]]:
    """Return the groups of each figure, over all dimensions."""
    if parsed.statement.cells:
        return [_cell_given(parsed, figure) for figure in parsed.figures]
    counted = [figure for figure in parsed.figures if _is_plain(parsed, figure, wholes)]
    text = parsed.scene.text
    by_dimension: list[Mapping[int, Given[Mention]]] = [
        assign(text, parsed.parts, without_wider(parsed, members), parsed.figures, counted)
        for members in sorted_by_dimension(parsed.names).values()
    ]
    given = []
    for index in range(len(parsed.figures)):
        several = [found[index] for found in by_dimension if index in found]
        given.append(
            Given(
                own=tuple(item for each in several for item in each.own),
                inherited=tuple(item for each in several for item in each.inherited),
                ahead=tuple(item for each in several for item in each.ahead),
            )
        )
    return given


def _cell_given(parsed: Parsed, figure: WrittenNumber) -> Given[Mention]:
    """Every name of a row belongs to all its figures, and the names of a column's header to its cell."""
    part = parsed.part_of(figure)
    figured = [parsed.part_of(item) for item in parsed.figures]
    header = parsed.header_of(part)
    above = parsed.scene.mentions_in(header) if header is not None else []
    outside = [
        within_year(item, above) for item in parsed.names if not any(inside(item, other) for other in figured)
    ]
    local = [item for item in parsed.names if inside(item, part)]
    return Given(own=distinct((*local, *outside, *above)))


def _echoed(parsed: Parsed, figure: WrittenNumber, roles: Sequence[frozenset[str]]) -> frozenset[str]:
    """Return the aggregates of the figure before, where this one stands in brackets behind it."""
    at = list(parsed.figures).index(figure)
    between = parsed.scene.text[parsed.since(figure) : figure.start]
    is_bracketed = at > 0 and "(" in between and ")" not in between and not parsed.statement.cells
    return roles[at - 1] & AGGREGATES if is_bracketed and not roles[at] & AGGREGATES else frozenset()


def _is_plain(parsed: Parsed, figure: WrittenNumber, wholes: set[int]) -> bool:
    """Tell whether the figure takes part in the order of names and figures."""
    if figure.start in wholes or figure.kind in {NumberKind.ORDINAL, NumberKind.RATIO}:
        return False
    ratios = [item for item in parsed.figures if item.kind is NumberKind.RATIO]
    cues = parsed.scene.cues_in(parsed.part_of(figure), *_COMPARING)
    in_order = bool(parsed.scene.cues_in(parsed.span, "respectively"))
    return (figure.direction is None or in_order) and all(
        any(item.start < cue.end and cue.start < item.end for item in ratios) for cue in cues
    )
