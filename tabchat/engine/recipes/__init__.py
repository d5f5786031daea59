"""Analysis recipes: named computations over one table, each with the source of its formula in its module."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result import Result

MODULES: Final[Mapping[str, str]] = {
    "analyze_ratio": "ratio",
    "analyze_pareto": "pareto",
    "measurement_statistics": "measurements",
    "control_chart": "control",
    "process_capability": "capability",
    "explain_change": "change",
    "describe_unit": "unit",
}
"""Every recipe and its module, which has a function of the same name."""


def run_recipe(name: str, request: Request) -> Result:
    """Run the recipe called `name`.

    Raises `PlanValidationError` with everything that is wrong with the arguments, and
    `QueryFailedError` when the engine fails.
    """
    from dataclasses import replace

    module = import_module(f"{__name__}.{MODULES[name]}")
    recipe: Callable[[Request], Result] = getattr(module, name)
    return replace(recipe(request), plan={"recipe": name, **request.arguments})
