"""Figures that a model gives in structured form: field → value, compared by column name and generic field."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim
from tabchat.chat.claims import NumberKind, WrittenNumber
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.engine.cells import cell_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import JsonValue

_ROWS: Final = frozenset({"row_count", "rows", "count", "n", "matches", "records"})
_PREFIXES: Final = (
    *(
        ("avg_", "mean"),
        ("mean_", "mean"),
        ("total_", "sum"),
        ("sum_", "sum"),
        ("min_", "min"),
        ("max_", "max"),
    ),
    *(("median_", "median"), ("first_", "first"), ("last_", "last"), ("change_pct_", "change_pct")),
    ("change_", "change"),
)
_GENERIC: Final = frozenset({"first", "last", "min", "max", "sum", "mean", "median", "change", "change_pct"})
_HUNDRED: Final = 100
_FIRST: Final = 1


def check_stats(ground: Ground, stats: Mapping[str, JsonValue]) -> Iterator[tuple[Claim, str | None]]:
    """Yield each figure of `stats` as a claim, with an issue (`field: reported X, actual Y`) where it is wrong."""
    for field, value in _flat(stats, ""):
        written = _written(value)
        if written is None:
            continue
        known = list(_actuals(ground.views, field))
        hit = next((place for place, actual in known if agrees(written, actual, ground.tolerance)), None)
        shown = decimal_of(value) if not isinstance(value, str) else value
        claim = Claim(
            text=written.text,
            value=str(shown),
            status="verified" if hit else "unverified",
            evidence=hit,
        )
        told = cell_text(known[0][1].value) if known else "unknown"
        yield claim, None if hit else f"{field}: reported {written.text}, actual {told}"


def _flat(stats: Mapping[str, JsonValue], prefix: str) -> Iterator[tuple[str, object]]:
    for name, value in stats.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        elif not isinstance(value, list | tuple | bool) and value is not None:
            yield f"{prefix}{name}", value


def _written(value: object) -> WrittenNumber | None:
    text = str(value).strip()
    percent = text.endswith("%")
    try:
        number = Decimal(text.rstrip("% ").replace(",", ""))
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    exponent = int(number.as_tuple().exponent)
    tolerance = Decimal((0, (5,), min(exponent, 0) - 1))
    return WrittenNumber(
        text=text,
        start=0,
        end=len(text),
        value=number,
        tolerance=tolerance,
        readings=((number, tolerance),),
        kind=NumberKind.PERCENT if percent else NumberKind.NUMBER,
        sentence=(0, len(text)),
        clause=(0, len(text)),
    )


def _actuals(views: Sequence[View], field: str) -> Iterator[tuple[str, Actual]]:
    """Yield (place, value) of what `field` may stand for: a named value, a row count, an aggregate of a column."""
    head, _, tail = field.casefold().rpartition(".")
    for view in views:
        yield from _of_single(view, tail) if view.is_single else _of_frame(view, head, tail)


def _of_single(view: View, name: str) -> Iterator[tuple[str, Actual]]:
    rows = view.block.result.source_row_count
    if rows is not None and name in _ROWS | {"rows_scanned"}:
        yield f"{view.key}.source_rows", Actual(value=Decimal(rows))
    for column, value in view.values().items():
        actual = view.actual(column, value)
        quality = view.qualities.get(column)
        named = column.casefold() == name or (name == "value" and len(view.values()) == 1)
        generic = name in _GENERIC | {"count"} and quality is not None and quality.role == name
        if actual is not None and (named or generic):
            yield f"{view.key}.{column}", actual


def _of_frame(view: View, head: str, name: str) -> Iterator[tuple[str, Actual]]:
    if name in _ROWS:
        yield f"{view.key}.rows", Actual(value=Decimal(view.row_count))
    role, column = _split(name)
    wanted = column or head
    for numeric in [item for item in view.numeric if not wanted or item.casefold() == wanted][:_FIRST]:
        if role is None and view.row_count == 1:
            actual = view.actual(numeric, view.whole().rows()[0][numeric])
        else:
            actual = _statistic(view, numeric, role or name)
        if actual is not None:
            yield f"{role or 'value'} of {view.key}.{numeric}", actual


def _split(name: str) -> tuple[str | None, str]:
    if name in _GENERIC:
        return name, ""
    found = next(
        ((role, name.removeprefix(prefix)) for prefix, role in _PREFIXES if name.startswith(prefix)), None
    )
    return found or (None, name)


def _statistic(view: View, column: str, role: str) -> Actual | None:
    whole = view.whole()
    stats = whole.stats(column)
    values = {
        "min": stats.min,
        "max": stats.max,
        "sum": stats.sum,
        "mean": stats.mean,
        "median": stats.median,
    }
    if role in values:
        return view.actual(column, values[role])
    first, last = whole.first(), whole.last()
    if first is None or last is None:
        return None
    low, high = decimal_of(first[column]), decimal_of(last[column])
    if role in {"first", "last"}:
        return view.actual(column, low if role == "first" else high)
    if low is None or high is None:
        return None
    if role == "change":
        return Actual(value=high - low)
    return Actual(value=_HUNDRED * (high - low) / abs(low)) if role == "change_pct" and low else None
