"""The analysis recipes as tools: checked arguments in, a kept result with its recipe out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.engine.recipes.request import Request
from tabchat.store import ResultRecipe
from tabchat.tools.arguments import table_argument, text_argument
from tabchat.tools.lineage import hidden_settings
from tabchat.tools.query import table_reference
from tabchat.tools.recipes.schemas import parameters
from tabchat.tools.registry import DataOutput, Tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result.result import Result
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue
    from tabchat.tools.registry import Workspace

DESCRIPTIONS: Final[Mapping[str, str]] = {
    "analyze_ratio": "Rate of a condition by group, with counts and Wilson score intervals: yield by station, returns by "
    "channel.",
    "analyze_pareto": "Causes ranked by how much they bring about, with shares and cumulative shares.",
    "measurement_statistics": "A number described by group: n, missing, mean, standard deviation, percentiles, outliers.",
    "control_chart": "Control chart of individuals or subgroup means: limits, and the points that break the rules.",
    "process_capability": "Cp, Cpk, Pp and Ppk of a number against specification limits.",
    "explain_change": "Which groups explain the change of a measure between two periods; contributions add up to the "
    "change.",
    "hypothesis_test": "A named test: t, Welch, paired, ANOVA, Mann-Whitney, Kolmogorov-Smirnov, Shapiro-Wilk, chi-square, "
    "correlations; with n, effect size and exact p.",
    "describe_unit": "Every row of one unit by its key, and the rows that belong to it, also of a second table.",
}

_UNCOUNTED: Final = frozenset({"table", "title", "children"})
"""Arguments that do not say what is computed: tables are part of the recipe by their versions."""


def run_analysis(name: str, workspace: Workspace, arguments: Mapping[str, JsonValue]) -> DataOutput:
    """Run one recipe; raises `PlanValidationError` with everything that is wrong with its arguments."""
    from tabchat.engine.recipes import run_recipe

    table = table_argument(workspace, arguments)
    second = text_argument(arguments, "children")
    children = table_argument(workspace, {"table": second}) if second is not None else None
    own = {key: value for key, value in arguments.items() if key not in _UNCOUNTED}
    result = run_recipe(
        name,
        Request(
            engine=workspace.engine,
            table=table,
            children=children,
            arguments=own,
            week_start=workspace.week_start,
        ),
    )
    tables = (table,) if children is None else (table, children)
    recipe = ResultRecipe(
        kind="analysis",
        tables=tuple(map(table_reference, tables)),
        plan=result.plan,
        sql=None,
        settings={"week_start": workspace.week_start, **hidden_settings(tables)},
    )
    return DataOutput(result=result, recipe=recipe, title=text_argument(arguments, "title"))


def recipe_name(recipe: ResultRecipe) -> str | None:
    """Return the name of the analysis that a kept result came from, nothing for another kind of result."""
    return str(recipe.plan["recipe"]) if recipe.kind == "analysis" and recipe.plan is not None else None


def run_again(engine: Engine, tables: Mapping[str, Table], recipe: ResultRecipe) -> Result:
    """Compute a kept analysis again from `tables`, the very versions that `recipe` names, in its order."""
    from tabchat.engine.recipes import run_recipe

    arguments = dict(recipe.plan or {})
    name = str(arguments.pop("recipe"))
    table, *more = (tables[reference.name] for reference in recipe.tables)
    request = Request(
        engine=engine,
        table=table,
        children=more[0] if more else None,
        arguments=arguments,
        week_start=str(recipe.settings["week_start"]),
    )
    return run_recipe(name, request)


def recipe_tool(name: str) -> Tool:
    """Return the tool of a recipe."""
    return Tool(
        name=name,
        description=DESCRIPTIONS[name],
        parameters=parameters(name),
        handler=partial(run_analysis, name),
    )
