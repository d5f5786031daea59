"""Groups that a statement means without naming them: `these three months`, `they`, the other one of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.sizes import sizes_in
from tabchat.chat.validator.dimensions import holds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention, Scene
    from tabchat.chat.validator.parsed import Parsed

_OPENING: Final = 24
_BEHIND: Final = 16
_MOST: Final = 12
_PAIR: Final = 2
_VERSUS: Final = frozenset({"vs", "versus", "against", "compared to", "compared with", "проти", "против"})


def these(scene: Scene, statements: Sequence[Statement], at: int, parsed: Parsed) -> tuple[Mention, ...]:
    """Return the last groups named before, as many as `these three` says, else those of the statement before."""
    low, high = parsed.span
    cues = scene.cues_in((low, min(low + _OPENING, high)), "these")
    clause = scene.text.rfind("; ", low, high) + 1
    if not cues and clause and scene.cues_in((clause, min(clause + _OPENING, high)), "these"):
        before = [item for item in parsed.names if item.end <= clause]
        named = [item for item in before if not any(holds(item, other) for other in before)]
        return tuple({_meaning(item): item for item in named}.values()) if len(named) > 1 else ()
    if not cues or any(item.end <= cues[0].start for item in parsed.names) or parsed.statement.cells:
        return ()
    behind = (cues[0].end, min(cues[0].end + _BEHIND, high))
    size = next((number for _, number in sizes_in(scene.text, behind)), None)
    size = size or next(
        (int(item.value) for item in parsed.figures if behind[0] <= item.start < behind[1]), None
    )
    found: dict[object, Mention] = {}
    for item in _backwards(scene, statements[:at], whole=size is not None):
        if not found or _columns(item) & _columns(next(iter(found.values()))):
            found.setdefault(_meaning(item), item)
        if len(found) == (size or _MOST):
            break
    return tuple(reversed(found.values())) if len(found) > 1 and size in {None, len(found)} else ()


def _backwards(scene: Scene, before: Sequence[Statement], *, whole: bool) -> Iterator[Mention]:
    for statement in reversed(before):
        named = scene.mentions_in((statement.start, statement.end))
        yield from reversed(named)
        if named and not whole:
            return


def rival(
    scene: Scene, parsed: Parsed, before: Sequence[Mention], subject: Sequence[Mention]
) -> Mention | None:
    """Return the only other group that the statement, else those around it, else the text so far speaks of."""
    main = next((item for item in subject if not item.is_date), None)
    if main is None:
        return None
    earlier = scene.mentions_in((0, parsed.span[1]))
    for named in (parsed.names, [*before, *parsed.names], earlier):
        others = _others(main, named)
        if others:
            return others[0] if len(others) == 1 else None
    return None


def _others(main: Mention, named: Iterable[Mention]) -> list[Mention]:
    """Return the groups of the dimension of `main` that are not the same as it, each once."""
    kept = {_meaning(item): item for item in named if _columns(item) & _columns(main)}
    kept.pop(_meaning(main), None)
    return list(kept.values())


def bracketed(scene: Scene, parsed: Parsed, figure: WrittenNumber) -> Mention | None:
    """Return the group of one of two figures in brackets behind two names: `more in Asia than in Lima (133 vs 105)`."""
    figures = list(parsed.figures)
    at = [item.start for item in figures].index(figure.start)
    for first in (at - 1, at):
        if first < 0 or first + 1 >= len(figures):
            continue
        one, other = figures[first], figures[first + 1]
        opening = scene.text.rfind("(", parsed.span[0], one.start)
        is_pair = opening >= 0 and not scene.text[opening + 1 : one.start].strip(" $€£₴₽≈~*_")
        named = [item for item in parsed.names if item.end <= opening and not item.is_date]
        if is_pair and is_against(scene, parsed, other) and len(named) == _PAIR:
            return named[at - first]
    return None


def is_against(scene: Scene, parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether a word such as `versus` leads to a figure."""
    reach: Span = (parsed.since(figure), figure.start)
    return any(
        scene.text[cue.start : cue.end].casefold() in _VERSUS
        and not scene.text[cue.end : figure.start].strip(" .*_≈~$€£₴₽")
        for cue in scene.cues_in(reach, "than")
    )


def _columns(mention: Mention) -> frozenset[tuple[int, str]]:
    return mention.columns()


def _meaning(mention: Mention) -> object:
    """Return what two names of the same group share."""
    return frozenset((item.view, item.column, item.wanted) for item in mention.named)
