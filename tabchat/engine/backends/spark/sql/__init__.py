"""SQL as Spark reads it, with the meaning that it has in DuckDB."""
