"""A reading that can be answered, how readings are offered, and what is said when none is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import NotUnderstoodError, OfferedReading
from tabchat.planner.context import phrase_of
from tabchat.planner.links.lattice import Skip
from tabchat.planner.wording.terms import phrases_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.intent import Intent
    from tabchat.planner.interpretation import Interpretation, Interpreter
    from tabchat.planner.plan import PlannedCall


@record
class Draft:
    """A reading with the call that computes it, and the line that says it."""

    intent: Intent | None
    """None for a shortcut whose query no intent says."""
    call: PlannedCall
    interpretation: str
    language: str
    facts: TableFacts
    confidence: float = 1.0
    """Probability that it is what was meant."""
    readings: tuple[OfferedReading, ...] = ()
    """All that the question could mean, this one among them."""


LISTED: Final = 5
"""Questions that are listed for who asks what to ask."""
_TEACHABLE: Final = frozenset({Skip.UNKNOWN, Skip.NAME})
FEW: Final = 2
"""Questions that a refusal names."""


def offers_of(drafts: Sequence[Draft]) -> tuple[OfferedReading, ...]:
    """Return readings as they are offered, numbered from 1, each with what it would compute."""
    return tuple(
        OfferedReading(
            n=place,
            interpretation=draft.interpretation,
            confidence=round(draft.confidence, 3),
            plan=dict(draft.call.arguments),
        )
        for place, draft in enumerate(drafts, start=1)
    )


def refusal_of(
    found: Interpretation,
    offered: Sequence[OfferedReading],
    facts: TableFacts,
    questions: Sequence[str],
) -> NotUnderstoodError:
    """Return the error that offers readings, or names the words that none explains.

    `questions` are some that the table answers, for when there is no reading to choose.
    """
    words = phrases_of(found.language).refusals
    unknown = ", ".join(map(words["quoted"].format, dict.fromkeys(found.unknown)))
    if offered:
        names = map(words["quoted"].format, _empty_columns(found.question, facts))
        said = [words["uncertain"], *(words["empty"].format(column=name) for name in names)]
        said += [words["left"].format(words=unknown)] if unknown else []
        return NotUnderstoodError(" ".join(said), hint=words["pick"], words=found.unknown, readings=offered)
    hint = words["or"].join(map(words["quoted"].format, questions)) if questions else words["look"]
    if not facts.exact and unknown:
        hint = f"{words['sampled']} {hint}"
    message = words["unknown"].format(words=unknown) if unknown else words["nothing"]
    return NotUnderstoodError(message, hint=hint, words=found.unknown)


def _empty_columns(question: str, facts: TableFacts) -> Iterator[str]:
    """Yield the columns without a cell that the question names: why none of its readings computes with them."""
    asked = phrase_of(question)
    for column in facts.columns if facts.exact else ():
        name = phrase_of(column.name) if column.filled == 0 else ()
        starts = range(len(asked) - len(name) + 1)
        if name and any(asked[at : at + len(name)] == name for at in starts):
            yield column.name


def untaught(found: Interpretation, interpreter: Interpreter) -> str | None:
    """Return the first words of a question that nothing knows and that could be taught, those beside each other as one."""
    lattice = interpreter.lattice(found.question)
    words = [
        (place, word)
        for place, (word, skip) in enumerate(zip(lattice.sentence.words, lattice.skips, strict=True))
        if skip in _TEACHABLE and word.text in found.unknown
    ]
    beside = [word for number, (place, word) in enumerate(words) if place == words[0][0] + number]
    return " ".join(found.question[beside[0].start : beside[-1].end].split()) if beside else None


def bad_pick(found: Interpretation, offered: Sequence[OfferedReading], place: int) -> NotUnderstoodError:
    """Return the error for the number of a reading that there is not."""
    words = phrases_of(found.language).refusals
    return NotUnderstoodError(
        words["no_such"].format(n=place), hint=words["pick"], words=found.unknown, readings=offered
    )


def help_of(interpreter: Interpreter, question: str) -> str:
    """Return questions that a table is certain to answer, one a line, in the language of `question`."""
    language = interpreter.language_of(question)
    words = phrases_of(language).refusals
    asked = interpreter.suggestions(language, LISTED)
    if not asked:
        raise NotUnderstoodError(words["nothing"], hint=words["look"])
    return "\n".join((words["ask"], *(f"  {text}" for text in asked)))
