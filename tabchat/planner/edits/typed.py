"""What stands in the place of a new value or a new name: whole and to the letter as the person typed it, or nothing.

Between the words of a request everything counts, also what no word is made of: `😀`, the point of `Inc.`. Only a mark
that ends a sentence at the end of the request is no part of it; where there seems to be no sentence, that is doubtful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.edits.request import STRUCTURE, Unfit
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.words import Word

_LONGEST_TEXT: Final = 3
"""Words of a text that stands without quotation marks."""
_LONGEST_NAME: Final = 4
"""Words of such a name."""
_MARKS: Final = "\"'«»“”„‘’`"
_NAME_SIGNS: Final = "%-/()&#+$€£₴₽"
_NAMELESS: Final = ("pronoun", "column", "row", "everything")


def new_name(request: Request, span: Span) -> str:
    """Return the name that a stretch gives a column.

    Raises `Unfit` for a long or a doubtful one, which must stand in quotation marks.
    """
    quoted, name = request.quoted(span), request.typed(span)
    if quoted is not None and quoted.strip() and request.is_whole(span):
        return quoted.strip()
    if quoted is not None or not (_is_plain_name(request, span, name) and _ends_clearly(request, span, name)):
        raise Unfit(
            f"“{shown(request, span)}” is no clear name for a column", "Put the name in quotation marks."
        )
    return name


def _is_plain_name(request: Request, span: Span, name: str) -> bool:
    tokens = request.tokens[slice(*span)]
    if len(name.split()) > _LONGEST_NAME or not all(map(_may_stand, tokens)):
        return False
    if len(name.split()) == 1:
        figure = len(tokens) == 1 and tokens[0].kind in {TokenKind.NUMBER, TokenKind.DATE}
        nameless = len(tokens) == 1 and request.is_class(span, *_NAMELESS)
        return not figure and not nameless and bool(name.strip(_NAME_SIGNS))
    return not _is_structured(request, span)


def _may_stand(token: Word) -> bool:
    """Tell whether a token can be a part of a name without quotation marks."""
    return token.text in _NAME_SIGNS if token.kind is TokenKind.SIGN else token.kind is not TokenKind.QUOTED


def shown(request: Request, span: Span) -> str:
    """Return what was typed, with the marks that may or may not be a part of it."""
    return request.typed(span) + ("" if span[1] < len(request.tokens) else request.marks)


def is_plain(request: Request, span: Span) -> bool:
    """Tell whether a stretch can be a text without quotation marks."""
    text, tokens = request.typed(span), request.tokens[slice(*span)]
    if not _ends_clearly(request, span, text) or any(token.kind is TokenKind.QUOTED for token in tokens):
        return False
    if len(tokens) == 1:
        return tokens[0].kind is not TokenKind.SIGN and not request.is_class(span, "pronoun", "column", "row")
    if len(text.split()) == 1:
        return True
    worded = any(request.families(place, name) for name in ("method", "type") for place in range(*span))
    signs = any(token.kind is TokenKind.SIGN for token in tokens)
    return len(text.split()) <= _LONGEST_TEXT and not (
        signs or worded or opens_rows(request, span) or _is_structured(request, span)
    )


def _is_structured(request: Request, span: Span) -> bool:
    """Tell whether words that hold a request together stand in a stretch, behind an article at its front."""
    start = span[0] + request.is_class((span[0], span[0] + 1), "filler")
    return any(request.starts(place, *STRUCTURE) is not None for place in range(start, span[1]))


def opens_rows(request: Request, span: Span) -> bool:
    """Tell whether words behind the first may say which rows are meant: `checked except Tea`."""
    return any(request.starts(place, "beyond") is not None for place in range(span[0] + 1, span[1]))


def _ends_clearly(request: Request, span: Span, text: str) -> bool:
    """Tell whether a text has no stray quotation mark, and no mark that may or may not end a sentence."""
    if text[:1] in _MARKS or text[-1:] in _MARKS:
        return False
    marks = request.marks
    return span[1] < len(request.tokens) or not marks or (len(marks) == 1 and request.is_sentence)
