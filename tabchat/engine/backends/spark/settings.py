"""What Spark is told before anything runs: numbers, times and names mean there what they mean here."""

from __future__ import annotations

from typing import Final

SESSION: Final = {
    # An overflow, a cast that fails and a division by zero are errors, never another number.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.decimalOperations.allowPrecisionLoss": "false",
    "spark.sql.caseSensitive": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    "spark.sql.timeType.enabled": "true",
    "spark.sql.parquet.binaryAsString": "true",
    # A time in nanoseconds is a column that is not read, and not a file that is not.
    "spark.sql.legacy.parquet.nanosAsLong": "true",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    # A plan tells which columns are read, all of them.
    "spark.sql.debug.maxToStringFields": "100000",
}
"""Settings of a session, which a server of Spark Connect takes as well."""

LOCAL: Final = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Nobody but this process speaks to it.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.log.level": "ERROR",
    # How many tasks run is asked for, and what was so a moment ago is no answer.
    "spark.ui.liveUpdate.period": "0",
}
"""Settings of a Spark that is started here."""
