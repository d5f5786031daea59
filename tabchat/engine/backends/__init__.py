"""Engines that run the same queries: DuckDB in this process; others where tables outgrow one machine."""
