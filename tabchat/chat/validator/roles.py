"""Which role each figure of a statement has: the highest, an average, the first, and the like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.assignment import assign
from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.parsed import inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.assignment import Given
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.parsed import Parsed

_ROLES: Final = frozenset(
    {"max", "min", "mean", "median", "sum", "count", "first", "last", "change", "std", "correlation", "range"}
)
_ENDS: Final = frozenset({"max", "min", "first", "last"})
_SWAPPED: Final = {"max": "min", "min": "max"}
_BESIDE: Final = 16
_BAD: Final = ("worst", "найгірш", "худш")
"""The worst loss is the least of the changes already."""
_OF_ALL: Final = frozenset({"mean", "median"})
_LEADS: Final = re.compile(r"\s*(?:of|\(|:|[-—–])\s*[$€£₴]?")


def roles_of(parsed: Parsed) -> list[frozenset[str]]:
    """Return the roles of each figure, in their order."""
    if parsed.statement.cells:
        return [frozenset(item.name for item in _row_roles(parsed, figure)) for figure in parsed.figures]
    seen = [item for item in parsed.scene.roles_in(parsed.span) if item.name in _ROLES]
    ends = [item for item in seen if item.name in _ENDS]
    ordered: Mapping[int, Given[Sighting]] = {}
    if len(ends) > 1:
        ordered = assign(parsed.scene.text, parsed.parts, ends, parsed.figures, parsed.figures)
    return [
        _pointed(parsed, figure)
        or _fallen(parsed, figure, seen, _roles(parsed, figure, seen, ordered.get(index)))
        for index, figure in enumerate(parsed.figures)
    ]


def _pointed(parsed: Parsed, figure: WrittenNumber) -> frozenset[str]:
    """Return the role of a phrase that itself leads to the figure: `below the average of 368`."""
    scene = parsed.scene
    lexicon = shipped_lexicon()
    for item in scene.masked:
        if item.end <= figure.start and _LEADS.fullmatch(scene.text, item.end, figure.start):
            names = lexicon.roles.names(scene.text[item.start : item.end]) & _OF_ALL
            if names:
                return names
    return frozenset()


def _fallen(
    parsed: Parsed, figure: WrittenNumber, seen: Sequence[Sighting], roles: frozenset[str]
) -> frozenset[str]:
    """Turn roles round before a word for a fall: the largest drop is the least of the changes."""
    end = parsed.reach(figure)[1]
    for item in seen:
        falls = parsed.scene.cues_in((item.end, min(item.end + _BESIDE, end)), "fall")
        is_bad = parsed.scene.text[item.start : item.end].casefold().startswith(_BAD)
        if item.name in _SWAPPED and falls and item.name in roles and not is_bad:
            roles = (roles - {item.name}) | {_SWAPPED[item.name]}
    return roles


def _roles(
    parsed: Parsed, figure: WrittenNumber, seen: Sequence[Sighting], given: Given[Sighting] | None
) -> frozenset[str]:
    part = parsed.part_of(figure)
    own = [item for item in seen if inside(item, part)]
    beside = parsed.figures_in(part)
    if given is not None and given.own:
        return frozenset(
            item.name for item in (*given.own, *(item for item in own if item.name not in _ENDS))
        )
    if len(beside) > 1 and len(own) == len(beside):
        return frozenset({own[beside.index(figure)].name})
    if len(beside) > 1 and figure.kind is NumberKind.RATIO:
        own = [item for item in own if item.name not in _ENDS]
    elif len(beside) > 1:
        own = [item for item in own if _leads_to(item, beside) is figure]
    if own:
        return frozenset(item.name for item in own)
    led = (parsed.since(figure), figure.start)
    before = [
        item
        for item in seen
        if inside(item, led) and parsed.is_free(item) and not _is_of_another(parsed, item, figure)
    ]
    return frozenset(item.name for item in before) or _trailing(parsed, figure, seen)


def _is_of_another(parsed: Parsed, item: Sighting, figure: WrittenNumber) -> bool:
    """Tell whether a word belongs to a name of its own: `Asia leads, followed by Europe (95)`."""
    part = parsed.part_of(item)
    later = any(item.end <= name.start and name.end <= figure.start for name in parsed.names)
    own = [name for name in parsed.names if inside(name, part) and name.end <= item.start]
    return (
        later
        and bool(own)
        and any(name.start >= part[1] for name in parsed.names if name.end <= figure.start)
    )


def _leads_to(item: Sighting, figures: Sequence[WrittenNumber]) -> WrittenNumber:
    """Return the figure that a word belongs to: the next one, else the one before."""
    return next((figure for figure in figures if figure.start >= item.end), figures[-1])


def _trailing(parsed: Parsed, figure: WrittenNumber, seen: Sequence[Sighting]) -> frozenset[str]:
    """Return the roles of a segment right behind the figure that has neither figure nor name."""
    part = parsed.part_of(figure)
    at = parsed.parts.index(part) + 1 if part in parsed.parts else len(parsed.parts)
    if at >= len(parsed.parts):
        return frozenset()
    behind: Span = parsed.parts[at]
    if any(inside(item, behind) for item in parsed.everything()):
        return frozenset()
    later = [item for item in parsed.figures if item.start >= behind[1]]
    if later and not any(behind[1] <= item.start < later[0].start for item in parsed.names):
        return frozenset()
    return frozenset(item.name for item in seen if inside(item, behind))


def _row_roles(parsed: Parsed, figure: WrittenNumber) -> Iterator[Sighting]:
    """Yield the roles that the other cells of a row name, and the header of the figure's own."""
    for other in parsed.parts:
        if not parsed.figures_in(other):
            yield from parsed.scene.roles_in(other)
    header = parsed.header_of(parsed.part_of(figure))
    if header is not None:
        yield from parsed.scene.roles_in(header)
