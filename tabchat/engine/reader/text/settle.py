"""From a sample's plans to plans that hold for every cell: convert in one pass, look at what did not fit, widen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.connection import MalformedError
from tabchat.engine.reader.relation import copy_to_parquet
from tabchat.engine.reader.text import conversion
from tabchat.engine.reader.text.infer import Conventions, Guess, infer
from tabchat.engine.reader.text.noting import FLAG, find, misfit_examples, noted_bits, noted_cells
from tabchat.engine.reader.text.trusted import refuted_columns, trusted_of
from tabchat.engine.reader.text.zones import in_one_zone
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.relation import Relation
    from tabchat.engine.reader.text.noting import Finding
    from tabchat.engine.reader.text.plans import ColumnPlan
    from tabchat.engine.reader.text.trusted import Trusted

_ROUNDS: Final = 6
_PATIENCE: Final = 3
"""Rounds after which a column that still has misfits becomes text."""


@record
class Settled:
    """A converted table and everything that was found on the way."""

    guesses: tuple[Guess, ...]
    row_count: int
    missing: tuple[Finding, ...] = ()
    labelled: tuple[Finding, ...] = ()
    """Labels of records that sum up others, among dates."""
    padded: tuple[Finding, ...] = ()
    rejected: tuple[Finding, ...] = ()


def settle(
    connection: Connection,
    relation: Relation,
    guesses: Sequence[Guess],
    samples: Sequence[Counter[str]],
    conventions: Conventions,
    names: Sequence[str],
    target: Path,
    progress: Callable[[float], None] | None = None,
) -> Settled:
    """Write `relation` to the Parquet file `target` under plans that every cell fits.

    A plan that some cell does not fit is judged again with those cells in the
    sample, at last as text, which everything fits; forced plans reject the cells.
    """
    connection.expect(len(guesses), relation.path.stat().st_size)
    current = list(guesses)
    widened = [Counter(sample) for sample in samples]
    barred: dict[int, set[ColumnKind]] = {}
    tried: dict[int, set[str]] = {}
    trusted = trusted_of(relation, [guess.plan for guess in current])
    for round_number in range(_ROUNDS):
        plans = [guess.plan for guess in current]
        try:
            row_count = _copy(connection, relation, plans, trusted, names, target, progress)
        except MalformedError:
            if not trusted.numbers:
                raise
            # The engine's reader does not say which cells of a column it cannot convert: `_copy` looks for them.
            trusted = replace(trusted, numbers=frozenset())
            row_count = _copy(connection, relation, plans, trusted, names, target, progress)
        refuted = refuted_columns(connection, target, trusted, plans, names)
        trusted = trusted.without(refuted)
        noted = noted_cells(connection, relation, len(plans), target)
        misfits = find(connection, noted, {i: plans[i] for i in noted.columns}, conversion.misfit)
        wrong = [finding for finding in misfits if not plans[finding.column].forced]
        if not wrong and not refuted:
            break
        for finding in wrong:
            column, failed = finding.column, current[finding.column].plan
            examples = misfit_examples(connection, noted, column, failed)
            refused = barred.setdefault(column, set())
            if tried.setdefault(column, set()).issuperset(examples):
                refused.add(failed.kind)
            tried[column].update(examples)
            if round_number >= _PATIENCE:
                refused.update(ColumnKind)
            # What did not fit comes first: only some of a long column's dates are looked at.
            widened[column] = Counter(examples) + widened[column]
            again = infer(widened[column], replace(conventions, dates_only=failed.typed), refused)
            current[column] = replace(again, plan=replace(again.plan, plain=False))
        current = list(in_one_zone(current))
    plans_noted = {i: current[i].plan for i in noted.columns}
    return Settled(
        guesses=tuple(current),
        row_count=row_count,
        missing=find(connection, noted, plans_noted, conversion.missing),
        labelled=find(connection, noted, plans_noted, conversion.labelled),
        padded=find(connection, noted, plans_noted, conversion.padded),
        rejected=tuple(finding for finding in misfits if plans[finding.column].forced),
    )


def _copy(
    connection: Connection,
    relation: Relation,
    plans: Sequence[ColumnPlan],
    trusted: Trusted,
    names: Sequence[str],
    target: Path,
    progress: Callable[[float], None] | None,
) -> int:
    kept = trusted.as_stored(plans)
    columns = [nodes.named(nodes.column(f"v{i}"), name) for i, name in enumerate(names)]
    query = exp.Select(
        expressions=[*columns, nodes.named(noted_bits(kept, underscored=trusted.underscored), FLAG)]
    )
    query.from_(conversion.converted(kept, relation.source(trusted.numbers)), copy=False)
    return copy_to_parquet(connection, query, target, progress)
