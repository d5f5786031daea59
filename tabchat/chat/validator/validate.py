"""Checking the figures, dates and names of a text against the results of a conversation."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

from tabchat.chat.answer import Claim, Trace
from tabchat.chat.claims import NumberKind, WrittenDate, WrittenNumber, extract_claims
from tabchat.chat.validator.beyond import find_beyond
from tabchat.chat.validator.binding import Binder
from tabchat.chat.validator.calendar_labels import calendar_mentions, merged
from tabchat.chat.validator.counts import find_count, find_fact
from tabchat.chat.validator.derived import find_derived
from tabchat.chat.validator.figures import Ground, find_figure
from tabchat.chat.validator.labels import index_labels
from tabchat.chat.validator.layout import statements
from tabchat.chat.validator.mentions import look
from tabchat.chat.validator.names import unknown_names
from tabchat.chat.validator.operand import Operand
from tabchat.chat.validator.proof import Miss, Proof
from tabchat.chat.validator.quoted import find_date, find_quoted, find_year
from tabchat.chat.validator.ranks import find_rank, find_ranked
from tabchat.chat.validator.structured import check_stats
from tabchat.chat.validator.verdict import Verdict, verdict_of
from tabchat.chat.validator.views import open_view
from tabchat.chat.validator.words import words_of
from tabchat.config import Tolerance

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.answer import DataBlock
    from tabchat.chat.claims import WrittenClaim
    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.layout import Statement
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.proof import Finding
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import JsonValue

_HIDDEN = "see the result"


def validate(
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

    `blocks` are the results of this turn, `earlier` those of turns before (asked only for what this turn
    does not show); `facts` are what describing tools told, `stats` figures in structured form. `traced`
    claims are passed through and their places in the text skipped. Without `reveal` no issue tells a value.
    """
    views = [open_view(block) for block in blocks]
    older = [open_view(block, is_earlier=True) for block in earlier] if earlier else []
    check = _Check(text, question, views, older, facts, tolerance, reveal, traced)
    return check.verdict(stats or {})


class _Check:
    """One text being checked."""

    def __init__(  # noqa: PLR0913, PLR0917 - what a text is checked against
        self,
        text: str,
        question: str,
        views: Sequence[View],
        older: Sequence[View],
        facts: Sequence[Mapping[str, JsonValue]],
        tolerance: Tolerance,
        reveal: bool,  # noqa: FBT001 - passed on as it is
        traced: Sequence[Claim],
    ) -> None:
        self.text = text
        self.question = question
        self.views = [*views, *older]
        self.own = len(views)
        self.facts = facts
        self.proven: list[tuple[Bound, Operand]] = []
        self.reveal = reveal
        self.traced = traced
        self.skipped = [
            (claim.start, claim.start + len(claim.text)) for claim in traced if claim.start is not None
        ]
        columns = [column.name for view in self.views for column in view.columns]
        claims = extract_claims(text, question=question, names=tuple(dict.fromkeys(columns)))
        self.claims = [claim for claim in claims if not self._is_skipped(claim.start, claim.end)]
        self.statements = statements(text)
        self.mentions = self._mentions()
        scene = look(text, self.views, self.mentions)
        numbers = [claim for claim in self.claims if isinstance(claim, WrittenNumber)]
        self.bounds = list(Binder(scene=scene, statements=self.statements, numbers=numbers).bind())
        self.ground = Ground(
            scene=scene,
            views=self.views,
            tolerance=tolerance,
            counts=tuple(numbers),
            statements=self.statements,
        )

    def verdict(self, stats: Mapping[str, JsonValue]) -> Verdict:
        """Return the verdict on the text and on `stats`."""
        found: list[Claim] = []
        issues = [
            f"{claim.text}: names no single value of a result"
            for claim in self.traced
            if claim.status == "unverified"
        ]
        for claim, issue in chain(self._numbers(), self._names_and_dates(), check_stats(self.ground, stats)):
            found.append(claim)
            if issue is not None:
                issues.append(self._told(issue))
        claims = sorted((*self.traced, *found), key=lambda claim: claim.start or 0)
        return verdict_of(claims, issues)

    def _told(self, issue: str) -> str:
        return issue if self.reveal else f"{issue.partition(', actual ')[0]}, actual: {_HIDDEN}"

    def _mentions(self) -> list[Mention]:
        words = words_of(self.text)
        index = index_labels(self.text, words, self.views)
        labels = index.find(self.text, words)
        dates = calendar_mentions(self.text, words, self.views, self.claims)
        return [item for item in merged((*labels, *dates)) if not self._is_skipped(item.start, item.end)]

    def _is_skipped(self, start: int, end: int) -> bool:
        return any(low < end and start < high for low, high in self.skipped)

    def _numbers(self) -> Iterator[tuple[Claim, str | None]]:
        proven = self.proven
        waiting: list[Bound] = []
        for bound in self.bounds:
            finding = self._find(bound, proven)
            if isinstance(finding, Proof):
                proven.append((bound, _operand(bound, finding)))
                yield _claim(bound.claim, finding), None
            else:
                waiting.append(bound)
        for bound in waiting:
            # A derivation may stand before the figures that it is made of.
            finding = find_derived(self.ground, bound, proven)
            if finding is not None:
                yield _claim(bound.claim, finding), None
            else:
                yield _unverified(bound.claim), self._issue(bound)

    def _find(self, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Finding | None:
        if bound.claim.kind is NumberKind.ORDINAL:
            return find_rank(self.ground, bound)
        finders = (
            lambda ground: find_figure(ground, bound),
            lambda ground: find_count(ground, bound),
            lambda ground: find_ranked(ground, bound, self._places(bound)),
            lambda ground: find_derived(ground, bound, proven),
            lambda ground: find_beyond(ground, bound, self.bounds),
            lambda ground: find_quoted(ground, bound, self.question),
            lambda ground: find_year(ground, bound.claim) if bound.claim.kind is NumberKind.YEAR else None,
            lambda ground: find_fact(ground, bound, self.facts),
        )
        for ground in self._grounds():
            for finder in finders:
                finding = finder(ground)
                if isinstance(finding, Proof):
                    return finding
        return None

    def _grounds(self) -> Iterator[Ground]:
        """Yield the results of this turn, then those of the turns before."""
        yield replace(self.ground, first=0, last=self.own)
        if self.own < len(self.views):
            yield replace(self.ground, first=self.own, last=len(self.views))

    def _places(self, bound: Bound) -> list[int]:
        return [
            int(other.claim.value)
            for other in self.bounds
            if other.statement is bound.statement and other.claim.kind is NumberKind.ORDINAL
        ]

    def _issue(self, bound: Bound) -> str:
        miss = find_figure(self.ground, bound)
        if isinstance(miss, Miss):
            return f"{miss.place}: reported {bound.claim.text}, actual {miss.actual}"
        return f"figure: reported {bound.claim.text}, actual unknown"

    def _names_and_dates(self) -> Iterator[tuple[Claim, str | None]]:
        bound = {item.claim.start for item in self.bounds}
        for claim in self.claims:
            mention = next((item for item in self.mentions if item.start <= claim.start < item.end), None)
            if mention is not None:
                if mention.is_date or isinstance(claim, WrittenDate) or mention.start == claim.start:
                    yield self._label(claim, mention), None
            elif isinstance(claim, WrittenDate):
                yield from self._date(claim)
            elif claim.start not in bound:
                yield _unverified(claim), f"figure: reported {claim.text}, actual unknown"
        known = [
            self.question,
            *(view.block.title or "" for view in self.views),
            *(view.key for view in self.views),
        ]
        known += [name for view in self.views for name in view.query.tables]
        settled = {item.claim.start for item, operand in self.proven if not _is_of_group(operand)}
        for claim in unknown_names(
            self.ground.scene, self.statements, self.views, self.bounds, known, settled
        ):
            if not self._is_skipped(claim.start or 0, (claim.start or 0) + len(claim.text)):
                yield claim, f"group: reported '{claim.text}', no such group"

    def _label(self, claim: WrittenClaim, mention: Mention) -> Claim:
        first = mention.named[0]
        view = self.views[first.view]
        return Claim(
            text=claim.text,
            value=claim.text,
            status="verified",
            evidence=f"{view.key}.{first.column}",
            start=claim.start,
            traces=(Trace(data_key=view.block.data_key, column=first.column),),
        )

    def _date(self, claim: WrittenDate) -> Iterator[tuple[Claim, str | None]]:
        statement = self._statement(claim.start)
        roles = self.ground.scene.roles_in((statement.start, statement.end)) if statement else []
        proof = find_date(self.views, claim, frozenset(item.name for item in roles))
        if proof is not None:
            yield _claim(claim, proof), None
        else:
            yield _unverified(claim), f"date: reported {claim.text}, actual unknown"

    def _statement(self, start: int) -> Statement | None:
        return next((item for item in self.statements if item.start <= start < item.end), None)


def _claim(written: WrittenClaim, proof: Proof) -> Claim:
    return Claim(
        text=written.text,
        value=_value(written),
        status=proof.status,
        evidence=proof.evidence,
        start=written.start,
        traces=proof.traces,
    )


def _unverified(written: WrittenClaim) -> Claim:
    return Claim(text=written.text, value=_value(written), status="unverified", start=written.start)


def _value(written: WrittenClaim) -> str:
    return str(written.value) if isinstance(written, WrittenNumber) else written.first.isoformat()


def _is_of_group(operand: Operand) -> bool:
    """Tell whether evidence is a cell of a group, or the extreme of some group."""
    return any(trace.row for trace in operand.traces) or any(
        f"{role}." in operand.place or f"{role} of" in operand.place for role in ("max", "min")
    )


def _operand(bound: Bound, proof: Proof) -> Operand:
    return Operand(
        value=bound.claim.value, place=proof.evidence, unit=bound.claim.unit or "", traces=proof.traces
    )
