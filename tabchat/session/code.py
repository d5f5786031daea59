"""The sandbox of a session: started when code is first run, ended with the session."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import field
from typing import TYPE_CHECKING

from tabchat.errors import SandboxUnavailableError
from tabchat.record import mutable

if TYPE_CHECKING:
    from tabchat.config import Settings
    from tabchat.sandbox.policy import SandboxRequest
    from tabchat.sandbox.reply.outcome import SandboxOutcome
    from tabchat.sandbox.runner import Sandbox


@mutable
class CodeRunner:
    """Runs code for one session, one execution at a time; safe to call from several threads."""

    settings: Settings
    _sandbox: Sandbox | None = None
    _is_lent: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: SandboxRequest) -> SandboxOutcome:
        """Run `request` in a process of its own; raises `SandboxUnavailableError` where no wall stands."""
        with self._lock:
            sandbox = self._opened()
        return sandbox.run(request)

    def stands(self) -> bool:
        """Return whether code can run here: behind every wall, or behind those that the person settles for."""
        if self._is_lent:
            return True
        from tabchat.sandbox.lock.walls import probe

        found = probe()
        return found.offered and (not found.degraded or self.settings.degraded_sandbox)

    def warm(self) -> None:
        """Load the libraries of the sandbox while something else goes on; does nothing where no wall stands."""
        with self._lock, contextlib.suppress(SandboxUnavailableError):
            # Whoever runs code is told why there is none.
            self._opened().start()

    def lend(self, sandbox: Sandbox) -> None:
        """Run code in `sandbox`, which stays open when the session ends."""
        self._sandbox, self._is_lent = sandbox, True

    def cancel(self) -> None:
        """Stop the code that runs now; safe to call from another thread."""
        if self._sandbox is not None:
            self._sandbox.cancel()

    def close(self) -> None:
        """End the sandbox."""
        if self._sandbox is not None and not self._is_lent:
            self._sandbox.close()
        self._sandbox = None

    def _opened(self) -> Sandbox:
        if self._sandbox is None:
            from tabchat.sandbox.policy import policy_for
            from tabchat.sandbox.runner import Sandbox

            self._sandbox = Sandbox(policy_for(self.settings))
        return self._sandbox
