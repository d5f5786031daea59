"""The language models that can be named, one line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.provider.model_catalogue import OfferedModel
    from tabchat.render.terminal.console import Consoles

_NAME_FLOOR: Final = 32
"""Cells that a name keeps on a narrow screen."""


def render_models(consoles: Consoles, models: Sequence[OfferedModel]) -> None:
    """Print models to stdout: name, tokens that it reads, dollars for a million tokens, whether it calls tools."""
    columns = [
        GridColumn(
            header="model",
            cells=[sanitise(model.name, consoles.glyphs) for model in models],
            elastic=True,
            floor=_NAME_FLOOR,
        ),
        GridColumn(header="reads", cells=[_count(model.context_window) for model in models], right=True),
        GridColumn(header="$/M sent", cells=[_price(model.prompt_price) for model in models], right=True),
        GridColumn(
            header="$/M received", cells=[_price(model.completion_price) for model in models], right=True
        ),
        GridColumn(header="tools", cells=[_tools(model.calls_tools) for model in models]),
    ]
    if hidden := draw_fitting(consoles, columns):
        consoles.say(f"+{len(hidden)} more: {', '.join(hidden)}; tabchat model list --json has them")


def _count(tokens: int | None) -> str:
    return "" if tokens is None else f"{tokens:,}"


def _price(dollars: float | None) -> str:
    return "" if dollars is None else f"{dollars:,.2f}"


def _tools(calls: bool | None) -> str:  # noqa: FBT001 - a fact, not a switch
    return "" if calls is None else "yes" if calls else "no"
