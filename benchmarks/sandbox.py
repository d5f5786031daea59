"""What the sandbox costs: a call on a small frame beside the bare computation, and a large table in and out.

    python benchmarks/sandbox.py [--repeat 20] [--rows 1000000]

The worker is forked for every call from a process that is warm. "bare" is the
same code over the same frame in a process that has pandas loaded; the two
alternate. Medians.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
import pandas as pd
import pyarrow as pa
from running import seconds

from tabchat.sandbox.policy import Purpose, SandboxPolicy, SandboxRequest
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.sealed import sealed_table
from tabchat.sandbox.worker.frame_in import to_frame

SMALL = 500
CODE = "result = df.groupby('text', as_index=False).agg(total=('a', 'sum'), middle=('f', 'median'))"


def table(rows: int) -> pa.Table:
    random = np.random.default_rng(1)
    day = np.datetime64("2020-01-01")
    return pa.Table.from_pandas(
        pd.DataFrame(
            {
                "a": random.integers(0, 1000, rows),
                "b": random.integers(0, 2**40, rows),
                "c": random.integers(0, 100, rows).astype("int32"),
                "d": random.normal(size=rows),
                "e": random.normal(size=rows),
                "f": random.normal(size=rows),
                "day": day + random.integers(0, 1000, rows).astype("timedelta64[D]"),
                "text": np.array(["north", "south", "east", "west"])[random.integers(0, 4, rows)],
                "name": [f"customer {number}" for number in random.integers(0, 10_000, rows)],
                "flag": random.integers(0, 2, rows).astype(bool),
            }
        ),
        preserve_index=False,
    )


def run(sandbox: Sandbox, rows: pa.Table, code: str, purpose: Purpose = Purpose.READ) -> float:
    started = time.perf_counter()
    outcome = sandbox.run(
        SandboxRequest(code=code, purpose=purpose, batches=rows.to_batches(), schema=rows.schema)
    )
    taken = time.perf_counter() - started
    outcome.raise_for_ending()
    return taken


def bare(frame: pd.DataFrame) -> None:
    exec(CODE, {"df": frame.copy()})  # noqa: S102 - the code above, for comparison


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=20)
    parser.add_argument("--rows", type=int, default=1_000_000)
    given = parser.parse_args()
    small, large = table(SMALL), table(given.rows)
    with Sandbox(SandboxPolicy(wall_seconds=120, max_rows=given.rows)) as sandbox:
        show("libraries loaded in the background", seconds(sandbox.await_warm))
        calls, alone, nothing, whole, edited, handed = [], [], [], [], [], []
        frame = to_frame(small)
        for _ in range(given.repeat):
            calls.append(run(sandbox, small, CODE))
            alone.append(seconds(lambda: bare(frame)))
        middle = statistics.median
        show(f"a call over {SMALL} rows", middle(calls))
        show("the bare computation", middle(alone))
        show("what the sandbox adds", middle(calls) - middle(alone))
        for _ in range(max(3, given.repeat // 4)):
            handed.append(seconds(lambda: hand_over(large)))
            nothing.append(run(sandbox, large, "result = len(df)"))
            whole.append(run(sandbox, large, "result = df"))
            edited.append(run(sandbox, large, "df['a'] = df['a'] + 1\nCOMMIT_DF = True", Purpose.EDIT))
        shape = f"{given.rows:,} rows of {large.num_columns} columns"
        show(f"{shape} into a sealed file", middle(handed))
        show(f"{shape} in, one number out", middle(nothing))
        show(f"{shape} in and out", middle(whole))
        show("of which out", middle(whole) - middle(nothing))
        show(f"{shape} in and out as an edit, rows matched", middle(edited))


def hand_over(rows: pa.Table) -> None:
    with sealed_table(rows.to_batches(), rows.schema, limit_mb=4096):
        pass


def show(what: str, taken: float) -> None:
    print(f"{what:60}{taken * 1000:9.1f} ms")


if __name__ == "__main__":
    main()
