"""Which names in the result of code may be cells: all that neither the table nor the code spells out.

A model is told the names of columns at every privacy level, and code can make a name of any cell.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import inert
from tabchat.record import record
from tabchat.values import word_set

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tabchat.tools.privacy import Allowance

METHOD_NAMES: Final = word_set("""
    index value values variable count mean std min max sum median var sem size nunique unique top freq first last
    key 25% 50% 75% level_0 level_1 level_2 proportion statistic pvalue left right result estimator n r_squared
    r_squared_adjusted pseudo_r_squared f f_p_value log_likelihood aic bic
    """)
"""Names that pandas, SciPy and the sandbox itself give."""
_OF_TERMS: Final = ("coefficient ", "std_error ", "p_value ")
_TERMS: Final = frozenset(("const", "Intercept"))
MOST_SPELLED: Final = 12
"""Names that code spells out and that are told at `strict`, in all results of a question."""
MOST_HEADERS: Final = 40
"""Headers of the table that are told at `strict` as names of such results, where not all of them are there."""
_NUMBERED: Final = (("", 0), ("value_", 1))
"""What the sandbox calls columns without a name: a stem and the first number."""


def cell_names(names: Iterable[str], columns: Iterable[str], code: str) -> tuple[str, ...]:
    """Return those of `names` that may be cells, in their order.

    Known are the table's `columns`, whole texts and keyword names of `code`, what methods call their
    columns, these joined once (`amount_mean`), numbers that only count places, and the `_2`, `_3` of
    names that repeat. A part of a text or a digit is not known: it could spell anything.
    """
    own = frozenset(columns)
    known = own | METHOD_NAMES | literals(code)
    joined = {f"{column}_{method}" for column in own for method in METHOD_NAMES}
    terms = {f"{of}{term}" for of in _OF_TERMS for term in known | _TERMS}
    unknown = [name for name in names if name not in known and name not in joined and name not in terms]
    for stem, first in _NUMBERED:
        unknown = list(_without_counted(unknown, stem, first))
    return tuple(_without_repeats(unknown, known))


@record
class ChosenNames:
    """The names of a result that code may have chosen by what it read: which of very many says more than a number would."""

    spelled: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str], columns: Sequence[str], untold: Collection[str]) -> ChosenNames:
        """Take the names of a result over a table of `columns` apart; all of these, in their order, are no choice."""
        known = frozenset(columns)
        headers = tuple(name for name in names if name in known and name not in untold)
        return cls(
            spelled=tuple(sorted(name for name in names if name not in known and name not in untold)),
            headers=() if headers == tuple(columns) else headers,
        )

    def beyond(self, allowance: Allowance) -> tuple[str, ...]:
        """Count the names as told, and return those that are more than a question may be told."""
        spelled = allowance.admitted("spelled", len(self.spelled), MOST_SPELLED)
        headers = allowance.admitted("headers", len(self.headers), MOST_HEADERS)
        return (*self.spelled[spelled:], *self.headers[headers:])


def _without_counted(names: list[str], stem: str, first: int) -> Iterator[str]:
    """Leave out `stem0`, `stem1`, … as long as each stands in its turn."""
    number = first
    for name in names:
        if name == f"{stem}{number}":
            number += 1
        else:
            yield name


def _without_repeats(names: list[str], known: frozenset[str]) -> Iterator[str]:
    counts = dict.fromkeys(known, 1)
    for name in names:
        base, _, number = name.rpartition("_")
        if base in counts and number == str(counts[base] + 1):
            counts[base] += 1
        else:
            yield name


def literals(code: str) -> frozenset[str]:
    """Return the whole texts and the names of keywords of `code`, as a name or a cell of a result would show them.

    What stands between the braces of an f-string is a part of a text, and is none of them.
    """
    tree = _tree(code)
    parts = set(map(id, _parts(tree)))
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    )
    keywords = (node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg)
    return frozenset(inert(text) for text in (*texts, *keywords))


def printed_literals(code: str) -> frozenset[str]:
    """Return the lines of the texts of `code`, those of f-strings included, as they are printed."""
    tree = _tree(code)
    parts = (node.value for node in _parts(tree) if isinstance(node.value, str))
    return frozenset(
        line.strip() for text in (*literals(code), *parts) for line in text.splitlines() if line.strip()
    )


def _tree(code: str) -> ast.Module:
    import textwrap

    return ast.parse(textwrap.dedent(code.replace("\r\n", "\n").replace("\r", "\n")))


def _parts(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (part for part in ast.walk(node) if isinstance(part, ast.Constant))
