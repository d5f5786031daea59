"""What a question, a plan or SQL gave back, as a Python program takes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.answers.receipts import Receipt
    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import JsonValue, Value
    from tabchat.errors import OfferedReading
    from tabchat.export import ExportReport
    from tabchat.session import Session


@record
class TableAnswer:
    """An answer. Frames are fetched when they are looked at, while the table is open."""

    session: Session
    answer: Answer
    """All that is known of it; `answer.to_json()` is what `--json` prints."""

    @property
    def text(self) -> str:
        """The answer in words; empty for a plan and for SQL."""
        return self.answer.text

    @property
    def result(self) -> Result | None:
        """What was computed; nothing for an answer that is words alone."""
        return self.answer.block.result if self.answer.block else None

    @property
    def value(self) -> Value:
        """The one value of a result that is one; nothing otherwise."""
        return self.result.value if self.result else None

    @property
    def values(self) -> Mapping[str, Value]:
        """Name → value of a result that is several values; empty otherwise."""
        return self.result.values if self.result else {}

    @property
    def frame(self) -> Frame | None:
        """Every row of the result; `to_pandas()`, `to_arrow()` and `rows()` fetch them."""
        return self.result.frame if self.result else None

    @property
    def source(self) -> Frame | None:
        """The rows that it was computed from; nothing where the result is rows of the table itself."""
        found = self.result.source if self.result else None
        return self.session.source(self.key) if found is None and self.key is not None else found

    @property
    def key(self) -> str | None:
        """The key of the kept result, the same as on the command line; nothing where it could not be kept."""
        return self.answer.block.data_key if self.answer.block else None

    @property
    def interpretation(self) -> str | None:
        """How rules read the question, in one line."""
        return self.answer.interpretation

    @property
    def readings(self) -> tuple[OfferedReading, ...]:
        """What the question could mean, the likeliest first, the one that is answered included."""
        return self.answer.offered

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """Every figure of the text with the cells behind it."""
        return self.answer.verification.receipts

    @property
    def is_verified(self) -> bool:
        """False when a figure of a model's text has nothing that backs it."""
        return self.answer.verification.status != "unverified"

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is to be known beside the answer."""
        return self.answer.warnings

    def export(
        self, path: str | Path, *, source: bool = False, force: bool = False, guard_formulas: bool = False
    ) -> ExportReport:
        """Write every row, or every one of `source`, to a file whose name says the format.

        Raises `UsageError` for an answer without such rows and for another name, `OutputExistsError` for a file that
        exists without `force`, and `OutputError`; a file that is open as a table is never written.
        """
        from tabchat.export import export_frame

        frame = self.source if source else self.frame
        if frame is None or self.answer.block is None:
            message = "The answer has no separate source rows." if source else "The answer has no rows."
            raise UsageError(message, hint="Export the result itself." if self.frame is not None else None)
        protected = self.session.protected()
        return export_frame(
            frame,
            Path(path),
            force=force,
            guard_formulas=guard_formulas,
            title=self.answer.block.title,
            protected=protected,
        )

    def to_json(self, *, rows: int | None = None) -> dict[str, JsonValue]:
        """Return what `--json` prints, with the first `rows` rows; those of the settings by default."""
        return self.answer.to_json(rows=self.session.settings.rows if rows is None else rows)

    def __repr__(self) -> str:
        doubt = "" if self.is_verified else ", is_verified=False"
        return f"TableAnswer({self.text!r}, key={self.key!r}{doubt})"

    def _repr_html_(self) -> str:
        """Return the answer and the first rows as HTML, in which no cell is more than its text."""
        from tabchat.api.notebook import answer_html

        return answer_html(self.answer, rows=self.session.settings.rows)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:  # noqa: ARG002 - a notebook leaves out itself what it does not want
        """Return what a notebook shows: as `_repr_html_`, with the chart where the extra `charts` is installed."""
        from tabchat.api.notebook import answer_html, chart_html

        html = answer_html(self.answer, rows=self.session.settings.rows, chart=chart_html(self.answer))
        return {"text/plain": repr(self), "text/html": html}
