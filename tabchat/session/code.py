"""The sandbox of a session: started when code is first run, ended with the session."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.config import MIB

if TYPE_CHECKING:
    from tabchat.config import Settings
    from tabchat.sandbox.outcome import SandboxOutcome
    from tabchat.sandbox.policy import SandboxPolicy, SandboxRequest
    from tabchat.sandbox.runner import Sandbox


@dataclass
class CodeRunner:
    """Runs code for one session, one execution at a time."""

    settings: Settings
    _sandbox: Sandbox | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: SandboxRequest) -> SandboxOutcome:
        """Run `request` in a process of its own; raises `SandboxUnavailableError` where no wall stands."""
        with self._lock:
            return self._opened().run(request)

    def warm(self) -> None:
        """Load the libraries of the sandbox while something else goes on."""
        self._opened().warm()

    def close(self) -> None:
        """End the sandbox."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def _opened(self) -> Sandbox:
        if self._sandbox is None:
            from tabchat.sandbox.runner import Sandbox

            self._sandbox = Sandbox(self.policy())
        return self._sandbox

    def policy(self) -> SandboxPolicy:
        """Return the bounds that the settings give."""
        from tabchat.sandbox.policy import SandboxPolicy

        settings = self.settings
        return SandboxPolicy(
            wall_seconds=settings.timeout or settings.code_timeout,
            memory_mb=settings.code_memory // MIB,
            allow_degraded=settings.degraded_sandbox,
        )
