"""A file reads the same from either end."""

import io
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.audit import lines
from tabchat.audit.lines import backwards, forwards
from tests.effort import examples


@settings(deadline=None, max_examples=examples(200))
@given(
    pieces=st.lists(st.sampled_from([b"\n", b"a", b"bc", b"x" * 7, b"y" * 70_000]), max_size=12),
    data=st.data(),
)
def test_lines_are_the_same_from_either_end(pieces: list[bytes], data: st.DataObject) -> None:
    content = b"".join(pieces)
    size = data.draw(st.integers(0, len(content)))
    seen = list(forwards(io.BytesIO(content), size))
    assert seen == list(backwards(io.BytesIO(content), size))[::-1]
    assert [line.content for line in seen] == (
        content[:size].removesuffix(b"\n").split(b"\n") if size else []
    )
    ends = [0, *(line.end for line in seen)]
    assert ends[-1] == size
    parts = [content[start:end].removesuffix(b"\n") for start, end in pairwise(ends)]
    assert parts == [line.content for line in seen]
    assert lines._BLOCK < 70_000
