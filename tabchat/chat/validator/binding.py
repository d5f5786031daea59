"""What each figure of a text is said to be: of which groups, of which column, in which role."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.assignment import Given, assign
from tabchat.chat.validator.bound import Bound, distinct
from tabchat.chat.validator.column_names import columns_of
from tabchat.chat.validator.directions import directed
from tabchat.chat.validator.mentions import within, within_year
from tabchat.chat.validator.parsed import Parsed, inside
from tabchat.chat.validator.roles import roles_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene

_BESIDE: Final = 16
_FAR: Final = 24
_OF: Final = re.compile(r"(?:^|\s)(?:of|out of|of the|з|із|из|від|от)$")
"""`302 of 5,000`."""
_OPENING: Final = 16
_ALL: Final = ("whole", "together", "every")
_COMPARING: Final = ("difference", "times", "together")


@dataclass
class Binder:
    """Binds the figures of a text, statement by statement."""

    scene: Scene
    statements: Sequence[Statement]
    numbers: Sequence[WrittenNumber]

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
        wholes = {figure.start for figure in parsed.figures if _is_whole(parsed, figure)}
        given = _given(parsed, wholes)
        context = tuple(self._context(parsed.statement))
        before = tuple(self._before(at))
        details = zip(parsed.figures, given, roles_of(parsed), columns_of(parsed), strict=True)
        for figure, names, roles, columns in details:
            reach = _reach(parsed, figure)
            bound = Bound(
                claim=directed(parsed, figure),
                reach=reach,
                statement=parsed.statement,
                segment=parsed.part_of(figure),
                roles=roles,
                columns=columns,
                said=tuple(parsed.names),
                around=(*context, *before),
                is_whole=figure.start in wholes,
                may_be_whole=_is_of(parsed, figure),
                is_interval=bool(parsed.statement.cells or self.scene.cues_in(parsed.span, "interval")),
            )
            if bound.is_whole:
                dates = tuple(item for item in parsed.names if item.is_date)
                yield replace(bound, nearby=dates) if _is_part_of(parsed, figure) else bound
                continue
            inherited = names.inherited or self._meant(at, parsed, figure, names)
            yield replace(
                bound,
                own=names.own,
                inherited=inherited,
                context=_new(context, (*names.own, *inherited)),
                nearby=(*names.ahead, *(() if parsed.names else before)),
            )

    def _meant(
        self, at: int, parsed: Parsed, figure: WrittenNumber, names: Given[Mention]
    ) -> tuple[Mention, ...]:
        """Return the only group of the sentence before, where `it` stands for it."""
        opening = (parsed.span[0], min(parsed.span[0] + _OPENING, figure.start))
        if names.own or parsed.names or not self.scene.cues_in(opening, "it"):
            return ()
        before = tuple(item for item in self._before(at) if not item.is_date)
        return before[:1] if len({item.text for item in before}) == 1 else ()

    def _context(self, statement: Statement) -> Iterator[Mention]:
        """Yield the groups of headings and items above; several of one dimension name none of them."""
        for span in statement.under:
            for members in _dimensions(self.scene.mentions_in(span)).values():
                if len(members) == 1:
                    yield members[0]

    def _before(self, at: int) -> Iterator[Mention]:
        """Yield the groups of the sentence before, in the same paragraph."""
        if at == 0:
            return
        before = self.statements[at - 1]
        if before.paragraph == self.statements[at].paragraph and not before.cells:
            yield from self.scene.mentions_in((before.start, before.end))


def _reach(parsed: Parsed, figure: WrittenNumber) -> Span:
    """Return the place of a figure between others; what it is a part of is none: `302 of 5,000 were deleted`."""
    low, high = parsed.reach(figure)
    after = next((item for item in parsed.figures if item.start == high), None)
    return (low, parsed.reach(after)[1]) if after is not None and _is_of(parsed, after) else (low, high)


def _given(parsed: Parsed, wholes: set[int]) -> list[Given[Mention]]:
    """Return the groups of each figure, over all dimensions."""
    if parsed.statement.cells:
        return [_cell_given(parsed, figure) for figure in parsed.figures]
    counted = [figure for figure in parsed.figures if _is_plain(parsed, figure, wholes)]
    text = parsed.scene.text
    by_dimension: list[Mapping[int, Given[Mention]]] = [
        assign(text, parsed.parts, _finest(parsed, members), parsed.figures, counted)
        for members in _dimensions(parsed.names).values()
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


def _finest(parsed: Parsed, members: Sequence[Mention]) -> list[Mention]:
    """Leave out a period that holds another one of its segment: `in 2024, revenue in Q4`."""
    wide = {
        item.start
        for part in parsed.parts
        for item in members
        for other in members
        if inside(item, part) and inside(other, part) and item.is_date and _holds(item, other)
    }
    return [item for item in members if item.start not in wide]


def _is_whole(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether the words take the figure away from every group: `of the total of 5,000`."""
    scene = parsed.scene
    if parsed.statement.cells:
        return bool(scene.cues_in(parsed.span, "whole")) and not parsed.names
    since = max(
        (item.end for item in parsed.everything() if item.end <= figure.start), default=parsed.span[0]
    )
    if any(
        figure.start - cue.end <= _BESIDE and ":" not in scene.text[cue.end : figure.start]
        for cue in scene.cues_in((since, figure.start), "of_whole")
    ):
        return True
    part = parsed.part_of(figure)
    plain = figure.bound is None and figure.direction is None
    if plain and not parsed.names and not parsed.statement.under and scene.cues_in(parsed.span, *_ALL):
        return True
    return bool(scene.cues_in(part, "whole")) and not any(inside(item, part) for item in parsed.names)


def _is_of(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether the figure is the second one of `302 of 5,000`."""
    since = parsed.since(figure)
    if figure.start - since > _FAR or any(inside(item, (since, figure.start)) for item in parsed.names):
        return False
    return _OF.search(parsed.scene.text[since : figure.start].casefold().rstrip(" *_")) is not None


def _is_part_of(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether a figure stands before this one as a part of it: `132 out of 677 in 2024`."""
    return any(item.end <= figure.start for item in parsed.figures)


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


def _dimensions(mentions: Sequence[Mention]) -> Mapping[str, list[Mention]]:
    """Sort mentions by what they are names of: mentions that share a column are of one dimension."""
    found: dict[str, list[Mention]] = defaultdict(list)
    known: dict[str, str] = {}
    for mention in mentions:
        columns = sorted({item.column.casefold() for item in mention.named})
        name = next((known[column] for column in columns if column in known), columns[0])
        known.update(dict.fromkeys(columns, name))
        found[name].append(mention)
    return found


def _holds(wide: Mention, narrow: Mention) -> bool:
    """Tell whether one period holds another in some result."""
    for one in wide.named:
        for other in narrow.named:
            if (one.view, one.column) != (other.view, other.column) or one.wanted == other.wanted:
                continue
            if isinstance(one.wanted, tuple) and isinstance(other.wanted, tuple):
                return one.wanted[0] <= other.wanted[0] and other.wanted[1] <= one.wanted[1]
            if isinstance(one.wanted, frozenset) and isinstance(other.wanted, frozenset):
                return one.wanted > other.wanted
    return False


def _new(context: Sequence[Mention], named: Sequence[Mention]) -> tuple[Mention, ...]:
    columns = {column for mention in named for _, column in mention.columns()}
    return tuple(item for item in context if not columns & {column for _, column in item.columns()})
