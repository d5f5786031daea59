"""The verdict on a text: every figure, date and group name in it, and figures given in structured form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.validator.check import Check
from tabchat.chat.validator.views import open_views
from tabchat.config import Tolerance

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.answer import Claim, DataBlock
    from tabchat.chat.validator.verdict import Verdict
    from tabchat.engine.types import JsonValue


def validate(  # noqa: PLR0913 - each is one source of evidence or one setting
    text: str,
    *,
    question: str = "",
    blocks: Sequence[DataBlock] = (),
    earlier: Sequence[DataBlock] = (),
    facts: Sequence[Mapping[str, JsonValue]] = (),
    stats: Mapping[str, JsonValue] | None = None,
    traced: Sequence[Claim] = (),
    tolerance: Tolerance = Tolerance.DIGITS,
    reveal: bool = True,
) -> Verdict:
    """Check every figure, date and group name that `text` asserts.

    `blocks` are the results of this turn; `earlier` those of turns before, which are opened only when this
    turn's do not account for everything. `facts` are what describing tools told, `stats` figures in
    structured form (field → value). `traced` claims are passed through and their places in the text skipped.
    Without `reveal` no issue tells a value.
    """
    check = Check(
        text=text,
        question=question,
        views=open_views(blocks),
        facts=facts,
        stats=stats or {},
        traced=traced,
        tolerance=tolerance,
        reveal=reveal,
    )
    verdict = check.verdict()
    if earlier and not _holds(verdict):
        check = check.with_more(open_views(earlier))
        verdict = check.verdict()
    if _holds(verdict):
        return verdict
    # A part of a name is a weaker sign than the name: it is read only where all else then fits.
    lenient = check.with_short_names().verdict()
    return lenient if _holds(lenient) else verdict


def _holds(verdict: Verdict) -> bool:
    return verdict.verification.status != "unverified" and not verdict.issues
