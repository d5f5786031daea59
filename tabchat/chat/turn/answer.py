"""The answer to a question: its text, the data behind it, and how its figures were checked."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from tabchat.answers.receipts import Verification
from tabchat.engine.types import json_value
from tabchat.errors import ExitCode, NotUnderstoodError
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import JsonValue
    from tabchat.errors import OfferedReading, TabchatError
    from tabchat.tools.envelope import ToolOutcome


@record
class Usage:
    """What an answer cost; zeros for an answer that no model was asked for."""

    model: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    """US dollars by the provider's list price; 0 also when the price is not known (`priced` says which)."""
    requests: int = 0
    """Requests that were sent; none when every reply came from the cache."""
    priced: bool = True
    estimated: bool = False
    """Whether tokens were counted here, since the provider did not tell them."""

    def __add__(self, other: Usage) -> Usage:
        """Return the two together."""
        return Usage(
            model=self.model or other.model,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost_usd=self.cost_usd + other.cost_usd,
            requests=self.requests + other.requests,
            priced=self.priced and other.priced,
            estimated=self.estimated or other.estimated,
        )

    def to_json(self) -> dict[str, JsonValue]:
        """Return the usage as plain JSON."""
        return {
            "model": self.model,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "cost_usd": self.cost_usd if self.priced else None,
            "requests": self.requests,
        }


@record
class DataBlock:
    """A result that a tool gave while the answer was made."""

    tool: str
    result: Result
    data_key: str | None
    """Key of the kept result; absent when the store could not keep it (a warning says why)."""
    summary: str
    title: str | None = None
    number: int | None = None
    """What the result is called in its conversation: 1 for `r1`."""
    shown_rows: int = 0
    """Rows, from the first one on, that a model was shown of it."""
    printed: str = ""
    """What code printed on its way to the result."""
    warnings: tuple[str, ...] = ()
    """What the person should know beside the result."""

    @classmethod
    def of(cls, tool: str, outcome: ToolOutcome) -> DataBlock | None:
        """Return the result that a tool call gave, nothing for a call that gave none."""
        if outcome.result is None:
            return None
        return cls(
            tool=tool,
            result=outcome.result,
            data_key=outcome.envelope.data_key if outcome.is_kept else None,
            summary=outcome.envelope.summary,
            title=outcome.title,
            number=outcome.number,
            shown_rows=_shown_rows(outcome),
            printed=outcome.printed,
            warnings=(*outcome.result.metadata.warnings, *outcome.warnings),
        )


@record
class Answer:
    """Everything that a question gave back; the last block is the one that answers it."""

    question: str
    text: str = ""
    blocks: tuple[DataBlock, ...] = ()
    planner: Literal["rules", "llm"] | None = None
    interpretation: str | None = None
    """The one-line `read as`: measure, filters, grouping, period."""
    readings: tuple[OfferedReading, ...] = ()
    """What the question could mean, the likeliest first, the one that is answered included; of rules only."""
    verification: Verification = field(default_factory=Verification)
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[str, ...] = ()
    error: TabchatError | None = None

    @property
    def ok(self) -> bool:
        """True when the question was answered."""
        return self.error is None

    @property
    def exit_code(self) -> ExitCode:
        """The code that a command leaves with after this answer."""
        if self.error is not None:
            return self.error.exit_code
        return ExitCode.UNVERIFIED if self.verification.status == "unverified" else ExitCode.ANSWERED

    @property
    def block(self) -> DataBlock | None:
        """The block that answers the question."""
        return self.blocks[-1] if self.blocks else None

    @property
    def offered(self) -> tuple[OfferedReading, ...]:
        """The readings of the question, whether one of them was answered or not."""
        return self.error.readings if isinstance(self.error, NotUnderstoodError) else self.readings

    def to_json(self, *, rows: int = 50) -> dict[str, JsonValue]:
        """Return the one object that `--json` prints; the table holds the first `rows` rows."""
        block = self.block
        result = block.result if block else None
        return {
            "ok": self.ok,
            "question": self.question,
            "answer": self.text,
            "type": result.kind.value if result else "text",
            "value": json_value(result.value) if result else None,
            "values": {name: json_value(value) for name, value in result.values.items()} if result else {},
            "table": table_json(result.frame, rows) if result else None,
            "row_count": result.frame.row_count if result else None,
            "source_row_count": result.source_row_count if result else None,
            "used_row_count": result.metadata.used_rows if result else None,
            "metadata": result.metadata.to_json() if result else None,
            "chart": result.chart.to_json() if result and result.chart else None,
            "data_key": block.data_key if block else None,
            "title": block.title if block else None,
            "summary": block.summary if block else None,
            "plan": dict(result.plan) if result and result.plan is not None else None,
            "sql": result.sql or None if result else None,
            "planner": self.planner,
            "interpretation": self.interpretation,
            "readings": [reading.to_json() for reading in self.offered],
            "verification": self.verification.to_json(),
            "usage": self.usage.to_json(),
            "warnings": list(self.warnings),
            "error": self.error.to_json() if self.error else None,
            **({"printed": block.printed} if block and block.printed else {}),
        }


def _shown_rows(outcome: ToolOutcome) -> int:
    rows = (outcome.envelope.preview or {}).get("rows")
    return len(rows) if isinstance(rows, (list, tuple)) else 0


def table_json(frame: Frame, limit: int) -> dict[str, JsonValue]:
    """Return the first `limit` rows of a frame, and whether there are more."""
    rows = frame.rows(limit)
    return {
        "columns": list(frame.columns),
        "rows": [[json_value(value) for value in row] for row in rows],
        "truncated": frame.row_count > len(rows),
    }
