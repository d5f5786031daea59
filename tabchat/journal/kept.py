"""A whole kept session as one value, and its JSON."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabchat.journal.records import SESSION_FORMAT, SHORT_ID, KeptStep, KeptTurn
from tabchat.record import record
from tabchat.store.recipe import TableRef
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue


@record
class KeptTable(PlainRecord):
    """A table that was open: the version that it was at, and that of its file."""

    reference: TableRef
    file_version: str

    @property
    def source(self) -> Path:
        """The person's file."""
        return Path(self.reference.source)

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptTable:
        """Build a table from what `to_json` returned."""
        return cls(
            reference=TableRef.from_json(fields["reference"]), file_version=str(fields["file_version"])
        )


@record
class KeptWorkspace(PlainRecord):
    """What was open when the last turn was over."""

    tables: tuple[KeptTable, ...] = ()
    current: str | None = None
    steps: tuple[KeptStep, ...] = ()
    done: int = 0
    """How many of the steps were in effect."""
    saved: tuple[str, ...] = ()
    """Versions that were written to a file."""
    hide: tuple[str, ...] = ()
    privacy: str = "summary"
    remembered: int = 0
    """Turns at the end that a question could refer to."""
    results: tuple[str, ...] = ()
    """Keys of `r1`, `r2` and so on."""
    latest: str | None = None
    """Key of `_`."""

    @property
    def has_unsaved(self) -> bool:
        """Whether a table has edits that no file has."""
        return any(
            table.reference.edits and table.reference.version not in self.saved for table in self.tables
        )

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptWorkspace:
        """Build a workspace from what `to_json` returned."""
        return cls(
            **{
                **fields,
                "tables": tuple(map(KeptTable.from_json, fields["tables"])),
                "steps": tuple(map(KeptStep.from_json, fields["steps"])),
                **{name: tuple(fields[name]) for name in ("saved", "hide", "results")},
            }
        )


@record
class KeptSession(PlainRecord):
    """One conversation: what was open, and its turns in order."""

    id: str
    began: float
    """Seconds since the epoch."""
    workspace: KeptWorkspace = field(default_factory=KeptWorkspace)
    turns: tuple[KeptTurn, ...] = ()
    dropped: int = 0
    """Turns before these that were too many to be kept."""

    @property
    def name(self) -> str:
        """What the session is called in a list."""
        return self.id[:SHORT_ID]

    @property
    def ended(self) -> float:
        """When its last turn was over, in seconds since the epoch."""
        return self.turns[-1].at if self.turns else self.began

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of its tables."""
        return tuple(dict.fromkeys(table.source for table in self.workspace.tables))

    def to_json(self) -> dict[str, JsonValue]:
        """Return the session as plain JSON."""
        return {"format": SESSION_FORMAT, **super().to_json()}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptSession:
        """Build a session from what `to_json` returned; `KeyError`, `TypeError` or `ValueError` for anything else."""
        if fields["format"] != SESSION_FORMAT:
            raise ValueError(f"the session has the unknown format {fields['format']!r:.20}")
        return cls(
            id=str(fields["id"]),
            began=float(fields["began"]),
            workspace=KeptWorkspace.from_json(fields["workspace"]),
            dropped=int(fields["dropped"]),
            turns=tuple(map(KeptTurn.from_json, fields["turns"])),
        )
