"""Boosted regression trees, evaluated: named features → log-odds (Friedman 2001, stochastic as in Friedman 2002)."""

from __future__ import annotations

import sys
from array import array
from binascii import a2b_base64, b2a_base64
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Node: TypeAlias = "Sequence[float] | float"
"""[place of the feature, its highest value to the left, node to the left, node to the right], or what a leaf adds."""
Tree: TypeAlias = "Sequence[Node]"
"""Nodes; the first is the root, and what is to the left of a node stands right behind it."""
_LEAF: Final = -1


@record
class Trees:
    """An ensemble: the sum of one leaf of each tree and of the bias. The nodes of all trees are numbered through."""

    features: tuple[str, ...]
    bias: float
    roots: Sequence[int]
    """The first node of each tree."""
    splits: Sequence[int]
    """Place of the feature that a node looks at; -1 of a leaf."""
    values: Sequence[float]
    """The highest value that goes to the left, to the node behind; of a leaf what it adds."""
    rights: Sequence[int]
    """How far behind a node the one to its right stands; less than 256."""

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log-odds for features; what is not named is 0."""
        row = [values.get(name, 0.0) for name in self.features]
        return self.bias + sum(self._leaf(root, row) for root in self.roots)

    def _leaf(self, node: int, row: Sequence[float]) -> float:
        while (feature := self.splits[node]) != _LEAF:
            node += 1 if row[feature] <= self.values[node] else self.rights[node]
        return self.values[node]


def read_trees(packed: Mapping[str, Any]) -> Trees:
    """Return an ensemble of what `packed_trees` made."""
    return Trees(
        features=tuple(packed["features"]),
        bias=packed["bias"],
        roots=_unpacked("i", packed["roots"]),
        splits=_unpacked("h", packed["splits"]),
        values=_unpacked("d", packed["values"]),
        rights=_unpacked("B", packed["rights"]),
    )


def packed_trees(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return `features`, `bias` and `trees`, each a list of nodes, with the nodes as binary numbers, written in letters.

    Python takes thirty times as long to read the ten thousand nodes as lists.
    """
    trees: Sequence[Tree] = data["trees"]
    roots, splits, values, rights = array("i"), array("h"), array("d"), array("B")
    for tree in trees:
        roots.append(len(values))
        for place, node in enumerate(tree):
            feature, value, left, right = (_LEAF, node, place + 1, place) if isinstance(node, float) else node
            if left != place + 1:
                raise ValueError("what is to the left of a node has to stand right behind it")
            splits.append(int(feature))
            values.append(value)
            rights.append(int(right) - place)
    return {
        "features": list(data["features"]),
        "bias": float(data["bias"]),
        "roots": _packed(roots),
        "splits": _packed(splits),
        "values": _packed(values),
        "rights": _packed(rights),
    }


def _packed(numbers: array[Any]) -> str:
    return b2a_base64(_little(numbers).tobytes(), newline=False).decode()


def _unpacked(kind: str, letters: str) -> Sequence[Any]:
    return _little(array(kind, a2b_base64(letters)))


def _little(numbers: array[Any]) -> array[Any]:
    """Exchange the bytes of numbers where the machine does not write the lowest first."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
