"""How a question was read, said in its own language: fragments of the English `read as`, by templates of a lexicon.

Shapes write what they read in English. A language's `read_as` table maps templates of those fragments to its own:
`"sum of {c}" = "сума «{c}»"`. Holes: `{c}` columns or calendar units, `{m}` and `{f}` fragments, `{n}` a number,
`{o}` a comparison, `{t}` anything. What no template fits stays in English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.plans import Draft

_HOLE: Final = re.compile(r"\{([a-z])(\d?)\}")
_OPERATORS: Final = frozenset({"=", "≠", "!=", "==", ">", "<", ">=", "<=", "≥", "≤"})
_NUMBER: Final = re.compile(r"-?\d[\d.,]*%?")
_UNITS: Final = frozenset({"year", "quarter", "month", "week", "day", "weekday", "hour"})
_JOINTS: Final = (", ", " or ", " and ")


@dataclass(frozen=True, kw_only=True, eq=False)
class Wording:
    """The templates of one language over the columns of one table."""

    templates: Mapping[str, str]
    """English template → template of the language."""
    columns: frozenset[str]

    def said(self, fragment: str) -> str:
        """Return a fragment in the language, or as it is."""
        return self._said(fragment) or fragment

    def _said(self, fragment: str) -> str | None:
        if fragment in self.columns or not fragment:
            return fragment
        whole = self.templates.get(fragment)
        if whole is not None:
            return whole
        for template, local in self.templates.items():
            for holes in _matches(template, fragment):
                filled = self._filled(holes)
                if filled is not None:
                    return _HOLE.sub(lambda hole: filled[hole[0]], local)  # noqa: B023 - used before the next round
        return self._listed(fragment)

    def _listed(self, fragment: str) -> str | None:
        """Say fragments that are joined, when each of them can be said."""
        for joint in _JOINTS:
            parts = fragment.split(joint)
            said = [self._said(part) for part in parts] if len(parts) > 1 else [None]
            if all(part is not None for part in said):
                return self.templates.get(joint.strip(), joint).join(part or "" for part in said)
        return None

    def _filled(self, holes: Mapping[str, str]) -> dict[str, str] | None:
        filled: dict[str, str] = {}
        for hole, text in holes.items():
            said = self._hole(hole[1], text)
            if said is None:
                return None
            filled[hole] = said
        return filled

    def _hole(self, kind: str, text: str) -> str | None:
        match kind:
            case "c":
                return self._names(text)
            case "n":
                return text if _NUMBER.fullmatch(text) else None
            case "o":
                return text if text in _OPERATORS else None
            case "m":
                return self._said(text)
            case "f":
                return self._said(text) or text
            case _:
                return text

    def _names(self, text: str) -> str | None:
        if text in self.columns or text.strip('"') in self.columns:
            return text.strip('"')
        known = [self._name(part) for part in text.split(", ")]
        return ", ".join(part for part in known if part) if all(known) else None

    def _name(self, text: str) -> str | None:
        """Return a column as it is and a calendar unit in the language, with the date that it is of: `month (Opened)`."""
        if text in self.columns:
            return text
        unit, _, date = text.partition(" (")
        if date.removesuffix(")") not in {"", *self.columns} or unit.rstrip("_") not in _UNITS:
            return None
        said = self.templates.get(unit.rstrip("_"))
        return f"{said} ({date}" if said and date else said


def _matches(template: str, text: str) -> Iterator[dict[str, str]]:
    """Yield what the holes of a template can stand for in `text`."""
    pieces = _HOLE.split(template)
    if len(pieces) == 1 or not text.startswith(pieces[0]) or not text.endswith(pieces[-1]):
        return
    names = [f"{{{kind}{number}}}" for kind, number in zip(pieces[1::3], pieces[2::3], strict=True)]
    yield from _fitted(names, pieces[3::3], text[len(pieces[0]) :])


def _fitted(names: list[str], literals: list[str], text: str) -> Iterator[dict[str, str]]:
    name, literal = names[0], literals[0]
    if len(names) == 1:
        if text.endswith(literal) and len(text) > len(literal):
            yield {name: text[: len(text) - len(literal)]}
        return
    start = text.find(literal, 1)
    while start > 0:
        for rest in _fitted(names[1:], literals[1:], text[start + len(literal) :]):
            yield {name: text[:start], **rest}
        start = text.find(literal, start + 1)


def in_words(draft: Draft, templates: Mapping[str, str], table: PlannerTable) -> Draft:
    """Return a draft whose reading and filters are said by `templates`; unchanged for a language without any."""
    if not templates:
        return draft
    wording = Wording(templates=templates, columns=frozenset(column.name for column in table.columns))
    return replace(draft, read_as=_all(draft.read_as, wording), scope=_all(draft.scope, wording))


def _all(fragments: Iterable[str], wording: Wording) -> tuple[str, ...]:
    return tuple(wording.said(fragment) for fragment in fragments)
