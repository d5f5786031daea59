"""Damages honest replies at random and has the parent read them; a crash of this process is a finding.

    python -m tests.sandbox.mutations COUNT [SEED]

prints how many of COUNT damaged replies were still believed. The changes follow from SEED alone.
"""

from __future__ import annotations

import json
import random
import struct
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.errors import TabchatError
from tabchat.sandbox.reply.exchange import BrokenReplyError, Reply
from tabchat.sandbox.reply.untrusted import Expected, read_outcome
from tabchat.sandbox.worker.restore import with_types_restored

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPES: Final = (
    pa.bool_(),
    pa.int8(),
    pa.uint16(),
    pa.int32(),
    pa.uint64(),
    pa.float32(),
    pa.float64(),
    pa.decimal128(12, 2),
    pa.decimal128(38, 10),
    pa.string(),
    pa.large_string(),
    pa.binary(),
    pa.large_binary(),
    pa.date32(),
    pa.date64(),
    pa.time32("s"),
    pa.time64("us"),
    pa.timestamp("us"),
    pa.timestamp("ns", "Europe/Kyiv"),
    pa.duration("ms"),
)
_EXTREMES: Final = (
    0,
    1,
    2,
    3,
    38,
    39,
    127,
    128,
    255,
    2**15,
    2**16,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**63,
    2**64 - 1,
)
_ROWS: Final = 5


def column(kind: pa.DataType) -> pa.Array:
    """Return a few cells of `kind`, one of them missing."""
    if pa.types.is_boolean(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        cells = pa.array([1, 0, None, 1, 0]).cast(pa.bool_())
        return cells.cast(pa.string()).cast(kind)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
        return pa.array([b"x", b"", None, b"yz", b"\xff"], kind)
    if pa.types.is_date64(kind):
        return pa.array([1, 2, None, 3, 4], pa.date32()).cast(kind)
    numbers = pa.array([1, 2, None, 3, 4])
    if pa.types.is_decimal(kind):
        return numbers.cast(pa.decimal128(19, 0)).cast(kind)
    width = pa.int32() if kind.bit_width == 32 else pa.int64()
    return (
        numbers.cast(kind)
        if pa.types.is_integer(kind) or pa.types.is_floating(kind)
        else numbers.cast(width).cast(kind)
    )


def stream(table: pa.Table, **options: Any) -> bytes:
    """Return `table` as a worker writes it, or with other `options`."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue().to_pybytes())


def honest(kinds: tuple[pa.DataType, ...]) -> tuple[bytes, bytes]:
    """Return header and body of a reply with a column of each of `kinds`, called `c0`, `c1` …"""
    table = pa.table([column(kind) for kind in kinds], names=[f"c{place}" for place in range(len(kinds))])
    header = {"ending": "answered", "form": "frame", "rows": _ROWS, "stdout": "", "printed": 0}
    return json.dumps(header).encode(), stream(table)


def believed(header: bytes, body: bytes, schema: pa.Schema, engine: DuckDBEngine) -> bool:
    """Read a reply as the parent does, over a table of `schema`, and fetch every cell of it from `engine`.

    False when it is refused; any exception that is not for that is a finding.
    """
    expected = Expected(max_rows=1000, max_stdout=8000, names=frozenset(schema.names))
    reply = Reply(header=memoryview(header), body=memoryview(body))
    try:
        outcome = read_outcome(reply, expected)
    except BrokenReplyError:
        return False
    table = with_types_restored(outcome, schema, frozenset(schema.names)).table
    assert table is not None
    try:
        engine.rows(engine.hold(table))
    except TabchatError:
        return False
    return True


def damaged(chance: random.Random, body: bytes) -> bytes:
    """Return `body` with one to four changes: a bit, a number of some width, a piece moved, a piece lost."""
    changed = bytearray(body)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed))
        match chance.randrange(6):
            case 0:
                changed[place] ^= 1 << chance.randrange(8)
            case 1:
                changed[place] = chance.randrange(256)
            case 2 | 3:
                width, form = chance.choice(((2, "<H"), (4, "<I"), (8, "<Q")))
                number = chance.choice(_EXTREMES) & ((1 << 8 * width) - 1)
                start = min(place - place % width, len(changed) - width)
                struct.pack_into(form, changed, start, number)
            case 4:
                size = chance.randint(1, 16)
                start = chance.randrange(len(changed))
                piece = changed[start : start + size]
                changed[place : place + len(piece)] = piece
            case _ if chance.random() < 0.2:
                del changed[place : place + chance.randint(1, 8)]
            case _:
                changed[place] = (changed[place] + chance.choice((-1, 1))) % 256
    return bytes(changed)


def rounds(count: int, seed: int, engine: DuckDBEngine) -> Iterator[bool]:
    """Yield for each of `count` damaged replies whether it was believed."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    while count > 0:
        kinds = tuple(chance.sample(TYPES, chance.randint(1, 3)))
        header, body = honest(kinds)
        asked = pa.schema(
            [pa.field(f"c{place}", chance.choice((*TYPES, kind))) for place, kind in enumerate(kinds)]
        )
        for _ in range(min(count, 50)):
            yield believed(header, damaged(chance, body), asked, engine)
            count -= 1


def main() -> None:
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else 0
    with tempfile.TemporaryDirectory() as folder:
        engine = DuckDBEngine(spill=Path(folder), folders=())
        kept = sum(rounds(count, seed, engine))
    sys.stdout.write(f"{count:,} damaged replies: {kept:,} believed, {count - kept:,} refused\n")


if __name__ == "__main__":
    main()
