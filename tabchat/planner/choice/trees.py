"""Boosted regression trees, evaluated: named features → log-odds (Friedman 2001, stochastic as in Friedman 2002)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Node: TypeAlias = "Sequence[float] | float"
"""[place of the feature, its highest value to the left, node to the left, node to the right], or what a leaf adds."""
Tree: TypeAlias = "Sequence[Node]"
"""Nodes; the first is the root."""


@record
class Trees:
    """An ensemble: the sum of one leaf of each tree and of the bias."""

    features: tuple[str, ...]
    bias: float
    trees: Sequence[Tree]
    """As JSON held them: to copy ten thousand nodes takes longer than to evaluate them."""

    def log_odds(self, values: Mapping[str, float]) -> float:
        """Return the log-odds for features; what is not named is 0."""
        row = [values.get(name, 0.0) for name in self.features]
        return self.bias + sum(_leaf(tree, row) for tree in self.trees)


def _leaf(tree: Tree, row: Sequence[float]) -> float:
    node = tree[0]
    while not isinstance(node, float):
        feature, highest, left, right = node
        node = tree[int(left if row[int(feature)] <= highest else right)]
    return node


def read_trees(data: Mapping[str, object]) -> Trees:
    """Read an ensemble from what JSON held: `features`, `bias` and `trees`, each a list of nodes."""
    features, bias, trees = data["features"], data["bias"], data["trees"]
    assert isinstance(features, list)  # noqa: S101 - the file is the package's own
    assert isinstance(bias, float)  # noqa: S101
    assert isinstance(trees, list)  # noqa: S101
    return Trees(features=tuple(features), bias=bias, trees=trees)
