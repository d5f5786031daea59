"""How many planted errors the check of figures catches, and how many right figures it does not link.

python benchmarks/planted_numbers.py [--rounds 60] [--seed 11] [--show]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.answers.planted import contexts_in, run_trial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument(
        "--show", action="store_true", help="print each miss and each right figure not linked"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        contexts = contexts_in(Path(folder))
        started = time.perf_counter()
        trial = run_trial(contexts, rounds=options.rounds, seed=options.seed)
        took = time.perf_counter() - started
    print(trial.report())
    answers = trial.planted.total() + trial.right
    print(f"{1000 * took / answers:.1f} ms for each answer")
    if options.show:
        for kind, text in trial.missed:
            print(f"MISSED {kind}: {text}")
        for figure, text in trial.flagged:
            print(f"NOT LINKED {figure}: {text}")


if __name__ == "__main__":
    main()
