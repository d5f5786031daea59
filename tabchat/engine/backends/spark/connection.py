"""The Spark that all holds on an engine share: another takes the place of one that had to be ended."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING

from tabchat.engine.backends.spark.sql.relations import Views
from tabchat.errors import InterruptedByUserError, QueryFailedError
from tabchat.record import record
from tabchat.waiting import await_event

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlglot import exp

    from tabchat.engine.backends.spark.starting import Running
    from tabchat.engine.types import Schema


@record
class Link:
    """One Spark, and what it knows by name: views end with the Spark that has them."""

    spark: Running
    views: Views


class Connection:
    """The Spark of a session: started when it is made, and again when a query needs one and the last one has ended."""

    def __init__(self, start: Callable[[], Running], describe: Callable[[exp.Query], Schema]) -> None:
        """Take over how to start one, and who tells the columns of a query in DuckDB's types; raises as `start` does."""
        self._start, self._describe = start, describe
        self._guard = threading.Lock()
        self._is_closed = False
        self._begun: Future[Link] = Future()
        self._fill(self._begun)
        self.link()

    def link(self) -> Link:
        """Return the Spark that runs, once it does; raises what starting it raised, and `InterruptedByUserError`."""
        with self._guard:
            if self._is_closed:
                raise QueryFailedError("The engine is closed.", hint="Open the table again.")
            if (last := self._begun).done() and (
                last.exception() is not None or last.result().spark.has_ended
            ):
                self._begun = self._begin(None if last.exception() is not None else last.result().spark)
            begun = self._begun
        done = threading.Event()
        begun.add_done_callback(lambda _: done.set())
        try:
            await_event(done)
        except KeyboardInterrupt:
            # It goes on to start, for the next query.
            raise InterruptedByUserError("The query was stopped.") from None
        return begun.result()

    def end(self, spark: Running) -> None:
        """End a Spark with all that runs there; the next query starts another."""
        done = threading.Event()

        def work() -> None:
            try:
                spark.stop()
            finally:
                done.set()

        # Ctrl-C must not leave half of it, and who presses it again has stopped the query already.
        threading.Thread(target=work, name="tabchat-spark-end", daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            await_event(done)

    def close(self) -> None:
        """End the Spark where it was started here; none is started any more."""
        with self._guard:
            self._is_closed = True
            if self._begun.exception() is None:
                self._begun.result().spark.stop()

    def _begin(self, last: Running | None) -> Future[Link]:
        """Start one after `last`, on a thread of its own: Ctrl-C must not leave half of it, nor Spark take it over on the main one."""
        begun: Future[Link] = Future()
        threading.Thread(
            target=self._fill, args=(begun, last), name="tabchat-spark-start", daemon=True
        ).start()
        return begun

    def _fill(self, begun: Future[Link], last: Running | None = None) -> None:
        try:
            if last is not None:
                # Until it has ended; one that ended by itself has left its traces in this process.
                last.stop()
            spark = self._start()
            begun.set_result(Link(spark=spark, views=Views(spark.session, self._describe)))
        except BaseException as error:  # noqa: BLE001 - raised again where it is wanted
            begun.set_exception(error)
