"""How many planted errors the check of figures catches, and how many right answers it flags.

python benchmarks/planted_numbers.py [--rounds 30] [--seed 11] [--show]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.chat.validator.planted.trial import run_trial, worlds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--show", action="store_true", help="print each miss and each false alarm")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        made = worlds(Path(folder))
        started = time.perf_counter()
        trial = run_trial(made, rounds=options.rounds, seed=options.seed)
        took = time.perf_counter() - started
    print(trial.report())
    print(f"{1000 * took / trial.answers:.1f} ms for each answer")
    if options.show:
        for error, kind, template, text in trial.missed:
            print(f"\nMISSED {error} in {kind}: {template!r}\n  {text}")
        for kind, template, text, issues in trial.flagged:
            print(f"\nFLAGGED {kind}: {template!r}\n  {text}")
            for issue in issues:
                print(f"    {issue}")


if __name__ == "__main__":
    main()
