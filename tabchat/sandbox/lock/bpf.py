"""A small assembler for classic BPF, the language of seccomp filters.

Source of the instruction codes and the layout of a call's record:
Linux `include/uapi/linux/bpf_common.h`, `filter.h` and `seccomp.h`.

Imports nothing but the standard library: it runs inside the worker.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

LOAD = 0x20  # BPF_LD | BPF_W | BPF_ABS
AND = 0x54  # BPF_ALU | BPF_AND | BPF_K
JUMP_EQUAL = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
JUMP_AT_LEAST = 0x35  # BPF_JMP | BPF_JGE | BPF_K
RETURN = 0x06  # BPF_RET | BPF_K

NUMBER_OFFSET = 0
ARCHITECTURE_OFFSET = 4

_MAX_CONDITIONAL_JUMP = 255
_MAX_PROGRAM = 4096


class Instruction(NamedTuple):
    """One instruction: the code, two jump distances, and a 32-bit constant."""

    code: int
    if_true: int
    if_false: int
    constant: int


class _Draft(NamedTuple):
    code: int
    constant: int
    if_true: str | None = None
    if_false: str | None = None


def argument_offset(index: int, *, high: bool = False) -> int:
    """Return the byte offset of an argument's low or high half (little-endian processors)."""
    return 16 + 8 * index + (4 if high else 0)


class Assembler:
    """Collects instructions whose jumps name labels; `assemble` turns the names into distances."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []
        self._labels: dict[str, int] = {}

    def load(self, offset: int) -> None:
        """Load the 32-bit word at `offset` of the call's record."""
        self._drafts.append(_Draft(LOAD, offset))

    def keep_bits(self, mask: int) -> None:
        """Keep only the bits of `mask` of what was loaded."""
        self._drafts.append(_Draft(AND, mask))

    def jump_equal(self, value: int, *, then: str | None = None, otherwise: str | None = None) -> None:
        """Jump by equality; None goes on with the next instruction."""
        self._drafts.append(_Draft(JUMP_EQUAL, value, then, otherwise))

    def jump_at_least(self, value: int, *, then: str) -> None:
        """Jump when what was loaded is at least `value`, unsigned."""
        self._drafts.append(_Draft(JUMP_AT_LEAST, value, then))

    def answer(self, action: int) -> None:
        """End with the kernel's `action`."""
        self._drafts.append(_Draft(RETURN, action))

    def label(self, name: str) -> None:
        """Name the next instruction; ValueError when the name is taken."""
        if name in self._labels:
            raise ValueError(f"the label {name!r} is there already")
        self._labels[name] = len(self._drafts)

    def assemble(self) -> tuple[Instruction, ...]:
        """Return the program; ValueError for a missing label or a jump that does not fit."""
        if len(self._drafts) > _MAX_PROGRAM:
            raise ValueError(f"{len(self._drafts)} instructions are more than the kernel takes")
        return tuple(
            Instruction(
                draft.code,
                self._distance(place, draft.if_true),
                self._distance(place, draft.if_false),
                draft.constant,
            )
            for place, draft in enumerate(self._drafts)
        )

    def _distance(self, place: int, label: str | None) -> int:
        if label is None:
            return 0
        if label not in self._labels:
            raise ValueError(f"no label {label!r}")
        distance = self._labels[label] - place - 1
        if not 0 <= distance <= _MAX_CONDITIONAL_JUMP:
            raise ValueError(f"the jump to {label!r} is {distance} long, not 0 to {_MAX_CONDITIONAL_JUMP}")
        return distance


def encode(program: tuple[Instruction, ...]) -> bytes:
    """Return the program as the kernel's array of `struct sock_filter`, eight bytes each."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)
