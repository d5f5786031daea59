"""Cold start of `tabchat ask` beside `python -c "import duckdb, rich.table"`, in one run.

    python benchmarks/startup.py [--repeat 15]

The two alternate, each in a fresh process. "first" starts from an empty cache,
"again" finds the table's version there.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "data" / "sales.csv"


def seconds(command: list[str], env: dict[str, str]) -> float:
    started = time.perf_counter()
    subprocess.run(
        command, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120
    )
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=15)
    repeat = parser.parse_args().repeat
    imports = [sys.executable, "-c", "import duckdb, rich.table"]
    ask = [str(Path(sys.executable).with_name("tabchat")), "ask", str(EXAMPLE), "total revenue by region"]
    times: dict[str, list[float]] = {"imports": [], "ask, first": [], "ask, again": []}
    for _ in range(repeat):
        home = tempfile.mkdtemp(prefix="bench-")
        env = dict(os.environ, XDG_CACHE_HOME=f"{home}/cache", XDG_DATA_HOME=f"{home}/data")
        times["imports"].append(seconds(imports, env))
        times["ask, first"].append(seconds(ask, env))
        times["ask, again"].append(seconds(ask, env))
        shutil.rmtree(home)
    base = statistics.median(times["imports"])
    for name, values in times.items():
        middle = statistics.median(values)
        print(f"{name:12}{middle * 1000:7.0f} ms   × {middle / base:.2f}")


if __name__ == "__main__":
    main()
