"""What a text asserts beside its figures: which group leads, which lies above another, what rose and what fell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.answer import Claim
from tabchat.chat.validator.courses import against_course, false_courses
from tabchat.chat.validator.marks import unverified_claim
from tabchat.chat.validator.moves import false_moves
from tabchat.chat.validator.orders import false_contrasts
from tabchat.chat.validator.parsed import Parsed
from tabchat.chat.validator.parts_of import false_parts, repeated_parts
from tabchat.chat.validator.superlatives import false_extremes

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
    told: Sequence[Claim],
) -> Iterator[tuple[Claim, str | None]]:
    """Yield each name or figure that stands in another order than its sentence says; `told` are proven figures."""
    known = {statement.start for statement in statements}
    for statement in statements:
        if statement.cells:
            continue
        figures = [bound.claim for bound in bounds if bound.statement is statement]
        parts = Parsed(scene, statement, figures).parts
        for found in (
            *false_extremes(scene, statement, parts, views, _columns_told(statement, views, told)),
            *false_contrasts(scene, statement, parts, views),
        ):
            name = found.mention.text
            yield Claim(text=name, value=name, status="unverified", start=found.mention.start), found.issue
        for verb in (
            *false_courses(scene, statement, figures, views),
            *false_moves(scene, statement, figures, views),
        ):
            said = scene.text[verb.start : verb.end]
            yield (
                Claim(text=said, value=said, status="unverified", start=verb.start),
                f"course: reported '{said}', actual not so",
            )
    open_ones = [bound for bound in bounds if bound.statement.start in known]
    for figure, side in against_course(scene, open_ones):
        yield unverified_claim(figure), f"figure: reported {figure.text}, actual not {side}"
    for figure in repeated_parts(scene, open_ones, views, told):
        yield unverified_claim(figure), f"figure: reported {figure.text} of as many, actual unknown"
    for figure in false_parts(scene, open_ones):
        yield unverified_claim(figure), f"figure: reported {figure.text}, actual less than its part"


def _columns_told(
    statement: Statement, views: Sequence[View], told: Sequence[Claim]
) -> frozenset[tuple[int, str]]:
    """Return the (result, column) of the figures that a statement tells."""
    keys = {view.block.data_key: at for at, view in enumerate(views)}
    return frozenset(
        (keys[trace.data_key], trace.column)
        for claim in told
        if claim.status != "unverified" and statement.start <= (claim.start or 0) < statement.end
        for trace in claim.traces
        if trace.data_key in keys and trace.column is not None
    )
