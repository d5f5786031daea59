"""The arguments of the analysis recipes: columns, filters and limits by name, closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.recipes.hypothesis.arguments import ALTERNATIVES, TESTS
from tabchat.tools.arguments import TABLE, TITLE
from tabchat.tools.schema import closed_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.types import JsonValue

Field = dict[str, "JsonValue"]

_TEXT: Final = "string"


def _text(description: str) -> Field:
    return {"type": _TEXT, "description": description}


def _texts(description: str) -> Field:
    return {
        "anyOf": [{"type": _TEXT}, {"type": "array", "items": {"type": _TEXT}}],
        "description": description,
    }


def _number(description: str) -> Field:
    return {"type": "number", "description": description}


def _choice(description: str, *choices: str) -> Field:
    return {"type": _TEXT, "enum": list(choices), "description": description}


def _limit(description: str) -> Field:
    return {"anyOf": [{"type": "number"}, {"type": _TEXT}], "description": description}


SCOPE: Final[Mapping[str, Field]] = {
    "where": _text("Boolean expression that keeps rows."),
    "period": _text("Dates that are kept: 2024, 2024-03, a:b, last_quarter, last_90_days."),
    "time_column": _text("Date column that periods and row order refer to."),
}
"""Arguments that say which rows a recipe reads."""

_GROUPS: Final = _texts("Column or columns to group by.")

ARGUMENTS: Final[Mapping[str, tuple[Mapping[str, Field], Sequence[str]]]] = {
    "analyze_ratio": (
        {
            "success": _text("Condition whose rate is wanted, such as result = 'PASS'."),
            "by": _GROUPS,
            "confidence": _number("Confidence of the interval, between 0 and 1; 0.95 when absent."),
        },
        ("success",),
    ),
    "analyze_pareto": (
        {
            "by": _texts("Column or columns that name the cause."),
            "weight": _text("Number added up for each cause; rows are counted when absent."),
            "threshold": _number("Percentage that the vital few make; 80 when absent."),
        },
        ("by",),
    ),
    "measurement_statistics": (
        {
            "value": _text("Number column or expression."),
            "by": _GROUPS,
            "percentiles": {
                "type": "array",
                "items": {"type": "number"},
                "description": "Percentiles from 0 to 100; 5, 25, 50, 75 and 95 when absent.",
            },
        },
        ("value",),
    ),
    "control_chart": (
        {
            "value": _text("Number column or expression."),
            "order": _text(
                "Column that orders the points; the date column, else the file's order, when absent."
            ),
            "subgroup": _text("Column whose values make subgroups, for an X-bar chart."),
            "chart": _choice(
                "individuals without subgroup; xbar_r or xbar_s with it.", "individuals", "xbar_r", "xbar_s"
            ),
            "rules": _choice(
                "Rules that mark points; western_electric when absent.", "western_electric", "nelson"
            ),
        },
        ("value",),
    ),
    "process_capability": (
        {
            "value": _text("Number column or expression."),
            "lsl": _limit("Lower specification limit: a number, or a column that holds it."),
            "usl": _limit("Upper specification limit: a number, or a column that holds it."),
            "by": _GROUPS,
            "order": _text(
                "Column that orders the values; the date column, else the file's order, when absent."
            ),
            "subgroup": _text("Column of rational subgroups; moving ranges of two when absent."),
            "confidence": _number("Confidence of the interval of Ppk; 0.95 when absent."),
        },
        ("value",),
    ),
    "explain_change": (
        {
            "measure": _text("Number column or expression; a condition for the rate."),
            "statistic": _choice(
                "How rows make the measure; sum when absent.", "sum", "count", "mean", "rate"
            ),
            "by": _texts("Column or columns whose groups explain the change."),
            "from": _text("Period before the change, such as 2023 or 2024-01:2024-03."),
            "to": _text("Period after the change."),
        },
        ("by", "from", "to"),
    ),
    "hypothesis_test": (
        {
            "test": _choice("Which test.", *TESTS),
            "value": _text("Number column or expression; for chi_square a column of labels."),
            "by": _text(
                "Column of the groups that t, welch, anova, mann_whitney, kolmogorov_smirnov compare."
            ),
            "groups": _texts("The two labels of `by` to compare, when it has more."),
            "other": _text("Second column, for paired_t, pearson, spearman, kendall, chi_square."),
            "mean": _number("Expected mean, for one_sample_t and kolmogorov_smirnov against a normal."),
            "sd": _number("Expected standard deviation, for kolmogorov_smirnov against a normal."),
            "alternative": _choice("two-sided when absent.", *ALTERNATIVES),
            "confidence": _number("Confidence of the interval; 0.95 when absent."),
        },
        ("test", "value"),
    ),
    "describe_unit": (
        {
            "key": _text("Column that names the unit, such as order_id."),
            "value": {
                "anyOf": [{"type": "number"}, {"type": _TEXT}],
                "description": "The unit's value in that column.",
            },
            "children": _text("A second table whose rows belong to the unit."),
            "children_key": _text(
                "Column of the second table that holds the key; of the same name when absent."
            ),
            "parent": _text(
                "Column that holds the key of a row's parent, to follow children within the table."
            ),
        },
        ("key", "value"),
    ),
}
"""Recipe → its own arguments, and which of them it needs."""


def parameters(recipe: str) -> dict[str, JsonValue]:
    """Return the schema of a recipe's arguments."""
    own, required = ARGUMENTS[recipe]
    scope = (
        SCOPE
        if recipe not in {"explain_change", "describe_unit"}
        else {name: SCOPE[name] for name in ("where", "time_column")}
    )
    if recipe == "describe_unit":
        scope = {}
    return closed_object({**own, **scope, "table": TABLE, "title": TITLE}, required=required)
