"""What an attack is: code, and the goal that can be seen from outside when it is reached."""

from collections.abc import Mapping
from enum import StrEnum
from string import Template

from tabchat.record import record


class Category(StrEnum):
    """The classes of the suite, as its table names them."""

    BUILTINS = "direct built-ins and imports"
    DUNDERS = "dunder walks"
    FRAMES = "frames and generators"
    DYNAMIC = "dynamic attributes and format strings"
    CHAINS = "library module chains"
    READERS = "readers"
    WRITERS = "writers"
    URLS = "URLs and sockets"
    PICKLE = "pickle and code gadgets"
    QUERY = "query and eval"
    NAMES = "method names as strings"
    CLASSES = "classes, decorators, operators"
    UNICODE = "obfuscation and Unicode"
    NATIVE = "ctypes and shellcode"
    PROCESSES = "other processes and raw system calls"
    MEMORY = "memory"
    TIME = "CPU and time"
    RESOURCES = "disk, processes, descriptors"
    GUARD = "written against this guard"
    CORRUPTION = "NumPy memory corruption"


class Goal(StrEnum):
    """What an attack is after."""

    FILE_READ = "what a planted file holds is in the reply"
    FILE_WRITTEN = "the folder of the attack changed"
    CONNECTION = "a server on loopback was reached"
    PROCESS = "a process was started"
    ENVIRONMENT = "a planted variable of the environment is in the reply"
    OTHER_MEMORY = "memory of another process is in the reply"
    MACHINE_CODE = "machine code of the attack ran"
    MEMORY = "more memory was taken than the limit allows"
    TIME = "the code ran on beyond the wall clock"
    DESCRIPTORS = "descriptors were made"
    SIGNAL = "another process was signalled"
    CORRUPTION = (
        "memory outside of an object was touched: the process crashed, or the foreign bytes are in the reply"
    )


PROVED = frozenset(
    {Goal.PROCESS, Goal.MACHINE_CODE, Goal.MEMORY, Goal.TIME, Goal.DESCRIPTORS, Goal.SIGNAL, Goal.CORRUPTION}
)
"""Goals whose code leaves `$proof` in its result after the forbidden step, and only then."""
SIZED = frozenset({Goal.MEMORY, Goal.TIME})
"""Goals that a small amount proves unprotected, and only a huge one is an attack."""
SMALL: Mapping[str, str] = {"megabytes": "100", "effort": "10**5", "seconds": "0.05", "length": "16"}
HUGE: Mapping[str, str] = {"megabytes": "6000", "effort": "10**13", "seconds": "3600", "length": "64"}


@record
class Payload:
    """One attack. Its code is a `string.Template` over the places of the scene and over the amounts."""

    name: str
    category: Category
    goal: Goal
    template: str

    def code(self, places: Mapping[str, str], *, huge: bool) -> str:
        """Return the code as it is run; KeyError for a place that the scene does not have."""
        amounts = HUGE if huge and self.goal in SIZED else SMALL
        return Template(self.template.strip("\n")).substitute(places, **amounts)


def payloads(category: Category, *entries: tuple[Goal, str, str]) -> tuple[Payload, ...]:
    """Return the payloads of one class from `(goal, name, code)`."""
    return tuple(
        Payload(name=name, category=category, goal=goal, template=template)
        for goal, name, template in entries
    )
