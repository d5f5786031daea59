"""What libraries warn of while the code runs. Runs inside the worker."""

from __future__ import annotations

import sys
import warnings
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from types import FrameType

WARNED_LIMIT: Final = 10
"""Different warnings that are kept; a loop may give thousands."""
MESSAGE_LIMIT: Final = 500
_OF_LIBRARIES: Final = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ResourceWarning)
"""Say how a library will change, and nothing of the answer."""


class Warned:
    """Collects the first warnings, each once: its class, its message, and the line of the code it came through."""

    def __init__(self, code_name: str) -> None:
        self._code_name = code_name
        self.told: list[list[Any]] = []

    def listen(self) -> None:
        """Take the place of stderr for all warnings of this process."""
        warnings.resetwarnings()
        for category in _OF_LIBRARIES:
            warnings.simplefilter("ignore", category)
        # The registry of a module would hide what another line of the code is warned of.
        warnings.simplefilter("always", append=True)
        warnings.showwarning = self._take

    def _take(
        self, message: Warning | str, category: type[Warning], *_place: object, **_more: object
    ) -> None:
        if len(self.told) >= WARNED_LIMIT:
            return
        told = [category.__name__[:100], str(message)[:MESSAGE_LIMIT], self._line()]
        if told not in self.told:
            self.told.append(told)

    def _line(self) -> int | None:
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the one way to see who called
        while frame is not None and frame.f_code.co_filename != self._code_name:
            frame = frame.f_back
        return frame.f_lineno if frame is not None else None
