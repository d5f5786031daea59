"""What a load report says of a workbook: the sheet that was read, and cells that it shows and its table has not."""

from __future__ import annotations

import shlex
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.table import LoadNote, some

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SHOWN: Final = 5
_SHEETS: Final = 8
"""Names of sheets that are listed."""
_WIDEST: Final = 20
"""Columns of merged cells that are looked at."""


def choice_notes(read: str, names: Sequence[str], hidden: Sequence[str]) -> Iterator[LoadNote]:
    """Say which sheet was read of several, where nobody chose one, and whether it is hidden."""
    if read in hidden:
        yield LoadNote(
            action="warning",
            message=f"The sheet {read!r}, which was read, is hidden: none that is shown holds cells.",
            hint="Show it in a spreadsheet program to see where the figures come from.",
            told="the sheet is hidden in its workbook",
        )
    if others := sorted((name for name in names if name != read), key=set(hidden).__contains__):
        listed = [repr(name) + (" (hidden)" if name in hidden else "") for name in others]
        yield LoadNote(
            action="warning",
            message=f"The workbook has {len(names)} sheets; {read!r} was read, not {some(listed, _SHEETS)}.",
            count=len(others),
            hint=f"Choose one: --sheet {others[0]!r}.",
        )


def gap_notes(gaps: Mapping[str, Any]) -> Iterator[LoadNote]:
    """Say which cells hold an error or no result, and that rows are hidden; `gaps` are those of `bounded.sheet_gaps`."""
    if not gaps:
        return
    count, places, example = gaps["errors"]
    if count:
        yield LoadNote(
            action="warning",
            message=f"{_cells(count, places)} an error, such as {example!r}, and became missing.",
            count=count,
            hint="Mend the formula in a spreadsheet program, or count the missing values.",
            told=f"{count:,} cells held errors and became missing",
            skews=True,
        )
    count, places, _ = gaps["formulas"]
    if count:
        yield LoadNote(
            action="warning",
            message=f"{_cells(count, places)} a formula that was saved without its result, and became missing.",
            count=count,
            hint="Open it in a spreadsheet program and save it: that computes them.",
            told=f"{count:,} cells held formulas without results and became missing",
            skews=True,
        )
    if hidden := gaps["hidden"]:
        yield LoadNote(
            action="warning",
            message=f"{hidden:,} row{'' if hidden == 1 else 's'} of the sheet {'is' if hidden == 1 else 'are'} hidden, "
            "and part of the table.",
            count=hidden,
            hint="To leave hidden rows out, delete them in a copy.",
            told=f"{hidden:,} rows are hidden in the sheet and counted here",
            skews=True,
        )


def blank_notes(blank: Sequence[tuple[int, int]], start: int, columns: int) -> Iterator[LoadNote]:
    """Say how many blank rows were left out; `blank` are the places of rows and the blank ones before each."""
    count = sum(rows for place, rows in blank if place > start)
    if count:
        yield LoadNote(
            # In a table of one column, they may be meant as missing values.
            action="warning" if columns == 1 else "repaired",
            message=f"{count:,} blank row{'' if count == 1 else 's'} between records {'was' if count == 1 else 'were'} left out.",
            count=count,
        )


def merged_notes(
    merged: Sequence[tuple[int, int, int, int]], start: int, names: Mapping[int, str]
) -> Iterator[LoadNote]:
    """Say where only the first of merged cells holds their value; `start` is the place of the first record."""
    counts: Counter[str] = Counter()
    rows: dict[str, tuple[int, ...]] = {}
    for first, last, left, right in merged:
        # Merged in one row only, they are a title or a remark.
        for column in range(left, min(right, left + _WIDEST) + 1) if start <= first < last else ():
            if (name := names.get(column)) is not None:
                blank = range(first - start + 1 + (column == left), last - start + 2)
                counts[name] += len(blank)
                rows[name] = (*rows.get(name, ()), *blank[:_SHOWN])[:_SHOWN]
    for name, count in counts.items():
        fill = shlex.quote(f"fill missing {name} with previous")
        yield LoadNote(
            action="warning",
            message=f"{count:,} cell{'' if count == 1 else 's'} of {name!r} {'is' if count == 1 else 'are'} "
            "missing under merged cells: only the first of them holds the value.",
            column=name,
            rows=rows[name],
            count=count,
            hint=f"To repeat it: tabchat edit FILE {fill} -o NEW_FILE",
            told=f"{count:,} cells are missing under merged ones",
            skews=True,
        )


def _cells(count: int, places: Sequence[str]) -> str:
    listed = ", ".join(places) + (" …" if count > len(places) else "")
    return f"{count:,} cell{'' if count == 1 else 's'} ({listed}) {'holds' if count == 1 else 'hold'}"
