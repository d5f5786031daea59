"""What crosses between a session and its query process is bounded, and nothing of it is believed unseen."""

import socket
import struct
from collections.abc import Iterator

import pytest

from tabchat.engine.bounded import frames
from tabchat.engine.bounded.frames import BrokenFrameError, Channel, RowReader, RowWriter

Ends = tuple[socket.socket, Channel]


@pytest.fixture
def ends() -> Iterator[Ends]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield theirs, Channel(ours)


def head(kind: bytes, size: int) -> bytes:
    return struct.pack("<cI", kind, size)


def test_rows_arrive_as_they_were_written(ends: Ends) -> None:
    theirs, channel = ends
    writer, reader = RowWriter(Channel(theirs)), RowReader(channel, limit=100)
    writer.write(b"abc")
    writer.write(memoryview(b"defg"))
    writer.finish()
    assert [reader.read(2), reader.read(4), reader.read(4)] == [b"ab", b"cdef", b"g"]
    assert (reader.read(1), reader.ended) == (b"", True)


@pytest.mark.parametrize(
    "sent",
    [
        head(frames.DATA, frames.FRAME_LIMIT + 1),
        head(frames.DATA, 2**32 - 1),
        head(b"?", 0),
        head(frames.READY, 0),
        head(frames.TYPES, 2) + b"{}",
    ],
)
def test_other_frames_than_rows_are_refused_before_they_are_read(ends: Ends, sent: bytes) -> None:
    theirs, channel = ends
    theirs.sendall(sent)
    with pytest.raises(BrokenFrameError):
        RowReader(channel, limit=100).read(1)
    assert isinstance(channel.trouble, BrokenFrameError)


@pytest.mark.parametrize("size", [-1, 101, 2**62])
def test_no_more_rows_are_read_at_once_than_there_can_be(ends: Ends, size: int) -> None:
    _, channel = ends
    with pytest.raises(BrokenFrameError):
        RowReader(channel, limit=100).read(size)


def test_rows_after_the_last_one_are_refused(ends: Ends) -> None:
    theirs, channel = ends
    theirs.sendall(head(frames.DATA, 2) + b"ab" + head(frames.END, 0))
    reader = RowReader(channel, limit=100)
    assert reader.read(1) == b"a"
    with pytest.raises(BrokenFrameError):
        reader.finish()


def test_who_is_gone_is_noticed(ends: Ends) -> None:
    theirs, channel = ends
    theirs.sendall(head(frames.DATA, 10) + b"abc")
    theirs.close()
    with pytest.raises(EOFError):
        RowReader(channel, limit=100).read(1)
    assert isinstance(channel.trouble, EOFError)


def test_waits_end_when_their_time_is_used_up(ends: Ends) -> None:
    theirs, channel = ends
    theirs.sendall(head(frames.DATA, 1) + b"a")
    channel.allow(0.01)
    reader = RowReader(channel, limit=100)
    with pytest.raises(TimeoutError):
        reader.read(2)
    with pytest.raises(TimeoutError):
        channel.receive()


def test_a_frame_that_is_too_long_is_not_sent(ends: Ends) -> None:
    _, channel = ends
    with pytest.raises(BrokenFrameError):
        channel.send(frames.QUERY, bytes(frames.FRAME_LIMIT + 1))
