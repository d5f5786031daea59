"""The verdict on a reply: placeholders filled in, figures checked, and what to tell a model that was wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim, Verification
from tabchat.config import Tolerance
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.chat.answer import DataBlock
    from tabchat.chat.model import Reply
    from tabchat.chat.turn import Turn
    from tabchat.chat.validator import Verdict
    from tabchat.engine.result import Result

_WITHHELD: Final = "‹hidden›"
_GUESSED: Final = (
    "- Not all figures and names in the answer agree with the results. Write the answer again with a placeholder, "
    "such as {{_.value}}, in the place of each figure and name, and none of your own."
)
_FIGURE: Final = re.compile(r"(?<![\w.])[-+−]?\d[\d.,\u00a0\u202f]*%?")


@record
class Judgement:
    """A text as the person will read it, with the verdict on its figures."""

    text: str
    verification: Verification
    issues: tuple[str, ...] = ()
    feedback: str | None = None
    """What to tell the model, when it should write the text again."""


@record
class Judge:
    """Checks replies against the results of the conversation."""

    earlier: Sequence[DataBlock] = ()
    """Results of earlier turns, over the same table versions."""
    tolerance: Tolerance = Tolerance.DIGITS
    reveal: bool = True
    """Whether the model may be told the right figures."""
    result_of: Callable[[str], Result] | None = None
    """Key → result, for placeholders that name results of other turns."""

    def judge(self, turn: Turn, reply: Reply) -> Judgement:
        """Return the verdict on `reply`, which ends `turn`."""
        if turn.speaker.model.planner == "rules" and not turn.calls:
            # Nothing was computed: the text only says what can be asked.
            return Judgement(text=reply.text, verification=Verification())
        if turn.speaker.model.planner == "rules":
            return Judgement(text=reply.text, verification=_verdict_of_rules(reply, turn.blocks))
        text, traced = self._filled(turn, reply.text)
        verdict = self._verdict(turn, reply, text, traced, reveal=self.reveal)
        reveal = self.reveal and turn.speaker.executor.may_tell(len(verdict.feedback or ""))
        if self.reveal and not reveal:
            # Right figures are values like any other, and there is a limit to those in one question.
            verdict = self._verdict(turn, reply, text, traced, reveal=False)
        return Judgement(
            text=text,
            verification=verdict.verification,
            issues=verdict.issues,
            feedback=verdict.feedback if reveal else self._withheld(verdict, traced),
        )

    def _withheld(self, verdict: Verdict, filled: Sequence[Claim]) -> str | None:
        """Return the feedback for a model that may not be told the right figures."""
        if verdict.feedback is None or self.reveal:
            return _withheld(verdict.feedback, filled)
        # Told which of many guesses is wrong, a model at level strict would find the cell among them.
        mine = [f"- {issue}" for issue in verdict.issues if issue.startswith("{{")]
        guessed = [_GUESSED] if len(mine) < len(verdict.issues) else []
        return _withheld("\n".join(("Validation errors:", *mine, *guessed)), filled)

    def _verdict(
        self, turn: Turn, reply: Reply, text: str, traced: Sequence[Claim], *, reveal: bool
    ) -> Verdict:
        from tabchat.chat.validator import validate

        return validate(
            text,
            question=turn.question,
            blocks=turn.blocks,
            earlier=self.earlier,
            facts=turn.facts,
            stats=reply.stats,
            traced=(*reply.claims, *traced),
            tolerance=self.tolerance,
            reveal=reveal,
        )

    def _filled(self, turn: Turn, text: str) -> tuple[str, tuple[Claim, ...]]:
        if "{{" not in text:
            return text, ()
        from tabchat.chat.placeholders import fill

        blocks = [*self.earlier, *turn.blocks]
        return fill(text, self._result_in(turn), latest=blocks[-1].data_key if blocks else None)

    def _result_in(self, turn: Turn) -> Callable[[str], Result]:
        blocks = [*self.earlier, *turn.blocks]
        own = {block.data_key: block.result for block in blocks if block.data_key}

        def result_of(key: str) -> Result:
            if key == "_" and blocks:
                return blocks[-1].result
            if key in own or self.result_of is None:
                return own[key]
            return self.result_of(key)

        return result_of


def _withheld(feedback: str | None, filled: Sequence[Claim]) -> str | None:
    """Return `feedback` without anything that was filled in, for a model that may not read figures."""
    if feedback is None:
        return None
    texts = {claim.text for claim in filled if claim.status == "verified"}
    for text in sorted(texts, key=len, reverse=True):
        feedback = re.sub(rf"(?<!\w){re.escape(text)}(?!\w)", _WITHHELD, feedback)
    return feedback


def _verdict_of_rules(reply: Reply, blocks: Sequence[DataBlock]) -> Verification:
    """Return the verdict on phrasing by rules, which names the evidence of each figure as it writes it.

    Labels and dates that it copied from cells are not figures of its own; figures
    in a text that names no evidence at all are not vouched for by anybody.
    """
    if reply.claims:
        doubtful = any(claim.status == "unverified" for claim in reply.claims)
        return Verification(status="unverified" if doubtful else "verified", claims=reply.claims)
    figures = tuple(
        Claim(text=match.group(), value=match.group(), status="unverified", start=match.start())
        for match in _FIGURE.finditer(reply.text)
    )
    if figures:
        return Verification(status="unverified", claims=figures)
    return Verification(status="verified" if blocks else "not_applicable")
