"""What the figures of an analysis say, in one sentence that code writes."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import inert
from tabchat.engine.result.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.result.result import Result
    from tabchat.engine.types import Value

_LABEL: Final = 60
"""Characters of a group's name."""
_DECIMALS: Final = 4
_CONFIDENCE: Final = 0.95
_SMALL: Final = 0.001


def sentence(recipe: str, result: Result) -> str:
    """Return one or two sentences on a result, for a person; empty when it has no rows to speak of."""
    return _SENTENCES[recipe](result)


def _ratio(result: Result) -> str:
    if result.kind is ResultKind.DICT:
        cells = [*result.values.values()]
        return (
            f"The rate is {_rate(result, cells)}."
            if cells[0]
            else "No row tells whether the condition holds."
        )
    first, last = _ends(result)
    if first is None or last is None:
        return "No row tells whether the condition holds."
    keys = len(result.group_by)
    whole = result.values
    overall = f" Over all: {_percent(whole['rate'])} ({_count(whole['success'])} of {_count(whole['n'])})."
    if first == last:
        return f"The rate for {_label(result, first)} is {_rate(result, first[keys:])}."
    if first[keys + 2] == last[keys + 2]:
        return f"The rate is {_percent(first[keys + 2])} in every group.{overall}"
    return (
        f"The rate is lowest for {_label(result, last)}: {_rate(result, last[keys:])}; "
        f"highest for {_label(result, first)}: {_rate(result, first[keys:])}.{overall}"
    )


def _rate(result: Result, cells: list[Value] | tuple[Value, ...]) -> str:
    """Write a rate with its interval and its counts."""
    confidence = (result.plan or {}).get("confidence", _CONFIDENCE)
    percent = f"{100 * confidence:.4g}% " if isinstance(confidence, (int, float)) else ""
    n, success, rate, low, high = cells[:5]
    return f"{_percent(rate)} ({percent}interval {_decimal(low)}\u2013{_percent(high)}, {_count(success)} of {_count(n)})"


def _pareto(result: Result) -> str:
    first, _ = _ends(result)
    if first is None:
        return "There is no cause."
    few, causes = result.values.get("vital_few"), result.values.get("causes")
    keys = len(result.group_by)
    text = f"The largest cause is {_label(result, first)}: {_figure(first[keys])}, {_percent(first[keys + 1])} of all."
    if isinstance(few, int) and isinstance(causes, int) and few > 1:
        row = result.frame.rows(1, few - 1)[0]
        text += f" The first {few:,} of {causes:,} causes make {_percent(row[keys + 2])}."
    return text


def _measurements(result: Result) -> str:
    if result.kind is ResultKind.DICT:
        cells: Mapping[str, Value] = result.values
        names = list(cells)
        if not cells[names[0]]:
            return "There is no value to measure."
        spread = "" if cells["sd"] is None else f" with a standard deviation of {_figure(cells['sd'])}"
        return (
            f"The mean of {_counted(cells['n'], 'value')} is {_figure(cells['mean'])}{spread}; "
            f"{_counted(cells['outliers'], 'outlier')}, {_count(cells['missing'])} missing."
        )
    return _extremes(result, "The mean")


def _extremes(result: Result, what: str) -> str:
    chart = result.chart
    if chart is None or not result.frame.row_count:
        return "There is nothing to describe."
    from tabchat.engine.result.summary import summarise

    summary = summarise(result)
    low, high = summary.min_row, summary.max_row
    if low is None or high is None:
        return "No group has a value."
    named = [", ".join(_shown(row[key]) for key in result.group_by) for row in (low, high)]
    if result.frame.row_count == 1:
        return f"{what} for {named[0]} is {_figure(low[chart.value])}."
    return (
        f"{what} is lowest for {named[0]}: {_figure(low[chart.value])}, "
        f"and highest for {named[1]}: {_figure(high[chart.value])}."
    )


def _control(result: Result) -> str:
    values = result.values
    if not values.get("points"):
        return "There is no point to chart."
    if values.get("center") is None:
        return f"There are too few points for limits: {_count(values['points'])}."
    found = values["out_of_control"]
    limits = f"center {_figure(values['center'])}"
    if values.get("lcl") is not None:
        limits += f", limits {_figure(values['lcl'])} to {_figure(values['ucl'])}"
    if not found:
        return f"None of {_counted(values['points'], 'point')} breaks a rule of control ({limits})."
    verb = "breaks" if found == 1 else "break"
    return f"{_count(found)} of {_counted(values['points'], 'point')} {verb} a rule of control ({limits})."


def _capability(result: Result) -> str:
    if result.kind is ResultKind.GROUPED:
        return _extremes(result, "Cpk")
    values = result.values
    if values.get("cpk") is None:
        return "The values do not vary, or there are too few, so that there is no capability."
    indices = [("Cp", "cp"), ("Cpk", "cpk"), ("Pp", "pp"), ("Ppk", "ppk")]
    told = ", ".join(f"{name} {_index(values[key])}" for name, key in indices if values.get(key) is not None)
    outside = f"{_count(values['outside'])} of {_counted(values['n'], 'value')} outside the limits"
    return f"{told}; {outside}."


def _change(result: Result) -> str:
    values, frame = result.values, result.frame
    before, after, change = (values[name] for name in ("before", "after", "change"))
    if change is None:
        return "One of the periods has no value, so that there is no change to explain."
    head = f"From {_figure(before)} to {_figure(after)}: a change of {_signed(change)}"
    if not frame.row_count or not change:
        return f"{head}."
    keys = len(result.group_by)
    place = frame.columns.index(result.chart.value) if result.chart else keys
    sign = 1 if isinstance(change, (int, float, Decimal)) and change > 0 else -1
    rows = [row for row in frame.rows(3) if _number(row[place]) * sign > 0][:2]
    parts = [f"{_label(result, row)} ({_signed(row[place])})" for row in rows]
    return f"{head}; the most by {' and '.join(parts)}." if parts else f"{head}."


def _unit(result: Result) -> str:
    rows = result.frame.row_count
    if not rows:
        plan = result.plan or {}
        return f"No row has {inert(str(plan.get('value')))[:_LABEL]} as its {inert(str(plan.get('key')))[:_LABEL]}."
    counts = {name: value for name, value in result.values.items() if isinstance(value, int)}
    if len(counts) > 1:
        parts = [f"{_counted(value, 'row')} of {inert(name)[:_LABEL]}" for name, value in counts.items()]
        return f"The unit has {' and '.join(parts)}."
    return f"The unit has {_counted(rows, 'row')}."


_TESTS: Final[Mapping[str, str]] = {
    "t": "Student's t-test",
    "welch": "Welch's t-test",
    "one_sample_t": "The t-test",
    "paired_t": "The paired t-test",
    "anova": "The analysis of variance",
    "mann_whitney": "The Mann-Whitney test",
    "kolmogorov_smirnov": "The Kolmogorov-Smirnov test",
    "shapiro_wilk": "The Shapiro-Wilk test",
    "chi_square": "The chi-square test",
    "pearson": "Pearson's correlation",
    "spearman": "Spearman's correlation",
    "kendall": "Kendall's correlation",
}
_EFFECTS: Final[Mapping[str, str]] = {
    "difference": "difference",
    "cohens_d": "Cohen's d",
    "eta_squared": "eta squared",
    "cramers_v": "Cramér's V",
    "rank_biserial": "rank-biserial correlation",
    "pearson_r": "r",
    "spearman_rho": "rho",
    "kendall_tau": "tau",
}


def _test(result: Result) -> str:
    values = result.values
    named = _TESTS[str((result.plan or {}).get("test"))]
    degrees = [_figure(values[name]) for name in ("df", "df_within") if values.get(name) is not None]
    statistic = f"statistic {_figure(values['statistic'])}" if "statistic" in values else ""
    told = [
        *(
            [f"{statistic} ({' and '.join(degrees)} degrees of freedom)" if degrees else statistic]
            if statistic
            else []
        ),
        *(
            f"{said} {_figure(values[name])}"
            for name, said in _EFFECTS.items()
            if values.get(name) is not None
        ),
    ]
    return f"{named}: p = {p_text(values['p_value'])}; {', '.join(told)}."


def p_text(value: Value) -> str:
    """Write a p-value: three decimals, or two digits and a power of ten where these would say nothing."""
    p = _number(value)
    if p >= _SMALL or not p:
        return f"{p:.3f}" if p else "0 (below what a number can hold)"
    digits, _, power = f"{p:.1e}".partition("e")
    return f"{digits}e{int(power)}"


_SENTENCES: Final[Mapping[str, Callable[[Result], str]]] = {
    "analyze_ratio": _ratio,
    "analyze_pareto": _pareto,
    "measurement_statistics": _measurements,
    "control_chart": _control,
    "process_capability": _capability,
    "explain_change": _change,
    "describe_unit": _unit,
    "hypothesis_test": _test,
}


def _ends(result: Result) -> tuple[tuple[Value, ...] | None, tuple[Value, ...] | None]:
    """Return the first row and the last one."""
    count = result.frame.row_count
    if not count:
        return None, None
    return result.frame.rows(1)[0], result.frame.rows(1, count - 1)[0]


def _label(result: Result, row: tuple[Value, ...]) -> str:
    return ", ".join(_shown(cell) for cell in row[: len(result.group_by)])


def _shown(cell: Value) -> str:
    if cell is None:
        return "(missing)"
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ").removesuffix(" 00:00:00")
    text = inert(str(cell))
    return text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}\u2026"


def _number(value: Value) -> float:
    return float(value) if isinstance(value, (int, float, Decimal)) else 0.0


def _figure(value: Value) -> str:
    """Write a number with thousands separators and at most four decimals, more for a small one."""
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, (float, Decimal)):
        return "none" if value is None else _shown(value)
    number = float(value)
    if 0 < abs(number) < _SMALL:
        return f"{number:.3g}"
    return f"{number:,.{_DECIMALS}f}".rstrip("0").rstrip(".")


def _signed(value: Value) -> str:
    text = _figure(value)
    return text if text.startswith("-") or not _number(value) else f"+{text}"


def _index(value: Value) -> str:
    return f"{_number(value):.2f}"


def _decimal(value: Value) -> str:
    return f"{_number(value):.1f}"


def _percent(value: Value) -> str:
    return f"{_decimal(value)}%"


def _count(value: Value) -> str:
    return f"{int(_number(value)):,}"


def _counted(value: Value, noun: str) -> str:
    return f"{_count(value)} {noun}{'' if value == 1 else 's'}"
