"""A chart as an SVG, PNG or HTML file, drawn by Vega-Lite without a browser; the extra `charts` brings what it takes."""

from __future__ import annotations

import datetime as dt
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.chart.chart import ChartKind
from tabchat.engine.types import json_value
from tabchat.errors import UsageError
from tabchat.export.target import check_target, open_output
from tabchat.inert import UNSAFE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from pathlib import Path

    from tabchat.engine.chart.chart import Picture
    from tabchat.engine.types import JsonValue, Value

FORMATS: Final = ("svg", "png", "html")
WIDTH: Final = 640
HEIGHT: Final = 360
_STEP: Final = 16
"""Height of a bar with its label, where so many do not fit into `HEIGHT`."""
_MOST_DOTS: Final = 60
"""Points of a line up to which each is marked; more are a line."""
_SCALE: Final = 2.0
"""Dots of a PNG for each one of its size, so that it is sharp on a fine screen."""
_IN_SCRIPT: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


class _ScriptJson(json.JSONEncoder):
    """Writes JSON that can stand in a script of a page: no text in it ends the script or begins another."""

    def encode(self, o: Any) -> str:
        # Outside its texts JSON has none of these signs.
        return super().encode(o).translate(_IN_SCRIPT)


_PAGE: Final[dict[str, Any]] = {
    # The scripts are inside the page, so that opening it asks no server.
    "inline": True,
    "json_kwds": {"cls": _ScriptJson},
    # The menu's view of the source writes the data as markup, and its editor sends them to a server.
    "embed_options": {"actions": {"export": True, "source": False, "compiled": False, "editor": False}},
}


def check_picture_file(target: Path, *, force: bool = False, protected: Collection[Path] = ()) -> None:
    """Raise what `write_picture` would raise at once for this file."""
    if target.suffix.lower().removeprefix(".") not in FORMATS:
        hint = f"Give a name that ends in .{', .'.join(FORMATS[:-1])} or .{FORMATS[-1]}."
        raise UsageError(f"A chart cannot be written as {target.name!r}.", hint=hint)
    check_target(target, force=force, protected=protected)
    _altair()


def write_picture(
    picture: Picture,
    target: Path,
    *,
    title: str | None = None,
    force: bool = False,
    protected: Collection[Path] = (),
) -> None:
    """Write a chart to a file whose name says the format: SVG, PNG, or HTML that needs no network.

    Raises `UsageError` for another name or without the extra, `OutputExistsError` and `OutputError`.
    """
    check_picture_file(target, force=force, protected=protected)
    chart = _chart(picture, title)
    fmt = target.suffix.lower().removeprefix(".")
    with open_output(target, force=force, protected=protected) as output, output.file() as file:
        if fmt == "png":
            chart.save(file, format="png", scale_factor=_SCALE)
        else:
            file.write(_text(chart, fmt).encode())


def picture_svg(picture: Picture, *, title: str | None = None) -> str:
    """Return a chart as SVG; raises `UsageError` without the extra."""
    return _text(_chart(picture, title), "svg")


def picture_png(picture: Picture, scale: float = _SCALE) -> bytes | None:
    """Return a chart as PNG, with so many dots for each of its size; nothing without the extra."""
    import io

    try:
        chart = _chart(picture, None)
    except UsageError:
        return None
    written = io.BytesIO()
    chart.save(written, format="png", scale_factor=scale)
    return written.getvalue()


def _text(chart: Any, fmt: str) -> str:
    import io

    written = io.StringIO()
    chart.save(written, format=fmt, **(_PAGE if fmt == "html" else {}))
    return written.getvalue()


def _inert(text: str) -> str:
    """Return text without what XML cannot hold, or what would turn or hide it."""
    return UNSAFE.sub("\ufffd", text)


def _label(value: Value) -> JsonValue:
    found = json_value(value)
    return _inert(found) if isinstance(found, str) else found


def _altair() -> Any:
    try:
        import altair as alt
        import vl_convert  # type: ignore[import-not-found,import-untyped,unused-ignore] # noqa: F401
    except ImportError as error:
        message = "Charts as files need altair and vl-convert, which are not installed."
        raise UsageError(message, hint="pip install 'tabchat[charts]'") from error
    return alt


def _chart(picture: Picture, title: str | None) -> Any:
    alt = _altair()
    picture = replace(picture, x=_inert(picture.x), y=_inert(picture.y))
    title = _inert(title) if title else None
    data = alt.Data(values=_values(picture))
    subtitle = {"subtitle": picture.caption} if picture.caption else {}
    # Without a title, there would be no subtitle.
    heading = {"title": alt.Title(title or " ", **subtitle)} if title or subtitle else {}
    base = alt.Chart(data, width=WIDTH, height=HEIGHT, **heading)
    y = alt.Y("y:Q", title=picture.y)
    match picture.kind:
        case ChartKind.LINE:
            kind = _axis_kind(picture)
            # A number between two gaps has no line, and would not be seen.
            is_broken = any(number is None for _, number in picture.points)
            return base.mark_line(point=is_broken or len(picture.points) <= _MOST_DOTS).encode(
                x=alt.X(f"x:{kind}", title=picture.x, sort=None).axis(labelOverlap=True),
                y=y.scale(zero=False),
            )
        case ChartKind.SCATTER:
            across = alt.X("x:Q", title=picture.x).scale(zero=False)
            return base.mark_circle().encode(x=across, y=y.scale(zero=False))
        case ChartKind.HIST:
            ends = {"x": alt.X("low:Q", title=picture.x, bin="binned"), "x2": "high:Q"}
            return base.mark_bar().encode(y=y, **ends)
        case ChartKind.BOX:
            return _boxes(alt, base, picture)
        case _:
            along = alt.Y("x:N", title=picture.x, sort=None)
            if len(picture.points) * _STEP > HEIGHT:
                base = base.properties(height=alt.Step(_STEP))
            return base.mark_bar().encode(x=alt.X("y:Q", title=picture.y), y=along)


def _boxes(alt: Any, base: Any, picture: Picture) -> Any:
    along = alt.Y("x:N", title=picture.x, sort=None)
    whole = base.mark_rule().encode(x=alt.X("low:Q", title=picture.y), x2="high:Q", y=along)
    half = base.mark_bar(size=14).encode(x="first:Q", x2="third:Q", y=along)
    middle = base.mark_tick(color="white", size=14, thickness=2).encode(x="median:Q", y=along)
    return whole + half + middle


def _axis_kind(picture: Picture) -> str:
    """Return Vega-Lite's name of the kind of the axis: times, numbers, or categories in their order."""
    first = picture.points[0][0]
    if isinstance(first, dt.date):
        return "T"
    return "Q" if isinstance(first, (int, float)) and not isinstance(first, bool) else "O"


def _values(picture: Picture) -> Sequence[dict[str, JsonValue]]:
    if picture.bins is not None:
        edges = picture.bins.edges
        return [
            {"low": low, "high": high, "y": count}
            for low, high, count in zip(edges, edges[1:], picture.bins.counts, strict=False)
        ]
    if picture.boxes:
        return [
            {
                "x": _label(box.label),
                "low": box.low,
                "first": box.first_quartile,
                "median": box.median,
                "third": box.third_quartile,
                "high": box.high,
            }
            for box in picture.boxes
        ]
    return [{"x": _label(x), "y": y} for x, y in picture.points]
