"""How a result is computed again: the table versions it read, and the plan or the SQL that was run."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Literal

from tabchat.record import record
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue

KEY_PREFIX: Final = "ds_"
"""How every data key begins; versions of files are hexadecimal and never do."""

RECIPE_FORMAT: Final = 1
"""Part of every key; raised when the same plan comes to mean something else."""


@record
class TableRef:
    """One table version, and where it was read from."""

    name: str
    source: str
    """Path of the person's file, or `-`; the key of an earlier result."""
    version: str
    options: Mapping[str, JsonValue] = field(default_factory=dict)
    """What `ReadOptions.to_json` returned."""
    edits: tuple[Mapping[str, JsonValue], ...] = ()
    """Edits that led from the file to the version, in order."""

    @property
    def result_key(self) -> str | None:
        """The data key, when this is not a file but an earlier result: its key stands for its version."""
        return self.version if self.version.startswith(KEY_PREFIX) else None

    def to_json(self) -> dict[str, JsonValue]:
        """Return the reference as plain JSON."""
        return {
            "name": self.name,
            "source": self.source,
            "version": self.version,
            "options": dict(self.options),
            **({"edits": [dict(edit) for edit in self.edits]} if self.edits else {}),
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> TableRef:
        """Build a reference from what `to_json` returned; `KeyError` or `TypeError` for anything else."""
        return cls(
            name=str(fields["name"]),
            source=str(fields["source"]),
            version=str(fields["version"]),
            options=dict(fields["options"]),
            edits=tuple(dict(edit) for edit in fields.get("edits", ())),
        )


@record
class ResultRecipe(PlainRecord):
    """Everything that determines a result; equal recipes give equal rows."""

    kind: Literal["plan", "sql", "code", "analysis"]
    tables: tuple[TableRef, ...]
    plan: Mapping[str, JsonValue] | None
    """The plan, `{code}` for code in the sandbox, or `{recipe, …}` with the arguments of an analysis."""
    sql: str | None
    settings: Mapping[str, JsonValue] = field(default_factory=dict)
    """Whatever else the rows depend on, such as the first day of the week or a named time window."""

    def canonical(self) -> bytes:
        """Return the bytes that the key is derived from.

        Sorted keys, no white space, ASCII only. A file's path and read options
        are left out because its version stands for them; a table's name counts
        only where the recipe is SQL, which speaks of it.
        """
        named = self.kind == "sql"
        content = {
            "format": RECIPE_FORMAT,
            "kind": self.kind,
            "tables": [[table.version, table.name] if named else [table.version] for table in self.tables],
            "plan": self.plan,
            "sql": self.sql,
            "settings": self.settings,
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False).encode("ascii")

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ResultRecipe:
        """Build a recipe from what `to_json` returned; `KeyError` or `TypeError` for anything else."""
        return cls(
            kind=fields["kind"],
            tables=tuple(TableRef.from_json(table) for table in fields["tables"]),
            plan=fields["plan"],
            sql=fields["sql"],
            settings=fields["settings"],
        )
