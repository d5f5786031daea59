"""What each wall of the sandbox stops: every attack of the test suite, run four times.

    python benchmarks/attacks.py [--only TEXT]

Run from the root of the repository. Prints the table of SECURITY.md, and below
it whatever got through and each attack that does not work unprotected here.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.attacks.attacking import Arena, Behind, missing_here, verdict
from tests.attacks.catalogue import PAYLOADS
from tests.attacks.table import markdown, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="run attacks whose class or name holds this text")
    only = parser.parse_args().only
    verdicts, remarks = [], []
    with tempfile.TemporaryDirectory() as folder, Arena(Path(folder)) as arena:
        for payload in PAYLOADS:
            name = f"{payload.category}: {payload.name}"
            if only not in name or missing_here(payload):
                continue
            for behind in Behind:
                reached = arena.attack(payload, behind)
                said = verdict(reached, behind)
                verdicts.append((payload.category.value, behind.value, said))
                if (said == "reached") != (behind is Behind.NOTHING):
                    remarks.append(f"{name}: behind {behind}: {said} {sorted(goal.name for goal in reached)}")
    print(markdown(rows(verdicts)))
    print("\n".join(remarks))


if __name__ == "__main__":
    main()
