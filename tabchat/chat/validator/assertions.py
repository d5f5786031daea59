"""What a text asserts beside its figures: which group leads, which lies above another, what rose and what fell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import Claim
from tabchat.chat.validator.courses import against_course
from tabchat.chat.validator.marks import unverified_claim
from tabchat.chat.validator.orders import false_contrasts, false_extremes
from tabchat.chat.validator.parsed import Parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.views import View


def refuted_assertions(
    scene: Scene,
    statements: Sequence[Statement],
    bounds: Sequence[Bound],
    views: Sequence[View],
) -> Iterator[tuple[Claim, str | None]]:
    """Yield each name or figure that stands in another order than its sentence says."""
    known = {statement.start for statement in statements}
    for statement in statements:
        if statement.cells:
            continue
        figures = [bound.claim for bound in bounds if bound.statement is statement]
        parts = Parsed(scene, statement, figures).parts
        for found in (
            *false_extremes(scene, statement, parts, views),
            *false_contrasts(scene, statement, parts, views),
        ):
            name = found.mention.text
            yield Claim(text=name, value=name, status="unverified", start=found.mention.start), found.issue
    open_ones = [bound for bound in bounds if bound.statement.start in known]
    for figure, told in against_course(scene, open_ones):
        yield unverified_claim(figure), f"figure: reported {figure.text}, actual not {told}"
