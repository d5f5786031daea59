"""Which row of the table each row of an edited frame was. Runs inside the worker.

Code that keeps the index says so itself. Where it made a new one, rows are
matched by what they hold in the columns that are still there: the first row of
some content with the first such row before, the second with the second. A frame
of as many rows as before is matched place by place where more rows agree so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

PLACE: Final = "__place__"
"""Column of the reply: the place of the row in the table before, counted from 0; -1 for a row that was added."""


def placed(frame: pd.DataFrame, index: pd.Index, rows: int, before: Callable[[], pd.DataFrame]) -> Any:
    """Return the places of `frame`'s rows as an integer array, as `index` or else their content tells them.

    `before` gives the table as the code found it, of `rows` rows.
    """
    import numpy as np

    if _tells_places(index, rows):
        return np.asarray(index, dtype=np.int64)
    if len(frame) == rows and not rows:
        return np.empty(0, dtype=np.int64)
    then = before()
    shared = [name for name in frame.columns if name in then.columns]
    in_place = np.arange(rows, dtype=np.int64)
    if len(frame) == rows and _mostly_as_before(frame, then, shared):
        return in_place
    # What is made of columns that are mostly new, such as a pivot, is no row of before.
    known = len(shared) * 2 > len(frame.columns)
    try:
        new, old = _content(frame, then, shared) if known else (None, None)
    except TypeError:  # cells that cannot be hashed, such as lists
        new = old = None
    if new is None or old is None:
        return in_place if len(frame) == rows else np.full(len(frame), -1, dtype=np.int64)
    matched = _matched(new, old)
    if len(frame) == rows and int((new == old).sum()) * 2 >= int((matched >= 0).sum()):
        return in_place
    return matched


def _tells_places(index: pd.Index, rows: int) -> bool:
    """Tell whether an index is made of the table's own: one that was counted anew says nothing of its rows."""
    import pandas as pd

    if isinstance(index, pd.MultiIndex) or not pd.api.types.is_integer_dtype(index.dtype) or index.hasnans:
        return False
    if isinstance(index, pd.RangeIndex) and index.start == 0 and index.step == 1:
        return False
    return bool(index.is_unique) and (not len(index) or (int(index.min()) >= 0 and int(index.max()) < rows))


def _mostly_as_before(frame: pd.DataFrame, then: pd.DataFrame, shared: list[str]) -> bool:
    """Tell whether at least half of the columns hold what they held, row by row: quicker than any hash."""
    same = sum(frame[name].reset_index(drop=True).equals(then[name]) for name in shared)
    return bool(shared) and same * 2 >= len(shared)


def _content(frame: pd.DataFrame, then: pd.DataFrame, shared: list[str]) -> tuple[Any, Any]:
    import pandas as pd

    return tuple(
        pd.util.hash_pandas_object(side[shared], index=False, categorize=True).to_numpy()
        for side in (frame, then)
    )  # type: ignore[return-value] # two sides, two arrays


def _matched(new: Any, old: Any) -> Any:
    import numpy as np
    import pandas as pd

    before = pd.DataFrame({"content": old, "place": np.arange(len(old), dtype=np.int64)})
    after = pd.DataFrame({"content": new})
    for side in (before, after):
        side["turn"] = side.groupby("content").cumcount()
    found = after.merge(before, on=["content", "turn"], how="left")["place"]
    return found.fillna(-1).astype("int64").to_numpy()
