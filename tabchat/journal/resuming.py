"""Going on with a kept session: its tables, edits, results and what was said."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tabchat.answers.receipts import Receipt, Verification
from tabchat.chat.turn.answer import Answer, DataBlock, Usage
from tabchat.config import PrivacyLevel
from tabchat.engine.edits.mutation import MutationSummary
from tabchat.engine.reader import fingerprint
from tabchat.engine.table import ReadOptions
from tabchat.errors import DataKeyError, TabchatError, UsageError
from tabchat.render.block import counted
from tabchat.render.results import local_time
from tabchat.session.conversation import HISTORY_TURNS, RememberedTurn
from tabchat.session.edits.versions import PendingEdit
from tabchat.session.reopening import reopen_in
from tabchat.tools.hiding import check_hidden

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.journal.kept import KeptSession, KeptTable
    from tabchat.journal.records import KeptAnswer, KeptBlock, KeptStep
    from tabchat.session import Session
    from tabchat.store import TableRef


def resume(session: Session, kept: KeptSession, *, hide: Sequence[str] = ()) -> tuple[str, ...]:
    """Let `session`, which has no table yet, go on where `kept` ended; returns sentences for the person.

    A file that has changed is not read in its place: the version that the session worked on is opened, and the person
    is told. `hide` is hidden from models beside what was. Raises `DataKeyError` (`source_changed`, `key_expired`) where that version is gone.
    """
    workspace = kept.workspace
    told = [sentence for table in workspace.tables for sentence in _freshness(table)]
    whole = True
    for table in workspace.tables:
        opened, lost = _open(session, table)
        session.replace_table(opened)
        if lost is not None:
            whole = False
            told.append(lost)
    if workspace.current in session.tables:
        session.current_name = workspace.current
    if whole:
        told += _restore_steps(session, kept)
    remembers = _hide_as_before(session, kept, hide)
    told += _restore_talk(session, kept, remembers=remembers)
    return tuple(told)


def describe(kept: KeptSession) -> str:
    """Return what is gone on with, in a line."""
    edits = kept.workspace.done
    parts = [
        counted(len(kept.turns) + kept.dropped, "turn"),
        *([counted(edits, "edit")] if edits else []),
        f"the last {local_time(kept.ended)}",
    ]
    names = ", ".join(table.reference.name for table in kept.workspace.tables)
    return f"Session {kept.name} on {names}: {', '.join(parts)}."


def _freshness(table: KeptTable) -> Iterator[str]:
    reference = table.reference
    if reference.source == "-":
        return
    try:
        found = fingerprint(table.source, ReadOptions.from_json(reference.options))
    except OSError:
        yield f"{table.source} is not there any more; {reference.name} is as the session left it."
        return
    if found != table.file_version:
        yield (
            f"{table.source} has changed since (source_changed); {reference.name} is as the session left it. "
            "/load reads the file as it is now."
        )


def _open(session: Session, table: KeptTable) -> tuple[Table, str | None]:
    """Return the version that a table was at; where its edits are lost, that of its file, and a sentence on it."""
    reference = table.reference
    hint = f"Begin anew: tabchat repl {shlex.quote(str(reference.source))}"
    try:
        return reopen_in(session, reference, hint=hint), None
    except DataKeyError as error:
        if not reference.edits:
            raise
        bare = replace(reference, edits=(), version=table.file_version)
        opened = reopen_in(session, bare, hint=hint)
        return opened, f"The edits of {reference.name} are lost: {error.message}"


def _restore_steps(session: Session, kept: KeptSession) -> Iterator[str]:
    """Let the edits be undone and redone, those whose versions can be opened from the last one back."""
    workspace = kept.workspace
    steps: list[PendingEdit] = []
    for step in reversed(workspace.steps):
        try:
            steps.insert(0, _step(session, step))
        except DataKeyError as error:
            yield f"Edits before {step.text!r} cannot be undone any more: {error.message}"
            break
    lost = len(workspace.steps) - len(steps)
    session.versions.restore(steps, max(workspace.done - lost, 0), workspace.saved)


def _step(session: Session, step: KeptStep) -> PendingEdit:
    def opened(reference: TableRef) -> Table:
        return reopen_in(session, reference, hint="")

    return PendingEdit(
        before=opened(step.before),
        after=opened(step.after),
        summary=_summary(step.counts),
        edit=step.edit,
        text=step.text,
        is_new=False,
        hides=step.hides,
    )


def _summary(counts: Mapping[str, Any]) -> MutationSummary:
    return MutationSummary(
        rows_before=int(counts["rows_before"]),
        rows_after=int(counts["rows_after"]),
        added_rows=int(counts["added_rows"]),
        removed_rows=int(counts["removed_rows"]),
        added_columns=tuple(counts["added_columns"]),
        removed_columns=tuple(counts["removed_columns"]),
        renamed_columns=dict(counts["renamed_columns"]),
        retyped_columns={name: (was, now) for name, (was, now) in counts["retyped_columns"].items()},
        changed_columns=dict(counts["changed_columns"]),
    )


# What may be told to a model


def _hide_as_before(session: Session, kept: KeptSession, hide: Sequence[str]) -> bool:
    """Hide what was hidden, and `hide` as well; returns whether models may see what they could, no more and no less."""
    before = [name for name in kept.workspace.hide if _is_column(session, name)]
    together = tuple(dict.fromkeys((*before, *hide)))
    session.set_hidden(together)
    same_level = session.settings.privacy == PrivacyLevel(kept.workspace.privacy)
    return same_level and set(together) == set(kept.workspace.hide)


def _is_column(session: Session, name: str) -> bool:
    try:
        check_hidden(session.tables, [name])
    except UsageError:
        return False
    return True


# What was said


def _restore_talk(session: Session, kept: KeptSession, *, remembers: bool) -> Iterator[str]:
    """Put the last answers back with their results; those that later questions may refer to only if `remembers`."""
    conversation, workspace = session.conversation, kept.workspace
    conversation.numbers.keys[:] = workspace.results
    conversation.numbers.latest = workspace.latest
    answered = [turn.answer for turn in kept.turns if turn.answer is not None]
    # A turn without messages is one that no later question refers to.
    told = [answer for answer in answered if answer.messages]
    remembered = {id(answer) for answer in told[len(told) - workspace.remembered :]} if remembers else set()
    lost = 0
    for answer in answered[-HISTORY_TURNS:]:
        opened = open_answer(session, answer)
        lost += len(answer.blocks) - len(opened.blocks)
        conversation.answers.append(opened)
        if id(answer) in remembered:
            conversation.turns.append(RememberedTurn(answer=opened, messages=answer.messages))
    if lost:
        yield f"{counted(lost, 'result')} of it {'is' if lost == 1 else 'are'} not kept any more."


def open_answer(session: Session, kept: KeptAnswer) -> Answer:
    """Return an answer with its results, those that are still kept."""
    return Answer(
        question=kept.question,
        text=kept.text,
        blocks=tuple(block for known in kept.blocks if (block := _block(session, known)) is not None),
        planner=kept.planner,
        interpretation=kept.interpretation,
        verification=Verification(
            status=kept.verdict, receipts=tuple(Receipt(**vars(figure)) for figure in kept.figures)
        ),
        usage=Usage(model=kept.model),
        warnings=kept.warnings,
    )


def _block(session: Session, kept: KeptBlock) -> DataBlock | None:
    if kept.key is None:
        return None
    try:
        result = session.kept.recent(kept.key)
    except TabchatError:
        return None
    return DataBlock(
        tool=kept.tool,
        result=result,
        data_key=kept.key,
        summary=kept.summary,
        title=kept.title,
        number=kept.number,
        shown_rows=kept.shown_rows,
    )
