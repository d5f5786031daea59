"""Fills figures in while a text is still being written, as their braces close."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tabchat.answers.evaluate import Evaluator
from tabchat.answers.fill import fill
from tabchat.answers.template import open_brace, own_text, parse_template
from tabchat.languages.notation import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.answers.results import NumberedResult

_WITHIN_A_LINE = "\0"


@dataclass
class FigureStream:
    """Takes a template in pieces and passes on its text; what is in an open brace is held back."""

    results: Sequence[NumberedResult]
    question: str = ""
    by_label: bool = True
    _written: str = ""
    """All that came so far."""
    _shown: int = 0
    """How much of it was passed on."""
    _evaluator: Evaluator = field(init=False)

    def __post_init__(self) -> None:
        results = {result.number: result for result in self.results}
        self._evaluator = Evaluator(results, by_label=self.by_label)

    def feed(self, text: str) -> str:
        """Return what of the text can be shown by now."""
        self._written += text
        return self._pass_on(open_brace(self._written, self._shown))

    def finish(self) -> str:
        """Return what was held back to the end."""
        return self._pass_on(len(self._written))

    def _pass_on(self, end: int) -> str:
        piece = self._written[self._shown : end]
        is_within = self._shown > 0 and self._written[self._shown - 1] != "\n"
        self._shown = end
        if "{" not in piece and "}" not in piece:
            return piece
        parts = parse_template(_WITHIN_A_LINE * is_within + piece)
        language = language_of(own_text(parse_template(self._written)), self.question)
        filled = fill(parts, self._evaluator, language, lambda _: True)
        return filled.text.removeprefix(_WITHIN_A_LINE)
