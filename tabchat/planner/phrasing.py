"""One deterministic sentence about a result, in the language of the question, with the evidence of each figure."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim
from tabchat.engine.result import ResultKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result import Result
    from tabchat.engine.types import Row, Value
    from tabchat.planner.plans import Draft

LISTED: Final = 3
"""Groups that a sentence names at the most."""
_DECIMALS: Final = 4


@record
class Sentence:
    """Text and the figures in it."""

    text: str
    claims: tuple[Claim, ...]


@dataclass
class Phrasing:
    """Writes sentences about one result; collects the figures as it writes them."""

    words: Mapping[str, str]
    """Templates of the language."""
    key: str
    """Data key of the result."""
    units: Mapping[str, str]
    """Unit of each result column that has one."""
    claims: list[Claim] = field(default_factory=list)

    def figure(self, value: Value, column: str, place: str) -> str:
        """Write a value with its unit, and note it as traced to `place`."""
        text = self.shown(value, self.units.get(column))
        if isinstance(value, int | float | Decimal | dt.date) and not isinstance(value, bool):
            self.claims.append(
                Claim(text=text, value=value, status="verified", evidence=f"{self.key}{place}")
            )
        return text

    def shown(self, value: Value, unit: str | None = None) -> str:
        """Write a value as the language does: separators, words for yes, no and nothing."""
        match value:
            case None:
                return self.words["nothing"]
            case bool():
                return self.words["yes" if value else "no"]
            case int() | float() | Decimal():
                return _with_unit(self._number(value), unit)
            case dt.datetime():
                return value.isoformat(sep=" ").removesuffix(" 00:00:00")
            case dt.date():
                return value.isoformat()
            case _:
                return str(value)

    def label(self, value: Value) -> str:
        """Write the name of a group or a row: a year or a code is no quantity, its digits stand together."""
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.shown(value)

    def _number(self, value: float | Decimal) -> str:
        whole, _, fraction = f"{value:,.{_DECIMALS}f}".partition(".")
        fraction = fraction.rstrip("0")
        if isinstance(value, int):
            fraction = ""
        whole = whole.replace(",", self.words["thousands"].strip("|"))
        return f"{whole}{self.words['decimal']}{fraction}" if fraction else whole

    def counted(self, number: int, noun: str) -> str:
        """Write a number of things in the right plural form, and note it."""
        text = self.shown(number)
        self.claims.append(Claim(text=text, value=number, status="verified", evidence=f"{self.key}.rows"))
        return f"{text} {plural(number, self.words[noun], self.words['plural'])}"


def _with_unit(text: str, unit: str | None) -> str:
    if unit is None:
        return text
    if unit in {"$", "€", "£", "₴", "₽", "¥"}:
        return f"-{unit}{text[1:]}" if text.startswith("-") else f"{unit}{text}"
    return f"{text}%" if unit == "%" else f"{text} {unit}"


def plural(number: int, forms: str, rule: str) -> str:
    """Choose a plural form: `one|other`, or by the Slavic rule `one|few|many`."""
    options = forms.split("|")
    if rule == "slavic":
        tens, ones = abs(number) % 100, abs(number) % 10
        if tens in range(11, 15):
            return options[2]
        return options[0] if ones == 1 else options[1] if ones in {2, 3, 4} else options[2]
    return options[0] if number == 1 else options[-1]


def phrase(draft: Draft, result: Result, words: Mapping[str, str], key: str) -> Sentence:
    """Write the sentence that answers the question behind `draft`."""
    units = {column.name: column.unit for column in result.frame.schema if column.unit}
    writer = Phrasing(words=words, key=key, units=units)
    text = _text(draft, result, writer)
    return Sentence(text=text, claims=tuple(writer.claims))


def _text(draft: Draft, result: Result, writer: Phrasing) -> str:
    if result.kind is ResultKind.SCALAR:
        return _scalar(draft, result, writer)
    if not result.frame.row_count:
        writer.counted(0, "row")
        return writer.words["empty"].format(scope=_scope(draft))
    if result.kind is ResultKind.DICT:
        return _several(result, writer)
    if draft.shape in {"argmax", "argmax_row"}:
        return _winners(draft, result, writer)
    if result.kind is ResultKind.GROUPED and draft.details.get("measure") in result.frame.columns:
        return _groups(draft, result, writer)
    return writer.words["listed"].format(rows=writer.counted(result.frame.row_count, "row"))


def _scope(draft: Draft) -> str:
    return " · ".join(draft.scope) or "—"


def _scalar(draft: Draft, result: Result, writer: Phrasing) -> str:
    name = result.frame.columns[0]
    subject = " · ".join(part for part in draft.read_as if part)
    if result.value is None:
        writer.counted(result.source_row_count or 0, "row")
        return writer.words["undefined"].format(measure=subject)
    unit = "%" if draft.shape == "percent" else None
    if unit:
        writer.units = {**writer.units, name: unit}
    value = writer.figure(result.value, name, ".value")
    return writer.words["scalar"].format(measure=subject, value=value)


def _several(result: Result, writer: Phrasing) -> str:
    parts = [
        f"{name} = {writer.figure(value, name, f'.values.{name}')}" for name, value in result.values.items()
    ]
    return ", ".join(parts) + "."


def _winners(draft: Draft, result: Result, writer: Phrasing) -> str:
    rows = result.frame.rows(LISTED + 1)
    columns = result.frame.columns
    measure = draft.details.get("measure", "")
    label = draft.details.get("key") or columns[0]
    if measure not in columns or label not in columns:
        return writer.words["listed"].format(rows=writer.counted(result.frame.row_count, "row"))
    named = [_pair(row, columns, label, measure, writer) for row in rows[:LISTED]]
    more = result.frame.row_count - len(named)
    text = ", ".join(named)
    if more > 0:
        text = writer.words["and_more"].format(listed=text, rows=writer.counted(more, "more"))
    return writer.words["tied" if result.frame.row_count > 1 else "winner"].format(listed=text)


def _pair(row: Row, columns: tuple[str, ...], label: str, measure: str, writer: Phrasing) -> str:
    name = writer.label(row[columns.index(label)])
    value = writer.figure(row[columns.index(measure)], measure, f"[{label}={name}].{measure}")
    return f"{name} ({measure} = {value})"


def _groups(draft: Draft, result: Result, writer: Phrasing) -> str:
    rows, columns = result.frame.rows(), result.frame.columns
    measure = draft.details["measure"]
    place = columns.index(measure)
    keys = [columns.index(name) for name in result.group_by if name in columns]
    ranked = [row for row in rows if isinstance(row[place], int | float | Decimal)]
    counted = writer.counted(len(rows), "group")
    if len(ranked) < 2 or not keys:  # noqa: PLR2004 - one group has no extremes
        return writer.words["grouped_only"].format(groups=counted)
    figures = [float(row[place]) for row in ranked]  # type: ignore[arg-type] # filtered above
    most, least = max(figures), min(figures)
    high = [row for row, figure in zip(ranked, figures, strict=True) if figure == most]
    low = [row for row, figure in zip(ranked, figures, strict=True) if figure == least]
    return writer.words["grouped"].format(
        groups=counted,
        high=_tied(high, keys, place, columns, writer),
        low=_tied(low, keys, place, columns, writer),
    )


def _tied(rows: list[Row], keys: list[int], place: int, columns: tuple[str, ...], writer: Phrasing) -> str:
    """Name the groups that share an extreme, the first few of them, and their figure once."""
    names = [", ".join(writer.label(row[key]) for key in keys) for row in rows]
    more = " …" if len(names) > LISTED else ""
    label = columns[keys[0]]
    figure = writer.figure(rows[0][place], columns[place], f"[{label}={names[0]}].{columns[place]}")
    return f"{' · '.join(names[:LISTED])}{more} ({figure})"
