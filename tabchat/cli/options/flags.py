"""Single options that commands without a whole group of them share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
"""Also of every failure; docs/reference/scripting.md lists the fields."""
