"""How processor time grows with rows: fitted, and drawn."""

from __future__ import annotations

import math
from statistics import geometric_mean, linear_regression
from typing import TYPE_CHECKING

from questions import QUESTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from measures import Row

ASKED = {question.words for question in QUESTIONS}
DRAWN = ("duckdb", "polars", "pandas", "first", "later")
FITTED = (("questions", DRAWN), ("build", ("duckdb", "tabchat")))


def growth(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the head and the lines of a table: seconds by rows, and the exponent b of a·rowsᵇ.

    Fitted by least squares of the logarithms to the geometric means of all questions, and to the build. The start of a
    process, which does not grow, makes b less than 1.
    """
    sizes = sorted({row.rows for row in rows})
    lines = []
    for name in dict.fromkeys(row.file for row in rows):
        for task, contenders in FITTED:
            for who in contenders:
                points = dict(_points(rows, name, who, task))
                if len(points) > 1:
                    times = [f"{points[size]:.2f}" if size in points else "" for size in sizes]
                    lines.append([f"`{name}`: {task}, {who}", *times, f"{_exponent(points):.2f}"])
    return ["seconds of processor time", *(f"{size:,}" for size in sizes), "b of a·rowsᵇ"], lines


def _exponent(points: dict[int, float]) -> float:
    return linear_regression(list(map(math.log, points)), list(map(math.log, points.values()))).slope


def _points(rows: Iterable[Row], file: str, who: str, task: str) -> Iterator[tuple[int, float]]:
    """Yield (rows, seconds) of one contender."""
    taken: dict[int, list[float]] = {}
    for row in rows:
        wanted = row.task in ASKED if task == "questions" else row.task == task
        if row.file == file and row.who == who and wanted:
            taken.setdefault(row.rows, []).append(row.processor)
    for size, times in sorted(taken.items()):
        yield size, geometric_mean(times)


def draw(rows: Sequence[Row], picture: Path) -> None:
    """Draw the geometric means of all questions, a line for each contender."""
    import altair as alt
    import vl_convert

    points = [
        {"file": file, "who": who, "rows": size, "seconds": seconds}
        for file in dict.fromkeys(row.file for row in rows)
        for who in DRAWN
        for size, seconds in _points(rows, file, who, "questions")
    ]
    chart = (
        alt.Chart(alt.Data(values=points), width=210, height=220)
        .mark_line(point=True)
        .encode(
            x=alt.X(
                "rows:Q",
                scale=alt.Scale(type="log"),
                title="rows",
                axis=alt.Axis(format="~s", values=[1e5, 1e6, 1e7]),
            ),
            y=alt.Y("seconds:Q", scale=alt.Scale(type="log"), title="processor time, s"),
            color=alt.Color("who:N", sort=list(DRAWN), title=None),
            column=alt.Column("file:N", title=None),
        )
    )
    picture.write_text(vl_convert.vegalite_to_svg(chart.to_dict()), encoding="utf-8")
