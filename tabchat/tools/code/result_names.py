"""Which names in the result of code may be cells: all that neither the table nor the code spells out.

A model is told the names of columns at every privacy level, and code can make a name of any cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.listing import listed
from tabchat.tools.code.literals import literals

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

METHOD_NAMES: Final = listed("""
    index value values variable count mean std min max sum median var sem size nunique unique top freq first last
    key 25% 50% 75% level_0 level_1 level_2 proportion statistic pvalue left right result estimator n r_squared
    r_squared_adjusted pseudo_r_squared f f_p_value log_likelihood aic bic
    """)
"""Names that pandas, SciPy and the sandbox itself give."""
_OF_TERMS: Final = ("coefficient ", "std_error ", "p_value ")
_TERMS: Final = frozenset(("const", "Intercept"))
MOST_SPELLED: Final = 12
"""Names that the code spells out and that are told at `strict`."""
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


def few_names(names: Sequence[str], columns: Collection[str], untold: tuple[str, ...]) -> tuple[str, ...]:
    """Return `untold` with all but 12 of the other names that are no `columns` of the table.

    Which of its own texts code makes names of, out of very many, says more than a number would.
    """
    spelled = sorted(name for name in names if name not in columns and name not in untold)
    return (*untold, *spelled[MOST_SPELLED:])


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
