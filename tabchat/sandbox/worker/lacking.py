"""Notices that something asks for a module or a file in a process that can load neither any more."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder


class Lacking(MetaPathFinder):
    """What was asked for since the watch began; only whether there was anything matters.

    Whoever asked may have caught the refusal and gone on in another way, so an
    answer that was found then is not what a warmer process would have found.
    """

    def __init__(self) -> None:
        self.anything = False

    def watch(self) -> None:
        """Begin; there is no end, as a worker serves one execution."""
        # Behind the finder that says of some libraries that they are not there: nobody has those.
        sys.meta_path.insert(1, self)
        sys.addaudithook(self._heard)

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002 - protocol
        """Note that the module is not loaded, and leave it to the finders that follow."""
        self.anything = True

    def _heard(self, event: str, _: tuple[object, ...]) -> None:
        if event == "open":
            self.anything = True
