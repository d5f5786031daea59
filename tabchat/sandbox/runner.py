"""The parent's side of the sandbox: one fresh, locked worker for every piece of code."""

from __future__ import annotations

import dataclasses
import json
import threading
from functools import cached_property
from typing import Final, Self

from tabchat.errors import SandboxUnavailableError
from tabchat.record import record
from tabchat.sandbox.lock.walls import probe
from tabchat.sandbox.policy import SandboxPolicy, SandboxRequest
from tabchat.sandbox.reply.outcome import Ending, SandboxOutcome
from tabchat.sandbox.sealed import SealedTable, sealed_bytes, sealed_table
from tabchat.sandbox.spare import Zygote, ZygoteLostError
from tabchat.sandbox.supervise import supervised
from tabchat.sandbox.worker.libraries import names_stats, stats_installed
from tabchat.sandbox.worker.restore import with_types_restored
from tabchat.sandbox.worker.warmth import Warmth

_MIB: Final = 1024 * 1024
_COPIES: Final = 2
"""How often the table takes its size again: as a frame, and while it is converted to one."""
_MISSING_LIBRARY: Final = frozenset({"ImportError", "ModuleNotFoundError"})


@record
class Walling:
    """What stands between code and the machine; only tests that attack one wall take another away."""

    guarded: bool = True
    full_builtins: bool = False


class Sandbox:
    """Runs code over a table, each time in a process of its own that is never used again.

    A warm process (the zygote) stands by to fork the next worker; `start` loads
    its libraries in the background. Statistics take most of that time, so one
    without them serves code that does not name them, until some does; and a
    sandbox in a `hurry`, for one piece of code, does not wait until they were
    all used once. Runs are one after the other; every method may be called from
    any thread.
    """

    def __init__(self, policy: SandboxPolicy | None = None, *, hurry: bool = False) -> None:
        self.policy = policy or SandboxPolicy()
        self.hurry = hurry
        self._turn = threading.RLock()
        self._zygote: Zygote | None = None
        self._active = False
        self._cancelled = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @cached_property
    def with_stats(self) -> bool:
        """Whether code is offered SciPy, statsmodels and scikit-learn."""
        wanted = self.policy.with_stats
        return stats_installed() if wanted == "auto" else wanted

    @property
    def warm(self) -> bool:
        """Whether the next run starts at once, without waiting for libraries to load."""
        zygote = self._zygote
        return zygote is not None and zygote.usable() and zygote.loaded()

    @property
    def unloaded(self) -> tuple[str, ...]:
        """Families of functions that could not be loaded ahead, with the reason; code that uses them fails."""
        return self._zygote.unloaded if self._zygote is not None else ()

    @property
    def standby_pid(self) -> int | None:
        """Process number of the warm process, None when none was started."""
        return self._zygote.pid if self._zygote is not None else None

    def start(self, code: str | None = None) -> None:
        """Begin to load the libraries, or those that `code` names, in another process, and return at once.

        Raises `SandboxUnavailableError` on a system without the kernel's walls.
        """
        with self._turn:
            self._standing_by(self._wanted(code))

    def await_warm(self) -> None:
        """Wait until the libraries are loaded; raises `SandboxUnavailableError`."""
        with self._turn:
            self._warmed(self._wanted(None))

    def run(self, request: SandboxRequest, policy: SandboxPolicy | None = None) -> SandboxOutcome:
        """Run the code of `request`, within `policy` in place of the sandbox's own, and return how it ended.

        Raises `SandboxUnavailableError` when no worker can be started, and
        `CodeFailedError` when the table is too large to be handed over.
        """
        return self.execute(request, Walling(), policy)

    def execute(
        self, request: SandboxRequest, walling: Walling, policy: SandboxPolicy | None = None
    ) -> SandboxOutcome:
        """Do as `run`, behind a part of the walls: for the tests that attack one wall alone."""
        repairs: tuple[str, ...] = ()
        if walling.guarded:
            # The guard loads while the other process does.
            from tabchat.sandbox.guard import GuardRefusal, Operation, check_code

            try:
                checked = check_code(
                    request.code,
                    op=Operation(request.purpose.value),
                    columns=request.schema.names,
                    with_stats=self.with_stats,
                )
            except GuardRefusal as refusal:
                return SandboxOutcome(ending=Ending.REFUSED, problems=refusal.problems)
            repairs = tuple(checked.repairs)
        with self._turn:
            self._cancelled, self._active = False, True
            try:
                outcome = self._handed_over(request, walling, policy or self.policy)
            finally:
                self._active = False
            if self._cancelled and outcome.ending is Ending.CRASHED:
                outcome = SandboxOutcome(ending=Ending.CANCELLED, seconds=outcome.seconds)
        return dataclasses.replace(outcome, repairs=repairs)

    def cancel(self) -> None:
        """Stop the code that runs now, from another thread; nothing happens when none does."""
        if not self._active:
            return
        self._cancelled = True
        zygote = self._zygote
        if zygote is not None:
            zygote.kill_worker()

    def close(self) -> None:
        """End the zygote and whatever it runs; the next run starts another."""
        self.cancel()
        with self._turn:
            self._drop()

    def _drop(self) -> None:
        zygote, self._zygote = self._zygote, None
        if zygote is not None:
            zygote.close()

    def _handed_over(
        self, request: SandboxRequest, walling: Walling, policy: SandboxPolicy
    ) -> SandboxOutcome:
        warmth = self._wanted(request.code)
        # The libraries load while the table is written down.
        self._standing_by(warmth)
        with sealed_table(request.batches, request.schema, limit_mb=policy.max_table_mb) as table:
            outcome = self._done(request, walling, policy, table, warmth)
            # Without a word of it: pandas asks SciPy for some of its methods.
            while (warmer := self._warmer(warmth, outcome)) is not None and not self._cancelled:
                warmth = warmer
                outcome = self._done(request, walling, policy, table, warmth)
        return with_types_restored(outcome, request.schema, table.with_missing)

    def _done(
        self,
        request: SandboxRequest,
        walling: Walling,
        policy: SandboxPolicy,
        table: SealedTable,
        warmth: Warmth,
    ) -> SandboxOutcome:
        ready = self._standing_by(warmth)
        with_stats = ready.warmth is Warmth.STATISTICS
        job = self._job(request, walling, table, policy) | {"with_stats": with_stats}
        with sealed_bytes("job", json.dumps(job).encode()) as asked:
            return self._supervised(asked, table.descriptor, policy, request, ready.warmth)

    def _supervised(
        self, job: int, table: int, policy: SandboxPolicy, request: SandboxRequest, warmth: Warmth
    ) -> SandboxOutcome:
        """Run the job; a zygote that died since the last one is replaced, once."""
        for _ in range(2):
            zygote = self._warmed(warmth)
            try:
                return supervised(
                    zygote,
                    job,
                    table,
                    policy=policy,
                    request=request,
                    cancelled=lambda: self._cancelled,
                )
            except ZygoteLostError as error:
                lost = error
                self._drop()
        raise SandboxUnavailableError(
            f"The process that runs code fails: {lost}.", hint="Run `tabchat doctor`."
        ) from lost

    def _wanted(self, code: str | None) -> Warmth:
        if self.with_stats and (code is None or names_stats(code)):
            return Warmth.STATISTICS
        return Warmth.IMPORTED if self.hurry and code is not None else Warmth.USED

    def _warmer(self, warmth: Warmth, outcome: SandboxOutcome) -> Warmth | None:
        """Return the warmth at which the code is to be run again, None when what came of it holds."""
        if outcome.lacked and warmth is Warmth.IMPORTED:
            return Warmth.USED
        is_without = self.with_stats and warmth < Warmth.STATISTICS
        return Warmth.STATISTICS if is_without and _missed_a_library(outcome) else None

    def _warmed(self, warmth: Warmth) -> Zygote:
        zygote = self._standing_by(warmth)
        try:
            zygote.await_warm(self.policy.start_seconds)
        except SandboxUnavailableError:
            self._drop()
            raise
        return zygote

    def _standing_by(self, warmth: Warmth) -> Zygote:
        """Return the zygote, another one when it has ended or is not warm enough."""
        zygote = self._zygote
        if zygote is not None and (not zygote.usable() or zygote.warmth < warmth):
            self._drop()
        if self._zygote is None:
            _require_walls(allow_degraded=self.policy.allow_degraded)
            self._zygote = Zygote.start(warmth)
        return self._zygote

    def _job(
        self, request: SandboxRequest, walling: Walling, table: SealedTable, policy: SandboxPolicy
    ) -> dict[str, object]:
        return {
            "code": request.code,
            "purpose": request.purpose.value,
            "columns": request.schema.names,
            "rows": table.rows,
            "guarded": walling.guarded,
            "full_builtins": walling.full_builtins,
            "cpu_seconds": policy.cpu_seconds,
            "memory_bytes": policy.memory_mb * _MIB + _COPIES * table.size,
            "max_rows": policy.max_rows,
            "max_stdout": policy.max_stdout,
            "allow_degraded": policy.allow_degraded,
        }


def _missed_a_library(outcome: SandboxOutcome) -> bool:
    """Return whether code may have failed for want of a library that it did not name."""
    if outcome.ending is Ending.REFUSED:
        return True
    failure = outcome.failure
    return outcome.ending is Ending.RAISED and failure is not None and failure.kind in _MISSING_LIBRARY


def _require_walls(*, allow_degraded: bool) -> None:
    """Raise `SandboxUnavailableError` at once where a worker would not lock itself in later."""
    found = probe()
    if not found.offered:
        raise SandboxUnavailableError(found.reason, hint="Ask with a query or SQL instead.")
    if found.degraded and not allow_degraded:
        raise SandboxUnavailableError(
            found.reason,
            hint="Ask with a query or SQL, or consent to run code behind the walls that there are.",
        )
