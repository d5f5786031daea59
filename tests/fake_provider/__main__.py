"""Run the fake provider by hand: `python -m tests.fake_provider [--port N] [--script FILE.json]`."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.fake_provider import FakeProvider, call, read_script, say

if TYPE_CHECKING:
    from tests.fake_provider import Step


def by_turn(body: dict[str, Any]) -> Step:
    """Count the rows of each region, then say what the query gave."""
    *_, last = body["messages"]
    results = [message["content"] for message in body["messages"] if message["role"] == "tool"]
    if last["role"] == "tool" or last["content"].startswith("Validation errors"):
        summary = results[-1].partition("\nkey ")[0]
        return say(f"Here is what the query gave.\n\n{summary}")
    return call("run_query", {"group_by": "region", "select": "count()", "title": "Rows by region"})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.fake_provider", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="a free one by default")
    parser.add_argument("--script", type=Path, help='JSON list of steps, such as [{"say": "Hello."}]')
    arguments = parser.parse_args()
    steps = read_script(json.loads(arguments.script.read_text())) if arguments.script else None
    seen = 0
    with FakeProvider(steps or by_turn, port=arguments.port) as provider:
        sys.stdout.write(
            f"{provider.base_url}\n"
            f"OPENAI_API_KEY=fake tabchat ask --planner llm -m openai/fake --api-base {provider.base_url} "
            "examples/data/sales.csv 'How many rows has each region?'\n"
        )
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            while not threading.Event().wait(0.2):
                for request in provider.requests[seen:]:
                    seen += 1
                    sys.stdout.write(
                        f"{request.method} {request.path} {len(request.body)} bytes\n{request.body.decode()}\n"
                    )
                sys.stdout.flush()


if __name__ == "__main__":
    main()
