"""What arguments of commands can be chosen from, each with what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import ChartKind
from tabchat.repl.asking import ANSWERERS, REQUESTS_LISTED, SEEN
from tabchat.repl.registry import commands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tabchat.repl.registry import Takes
    from tabchat.repl.shell import Shell

PROVIDERS: Final = (
    ("openai/", "OpenAI"),
    ("anthropic/", "Anthropic"),
    ("gemini/", "Google AI Studio"),
    ("vertex_ai/", "Google Cloud"),
    ("azure/", "Azure OpenAI"),
    ("bedrock/", "Amazon Bedrock"),
    ("mistral/", "Mistral"),
    ("groq/", "Groq"),
    ("deepseek/", "DeepSeek"),
    ("xai/", "xAI"),
    ("openrouter/", "OpenRouter"),
    ("ollama_chat/", "Ollama, on this machine"),
    ("lm_studio/", "LM Studio, on this machine"),
    ("hosted_vllm/", "a vLLM server"),
)
"""How the names of models begin, and whose they are."""
KEYS_OFFERED: Final = 30

PARTS: Final = {
    "measure": "what is computed",
    "filter": "which rows",
    "by": "groups",
    "period": "dates",
    "sort": "order",
    "limit": "how many rows",
}
"""The parts of a reading, each with what it is."""
NONE: Final = ("none", "take it away")
"""What takes a part of a reading away."""
SPANS: Final = ("year", "quarter", "month", "week", "day", "weekday", "hour")
"""What a reading can be grouped by beside columns."""
EDITS: Final = {
    "delete rows where": "such as price > 100",
    "drop column": "such as discount",
    "rename": "such as revenue to income",
    "replace": "such as 'DE' with 'Germany' in country",
    "set": "such as discount to 0 where region is Asia",
    "fill missing": "such as discount with 0",
    "add column": "such as total = price * quantity",
    "remove duplicates": "rows that repeat an earlier row",
    "convert": "such as order_id to text",
}
"""How an edit in words begins, each with what may follow."""


def choices(shell: Shell, takes: Takes) -> Iterable[tuple[str, str]]:
    """Return what an argument of this kind can be; nothing where it can be anything."""
    sources: Mapping[Takes, Callable[[], Iterable[tuple[str, str]]]] = {
        "command": lambda: ((name, item.summary) for name, item in commands().items()),
        "table": lambda: ((name, "table") for name in shell.session.tables),
        "source": lambda: [("source", "the rows behind the last result")],
        "column": lambda: _result_columns(shell),
        "hidden": lambda: (*table_columns(shell), ("off", "hide nothing")),
        "key": lambda: _keys(shell),
        "model": lambda: _models(shell),
        "planner": lambda: ((item.value, what) for item, what in ANSWERERS.items()),
        "request": lambda: _requests(shell),
        "privacy": lambda: ((item.value, what) for item, what in SEEN.items()),
        "chart": lambda: ((kind.value, "kind of chart") for kind in ChartKind if kind is not ChartKind.NONE),
        "question": lambda: ((str(n), asked) for n, asked in enumerate(shell.asked, start=1)),
    }
    return sources[takes]() if takes in sources else ()


def table_columns(shell: Shell) -> Iterator[tuple[str, str]]:
    """Yield the columns of the current table."""
    if shell.session.tables:
        for column in shell.session.current.schema:
            yield column.name, column.kind.value


def names(shell: Shell) -> list[tuple[str, str]]:
    """Return the columns of the current table, and the tables."""
    return [*table_columns(shell), *((name, "table") for name in shell.session.tables)]


def _result_columns(shell: Shell) -> Iterator[tuple[str, str]]:
    for column in shell.require_block().result.frame.schema:
        yield column.name, column.kind.value


def _keys(shell: Shell) -> Iterator[tuple[str, str]]:
    kept = shell.session.results()[:KEYS_OFFERED]
    if kept:
        yield "_", "the newest result"
    for entry in kept:
        yield entry.key, entry.question or entry.title or ""


def _models(shell: Shell) -> Iterator[tuple[str, str]]:
    asked = (entry.model for entry in shell.session.ledger.entries(limit=REQUESTS_LISTED))
    yield from ((name, "asked before") for name in dict.fromkeys(asked) if name)
    yield from PROVIDERS
    yield "off", "no model"


def _requests(shell: Shell) -> Iterator[tuple[str, str]]:
    for entry in shell.session.ledger.entries(limit=REQUESTS_LISTED):
        yield entry.id, f"{entry.time.astimezone():%Y-%m-%d %H:%M} {entry.model or entry.host}"
