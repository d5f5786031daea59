"""Sixteen processes over one cache: every answer is right, no key is lost, nobody waits for ever."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.command import run
from tests.faults.person import WITNESS, Person

CROWD = 16


def test_a_crowd_over_one_cache_gets_right_answers(tmp_path: Path) -> None:
    person = Person(tmp_path, rows=2_000)
    person.write(tmp_path / "new.csv", 5_000)
    kept = person.ask("average amount by region")
    expected = "4 {} 5000\n".format(person.ask(WITNESS)["table"]["rows"][0][0])
    environment = os.environ | person.env
    with ThreadPoolExecutor(CROWD) as crowd:
        asking = [
            crowd.submit(
                run,
                ["tests.faults.asker", str(tmp_path)],
                b"",
                env=environment,
                cwd=tmp_path,
                timeout=300,
            )
            for _ in range(CROWD - 3)
        ]
        clearing = [person.start("cache", "clear", "--tables", "--yes") for _ in range(2)]
        exporting = person.start("export", kept["data_key"], "-o", tmp_path / "kept.csv")
    for one in asking:
        finished = one.result()
        assert (finished.code, finished.out) == (0, expected * 3), finished.err
    for started in (*clearing, exporting):
        _, said = started.communicate(timeout=300)
        assert started.returncode == 0, said
    assert (tmp_path / "kept.csv").read_text().count("\n") == 5
    assert person.ask("average amount by region") == kept
    assert person.losses() == []
