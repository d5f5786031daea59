"""A reply is believed only where it is exactly what the worker writes; nothing of any other is used."""

import json
import os
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.errors import CodeFailedError
from tabchat.sandbox.reply.exchange import BrokenReplyError, Reply, read_reply
from tabchat.sandbox.reply.outcome import Ending, ResultForm, SandboxOutcome
from tabchat.sandbox.reply.untrusted import Expected, read_outcome
from tabchat.sandbox.reply.wire import HEADER_LIMIT, MAGIC, PREFIX, framed
from tests.effort import examples
from tests.sandbox.mutations import stream

EXPECTED = Expected(max_rows=1000, max_stdout=8000, names=frozenset({"known  name"}))
HEADER: dict[str, Any] = {"ending": "answered", "form": "frame", "rows": 2, "stdout": "", "printed": 0}


BODY = stream(pa.table({"a": [1, 2], "b": ["x", "y"]}))


def outcome_of(header: bytes | dict[str, Any], body: bytes = b"") -> SandboxOutcome:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return read_outcome(Reply(header=memoryview(text), body=memoryview(body)), EXPECTED)


def received(content: bytes, *, limit: int = 1 << 20, seconds: float = 10.0) -> Reply | None:
    """Send `content` through a pipe, as a worker does, and read it."""
    reader, writer = os.pipe()

    def send() -> None:
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(content)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        return read_reply(reader, time.monotonic() + seconds, limit)
    finally:
        os.close(reader)
        sender.join()


def test_an_honest_reply_is_read() -> None:
    first, body = framed(HEADER, BODY)
    reply = received(first + body)
    assert reply is not None
    outcome = read_outcome(reply, EXPECTED)
    assert outcome.table == pa.table({"a": [1, 2], "b": ["x", "y"]})


@pytest.mark.parametrize(
    "kept", [0, 5, PREFIX.size, PREFIX.size + 3, PREFIX.size + len(json.dumps(HEADER)) + 40]
)
def test_a_reply_that_breaks_off_is_none(kept: int) -> None:
    first, body = framed(HEADER, BODY)
    assert received((first + body)[:kept]) is None


@pytest.mark.parametrize(
    "content, reason",
    [
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 20, "does not begin like one"),
        (PREFIX.pack(MAGIC, HEADER_LIMIT + 1, 0), "header is too long"),
        (PREFIX.pack(MAGIC, 2, 1 << 62), "longer than 1 MB"),
        (b"".join(framed({"ending": "no_result"}, b"")) * 2, "more follows"),
        (b"".join(framed({"ending": "no_result"}, b"")) + b"\x00", "more follows"),
    ],
)
def test_a_wrong_frame_is_refused(content: bytes, reason: str) -> None:
    with pytest.raises(BrokenReplyError, match=reason):
        received(content)


def test_a_size_that_is_only_claimed_costs_no_memory() -> None:
    assert received(PREFIX.pack(MAGIC, 2, 1 << 31) + b"{}", limit=1 << 32) is None


def test_a_reply_that_drips_is_stopped_by_the_clock() -> None:
    reader, writer = os.pipe()
    stop = threading.Event()

    def drip() -> None:
        while not stop.wait(0.01):
            os.write(writer, MAGIC[:1])

    sender = threading.Thread(target=drip)
    os.write(writer, PREFIX.pack(MAGIC, HEADER_LIMIT, 0))
    sender.start()
    try:
        with pytest.raises(TimeoutError):
            read_reply(reader, time.monotonic() + 0.2, 10)
    finally:
        stop.set()
        sender.join()
        os.close(reader)
        os.close(writer)


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"[]",
        b"null",
        b"1",
        b"\xff\xfe{}",
        b'{"ending": "answered"',
        b"[" * 500_000,
        b'{"a":' * 100_000,
        b'{"ending": "no_result", "ending": "answered", "stdout": "", "printed": 0}',
        b'{"ending": "no_result", "stdout": "", "printed": NaN}',
        b'{"ending": "no_result", "stdout": "", "printed": -Infinity}',
        b'{"ending": "no_result", "stdout": "", "printed": ' + b"9" * 10_000 + b"}",
        b'{"ending": ["no_result"], "stdout": "", "printed": 0}',
        b'{"ending": "timed_out", "stdout": "", "printed": 0}',
        b'{"ending": "broke_protocol", "stdout": "", "printed": 0}',
        b'{"ending": "no_result", "stdout": 1, "printed": 0}',
        b'{"ending": "no_result", "stdout": "", "printed": true}',
        b'{"ending": "no_result", "stdout": "", "printed": -1}',
        b'{"ending": "no_result"}',
    ],
)
def test_a_wrong_header_is_refused(header: bytes) -> None:
    with pytest.raises(BrokenReplyError):
        outcome_of(header)


@pytest.mark.parametrize(
    "changed",
    [
        {"stdout": "x" * 8001},
        {"form": "picture"},
        {"form": "scalar", "value": ["int", "1", "2"]},
        {"form": "scalar", "value": ["int", "1_0" * 3000]},
        {"form": "scalar", "value": ["int", "9" * 5000]},
        {"form": "scalar", "value": ["date", "yesterday"]},
        {"form": "scalar", "value": ["decimal", "one"]},
        {"form": "scalar", "value": ["timedelta", "9999999999,0,0"]},
        {"form": "scalar", "value": ["__class__", ""]},
        {"form": "scalar", "value": {"int": "1"}},
        {"form": "scalar", "value": 1},
        {"form": "dict", "values": {"a": 1}},
        {"form": "dict", "values": [["a", ["int", "1"]], ["a", ["int", "2"]]]},
        {"form": "dict", "values": [["a", ["int", "1"]]] * 7000},
        {"form": "text"},
        {"form": "text", "text": "x" * 8001},
        {"form": "text", "text": "x", "notes": "none"},
        {"form": "text", "text": "x", "notes": [1]},
        {"form": "text", "text": "x", "walls": []},
        {"form": "text", "text": "x", "walls": {"names": ["a"], "landlock_abi": "7"}},
        {"ending": "raised", "error": "oh"},
        {"ending": "raised", "error": {"kind": "K" * 101, "message": "", "line": 1}},
        {"ending": "raised", "error": {"kind": "K", "message": "", "line": "1"}},
        {"ending": "refused", "problems": [[1, 2, 3, 4]]},
        {"form": "text", "text": "x", "warned": [["K", "m", "1"]]},
        {"form": "text", "text": "x", "warned": [["K", "m", 1]] * 11},
    ],
)
def test_a_field_that_is_not_what_it_must_be_is_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(BrokenReplyError):
        outcome_of(HEADER | changed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = [
    "ending",
    "form",
    "rows",
    "stdout",
    "printed",
    "value",
    "values",
    "text",
    "notes",
    "as_text",
    "walls",
    "error",
    "problems",
    "warned",
]


@settings(max_examples=examples(200), deadline=None)
@given(
    changed=st.dictionaries(st.sampled_from(FIELDS), JSON, min_size=1, max_size=3),
    ending=st.sampled_from(Ending),
    form=st.sampled_from(ResultForm),
    with_table=st.booleans(),
)
def test_any_header_is_read_or_refused(
    changed: dict[str, Any], ending: Ending, form: ResultForm, with_table: bool
) -> None:
    header = json.dumps(HEADER | {"ending": ending, "form": form} | changed).encode()
    try:
        outcome = outcome_of(header, BODY if with_table else b"")
    except BrokenReplyError:
        return
    outcome.error()


def test_a_table_comes_only_where_it_is_announced() -> None:
    for changed in ({"form": "text", "text": "x"}, {"ending": "no_result"}):
        with pytest.raises(BrokenReplyError, match="carries a table"):
            outcome_of(HEADER | changed, BODY)


def test_a_name_that_is_none_is_no_way_past_the_privacy_level() -> None:
    forged = {"kind": "kqa kqb", "message": "kqc", "line": 2}
    error = outcome_of(HEADER | {"ending": "raised", "error": forged}).error()
    assert isinstance(error, CodeFailedError)
    assert error.plain == "The code failed with an error in line 2."


def test_lone_halves_of_characters_are_made_harmless() -> None:
    outcome = outcome_of(HEADER | {"ending": "no_result", "stdout": "\ud800", "printed": 1})
    assert outcome.stdout == "�"


@pytest.mark.parametrize("rows", [0, 1, 3, -1, 2.0, None, 2**60])
def test_a_miscounted_table_is_refused(rows: object) -> None:
    with pytest.raises(BrokenReplyError):
        outcome_of(HEADER | {"rows": rows}, BODY)


@pytest.mark.parametrize("codec", ["lz4", "zstd"])
def test_a_compressed_table_is_refused_before_it_is_unpacked(codec: str) -> None:
    bomb = stream(pa.table({"a": pa.array([0] * 2_000_000)}), compression=codec)
    with pytest.raises(BrokenReplyError, match="compressed"):
        outcome_of(HEADER | {"rows": 2_000_000}, bomb)


def decimals(precision: int, scale: int) -> pa.Array:
    """Return what no cast makes: two numbers that claim to have such a scale."""
    whole = pa.array([1, 2]).cast(pa.decimal128(20, 0))
    return pa.Array.from_buffers(pa.decimal128(precision, scale), 2, whole.buffers())


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a", "b"]).dictionary_encode(),
        pa.array([[1], [2]]),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([None, None]),
        pa.array([1, 2]).cast(pa.decimal256(40, 2)),
        pa.ExtensionArray.from_storage(pa.json_(), pa.array(["{}", "{}"])),
        pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"0" * 16] * 2, pa.binary(16))),
        pa.array(["a", "b"], pa.string_view()),
        pa.RunEndEncodedArray.from_arrays([2], [1]),
        pa.array([1, 2], pa.float16()),
        *(decimals(38, scale) for scale in (-(2**31), -1, 39, 100, 2**31 - 1)),
        decimals(10, 11),
        pa.array([1, 2], pa.timestamp("us", "Europe/Nowhere")),
        pa.array([1, 2], pa.timestamp("us", "../../../etc/passwd")),
        pa.array([1, 2], pa.timestamp("us", "/etc/passwd")),
        pa.array([1, 2], pa.timestamp("us", "+99:99")),
    ],
    ids=lambda column: str(column.type),
)
def test_a_type_that_may_not_cross_is_refused(column: pa.Array) -> None:
    with pytest.raises(BrokenReplyError):
        outcome_of(HEADER, stream(pa.table({"a": column})))


def test_a_type_that_may_not_cross_is_named() -> None:
    with pytest.raises(BrokenReplyError, match="of the type halffloat, which may not cross"):
        outcome_of(HEADER, stream(pa.table({"a": pa.array([1, 2], pa.float16())})))


@pytest.mark.parametrize("zone", ["UTC", "Europe/Kyiv", "+02:30"])
def test_a_time_zone_that_there_is_crosses(zone: str) -> None:
    kind = pa.timestamp("us", zone)
    table = outcome_of(HEADER, stream(pa.table({"a": pa.array([1, 2], kind)}))).table
    assert table is not None
    assert table.schema.types == [kind]


@pytest.mark.parametrize(
    "number, kind",
    [
        (2_932_897, pa.date32()),
        (-719_163, pa.date32()),
        (2**62, pa.timestamp("us")),
        (253_402_300_799, pa.timestamp("s", "UTC")),
        (2**50, pa.duration("s")),
    ],
)
def test_a_date_that_python_has_no_value_for_is_refused(number: int, kind: pa.DataType) -> None:
    width = pa.int32() if pa.types.is_date32(kind) else pa.int64()
    body = stream(pa.table({"a": pa.array([1, number], width).cast(kind)}))
    with pytest.raises(BrokenReplyError, match="beyond all that can be shown"):
        outcome_of(HEADER, body)


@pytest.mark.parametrize("seed", range(examples(1)))
def test_no_damaged_reply_ends_its_reader(seed: int) -> None:
    """The longer run is `make fuzz`."""
    command = [sys.executable, "-m", "tests.sandbox.mutations", "8000", str(seed)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert int(ended.stdout.split(":")[1].split()[0].replace(",", "")) > 100, "hardly one got past the checks"


def test_a_table_with_too_many_rows_or_columns_is_refused() -> None:
    for table in (pa.table({"a": range(1001)}), pa.table([[1]] * 5001, names=[f"c{n}" for n in range(5001)])):
        with pytest.raises(BrokenReplyError, match=r"too many|more than"):
            outcome_of(HEADER | {"rows": table.num_rows}, stream(table))


def test_text_that_is_not_text_is_refused() -> None:
    with pytest.raises(BrokenReplyError, match="damaged"):
        outcome_of(HEADER, BODY.replace(b"xy", b"\xff\xfe"))


def test_names_of_columns_are_inert_and_unique() -> None:
    body = stream(pa.table([[1]] * 5, names=["a\x1b[2J", "a\u202eb", "", "known  name", "b\nb"]))
    table = outcome_of(HEADER | {"rows": 1}, body).table
    assert table is not None
    assert table.column_names == ["a [2J", "a b", "column", "known  name", "b b"]
    twice = outcome_of(HEADER | {"rows": 1}, stream(pa.table([[1], [2]], names=["a\n", "a\r"]))).table
    assert twice is not None
    assert twice.column_names == ["a", "a_2"]


def damaged(change: Callable[[bytearray], object]) -> bytes:
    body = bytearray(BODY)
    change(body)
    return bytes(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xff\xff\xff\xff",
        b"\xff\xff\xff\xff\x00\x00\x00\x00",
        BODY[:-8],
        BODY[: len(BODY) // 2],
        BODY + BODY,
        BODY + b"\x00",
        b"ARROW1\x00\x00" + BODY,
        b"\x00" * len(BODY),
        struct.pack("<II", 0xFFFFFFFF, 0x7FFFFFFF) + BODY[8:],
        damaged(lambda body: body.__setitem__(slice(8, 12), struct.pack("<I", 0xFFFFFFF0))),
    ],
)
def test_a_damaged_table_is_refused(body: bytes) -> None:
    with pytest.raises(BrokenReplyError):
        outcome_of(HEADER, body)


def test_no_flipped_byte_of_a_table_gets_past_the_checks() -> None:
    for place in range(len(BODY)):
        for flip in (0x01, 0x80, 0xFF):
            changed = bytearray(BODY)
            changed[place] ^= flip
            try:
                table = outcome_of(HEADER, bytes(changed)).table
            except BrokenReplyError:
                continue
            assert table is not None
            table.validate(full=True)
            assert table.num_rows == 2
            assert len(table.to_pylist()) == 2
