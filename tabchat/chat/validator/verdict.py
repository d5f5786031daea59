"""The verdict on a text, and what a model is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Verification
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.answer import Claim

FEEDBACK_LIMIT: Final = 1_200
"""Characters that the feedback to a model may have."""

_HEAD: Final = "Validation errors:"
_TAIL: Final = (
    "Write the answer again: use only figures and names that the results show, each with its own group. "
    "Run another query for what is missing, or leave it out."
)


@record
class Verdict:
    """What was found of the figures of a text."""

    verification: Verification
    issues: tuple[str, ...] = ()
    """`field: reported X, actual Y`, one for each figure or name that did not check."""
    feedback: str | None = None
    """What to tell the model, when something did not check."""


def verdict_of(claims: Sequence[Claim], issues: Sequence[str]) -> Verdict:
    """Put the verdict together; a text without figures is not judged."""
    if not claims:
        return Verdict(verification=Verification())
    wrong = any(claim.status == "unverified" for claim in claims)
    unique = tuple(dict.fromkeys(issues))
    return Verdict(
        verification=Verification(status="unverified" if wrong else "verified", claims=tuple(claims)),
        issues=unique,
        feedback=_feedback(unique) if unique else None,
    )


def _feedback(issues: Sequence[str]) -> str:
    lines = [_HEAD]
    room = FEEDBACK_LIMIT - len(_HEAD) - len(_TAIL) - 2
    for index, issue in enumerate(issues):
        line = f"- {issue[:200]}"
        more = f"- … {len(issues) - index} more"
        if len(line) + len(more) + 2 > room:
            lines.append(more)
            break
        lines.append(line)
        room -= len(line) + 1
    return "\n".join((*lines, _TAIL))
