"""A process with a query process, as a person's session is one; the tests kill and interrupt it from outside.

    python -m tests.engine.bounded.session FOLDER

prints the number of its query process, runs a query that does not end, and after a Ctrl-C says so and
answers another one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.errors import InterruptedByUserError
from tests.attacks.sql_bombs import BOMBS
from tests.sql import parsed


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main() -> None:
    engine = BoundedDuckDBEngine(spill=Path(sys.argv[1]) / "spill")
    written = engine.for_sql()
    written.rows(parsed("SELECT 1"))
    say(*engine.processes.pids)
    try:
        written.rows(parsed(BOMBS["levenshtein"]))
    except InterruptedByUserError:
        say("interrupted")
    say(written.rows(parsed("SELECT 7"))[0][0])
    engine.close()


if __name__ == "__main__":
    main()
