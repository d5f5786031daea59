"""Sixteen processes over one cache: every answer is right, no key is lost, nobody waits for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from tests.faults.person import WITNESS, Person

if TYPE_CHECKING:
    from pathlib import Path

CROWD = 16
SCRIPT = """
import sys
from pathlib import Path
import tabchat
number, folder = int(sys.argv[1]), Path(sys.argv[2])
with tabchat.open_table(folder / "orders.csv") as orders, tabchat.open_table(folder / "new.csv") as new:
    for _ in range(3):
        total = orders.ask("total amount by region").frame.row_count
        print(total, orders.ask("total amount").value, new.ask("how many rows").value, flush=True)
"""


def test_a_crowd_over_one_cache_gets_right_answers(tmp_path: Path) -> None:
    person = Person(tmp_path, rows=2_000)
    person.write(tmp_path / "new.csv", 5_000)
    kept = person.ask("average amount by region")
    expected = "4 {} 5000\n".format(person.ask(WITNESS)["table"]["rows"][0][0])
    environment = {**os.environ, **person.env}
    asking = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(number), str(tmp_path)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(CROWD - 3)
    ]
    clearing = [person.start("cache", "clear", "--tables", "--yes") for _ in range(2)]
    exporting = person.start("export", kept["data_key"], "-o", tmp_path / "kept.csv")
    for process in asking:
        out, err = process.communicate(timeout=300)
        assert (process.returncode, out) == (0, expected * 3), err
    for started in (*clearing, exporting):
        _, said = started.communicate(timeout=300)
        assert started.returncode == 0, said
    assert (tmp_path / "kept.csv").read_text().count("\n") == 5
    assert person.ask("average amount by region") == kept
    assert person.losses() == []
