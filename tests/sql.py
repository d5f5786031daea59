"""SQL of a test as the tree that engines run."""

from sqlglot import exp, parse_one


def parsed(sql: str) -> exp.Query:
    """Parse a query in DuckDB's dialect."""
    query = parse_one(sql, dialect="duckdb")
    assert isinstance(query, exp.Query)
    return query
