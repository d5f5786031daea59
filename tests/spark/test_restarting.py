"""A local Spark whose stopped query does not end is ended with it, and the next question is answered by another.

Each test has a Spark of its own, in a process of its own: there is one in a process, and that of the others goes on.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tabchat.config import load_settings
from tabchat.session import Session
from tests.conftest import Example
from tests.effort import THOROUGH
from tests.repl.terminal import Terminal
from tests.spark.beside import FOR_HOURS, answered

pytestmark = pytest.mark.usefixtures("spark")

GUARD = 280.0
"""Seconds after which a test that hangs is given up."""
ENDED = "Its tasks on Spark would not end, so Spark was ended with them; the next question starts it again."

GUEST = re.compile(
    r"The query was stopped\. Spark still runs [12] tasks? of stopped queries; each ends at the next row that it reads\."
)


@pytest.mark.skipif(not THOROUGH, reason="takes minutes of processors; try: make thorough")
def test_after_two_joins_that_do_not_end_the_next_question_is_answered(example: Example) -> None:
    asked = ("repl", str(example("sales.csv")), "--engine", "spark", "--spark", "local[2]")
    with Terminal("tabchat", *asked, columns=200) as terminal:
        terminal.read_until("sales>")
        kept = 0
        ends = time.monotonic() + GUARD
        while kept < 2:
            assert time.monotonic() < ends
            terminal.type(f"/sql {FOR_HOURS.format(table='sales')}\r")
            # Of its stages the last one alone goes on: one that was stopped before is no trial.
            terminal.read_until(" 0% computing")
            time.sleep(3)
            terminal.type("\x03")
            terminal.read_until("Stopped.")
            kept += ENDED in terminal.read_until("sales>")
        terminal.enter("how many rows", "The table has 5,000 rows.")


def test_queries_beside_it_and_after_a_crash_are_answered_and_a_guest_ends_nothing(lakes: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.spark.beside", *(str(lakes / name) for name in ("delta", "texts"))],
        capture_output=True,
        text=True,
        check=False,
        timeout=GUARD,
        # As in a process that was a client of a server before.
        env={**os.environ, "SPARK_CONNECT_MODE_ENABLED": "1"},
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["is_kept"], told["refused"]
    assert told["stopped"] == f"The query was stopped. {ENDED}"
    with Session.open([lakes / "columns"], settings=load_settings()) as near:
        assert told["beside"] == answered(near, told["asked"].replace("delta", "columns"))
    assert told["crashed"] == "Spark ended by itself while it ran the query."
    assert told["after"] == "[(5000,)]"
    assert GUEST.fullmatch(told["guest"])
    assert ran.stderr == ""
