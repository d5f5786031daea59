"""What each figure of a text is said to be: of which groups, of which column, in which role."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind, WrittenNumber
from tabchat.chat.validator.assignment import Given, assign, segments
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import ColumnMention, Mention, Scene

_VALUE_ROLES: Final = frozenset(
    {"max", "min", "mean", "median", "sum", "count", "first", "last", "change", "std", "correlation"}
)
_NEAR: Final = 3
_BESIDE: Final = 16
_FAR: Final = 24
_OF: Final = re.compile(r"(?:^|\s)(?:of|out of|of the|з|із|из|від|от)$")
"""`302 of 5,000`."""
_COMPARING: Final = ("difference", "times", "together")


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
    columns: frozenset[tuple[int, str]] = frozenset()
    """(result, column) that the text names; empty when it names none."""
    may_be_whole: bool = False
    """It is the second one of `302 of 5,000`: a figure of the group, or of everything."""
    is_whole: bool = False
    """The words speak of everything together."""
    said: tuple[Mention, ...] = ()
    """Every group in the statement, in order."""
    around: tuple[Mention, ...] = ()
    """Groups of the statements beside it and above it."""
    reach: Span
    """From the figure before to the figure after, within the statement."""

    @property
    def named_before(self) -> bool:
        """True when a group is named before the figure in its statement, or above it."""
        return bool(self.context) or any(item.end <= self.claim.start for item in self.inherited)

    def readings(self) -> Iterator[tuple[Mention, ...]]:
        """Yield which groups may be meant, the fullest first; never without those named with the figure."""
        if self.own:
            yield from dict.fromkeys(
                (
                    _distinct(self.own + self.inherited + self.context),
                    _distinct(self.own + self.inherited),
                    _distinct(self.own + self.context),
                    self.own,
                )
            )
        elif self.inherited:
            yield from dict.fromkeys((_distinct(self.inherited + self.context), self.inherited))
        elif self.context:
            yield self.context
        else:
            yield ()
            for mention in self.nearby:
                yield (mention,)
        if self.may_be_whole and (self.own or self.inherited or self.context):
            yield ()


@dataclass
class Binder:
    """Binds the figures of a text, statement by statement."""

    scene: Scene
    statements: Sequence[Statement]
    numbers: Sequence[WrittenNumber]

    def bind(self) -> Iterator[Bound]:
        """Yield every figure with what belongs to it, in order."""
        taken = [(item.start, item.end) for item in self.scene.mentions]
        for at, statement in enumerate(self.statements):
            inside = [
                number
                for number in self.numbers
                if statement.start <= number.start < statement.end
                and not any(low <= number.start and number.end <= high for low, high in taken)
            ]
            if inside:
                yield from _Bound(self, at, statement, inside).all()

    def mentions_of(self, statement: Statement) -> list[Mention]:
        """Return the groups that `statement` names."""
        return self.scene.mentions_in((statement.start, statement.end))


@dataclass
class _Bound:
    binder: Binder
    at: int
    statement: Statement
    figures: list[WrittenNumber]

    def __post_init__(self) -> None:
        scene, span = self.binder.scene, (self.statement.start, self.statement.end)
        self.names = scene.mentions_in(span)
        whole = [(item.start, item.end) for item in (*self.names, *self.figures)]
        cuts = [(item.start, item.end) for item in scene.separators]
        self.parts = list(self.statement.cells) or segments(scene.text, span, cuts, whole)
        self.parts_of = {figure.start: self._part(figure) for figure in self.figures}
        self.wholes = {figure.start for figure in self.figures if self._is_whole(figure)}
        self.counted = [figure for figure in self.figures if self._is_plain(figure)]

    def all(self) -> Iterator[Bound]:
        """Yield the figures of the statement."""
        groups = self._groups()
        roles = self._roles()
        columns = self._columns()
        context = tuple(self._context())
        before = tuple(self._neighbours())
        nearby = () if self.names else before
        for index, figure in enumerate(self.figures):
            given = [groups[dimension].get(index, Given()) for dimension in groups]
            own = tuple(item for part in given for item in part.own)
            inherited = tuple(item for part in given for item in part.inherited)
            ahead = tuple(item for part in given for item in part.ahead)
            is_whole = figure.start in self.wholes
            reach = self._reach(figure)
            yield Bound(
                claim=self._directed(figure, reach),
                reach=reach,
                statement=self.statement,
                segment=self.parts_of[figure.start],
                own=() if is_whole else own,  # type: ignore[arg-type]
                inherited=() if is_whole else inherited,  # type: ignore[arg-type]
                context=() if is_whole else _new(context, (*own, *inherited)),  # type: ignore[arg-type]
                nearby=() if is_whole else (*ahead, *nearby),  # type: ignore[arg-type]
                roles=roles[index],
                columns=columns[index],
                is_whole=is_whole,
                may_be_whole=self._is_of(figure),
                said=tuple(self.names),
                around=(*context, *before),
            )

    def _groups(self) -> Mapping[str, Mapping[int, Given]]:
        if self.statement.cells:
            return self._cell_groups()
        text = self.binder.scene.text
        return {
            name: assign(text, self.parts, self._finest(members), self.figures, self.counted)
            for name, members in _dimensions(self.names).items()
        }

    def _finest(self, members: list[Mention]) -> list[Mention]:
        """Leave out a period that holds another one of its segment: `in 2024, revenue in Q4`."""
        parts = [[item for item in members if _inside(item, part)] for part in self.parts]
        wide = {
            item.start
            for inside in parts
            for item in inside
            for other in inside
            if item.is_date and other is not item and _holds(item, other)
        }
        return [item for item in members if item.start not in wide]

    def _cell_groups(self) -> Mapping[str, Mapping[int, Given]]:
        """Every name of a row belongs to all its figures, and the names of a column's header to its cell."""
        scene = self.binder.scene
        outside = [
            item
            for item in self.names
            if not any(_inside(item, self.parts_of[figure.start]) for figure in self.figures)
        ]
        given: dict[int, Given] = {}
        for index, figure in enumerate(self.figures):
            part = self.parts_of[figure.start]
            at = self.parts.index(part) if part in self.parts else -1
            headers = self.statement.headers
            header = scene.mentions_in(headers[at]) if 0 <= at < len(headers) else []
            local = [item for item in self.names if _inside(item, part)]
            given[index] = Given(own=tuple(_distinct((*local, *outside, *header))))
        return {"row": given}

    def _roles(self) -> list[frozenset[str]]:
        scene = self.binder.scene
        span = (self.statement.start, self.statement.end)
        seen = [item for item in scene.roles_in(span) if item.name in _VALUE_ROLES | {"range"}]
        extremes = [item for item in seen if item.name in {"max", "min", "first", "last"}]
        by_order = (
            assign(scene.text, self.parts, extremes, self.figures, self.figures) if len(extremes) > 1 else {}
        )
        return [self._role(index, figure, seen, by_order) for index, figure in enumerate(self.figures)]

    def _role(
        self,
        index: int,
        figure: WrittenNumber,
        seen: list[Sighting],
        by_order: Mapping[int, Given],
    ) -> frozenset[str]:
        """Return the roles of a figure; the largest drop is the least of the changes."""
        roles = self._plain_role(index, figure, seen, by_order)
        scene, reach = self.binder.scene, self._reach(figure)
        swapped = {"max": "min", "min": "max"}
        for item in seen:
            falls = scene.cues_in((item.end, min(item.end + _BESIDE, reach[1])), "fall")
            if item.name in swapped and falls and item.name in roles:
                roles = (roles - {item.name}) | {swapped[item.name]}
        return roles

    def _plain_role(
        self, index: int, figure: WrittenNumber, seen: list[Sighting], by_order: Mapping[int, Given]
    ) -> frozenset[str]:
        scene, part = self.binder.scene, self.parts_of[figure.start]
        if self.statement.cells:
            return frozenset(item.name for item in self._row_roles(part))
        own = [item for item in seen if _inside(item, part)]
        beside = [item for item in self.figures if _inside(item, part)]
        if by_order.get(index) and by_order[index].own:
            chosen = by_order[index].own[0]
            rest = [item for item in own if item.name not in {"max", "min", "first", "last"}]
            return frozenset(item.name for item in (*rest, chosen))  # type: ignore[attr-defined]
        if len(beside) > 1 and len(own) == len(beside):
            return frozenset({own[beside.index(figure)].name})
        if own and len(beside) > 1:
            own = [item for item in own if _leads_to(item, beside) is figure]
        if own:
            return frozenset(item.name for item in own)
        before = [item for item in self.figures if item.end <= figure.start]
        since = before[-1].end if before else self.statement.start
        led = [
            item for item in seen if since <= item.start and item.end <= figure.start and self._is_free(item)
        ]
        if led:
            return frozenset(item.name for item in led)
        del scene
        return self._trailing(figure, seen)

    def _trailing(self, figure: WrittenNumber, seen: list[Sighting]) -> frozenset[str]:
        """Return the roles of a segment right behind the figure that has neither figure nor name."""
        at = self.parts.index(self.parts_of[figure.start]) + 1
        if at >= len(self.parts) or any(
            _inside(item, self.parts[at]) for item in (*self.figures, *self.names)
        ):
            return frozenset()
        later = [item for item in self.figures if item.start >= self.parts[at][1]]
        if later and not any(self.parts[at][1] <= item.start < later[0].start for item in self.names):
            return frozenset()
        return frozenset(item.name for item in seen if _inside(item, self.parts[at]))

    def _row_roles(self, part: Span) -> Iterator[Sighting]:
        scene = self.binder.scene
        for cell, other in enumerate(self.parts):
            if not any(_inside(figure, other) for figure in self.figures):
                yield from scene.roles_in(other)
            if other == part and cell < len(self.statement.headers):
                yield from scene.roles_in(self.statement.headers[cell])

    def _columns(self) -> list[frozenset[tuple[int, str]]]:
        return [self._column(figure) for figure in self.figures]

    def _column(self, figure: WrittenNumber) -> frozenset[tuple[int, str]]:
        scene, part = self.binder.scene, self.parts_of[figure.start]
        if self.statement.cells:
            return self._cell_column(part)
        own = scene.columns_in(part)
        beside = [item for item in self.figures if _inside(item, part)]
        if figure.kind is NumberKind.COUNT:
            own = [item for item in own if item.start >= figure.end]
            return own[0].columns if own and len(beside) == 1 else frozenset()
        if len(own) == len(beside) and own:
            return own[beside.index(figure)].columns
        if len(beside) == 1 and own:
            return frozenset(place for item in own for place in item.columns)
        if own:
            return self._closest(figure, own, beside)
        before = [item for item in self.figures if item.end <= figure.start]
        since = before[-1].end if before else self.statement.start
        led = [item for item in scene.columns_in((since, figure.start)) if self._is_free(item)]
        return frozenset(place for item in led for place in item.columns)

    @staticmethod
    def _closest(
        figure: WrittenNumber, own: list[ColumnMention], beside: list[WrittenNumber]
    ) -> frozenset[tuple[int, str]]:
        for item in own:
            nearest = min(
                beside, key=lambda other: min(abs(item.end - other.start), abs(item.start - other.end))
            )
            if nearest is figure:
                return item.columns
        return frozenset()

    def _cell_column(self, part: Span) -> frozenset[tuple[int, str]]:
        scene = self.binder.scene
        at = self.parts.index(part) if part in self.parts else -1
        headers = self.statement.headers
        header = scene.columns_in(headers[at]) if 0 <= at < len(headers) else []
        if header:
            return frozenset(place for item in header for place in item.columns)
        others = [
            item
            for other in self.parts
            if not any(_inside(figure, other) for figure in self.figures)
            for item in scene.columns_in(other)
        ]
        return frozenset(place for item in others for place in item.columns)

    def _context(self) -> Iterator[Mention]:
        scene = self.binder.scene
        for span in self.statement.under:
            for members in _dimensions(scene.mentions_in(span)).values():
                if len(members) == 1:
                    yield members[0]

    def _neighbours(self) -> Iterator[Mention]:
        """Yield the groups of the sentence before; none when the statement names some itself."""
        if self.at == 0:
            return
        before = self.binder.statements[self.at - 1]
        if before.paragraph == self.statement.paragraph and not before.cells:
            yield from self.binder.mentions_of(before)

    def _is_free(self, item: Sighting | ColumnMention) -> bool:
        """Tell whether no figure stands in the segment of a word: it may belong to the next one."""
        part = next((part for part in self.parts if _inside(item, part)), None)
        return part is None or not any(_inside(figure, part) for figure in self.figures)

    def _part(self, figure: WrittenNumber) -> Span:
        span = (self.statement.start, self.statement.end)
        return next((part for part in self.parts if part[0] <= figure.start < part[1]), span)

    def _is_whole(self, figure: WrittenNumber) -> bool:
        scene, part = self.binder.scene, self.parts_of[figure.start]
        if self.statement.cells:
            return bool(scene.cues_in((self.statement.start, self.statement.end), "whole")) and not self.names
        items = [*self.names, *self.figures]
        since = max((item.end for item in items if item.end <= figure.start), default=self.statement.start)
        if any(
            figure.start - cue.end <= _BESIDE and ":" not in scene.text[cue.end : figure.start]
            for cue in scene.cues_in((since, figure.start), "of_whole")
        ):
            return True
        cues = scene.cues_in(part, "whole")
        names = [item for item in self.names if _inside(item, part)]
        return bool(cues) and not names

    def _is_of(self, figure: WrittenNumber) -> bool:
        """Tell whether the figure is the second one of `302 of 5,000`."""
        before = [item.end for item in self.figures if item.end <= figure.start]
        between = self.binder.scene.text[max(before, default=self.statement.start) : figure.start]
        if any(item.end <= figure.start for item in self.names if item.start >= figure.start - len(between)):
            return False
        return len(between) <= _FAR and _OF.search(between.casefold().rstrip(" *_")) is not None

    def _reach(self, figure: WrittenNumber) -> Span:
        before = [item.end for item in self.figures if item.end <= figure.start]
        after = [item.start for item in self.figures if item.start >= figure.end]
        return (max(before, default=self.statement.start), min(after, default=self.statement.end))

    def _directed(self, figure: WrittenNumber, reach: Span) -> WrittenNumber:
        """Return the figure with the direction of `exceeds Europe by 25`."""
        scene = self.binder.scene
        if figure.bound == "under" and scene.cues_in((reach[0], figure.start), "amounts"):
            # `Adds up to 5,000` is no bound.
            return replace(figure, bound=None)
        if figure.direction is not None or figure.bound is not None:
            return figure
        part = (self.parts_of[figure.start][0], figure.start)
        if scene.cues_in(part, "fall") and not scene.cues_in(part, "growth"):
            return replace(figure, direction="down")
        by = scene.cues_in(reach, "by")
        if not any(cue.end <= figure.start <= cue.end + _NEAR for cue in by):
            return figure
        for span in (reach, (self.statement.start, figure.start)):
            up, down = scene.cues_in(span, "more"), scene.cues_in(span, "less")
            if bool(up) != bool(down):
                return replace(figure, direction="up" if up else "down")
        return figure

    def _is_plain(self, figure: WrittenNumber) -> bool:
        if figure.start in self.wholes or figure.kind in {NumberKind.ORDINAL, NumberKind.RATIO}:
            return False
        comparing = self.binder.scene.cues_in(self.parts_of[figure.start], *_COMPARING)
        return not comparing and figure.direction is None


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


def _distinct(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return mentions without those of a dimension that an earlier one names."""
    kept: list[Mention] = []
    for mention in mentions:
        named = {column for _, column in mention.columns()}
        if not any(named & {column for _, column in other.columns()} for other in kept):
            kept.append(mention)
    return tuple(kept)


def _new(context: Sequence[Mention], named: Sequence[Mention]) -> tuple[Mention, ...]:
    columns = {column for mention in named for _, column in mention.columns()}
    return tuple(item for item in context if not columns & {column for _, column in item.columns()})


def _leads_to(item: Sighting, figures: Sequence[WrittenNumber]) -> WrittenNumber:
    """Return the figure that a word belongs to: the next one, else the one before."""
    return next((figure for figure in figures if figure.start >= item.end), figures[-1])


def _inside(item: WrittenNumber | Mention | Sighting | ColumnMention, span: Span) -> bool:
    return span[0] <= item.start and item.end <= span[1]
