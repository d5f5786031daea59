"""The command line: arguments to settings, to a session, to the renderer; no logic of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def run(argv: Sequence[str]) -> int:
    """Run one command and return its exit code; whatever fails is reported, never raised."""
    from tabchat.cli.app import invoke
    from tabchat.render.diagnostics import report

    try:
        return invoke(argv)
    except BaseException as error:  # noqa: BLE001 - the last seam: nothing may reach a person as a traceback
        return report(error)
