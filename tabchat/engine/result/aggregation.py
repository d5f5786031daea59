"""Aggregates of values that are at hand, as the engine gives them over a column."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

from tabchat.engine.types import is_finite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Value


def is_value(value: Value) -> bool:
    """Return whether a cell holds anything: neither null nor NaN nor an infinity."""
    return value is not None and is_finite(value)


def aggregated(function: str, values: Sequence[Value]) -> Value:
    """Return `sum`, `mean`, `median`, `min`, `max` or `count` of values, none of which is null."""
    if function == "count":
        return len(values)
    if not values:
        return None
    if function in {"min", "max"}:
        return min(values) if function == "min" else max(values)  # type: ignore[type-var] # one column, one kind
    numbers = [value for value in values if isinstance(value, (int, float, Decimal))]
    if function == "median":
        ordered = sorted(numbers)
        numbers = [ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]]
    total = math.fsum(numbers) if any(isinstance(one, float) for one in numbers) else sum(numbers)
    return total if function == "sum" else total / len(numbers)
