"""Rows that Spark answers with, kept here for as long as somebody reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.errors import NotOnSparkError

if TYPE_CHECKING:
    from tabchat.engine.backends.spark.engine import SparkEngine


class Fetched:
    """The rows of a query that Spark answers, kept for as long as they are read; any other query as it is."""

    def __init__(self, engine: SparkEngine, query: exp.Query) -> None:
        self._engine, self._query = engine, query
        self._kept: exp.Select | None = None

    def __enter__(self) -> exp.Query:
        if not self._engine.is_far(self._query):
            return self._query
        try:
            self._kept = self._engine.fetched(self._query)
        except NotOnSparkError:
            whole = self._query.copy()
            below = _shown_below(whole)
            if below is None:
                raise
            # How rows are written is no matter of Spark: they come as they are, and are written here.
            self._kept = self._engine.fetched(below.this)
            below.set("this", self._kept.copy())
            return whole
        return self._kept

    def __exit__(self, *_: object) -> None:
        if self._kept is not None:
            self._engine.forget(self._kept)


def _shown_below(query: exp.Query) -> exp.Subquery | None:
    """Return the rows that a query only shows, cell by cell and in their order; nothing for one that does more."""
    from_ = query.args.get("from_")
    said = {name for name, value in query.args.items() if value}
    if not isinstance(query, exp.Select) or said != {"expressions", "from_"} or from_ is None:
        return None
    if any(item.find(exp.AggFunc, exp.Window, exp.Query, exp.Unnest) for item in query.expressions):
        return None
    return from_.this if isinstance(from_.this, exp.Subquery) else None
