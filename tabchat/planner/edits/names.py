"""Names of new columns in edit requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from tabchat.planner.edits.patterns import Span
    from tabchat.planner.edits.request import Request
    from tabchat.planner.tokens import Token

_LONGEST: Final = 4
"""Words of a name that stands without quotation marks."""
_NAMELESS: Final = ("pronoun", "column", "row", "everything", "filler")
_STRUCTURE: Final = (
    *("where", "equals_only", "equals", "and", "to", "to_name", "in", "from", "with", "by", "called"),
    *("column", "row", "pronoun", "filler", "scope", "new"),
)
_SIGNS: Final = frozenset("%-/()&#+$€£₴₽")


def new_name(request: Request, span: Span) -> str | None:
    """Return the name that a stretch gives a column; a long or doubtful one must stand in quotation marks."""
    span = request.trimmed(span, "called")
    quoted = request.quoted(span)
    if quoted is not None:
        return quoted.strip() or None
    typed = request.text(span)
    if len(typed.split()) > _LONGEST or any(not _may_stand(token) for token in request.tokens[slice(*span)]):
        return None
    if len(typed.split()) == 1:
        number = request.tokens[span[0]].kind in {TokenKind.NUMBER, TokenKind.DATE}
        nameless = number or request.is_class(span, *_NAMELESS) or not typed.strip("".join(_SIGNS))
        return None if nameless else typed
    broken = any(request.starts(place, *_STRUCTURE) is not None for place in _breaks(request, span))
    return None if broken else typed


def _may_stand(token: Token) -> bool:
    """Tell whether a token can be a part of a name without quotation marks."""
    if token.kind is TokenKind.SIGN:
        return token.text in _SIGNS
    return token.kind is not TokenKind.QUOTED


def _breaks(request: Request, span: Span) -> list[int]:
    """Return the tokens that stand behind a blank."""
    gaps = [
        place
        for place in range(span[0] + 1, span[1])
        if request.question[request.tokens[place - 1].end : request.tokens[place].start].strip() == ""
        and request.tokens[place - 1].end < request.tokens[place].start
    ]
    return [span[0], *gaps]
