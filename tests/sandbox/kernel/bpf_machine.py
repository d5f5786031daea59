"""A machine for classic BPF programs, written from the kernel's description and not from our assembler."""

import struct


def record(number: int, architecture: int, arguments: tuple[int, ...]) -> bytes:
    """Return the `struct seccomp_data` of a call; arguments are 64-bit, those left out are 0."""
    padded = (*arguments, *[0] * (6 - len(arguments)))
    return struct.pack(
        "<iIQ6Q", _signed(number), architecture, 0x7F0000001234, *(word % 2**64 for word in padded)
    )


def _signed(number: int) -> int:
    return number - 2**32 if number >= 2**31 else number


def run(program: bytes, data: bytes) -> int:
    """Return the value with which `program` answers for `data`; AssertionError for what a kernel would refuse."""
    assert len(program) % 8 == 0
    instructions = list(struct.iter_unpack("<HBBI", program))
    accumulator = 0
    place = 0
    while True:
        code, if_true, if_false, constant = instructions[place]
        place += 1
        match code:
            case 0x20:
                assert constant % 4 == 0
                accumulator = struct.unpack_from("<I", data, constant)[0]
            case 0x54:
                accumulator &= constant
            case 0x15:
                place += if_true if accumulator == constant else if_false
            case 0x35:
                place += if_true if accumulator >= constant else if_false
            case 0x06:
                return int(constant)
            case _:
                raise AssertionError(f"unknown instruction {code:#x}")
