"""What code in the sandbox may use up, and what it is asked to do."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal

from tabchat.config import MIB
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from tabchat.config import Settings


class Purpose(StrEnum):
    """What code is for: an answer, or a new version of the table."""

    READ = "read"
    EDIT = "edit"


@record
class SandboxPolicy:
    """The bounds of one execution."""

    wall_seconds: float = 30.0
    """From the moment that the code is handed over; a library that still loads is not counted."""
    cpu_seconds: int = 120
    memory_mb: int = 1024
    """On top of the process with its libraries and of the table itself."""
    max_rows: int = 200_000
    """Rows of an answer that are kept. An edited table is never cut."""
    max_stdout: int = 8_000
    """Characters of what the code prints that are kept."""
    max_table_mb: int = 2048
    """Size of the table that may be handed over, in Arrow's layout."""
    max_reply_mb: int = 1024
    """Size of a result that is taken."""
    start_seconds: float = 120.0
    """How long loading the libraries may take before the sandbox counts as unavailable."""
    allow_degraded: bool = False
    """Run where one of the kernel's walls is missing; the outcome then says so."""
    with_stats: bool | Literal["auto"] = "auto"
    """Offer SciPy, statsmodels and scikit-learn; `auto` where they are installed."""


def policy_for(settings: Settings) -> SandboxPolicy:
    """Return the bounds that the settings give."""
    return SandboxPolicy(
        wall_seconds=min(settings.timeout or settings.code_timeout, settings.code_timeout),
        memory_mb=settings.code_memory // MIB,
        allow_degraded=settings.degraded_sandbox,
    )


@record
class SandboxRequest:
    """Code, and the table that it sees as `df`."""

    code: str
    purpose: Purpose = Purpose.READ
    batches: Iterable[pa.RecordBatch]
    """The rows; a `pyarrow.Table` is given as `table.to_batches()`. Column names are unique."""
    schema: pa.Schema
