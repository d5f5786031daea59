"""From a sample's plans to plans that hold for every cell: convert in one pass, look at what did not fit, widen.

Of a long text, a look at its bytes or at the stored cells proves much of all cells cheaper than a look at each does.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.connection import MalformedError, translated
from tabchat.engine.reader.relation import copy_to_parquet
from tabchat.engine.reader.text import conversion
from tabchat.engine.reader.text.infer import Conventions, Guess, infer
from tabchat.engine.reader.text.noting import FLAG, find, misfit_examples, noted_bits, noted_cells
from tabchat.engine.reader.text.numbers import EXACT_LIMIT
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
    from tabchat.engine.types import Value

LONG: Final = 4 << 20
"""Bytes from which a text is long: for a shorter one, another query costs more than it spares."""
_CHUNK: Final = 150
"""Columns looked at in one query, so that very wide tables stay cheap to plan."""
_BLOCK: Final = 1 << 20
_HITS: Final = 10_000
"""Underscores of a block up to which their neighbours are looked at."""
_FIGURES: Final = frozenset(b"0123456789.")


@record
class Trusted:
    """Columns whose cells are stored before anything is asked of them, and looked at then."""

    texts: frozenset[int] = frozenset()
    """They are stored as they are."""
    numbers: frozenset[int] = frozenset()
    """The engine's reader converts them by itself."""
    underscored: bool = True
    """Whether some cell may be a number such as `1_000`."""

    def as_stored(self, plans: Sequence[ColumnPlan]) -> list[ColumnPlan]:
        """Return the plans by which cells are stored: those that are trusted as they come from the engine's reader."""
        as_they_come = self.texts | self.numbers
        return [
            replace(plan, kind=ColumnKind.TEXT, typed=True) if i in as_they_come else plan
            for i, plan in enumerate(plans)
        ]

    def without(self, columns: frozenset[int]) -> Trusted:
        """Return what is left when the cells of `columns` are not trusted any more."""
        return replace(self, texts=self.texts - columns, numbers=self.numbers - columns)


def trusted_of(relation: Relation, plans: Sequence[ColumnPlan]) -> Trusted:
    """Return the columns of a text to trust, whose sampled cells have `plans`."""
    with translated():
        is_long = relation.path.stat().st_size >= LONG
    if not is_long:
        return Trusted()
    plain = [(i, plan) for i, plan in enumerate(plans) if plan.plain and not plan.blank and not plan.typed]
    texts = frozenset(i for i, plan in plain if plan.kind is ColumnKind.TEXT)
    numbers = frozenset(i for i, plan in plain if plan.kind is ColumnKind.NUMBER)
    if numbers and may_be_underscored(relation):
        return Trusted(texts=texts)
    return Trusted(texts=texts, numbers=numbers, underscored=not numbers)


def refuted_columns(
    connection: Connection, target: Path, trusted: Trusted, plans: Sequence[ColumnPlan], names: Sequence[str]
) -> frozenset[int]:
    """Return the columns, stored in `target` as they came, some cell of which is not as its plan has it."""
    texts = _asked(
        connection,
        target,
        sorted(trusted.texts),
        lambda i: (nodes.call("bool_or", conversion.refuted(plans[i], nodes.column(names[i]))),),
    )
    # The ends of a column are in the statistics of the file: no cell is read for them.
    numbers = _asked(
        connection,
        target,
        sorted(trusted.numbers),
        lambda i: (exp.Min(this=nodes.column(names[i])), exp.Max(this=nodes.column(names[i]))),
    )
    return frozenset(
        [i for i, (is_refuted,) in texts.items() if is_refuted]
        + [i for i, (low, high) in numbers.items() if not _are_exact(low, high)]
    )


def _asked(
    connection: Connection,
    target: Path,
    columns: Sequence[int],
    wanted: Callable[[int], tuple[exp.Expression, ...]],
) -> dict[int, tuple[Value, ...]]:
    """Return column → the values of its `wanted` aggregates over what is stored."""
    found: dict[int, tuple[Value, ...]] = {}
    for start in range(0, len(columns), _CHUNK):
        chunk = columns[start : start + _CHUNK]
        asked = [wanted(i) for i in chunk]
        stored = nodes.table_function("read_parquet", str(target), {})
        query = exp.Select(expressions=[item for items in asked for item in items]).from_(stored)
        (row,) = connection.rows(query)
        values = iter(row)
        found |= {i: tuple(next(values) for _ in items) for i, items in zip(chunk, asked, strict=True)}
    return found


def _are_exact(low: Value, high: Value) -> bool:
    """Tell whether numbers between these ends are small enough to be exact; NaN, which counts as above all, is not."""
    if not isinstance(low, float) or not isinstance(high, float):
        return low is None and high is None
    return low > -EXACT_LIMIT and high < EXACT_LIMIT


def may_be_underscored(relation: Relation) -> bool:
    """Tell whether some cell may be a number such as `1_000`, which the engine's casts take for one."""
    # The last byte of a block stands before the next.
    block = bytearray(_BLOCK + 1)
    with translated(), relation.path.open("rb") as file:
        if relation.header:
            file.readline()
        while length := file.readinto(memoryview(block)[1:]):
            if _underscored(block, length + 1):
                return True
            block[0] = block[length]
    return False


def _underscored(block: bytearray, end: int) -> bool:
    """Tell whether an underscore is beside a digit; of one at the end the next block tells, too."""
    at = -1
    for _ in range(_HITS):
        at = block.find(b"_", at + 1, end)
        if at < 0:
            return False
        if not _FIGURES.isdisjoint(block[max(at - 1, 0) : min(at + 2, end)]):
            return True
    return True


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
