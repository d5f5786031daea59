"""What is kept of a result beside its rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.encoded import decode_value, encode_value
from tabchat.engine.types import Column, ColumnKind, json_value
from tabchat.record import record
from tabchat.store.recipe import ResultRecipe
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result.result import Chart, ResultKind, ResultMetadata
    from tabchat.engine.types import JsonValue, Schema, Value

ENTRY_FORMAT: Final = 1


@record
class StoredResult(PlainRecord):
    """A kept result, complete but for its rows."""

    key: str
    recipe: ResultRecipe
    title: str | None
    question: str | None
    created_at: float
    """Seconds since the epoch."""
    kind: ResultKind
    schema: Schema
    row_count: int
    source_row_count: int | None
    value: Value
    values: Mapping[str, Value]
    chart: Chart | None
    group_by: tuple[str, ...]
    focus: tuple[str, ...]
    summary: str
    metadata: ResultMetadata
    sql: str
    pinned: bool = False
    """Kept for good: neither its age nor the size limit ends it."""
    frame_bytes: int = 0
    """Size of the kept rows; 0 when they were evicted and would have to be computed again."""

    def continued(self, before: StoredResult) -> StoredResult:
        """Return it with the pin of the entry that its key had, and with the words that it was asked in."""
        return replace(self, pinned=self.pinned or before.pinned, question=self.question or before.question)

    def to_json(self) -> dict[str, JsonValue]:
        """Return the entry as JSON that `from_json` turns back into an equal entry."""
        return {
            "format": ENTRY_FORMAT,
            **super().to_json(),
            "kind": self.kind.value,
            "schema": [
                [column.name, column.kind.value, column.sql_type, column.unit] for column in self.schema
            ],
            "value": encode_value(self.value),
            "values": {name: encode_value(value) for name, value in self.values.items()},
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> StoredResult:
        """Build an entry from what `to_json` returned.

        Raises `KeyError`, `TypeError` or `ValueError` for anything else.
        """
        from tabchat.engine.result.result import Chart, ResultKind

        if fields["format"] != ENTRY_FORMAT:
            raise ValueError(f"the entry has the unknown format {fields['format']!r:.20}")
        return cls(
            key=str(fields["key"]),
            recipe=ResultRecipe.from_json(fields["recipe"]),
            title=fields["title"],
            question=fields["question"],
            created_at=float(fields["created_at"]),
            kind=ResultKind(fields["kind"]),
            schema=tuple(
                Column(name=name, kind=ColumnKind(kind), sql_type=sql_type, unit=unit)
                for name, kind, sql_type, unit in fields["schema"]
            ),
            row_count=int(fields["row_count"]),
            source_row_count=fields["source_row_count"],
            value=decode_value(fields["value"]),
            values={name: decode_value(value) for name, value in fields["values"].items()},
            chart=Chart(**fields["chart"]) if fields["chart"] is not None else None,
            group_by=tuple(fields["group_by"]),
            focus=tuple(fields["focus"]),
            summary=str(fields["summary"]),
            metadata=_metadata(fields["metadata"]),
            sql=str(fields["sql"]),
            pinned=bool(fields["pinned"]),
            frame_bytes=int(fields["frame_bytes"]),
        )

    def listing(self) -> dict[str, JsonValue]:
        """Return the entry as a person's list of results shows it, in plain JSON."""
        return {
            "data_key": self.key,
            "title": self.title,
            "question": self.question,
            "created_at": self.created_at,
            "type": self.kind.value,
            "columns": [column.name for column in self.schema],
            "row_count": self.row_count,
            "value": json_value(self.value),
            "values": {name: json_value(value) for name, value in self.values.items()},
            "tables": [{"name": table.name, "source": table.source} for table in self.recipe.tables],
            "pinned": self.pinned,
            "bytes": self.frame_bytes,
        }


def _metadata(fields: Mapping[str, Any]) -> ResultMetadata:
    from tabchat.engine.result.result import ResultMetadata

    return ResultMetadata(
        rows=int(fields["rows"]),
        session=fields["session"],
        timeframe=fields["from"],
        warnings=tuple(fields["warnings"]),
        notes=tuple(fields["notes"]),
        cell_names=tuple(fields.get("cell_names", ())),
        used_rows=fields.get("used_rows"),
        groups=fields.get("groups"),
        cuts_ties=bool(fields.get("cuts_ties")),
        shares_places=bool(fields.get("shares_places")),
        alone=fields.get("alone"),
    )
