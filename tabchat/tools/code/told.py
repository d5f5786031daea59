"""What a model is told of what code gave: figures, and the texts that it knows already.

Code can pack any number of cells into one text, so a text of its result is shown only where the code
spells it out or the model was sent it before. An answer can cite the others without seeing them.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import CELL_LIMIT, Verbatim, inert, quoted, rounded, unique_names
from tabchat.engine.types import HELPER_PREFIX
from tabchat.record import mutable, record
from tabchat.tools.preview import AGGREGATE_ROWS, FIRST_ROWS, Preview, fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabchat.engine.result.result import Result
    from tabchat.engine.result.summary import Summary
    from tabchat.engine.types import JsonValue, Value

COLUMNS: Final = 12
"""Columns of a block of rows."""
PRINTED: Final = 500
"""Characters of what code printed that a model is told."""

PRINTED_UNSEEN: Final = "The code printed something that only the person sees."

_UNSEEN: Final = Verbatim("(text)")
_LEFT_OUT: Final = "…"
_SAID_BY_PANDAS: Final = ("Name", "dtype", "Length", "True", "False", "None", "NaN", "NaT", "nan")
"""Beside the names of methods."""
_NUMBER: Final = r"(?<![\w.])[-+]?(?:\d+(?:[,_]\d{3})*(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w])"
_QUOTED: Final = re.compile(r"""(?<!\w)(['"])(?P<text>(?:\\.|(?!\1).)*)\1(?!\w)""")
"""A text as lists and dicts print it, whose digits are cells rather than figures."""
_LAYOUT: Final = r"[ \t.,:;=()\[\]|/%+<>*-]"


@mutable
class SentTexts:
    """What a model was sent for one question, as far as it may hold cells."""

    texts: set[str] = field(default_factory=set)

    def add(self, *texts: str) -> None:
        """Note what is sent."""
        self.texts.update(texts)

    def hold(self, cell: str) -> bool:
        """Return whether the whole of `cell` stands in them, and not as a part of a longer word."""
        if not cell.strip() or len(cell) > CELL_LIMIT:
            return False
        whole = re.compile(rf"(?<!\w){re.escape(inert(cell))}(?!\w)")
        return any(whole.search(text) for text in self.texts)


@record
class KnownTexts:
    """The texts that may be shown of what `code` gave."""

    code: str
    sent: SentTexts
    spelled_out: frozenset[str]

    @classmethod
    def of(cls, code: str, sent: SentTexts) -> KnownTexts:
        """Read the texts of `code`."""
        from tabchat.tools.code.result_names import literals

        return cls(code=code, sent=sent, spelled_out=literals(code))

    def shown(self, cell: Value) -> Value:
        """Return a text that is known as it is to be written, and any other cell as it is."""
        is_known = isinstance(cell, str) and (inert(cell) in self.spelled_out or self.sent.hold(cell))
        return Verbatim(quoted(str(cell))) if is_known else cell

    def printed(self, output: str, columns: Iterable[str]) -> str:
        """Return the numbers, the texts of the code and the names of columns in `output`, in their places."""
        from tabchat.tools.code.result_names import METHOD_NAMES, printed_literals

        known = {*printed_literals(self.code), *map(inert, columns), *METHOD_NAMES, *_SAID_BY_PANDAS}
        listed = "|".join(map(_whole, sorted(known - {""}, key=len, reverse=True)))
        piece = re.compile(rf"(?P<kept>{listed}|{_NUMBER}|{_LAYOUT})|(?:(?!{_LAYOUT}).)")
        lines = islice((line for line in output.splitlines() if line.strip()), AGGREGATE_ROWS)
        whole = (
            _QUOTED.sub(lambda match: match[0] if match["text"] in known else _LEFT_OUT, line)
            for line in lines
        )
        told = "\n".join(_without_unknown(piece, line.expandtabs()).rstrip() for line in whole)
        return told if len(told) <= PRINTED else told[: PRINTED - 1] + _LEFT_OUT


def code_rows(result: Result, known: KnownTexts) -> Preview | None:
    """Return the rows of a result of code, in at most 12 columns: up to 30 in 2,000 characters, else the first 10."""
    names = [name for name in result.frame.columns if not name.startswith(HELPER_PREFIX)]
    places = [result.frame.columns.index(name) for name in names[:COLUMNS]]
    count = result.frame.row_count
    if not places or not count:
        return None
    unique = unique_names([inert(names[place]) for place in range(len(places))])
    found = result.frame.rows(AGGREGATE_ROWS if count <= AGGREGATE_ROWS else FIRST_ROWS)
    rows = [dict(zip(unique, (_told(row[place], known) for place in places), strict=True)) for row in found]
    if not fits(rows, count):
        rows = rows[:FIRST_ROWS]
    while rows and not fits(rows, count):
        rows.pop()
    unsaid = sum(cell is _UNSEEN for row in rows for cell in row.values())
    is_cut = len(rows) < count or len(places) < len(names)
    return Preview(rows=tuple(rows), of=count, is_cut=is_cut, unsaid=unsaid) if rows else None


def unsaid_texts(preview: Preview | None) -> tuple[str, ...]:
    """Return what is said of the texts that a block of rows does not show."""
    if preview is None or not preview.unsaid:
        return ()
    held = next(name for row in preview.rows for name, cell in row.items() if cell is _UNSEEN)
    number = f"{preview.unsaid} text{' is' if preview.unsaid == 1 else 's are'}"
    return (f"{number} not shown: cite them by their place, as {quoted(held)}[0], or by argmax.",)


def summary_of_code(summary: Summary, known: KnownTexts) -> Summary:
    """Return the summary of a result of code with the texts that are known as they are to be written."""

    def row(cells: Mapping[str, Value]) -> dict[str, Value]:
        return {name: known.shown(cell) for name, cell in cells.items()}

    return replace(
        summary,
        first=row(summary.first),
        last=row(summary.last),
        value=known.shown(summary.value),
        values=row(summary.values),
    )


def _told(cell: Value, known: KnownTexts) -> JsonValue:
    match cell:
        case str():
            shown = known.shown(cell)
            return shown if isinstance(shown, Verbatim) else _UNSEEN
        case bytes() | list() | dict():
            return _UNSEEN
        case _:
            return rounded(cell)


def _whole(text: str) -> str:
    before = r"(?<!\w)" if text[0].isalnum() else ""
    after = r"(?!\w)" if text[-1].isalnum() else ""
    return before + re.escape(text) + after


def _without_unknown(piece: re.Pattern[str], line: str) -> str:
    told: list[str] = []
    for match in piece.finditer(line):
        if match["kept"] is not None:
            told.append(match["kept"])
        elif not told or told[-1] != _LEFT_OUT:
            told.append(_LEFT_OUT)
    return "".join(told)
