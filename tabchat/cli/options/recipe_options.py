"""The options of each analysis recipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, ClassVar, TypeAlias

import typer

from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue

_ROWS = "Which rows"

By: TypeAlias = Annotated[
    list[str] | None, typer.Option("--by", help="Column to group by; repeatable.", metavar="COLUMN")
]
Value: TypeAlias = Annotated[
    str, typer.Option("--value", help="Number column, or an expression over columns.", metavar="COLUMN")
]
Order: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--order",
        help="Column that orders the values; the date column, else the file's order.",
        metavar="COLUMN",
    ),
]
Subgroup: TypeAlias = Annotated[
    str | None, typer.Option("--subgroup", help="Column whose values make subgroups.", metavar="COLUMN")
]
Confidence: TypeAlias = Annotated[
    float | None,
    typer.Option("--confidence", help="Confidence of the interval, between 0 and 1; 0.95 when absent."),
]
Where: TypeAlias = Annotated[
    str | None,
    typer.Option("--where", help="Condition that keeps rows: \"status = 'open'\".", rich_help_panel=_ROWS),
]


@record
class Scope:
    """Which rows a recipe reads."""

    where: Where = None
    period: Annotated[
        str | None,
        typer.Option(help="Dates to keep: 2024, 2024-03, a:b, last_90_days.", rich_help_panel=_ROWS),
    ] = None
    time_column: Annotated[
        str | None,
        typer.Option(help="Date column; the first one when absent.", rich_help_panel=_ROWS, metavar="COLUMN"),
    ] = None


@record
class Ratio:
    """Options of `ratio`."""

    success: Annotated[str, typer.Option(help="Condition whose rate is wanted: \"result = 'PASS'\".")]
    by: By = None
    confidence: Confidence = None


@record
class Pareto:
    """Options of `pareto`."""

    by: Annotated[list[str], typer.Option(help="Column that names the cause; repeatable.", metavar="COLUMN")]
    weight: Annotated[
        str | None, typer.Option(help="Number added up for each cause; rows are counted when absent.")
    ] = None
    threshold: Annotated[
        float | None, typer.Option(help="Percentage that the vital few make; 80 when absent.")
    ] = None


@record
class Measurements:
    """Options of `measurements`."""

    ARGUMENTS: ClassVar[Mapping[str, str]] = MappingProxyType({"percentile": "percentiles"})

    value: Value
    by: By = None
    percentile: Annotated[list[float] | None, typer.Option(help="Percentile from 0 to 100; repeatable.")] = (
        None
    )


@record
class Control:
    """Options of `control-chart`."""

    value: Value
    order: Order = None
    subgroup: Subgroup = None
    chart: Annotated[
        str | None, typer.Option(help="individuals; with --subgroup xbar_r or xbar_s.", metavar="KIND")
    ] = None
    rules: Annotated[
        str | None,
        typer.Option(help="western_electric or nelson; western_electric when absent.", metavar="RULES"),
    ] = None


@record
class Capability:
    """Options of `capability`."""

    value: Value
    lsl: Annotated[
        str | None, typer.Option(help="Lower limit: a number, or the column that holds it.", metavar="LIMIT")
    ] = None
    usl: Annotated[
        str | None, typer.Option(help="Upper limit: a number, or the column that holds it.", metavar="LIMIT")
    ] = None
    by: By = None
    order: Order = None
    subgroup: Subgroup = None
    confidence: Confidence = None


@record
class Change:
    """Options of `explain-change`."""

    ARGUMENTS: ClassVar[Mapping[str, str]] = MappingProxyType(
        {"before": "from", "after": "to", "time": "time_column"}
    )

    by: Annotated[
        list[str], typer.Option(help="Column whose groups explain the change; repeatable.", metavar="COLUMN")
    ]
    before: Annotated[str, typer.Option("--from", help="Period before the change: 2023, 2024-01:2024-03.")]
    after: Annotated[str, typer.Option("--to", help="Period after the change.")]
    measure: Annotated[
        str | None,
        typer.Option(help="Number column or expression; a condition for the rate.", metavar="COLUMN"),
    ] = None
    statistic: Annotated[
        str | None, typer.Option(help="sum, count, mean or rate; sum when absent.", metavar="STATISTIC")
    ] = None
    time: Annotated[
        str | None, typer.Option(help="Date column; the first one when absent.", metavar="COLUMN")
    ] = None
    where: Where = None


@record
class Test:
    """Options of `test`."""

    ARGUMENTS: ClassVar[Mapping[str, str]] = MappingProxyType({"group": "groups"})

    test: Annotated[
        str,
        typer.Option(
            help="t, welch, one_sample_t, paired_t, anova, mann_whitney, kolmogorov_smirnov, shapiro_wilk, chi_square, "
            "pearson, spearman or kendall.",
            metavar="TEST",
        ),
    ]
    value: Value
    by: Annotated[str | None, typer.Option("--by", help="Column of the groups.", metavar="COLUMN")] = None
    group: Annotated[
        list[str] | None, typer.Option(help="One of the two groups to compare; repeatable.", metavar="LABEL")
    ] = None
    other: Annotated[str | None, typer.Option(help="Second column.", metavar="COLUMN")] = None
    mean: Annotated[float | None, typer.Option(help="Expected mean.")] = None
    sd: Annotated[float | None, typer.Option(help="Expected standard deviation.")] = None
    alternative: Annotated[
        str | None, typer.Option(help="two-sided, less or greater; two-sided when absent.", metavar="SIDE")
    ] = None
    confidence: Confidence = None


@record
class Unit:
    """Options of `unit`."""

    key: Annotated[str, typer.Option(help="Column that names the unit.", metavar="COLUMN")]
    value: Annotated[str, typer.Option(help="The unit's value in that column.")]
    children: Annotated[
        str | None, typer.Option(help="A second file whose rows belong to the unit.", metavar="FILE")
    ] = None
    children_key: Annotated[
        str | None,
        typer.Option(help="Its column that holds the key; of the same name when absent.", metavar="COLUMN"),
    ] = None
    parent: Annotated[
        str | None,
        typer.Option(
            help="Column with the key of a row's parent, to follow the rows below.", metavar="COLUMN"
        ),
    ] = None


def given(*options: object) -> dict[str, JsonValue]:
    """Return the options that were given, under the names of the tool's arguments."""
    arguments: dict[str, JsonValue] = {}
    for group in options:
        renamed: Mapping[str, str] = getattr(group, "ARGUMENTS", {})
        for item in fields(group):  # type: ignore[arg-type] # a record of options
            value = getattr(group, item.name)
            if value not in (None, []):
                arguments[renamed.get(item.name, item.name)] = value
    return arguments
