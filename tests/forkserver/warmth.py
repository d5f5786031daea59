"""What a program reads of the package's own files before its first answer, read once for all that are forked.

It is the same for every program: the words of the languages, the weights of the choice, how records are made, for programs
with a model its tokens and how requests are written. Nothing of a home, of settings or of the environment is among it.
"""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.facts import facts_of
from tabchat.engine.limits import Limits
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions
from tabchat.planner import OfflinePlanner
from tabchat.planner.shortcuts import ShortcutReader
from tests.seals import SEAL

if TYPE_CHECKING:
    from tabchat.engine.result.result import Result

_TABLE: Final = "region,sold on,revenue\nAsia,2024-01-05,1.5\nEurope,2024-02-07,2.5\nEurope,2024-03-09,3.5\n"
_QUESTIONS: Final = ("average revenue by region", "середній revenue за region", "средний revenue по region")
"""One in the words of each language, all certain."""


def answer() -> None:
    """Open a small table, read questions about it, and answer them; no thread is left behind."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "sales.csv"
        source.write_text(_TABLE, encoding="utf-8")
        table = open_table(
            source, options=ReadOptions(), cache=TableCache(folder / "tables", max_bytes=10**6, seal=SEAL)
        )
        engine = DuckDBEngine(spill=folder / "spill", folders=(folder / "tables",), limits=Limits(threads=1))
        with contextlib.closing(engine):
            engine.attach(table.name, table.scan, table.files)
            facts = facts_of(engine, table)
            planner = OfflinePlanner(
                facts={table.name: lambda: facts},
                results=_no_result,
                shortcuts=ShortcutReader(),
            )
            for question in _QUESTIONS:
                call = planner.plan(question).call
                run_plan(engine, table, parse_plan({k: v for k, v in call.arguments.items() if k != "table"}))


def converse() -> None:
    """Have a reply of a model, as programs with one do; no connection, client or thread is left behind."""
    from litellm import in_memory_llm_clients_cache

    from tests.chat.asking import ask, make_model, question
    from tests.fake_provider import FAKE_ENV, FakeProvider, say

    with pytest.MonkeyPatch.context() as patch, FakeProvider([say("There are 6.")]) as provider:
        for name, key in FAKE_ENV.items():
            patch.setenv(name, key)
        model = make_model(provider, model="openai/gpt-4o")
        assert model.count_tokens(question())
        ask(model)
    in_memory_llm_clients_cache.cache_dict.clear()


def _no_result(key: str) -> Result:
    raise AssertionError(f"nobody asked for {key}")
