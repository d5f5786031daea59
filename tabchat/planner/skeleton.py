"""The core of a question as a short text of codes, one for each node, so that shapes are plain regular expressions.

K count   M measure   C number column   D other column   T date column   B yes/no column
S highest/lowest   A earliest/latest   F first/last   O top/best   N number   U calendar unit
E the rows themselves   L show   W which   Q when   P who   H share   R rate   X distinct   V values
G growth   Y year over year   % by what percent   I difference   x how many times   J compare   Z correlation
c columns   s schema   t types   h head   n missing   d duplicates   r more than once
b absolute   m change word   y daily   p percent word   e exist   o most common
u outlier   i distribution   z bins   w moving   k statistics   l range
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.catalog import is_row_label
from tabchat.planner.senses import SenseKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.nodes import Node
    from tabchat.planner.scene import Scene

_CODES: Final = (
    ("count", "K"),
    ("agg.mode", "o"),
    ("super.max", "S"),
    ("super.min", "S"),
    ("super.early", "A"),
    ("super.late", "A"),
    ("rel.first", "F"),
    ("rel.last", "F"),
    ("rel.past", "F"),
    ("top.", "O"),
    ("entity.", "E"),
    ("rows", "E"),
    ("times", "E"),
    ("unit.", "U"),
    ("list", "L"),
    ("who", "P"),
    ("which", "W"),
    ("when", "Q"),
    ("share", "H"),
    ("rate", "R"),
    ("distinct", "X"),
    ("values", "V"),
    ("exist", "e"),
    ("growth", "G"),
    ("grow", "G"),
    ("shrink", "G"),
    ("yoy", "Y"),
    ("mom", "Y"),
    ("qoq", "Y"),
    ("bypercent", "%"),
    ("diff", "I"),
    ("byhowmuch", "I"),
    ("bytimes", "x"),
    ("compare", "J"),
    ("corr", "Z"),
    ("columns", "c"),
    ("schema", "s"),
    ("types", "t"),
    ("head", "h"),
    ("tail", "h"),
    ("missing", "n"),
    ("dup", "d"),
    ("dup.more", "r"),
    ("abs", "b"),
    ("change.daily", "y"),
    ("change.", "m"),
    ("pctword", "p"),
    ("by", "g"),
    ("each", "g"),
    ("agg.sum", "a"),
    ("agg.", "f"),
    ("number.", "N"),
    ("outlier", "u"),
    ("distribution", "i"),
    ("bins.", "z"),
    ("moving", "w"),
    ("stats", "k"),
    ("range", "l"),
)
GLUE: Final = frozenset(
    {
        "among",
        "between",
        "in",
        "from",
        "to",
        "pred",
        "and",
        "comma",
        "only",
        "also",
        "all",
        "any",
        "table",
        "trend",
    }
)
"""Words that only hold clauses together; they may be left over."""
_MOST: Final = 64


def skeletons(core: Sequence[Node], scene: Scene) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """Yield the codes of the core with their nodes; a word of several concepts gives several texts."""
    options = [_codes_of(node, scene) for node in core]
    if _asks_who(core):
        # `who borrowed …` asks for a person, whatever else the word can be; `who directed …` for the column.
        options[0] = ("P",)
    for codes in itertools.islice(itertools.product(*options), _MOST):
        kept = tuple(node for node, code in zip(core, codes, strict=True) if code)
        yield "".join(codes), kept


def _asks_who(core: Sequence[Node]) -> bool:
    if not core or core[0].place != 0 or not core[0].has("who"):
        return False
    column = core[1].column if len(core) > 1 else None
    return column is None or column.kind is not ColumnKind.TEXT


def _codes_of(node: Node, scene: Scene) -> tuple[str, ...]:
    if node.measures:
        return ("M",)
    sense = node.sense
    if sense is None:
        return ("?",)
    if node.column is not None:
        code = _column_code(node, scene)
        names = node.column.kind is ColumnKind.TEXT or scene.is_identifier(node.column)
        named = (
            code == "D"
            and names
            and (node.column.index in scene.namesakes or is_row_label(scene.table, node.column))
        )
        return (code, "E") if named else (code,)
    if sense.kind is SenseKind.NUMBER:
        return ("N",)
    if sense.kind is not SenseKind.CONCEPT:
        return ("?",)
    found = [code for concept, code in _CODES if sense.has(concept)]
    if sense.concepts & GLUE:
        found.append("")
    return tuple(dict.fromkeys(found)) or ("?",)


def _column_code(node: Node, scene: Scene) -> str:
    column = node.column
    if column is None:
        return "?"
    if column.kind.is_temporal or scene.is_year(column):
        return "T"
    if column.kind.is_numeric:
        return "D" if scene.is_identifier(column) else "C"
    return "B" if column.kind is ColumnKind.BOOLEAN else "D"
