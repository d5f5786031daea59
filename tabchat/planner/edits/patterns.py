"""The patterns that requests fit: `rename column? {old} to_name <new>`.

A word of a pattern is a class of the language's data file, or a comma; `a|b` is one of several, `?` what may be left
out, `+` what may be left out only where it does not stand. A comma stands right behind a word. `@type` is any class of the family `type.` whose name is
kept. `{…}` is a stretch of one word or more. So is `<…>`, a value or a name that the person typed: right behind it
stands the next word of the pattern, and no filler. The same patterns serve every language.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import TableColumn

_MOST: Final = 400
"""Ways of one pattern to fit that are looked at."""


@record
class Fit:
    """A way in which a pattern fits the whole of a request."""

    request: Request
    slots: Mapping[str, Span]
    """Slot → where it stands."""
    told: Mapping[str, str]
    """Family → the class that was said."""

    def trimmed(self, slot: str, *names: str) -> Span:
        """Return where a slot stands, without fillers and words of some classes at its front."""
        return self.request.trimmed(self.slots[slot], *names)

    def columns(self, slot: str = "column") -> tuple[TableColumn, ...]:
        """Return the columns that a slot may name."""
        return self.request.columns_of(self.slots[slot])

    def column_lists(self, slot: str = "columns") -> list[tuple[TableColumn, ...]]:
        """Return the lists of columns that a slot may name."""
        return self.request.column_lists(self.slots[slot])


def fits(request: Request, pattern: str) -> Iterator[Fit]:
    """Yield the ways in which a pattern fits the whole of a request."""
    steps = pattern.split()
    if request.starts(0, steps[0]) is not None:
        yield from islice(_rest(steps, 0, Fit(request=request, slots={}, told={})), _MOST)


def _rest(steps: Sequence[str], place: int, fit: Fit, *, typed: bool = False) -> Iterator[Fit]:
    """Yield the fits of the steps that are left; behind what was `typed`, no filler is passed over."""
    passed = place if typed else _passed(fit.request, place)
    if not steps:
        if passed == len(fit.request.tokens):
            yield fit
        return
    step, sign = steps[0].rstrip("?+"), steps[0][-1]
    if step[0] in "{<":
        for span in _stretches(fit.request, step, place, last=len(steps) == 1):
            longer = replace(fit, slots={**fit.slots, step[1:-1]: span})
            yield from _rest(steps[1:], span[1], longer, typed=step[0] == "<")
    else:
        taken = list(_words(step, sorted({place, passed}), fit, optional=sign == "?"))
        for end, longer in taken:
            yield from _rest(steps[1:], end, longer, typed=typed and step == ",")
        if taken and sign == "+":
            return
    if sign in "?+":
        yield from _rest(steps[1:], place, fit, typed=typed)


def _stretches(request: Request, step: str, place: int, *, last: bool) -> Iterator[Span]:
    """Yield where a stretch can stand; a colon right behind the word before, `to: 5`, is no part of what is typed."""
    tokens = request.tokens
    if step[0] == "<" and 0 < place < len(tokens) and tokens[place].norm == ":":
        place += tokens[place].start == tokens[place - 1].end
    for end in range(max(place + 1, len(tokens) if last else 0), len(tokens) + 1):
        yield place, end


def _words(step: str, starts: Sequence[int], fit: Fit, *, optional: bool) -> Iterator[tuple[int, Fit]]:
    """Yield where a word can end, and the fit with what it tells."""
    request = fit.request
    for start in starts:
        if step[0] == "@":
            for name, end in request.families(start, step[1:]):
                yield end, replace(fit, told={**fit.told, step[1:]: name})
        elif step == ",":
            near = request.tokens[start - 1 : start + 1]
            yield from (
                (start + 1, fit) for one, two in pairwise(near) if two.norm == "," and one.end == two.start
            )
        else:
            # `field 5` is no field called 5 where a column has that name.
            whole = request.spelt(start) if optional else 0
            yield from ((end, fit) for end in request.ends(start, *step.split("|")) if end >= whole)


def _passed(request: Request, place: int) -> int:
    """Return where the words that say nothing end."""
    while (end := request.starts(place, "filler")) is not None:
        place = end
    return place
