"""Reading an edit from plain JSON: its shape, with every error at once; what its names mean is checked later."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.edits.operations import (
    AddColumn,
    CastColumn,
    Deduplicate,
    DeleteRows,
    DropColumns,
    FillMissing,
    RenameColumns,
    ReplaceValues,
    Update,
)
from tabchat.engine.edits.vocabulary import KEEP, METHODS, OPERATIONS, TYPES
from tabchat.engine.nearest import nearest
from tabchat.errors import PlanIssue

if TYPE_CHECKING:
    from tabchat.engine.edits.operations import Edit, Scalar

_SHOWN: Final = 80
_LARGEST: Final = 2**63
"""Whole numbers from here on fit no column."""


def read_edit_json(mapping: object) -> tuple[Edit | None, tuple[PlanIssue, ...]]:
    """Return the edit that `mapping` states, and everything that is wrong with its shape.

    Fields that the operation does not have leave an edit whose meaning can still be checked; other errors none.
    """
    return _Reader().read(mapping)


class _Reader:
    """Collects what is wrong while the fields of one edit are read."""

    def __init__(self) -> None:
        self.issues: list[PlanIssue] = []

    def issue(self, step: str, given: object, message: str, hint: str | None = None) -> None:
        """Note an error."""
        self.issues.append(PlanIssue(step=step, expression=_text(given), message=message, hint=hint))

    def read(self, mapping: object) -> tuple[Edit | None, tuple[PlanIssue, ...]]:
        """Read one edit."""
        if not isinstance(mapping, Mapping):
            example = '{"operation": "delete_rows", "where": "price > 100"}'
            self.issue("edit", mapping, "An edit is a JSON object.", f"Such as {example}.")
            return None, tuple(self.issues)
        operation = mapping.get("operation")
        if not isinstance(operation, str) or operation not in OPERATIONS:
            self._unknown_operation(operation)
            return None, tuple(self.issues)
        # Null says what leaving the field out says: models fill every field of a schema.
        fields = {
            str(name): value for name, value in mapping.items() if name != "operation" and value is not None
        }
        self._check_names(operation, fields)
        complete = all(name in fields for name in OPERATIONS[operation][0])
        noted = len(self.issues)
        edit = self._edit(operation, fields)
        sound = complete and len(self.issues) == noted
        return (edit if sound else None), tuple(self.issues)

    def _unknown_operation(self, operation: object) -> None:
        near = nearest(operation, OPERATIONS) if isinstance(operation, str) else ()
        hint = f"Did you mean {', '.join(near)}?" if near else f"Operations: {', '.join(OPERATIONS)}."
        what = "The operation is missing." if operation is None else f"There is no operation {operation!r}."
        self.issue("operation", operation, what, hint)

    def _check_names(self, operation: str, fields: Mapping[str, object]) -> None:
        needed, optional = OPERATIONS[operation]
        known = (*needed, *optional)
        takes = f"{operation} takes {', '.join(needed)}" if needed else f"{operation} may take"
        rest = f"{', and may take ' if needed else ' '}{', '.join(optional)}" if optional else ""
        for name, value in fields.items():
            if name not in known:
                near = nearest(name, known)
                guess = f"Did you mean {near[0]}? " if near else ""
                self.issue(name, value, f"{operation} has no field `{name}`.", f"{guess}{takes}{rest}.")
        for name in needed:
            if name not in fields:
                self.issue(name, None, f"{operation} needs `{name}`.", f"{takes}{rest}.")

    def _edit(self, operation: str, given: Mapping[str, Any]) -> Edit:  # noqa: PLR0911 - one return an operation
        match operation:
            case "delete_rows":
                return DeleteRows(where=self._expression("where", given) or "")
            case "update":
                pairs = self._pairs("set", given, '{"price": "price * 2"}')
                return Update(set=pairs, where=self._expression("where", given))
            case "add_column":
                expression = self._expression("expression", given) or ""
                return AddColumn(name=self._name("name", given), expression=expression)
            case "drop_columns":
                return DropColumns(columns=self._columns("columns", given))
            case "rename_columns":
                return RenameColumns(names=self._pairs("names", given, '{"old name": "new name"}'))
            case "cast":
                kind = self._choice("type", given, TYPES) or TYPES[0]
                return CastColumn(column=self._name("column", given), type=kind)
            case "fill_missing":
                return self._fill(given)
            case "replace_values":
                return ReplaceValues(column=self._name("column", given), values=self._values(given))
            case _:
                return Deduplicate(
                    columns=self._columns("columns", given), keep=self._choice("keep", given, KEEP) or KEEP[0]
                )

    def _fill(self, given: Mapping[str, Any]) -> FillMissing:
        value, method = given.get("value"), self._choice("method", given, METHODS)
        if ("value" in given) == ("method" in given):
            what = "either `value` or `method`"
            self.issue("value", value, f"fill_missing needs {what}.", f"Methods: {', '.join(METHODS)}.")
        return FillMissing(
            columns=self._columns("columns", given),
            value=self._scalar("value", value),
            method=method,
            where=self._expression("where", given),
        )

    def _expression(self, name: str, given: Mapping[str, Any]) -> str | None:
        value = given.get(name)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, (int, float)):
            return json.dumps(value)
        self.issue(name, value, f"`{name}` is an expression, written as text.", "Such as 'price * 2'.")
        return None

    def _name(self, name: str, given: Mapping[str, Any]) -> str:
        value = given.get(name)
        if isinstance(value, str) and value.strip():
            return value
        if name in given:
            self.issue(name, value, f"`{name}` is the name of a column, written as text.")
        return ""

    def _columns(self, name: str, given: Mapping[str, Any]) -> tuple[str, ...]:
        value = given.get(name)
        if isinstance(value, str):
            return (value,)
        if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
            return tuple(value)
        if value is not None:
            self.issue(name, value, f"`{name}` is a list of column names.", 'Such as ["price", "date"].')
        return ()

    def _pairs(self, name: str, given: Mapping[str, Any], example: str) -> tuple[tuple[str, str], ...]:
        value = given.get(name)
        if not isinstance(value, Mapping) or not value:
            if name in given:
                self.issue(name, value, f"`{name}` is an object.", f"Such as {example}.")
            return ()
        pairs = []
        for key, item in value.items():
            text = _expression_text(item) if name == "set" else item
            if not isinstance(text, str) or not text.strip():
                what = "an expression, written as text" if name == "set" else "a new name, written as text"
                self.issue(f"{name}.{key}", item, f"`{key}` takes {what}.", f"Such as {example}.")
                continue
            pairs.append((str(key), text))
        return tuple(pairs)

    def _choice(self, name: str, given: Mapping[str, Any], choices: tuple[str, ...]) -> str | None:
        value = given.get(name)
        if value is None or value in choices:
            return value
        self.issue(name, value, f"`{name}` cannot be {_text(value)}.", f"Use {', '.join(choices)}.")
        return None

    def _values(self, given: Mapping[str, Any]) -> tuple[tuple[Scalar, Scalar], ...]:
        value = given.get("values")
        if "values" not in given:
            return ()
        example = '[{"from": "N/A", "to": null}]'
        if not isinstance(value, (list, tuple)) or not value:
            self.issue("values", value, "`values` is a list of pairs.", f"Such as {example}.")
            return ()
        pairs: list[tuple[Scalar, Scalar]] = []
        for index, item in enumerate(value):
            step = f"values[{index}]"
            if not isinstance(item, Mapping) or set(item) != {"from", "to"}:
                self.issue(step, item, "A pair has `from` and `to`, and nothing else.", f"Such as {example}.")
                continue
            pair = (self._scalar(f"{step}.from", item["from"]), self._scalar(f"{step}.to", item["to"]))
            if any(_same(pair[0], before) for before, _ in pairs):
                self.issue(step, item["from"], f"{_text(item['from'])} is replaced twice.", "Keep one pair.")
            pairs.append(pair)
        return tuple(pairs)

    def _scalar(self, step: str, value: object) -> Scalar:
        match value:
            case None | bool() | str():
                return value
            case int() if abs(value) < _LARGEST:
                return value
            case float() if value - value == 0:
                return value
            case _:
                self.issue(step, value, "A cell is a number, a text, true, false or null.")
                return None


def _same(left: Scalar, right: Scalar) -> bool:
    return left == right and isinstance(left, bool) == isinstance(right, bool)


def _expression_text(value: object) -> object:
    """Return a value of `set` as an expression: numbers, truth values and null may be written as such."""
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return value


def _text(value: object) -> str:
    if isinstance(value, str):
        return value[:_SHOWN]
    return json.dumps(value, ensure_ascii=False, default=str)[:_SHOWN]
