"""What a recipe is given, and how it reads its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.errors import PlanIssue, PlanValidationError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue


@record
class Request:
    """One call of a recipe; the arguments have the types that its tool's schema names."""

    engine: Engine
    table: Table
    arguments: Mapping[str, JsonValue]
    children: Table | None = None
    """A second table, for the recipe that reads one."""
    week_start: str = "monday"

    def text(self, name: str) -> str | None:
        """Return an argument as text, or nothing when it was not given."""
        value = self.arguments.get(name)
        if value is None or isinstance(value, (list, dict)):
            return None
        return value if isinstance(value, str) else str(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an argument that is one text or a list of them."""
        value = self.arguments.get(name)
        if isinstance(value, (list, tuple)):
            return tuple(dict.fromkeys(map(str, value)))
        return () if value is None else (str(value),)

    def number(self, name: str, default: float) -> float:
        """Return a number, or `default` when it was not given."""
        value = self.arguments.get(name)
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else default


def refusal(argument: str, given: object, message: str, hint: str | None = None) -> PlanValidationError:
    """Return the error for one argument that cannot be."""
    return PlanValidationError([PlanIssue(step=argument, expression=str(given), message=message, hint=hint)])


def fraction(request: Request, name: str, default: float) -> float:
    """Return a number strictly between 0 and 1; raises `PlanValidationError` for another one."""
    value = request.number(name, default)
    if not 0 < value < 1:
        raise refusal(name, value, f"`{name}` lies between 0 and 1.", f"Such as {default}.")
    return value
