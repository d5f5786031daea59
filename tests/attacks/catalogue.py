"""Every attack of the suite."""

from typing import Final

from tests.attacks.payload import Payload
from tests.attacks.payloads import (
    chains,
    costs,
    definitions,
    files,
    memory_faults,
    native,
    objects,
    plain,
    texts,
    this_guard,
)

PAYLOADS: Final[tuple[Payload, ...]] = (
    *plain.BUILTINS,
    *plain.DUNDERS,
    *plain.FRAMES,
    *chains.DYNAMIC,
    *chains.CHAINS,
    *files.READERS,
    *files.WRITERS,
    *files.URLS,
    *files.PICKLE,
    *texts.QUERY,
    *texts.NAMES,
    *objects.CLASSES,
    *texts.UNICODE,
    *native.NATIVE,
    *native.PROCESSES,
    *costs.MEMORY,
    *costs.TIME,
    *costs.RESOURCES,
    *this_guard.GUARD,
    *definitions.DEFINITIONS,
    *this_guard.STATS,
    *memory_faults.CORRUPTION,
)
