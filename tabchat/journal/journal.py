"""What the REPL writes down of a conversation while it goes on."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import json_value
from tabchat.errors import TabchatError
from tabchat.journal.kept import KeptSession, KeptTable, KeptWorkspace
from tabchat.journal.records import KeptAnswer, KeptBlock, KeptChange, KeptFigure, KeptStep, KeptTurn
from tabchat.record import record
from tabchat.tools.lineage import stored
from tabchat.tools.query import table_reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.answers.receipts import Receipt
    from tabchat.chat.turn.answer import Answer, DataBlock
    from tabchat.errors import ExitCode
    from tabchat.journal.folder import SessionFolder
    from tabchat.session import Session
    from tabchat.session.edits.versions import PendingEdit

MOST_TURNS: Final = 1_000
"""Turns of one session that are kept; of a longer one the last."""
MOST_BYTES: Final = 8 * 1024 * 1024
"""Bytes that its turns may take."""


@record
class _Seen:
    """What of a session can differ from one turn to the next."""

    answers: int
    happened: int
    saved: frozenset[str]
    tables: tuple[tuple[str, str], ...]
    current: str | None
    remembered: int
    hide: tuple[str, ...]
    privacy: str


class Journal:
    """One session's file, written whole and put in place at once after every turn.

    Whatever ends the process, the turns that were over are there.
    """

    def __init__(
        self,
        folder: SessionFolder,
        session: Session,
        kept: KeptSession | None = None,
        release: Callable[[], None] | None = None,
    ) -> None:
        """Begin a session, or go on with `kept`, which this process has claimed; `release` lets go of it."""
        self._folder = folder
        self._session = session
        began = kept or KeptSession(id=os.urandom(16).hex(), began=time.time())
        self.id = began.id
        self.began = began.began
        self.asked = [turn.asked for turn in began.turns if turn.asked is not None]
        """The questions of the session before this process went on with it."""
        self._turns = [_dumped(turn.to_json()) for turn in began.turns]
        self._dropped = began.dropped
        self._files = {table.reference.name: table.file_version for table in began.workspace.tables}
        self._note_files()
        self._seen = self._state()
        self._release = release
        self._is_kept = True

    def note(self, entry: str, code: ExitCode, *, asked: str | None) -> str | None:
        """Write down what came of `entry`, if it was more than a look; returns what the person should hear of that."""
        before, now = self._seen, self._state()
        if asked is None and now == before:
            return None
        self._seen = now
        session = self._session
        answers = session.conversation.answers[before.answers :]
        turn = KeptTurn(
            entry=entry,
            at=time.time(),
            code=int(code),
            asked=asked,
            table=session.current_name,
            answer=self._answer(answers[-1]) if answers else None,
            changes=tuple(self._changes(before)),
        )
        self._turns.append(_dumped(turn.to_json()))
        return self._write()

    def close(self) -> None:
        """Let other processes go on with the session."""
        if self._release is not None:
            self._release()
            self._release = None

    def _write(self) -> str | None:
        if self._release is None:
            self._folder.expire()
            self._release = self._folder.claim(self.id)
        self._make_room()
        head = KeptSession(
            id=self.id, began=self.began, workspace=self._workspace(), dropped=self._dropped
        ).to_json()
        del head["turns"]
        body = f'{_dumped(head)[:-1]}, "turns": [{", ".join(self._turns)}]}}'
        was_kept, self._is_kept = self._is_kept, self._folder.write(self.id, body)
        if was_kept and not self._is_kept:
            return f"This session cannot be kept in {self._folder.path}: it will be lost when you leave."
        return None

    def _make_room(self) -> None:
        size = sum(map(len, self._turns))
        while len(self._turns) > MOST_TURNS or (size > MOST_BYTES and len(self._turns) > 1):
            size -= len(self._turns.pop(0))
            self._dropped += 1

    # What is noticed

    def _state(self) -> _Seen:
        session = self._session
        return _Seen(
            answers=len(session.conversation.answers),
            happened=len(session.versions.happened),
            saved=frozenset(session.versions.saved_versions),
            tables=tuple((name, table.version) for name, table in session.tables.items()),
            current=session.current_name,
            remembered=len(session.conversation.turns),
            hide=session.settings.hide,
            privacy=session.settings.privacy,
        )

    def _note_files(self) -> None:
        """Remember at which version the file of each table was read."""
        edited = (step.before for step in self._session.versions.steps)
        for table in (*edited, *self._session.tables.values()):
            if not table.edits:
                self._files[table.name] = table.version

    def _changes(self, before: _Seen) -> Iterator[KeptChange]:
        versions = self._session.versions
        for kind, edit in versions.happened[before.happened :]:
            yield KeptChange(kind=kind, table=edit.table, text=edit.text, edit=edit.edit)
        for table in self._session.tables.values():
            if table.version in versions.saved_versions and table.version not in before.saved:
                yield KeptChange(kind="saved", table=table.name, text=table.name)

    def _answer(self, answer: Answer) -> KeptAnswer:
        turns = self._session.conversation.turns
        remembered = turns[-1] if turns and turns[-1].answer is answer else None
        return KeptAnswer(
            question=answer.question,
            text=answer.text,
            interpretation=answer.interpretation,
            planner=answer.planner,
            model=answer.usage.model,
            verdict=answer.verification.status,
            figures=tuple(map(_figure, answer.verification.receipts)),
            warnings=answer.warnings,
            blocks=tuple(map(self._block, answer.blocks)),
            messages=remembered.messages if remembered is not None else (),
        )

    def _block(self, block: DataBlock) -> KeptBlock:
        recipe = None
        if block.data_key is not None:
            try:
                recipe = stored(self._session.store, self._session.scratch, block.data_key).recipe
            except TabchatError:
                # A result that went at once is a turn without a way back to it.
                recipe = None
        return KeptBlock(
            tool=block.tool,
            key=block.data_key,
            title=block.title,
            number=block.number,
            summary=block.summary,
            shown_rows=block.shown_rows,
            recipe=recipe,
        )

    def _workspace(self) -> KeptWorkspace:
        session, versions = self._session, self._session.versions
        self._note_files()
        return KeptWorkspace(
            tables=tuple(
                KeptTable(
                    reference=table_reference(table),
                    file_version=self._files.get(table.name, table.version),
                )
                for table in session.tables.values()
            ),
            current=session.current_name,
            steps=tuple(map(_step, versions.steps)),
            done=versions.undoable,
            saved=tuple(sorted(versions.saved_versions)),
            hide=session.settings.hide,
            privacy=session.settings.privacy.value,
            remembered=len(session.conversation.turns),
            results=tuple(session.conversation.numbers.keys),
            latest=session.conversation.numbers.latest,
        )


def _figure(receipt: Receipt) -> KeptFigure:
    told = receipt.to_json()
    return KeptFigure(
        text=receipt.text,
        value=json_value(receipt.value),
        status=receipt.status,
        expression=receipt.expression,
        evidence=None if told["evidence"] is None else str(told["evidence"]),
        start=receipt.start,
    )


def _step(edit: PendingEdit) -> KeptStep:
    counts = edit.summary.to_json()
    return KeptStep(
        before=table_reference(edit.before),
        after=table_reference(edit.after),
        text=edit.text,
        edit=edit.edit,
        counts={name: value for name, value in counts.items() if name != "changed_cells"},
        hides=edit.hides,
    )


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=True, allow_nan=False)
