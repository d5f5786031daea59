"""What is forked has the descriptors that it was promised."""

from __future__ import annotations

import os
import socket

import pytest

from tests.forkserver.children import ask
from tests.forkserver.client import address, forks


@pytest.mark.parametrize("place", [5, 1000, 1500])
@pytest.mark.skipif(not forks(os.environ), reason="nothing is forked here")
def test_a_child_has_its_descriptors_whatever_their_numbers(place: int) -> None:
    ours, theirs = socket.socketpair()
    request = {
        "boot": f"import os; os.write({place}, b'here')",
        "words": [],
        "places": [place],
        "environment": {},
    }
    with ours, ask(address("query"), request, [theirs.fileno()]) as told:
        theirs.close()
        ours.settimeout(20)
        assert ours.recv(16) == b"here"
        told.settimeout(20)
        assert told.recv(64)
