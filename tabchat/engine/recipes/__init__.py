"""Analysis recipes: named computations over one table, each with the source of its formula in its module."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.engine.recipes.request import Request
    from tabchat.engine.result.result import Result

MODULES: Final[Mapping[str, str]] = {
    "analyze_ratio": "ratio",
    "analyze_pareto": "pareto",
    "measurement_statistics": "measurements",
    "control_chart": "control.recipe",
    "process_capability": "capability",
    "explain_change": "change.recipe",
    "describe_unit": "unit",
    "hypothesis_test": "hypothesis.recipe",
}
"""Every recipe and its module, which has a function of the same name."""


def run_recipe(name: str, request: Request) -> Result:
    """Run the recipe called `name`.

    Raises `PlanValidationError` with everything that is wrong with the arguments, and
    `QueryFailedError` when the engine fails.
    """
    module = import_module(f"{__name__}.{MODULES[name]}")
    recipe: Callable[[Request], Result] = getattr(module, name)
    result = recipe(request)
    notes = (*result.metadata.notes, *_whole(result))
    return replace(
        result, plan={"recipe": name, **request.arguments}, metadata=replace(result.metadata, notes=notes)
    )


def _whole(result: Result) -> Iterator[str]:
    """Yield a note with the figures of the whole, where the result has rows beside them."""
    from tabchat.engine.cells import cell_text
    from tabchat.engine.result.result import ResultKind

    known = {name: value for name, value in result.values.items() if value is not None}
    if known and result.kind is not ResultKind.DICT:
        yield f"Of the whole: {', '.join(f'{name}={cell_text(value)}' for name, value in known.items())}"
