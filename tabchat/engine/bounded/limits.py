"""How much memory a process of its own may take, set by itself once its libraries are loaded."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def limit_memory(more: int) -> int | None:
    """Let this process take `more` bytes beyond what it holds now, and leave no core file.

    Returns nothing where the system bounds the address space; else the most that `peak_memory` may say, which somebody
    has to watch.
    """
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    statm = Path("/proc/self/statm")
    if sys.platform == "linux" and statm.exists():
        now = int(statm.read_bytes().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = now + more if hard == resource.RLIM_INFINITY else min(now + more, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return peak_memory() + more // unit


def peak_memory() -> int:
    """Return the most memory that this process ever held, in the unit of its system."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
