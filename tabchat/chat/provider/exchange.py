"""One reply of a model: asked for again while that may help and the person has seen nothing of it."""

from __future__ import annotations

import itertools
import random
import time
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from tabchat.chat.provider.deadline import within
from tabchat.chat.provider.errors import as_model_error, filtered
from tabchat.chat.provider.failure import describe
from tabchat.chat.provider.reply_stream import (
    MOST_CHARACTERS,
    EmptyReplyError,
    Gathered,
    Gathering,
    TooMuchTextError,
)
from tabchat.chat.turn.model import Delta
from tabchat.errors import ModelError, TabchatError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from tabchat.audit import Ledger
    from tabchat.chat.provider.deadline import ReplyDeadline
    from tabchat.chat.provider.failure import Failure
    from tabchat.chat.provider.recorder import Recorder

Opener: TypeAlias = "Callable[[float, Recorder], Iterator[Any]]"
"""Sends the request, waiting so many seconds for the server, and yields the chunks of its reply."""

_EMPTY_REPEATS: Final = 1


@record
class Exchange:
    """How one reply is asked for."""

    model: str
    ledger: Ledger
    retries: int
    backoff: Backoff
    open: Opener
    adapt: Callable[[Failure], bool]
    """Changes how the next request is made after a failure, when that helps; tells whether it did."""
    key_names: Callable[[], tuple[str, ...]]
    """Environment variables that the provider reads its key from."""
    first_id: int = 1

    def whole(self, deadline: ReplyDeadline) -> tuple[Gathered, int]:
        """Return what `run` returns, and show nothing on the way."""
        pieces = self.run(deadline)
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                reply: tuple[Gathered, int] = end.value
                return reply

    def run(self, deadline: ReplyDeadline) -> Generator[Delta, None, tuple[Gathered, int]]:
        """Yield the text as it comes; return the whole reply and the number of requests.

        Raises `ModelError`, `QueryTimeoutError` when `deadline` is over, and what the ledger raises.
        """
        failed = empty = 0
        for requests in itertools.count(1):
            gathering = Gathering(first_id=self.first_id)
            recorder = self._recorder()
            try:
                yield from self._attempt(gathering, recorder, deadline)
                return gathering.whole(), requests
            except EmptyReplyError as error:
                if empty == _EMPTY_REPEATS or gathering.spoke:
                    raise _empty(self.model, error) from error
                empty += 1
            except TabchatError:
                raise
            except TooMuchTextError as error:
                raise _too_long(self.model) from error
            except Exception as error:
                self._check_ledger(error, recorder)
                if isinstance(error, TimeoutError) or deadline.remaining() == 0:
                    raise deadline.error(self.model, asked=requests > 1 or recorder.sent > 0) from error
                failure = self._failure(error, recorder, gathering)
                if self.adapt(failure):
                    continue
                failed += 1
                if failed > self.retries or not failure.retryable:
                    raise self._explained(failure, failed) from error
                self._wait(failure, failed, deadline)
        raise AssertionError

    def _recorder(self) -> Recorder:
        # httpx loads with this module, and no request is made before the first question to a model.
        from tabchat.chat.provider.recorder import Recorder

        return Recorder(self.ledger, self.model)

    def _attempt(self, gathering: Gathering, recorder: Recorder, deadline: ReplyDeadline) -> Iterator[Delta]:
        chunks = within(deadline, lambda: self.open(deadline.patience(), recorder), stop=recorder.abort)
        try:
            for chunk in chunks:
                shown = gathering.take(chunk)
                if shown:
                    yield Delta(text=shown)
        finally:
            chunks.close()
        if gathering.filtered:
            raise filtered(self.model)
        if not recorder.sent:
            raise _unrecorded(self.model, "something other than httpx")
        rest = gathering.rest()
        if rest:
            yield Delta(text=rest)

    def _check_ledger(self, error: Exception, recorder: Recorder) -> None:
        """Raise what the ledger refused, or what would have gone around it."""
        if recorder.refusal is not None:
            raise recorder.refusal
        if recorder.unrecorded is not None:
            raise _unrecorded(self.model, recorder.unrecorded) from error

    def _failure(self, error: Exception, recorder: Recorder, gathering: Gathering) -> Failure:
        """Describe `error`; raises at once what no further request can mend."""
        failure = describe(error, recorder, self.model)
        if "ResponseTooLongError" in failure.names:
            raise _too_long(self.model) from error
        if gathering.spoke:
            message = f"The reply of {self.model} broke off in the middle of its text."
            raise ModelError(message, hint="Ask again.") from error
        return failure

    def _explained(self, failure: Failure, attempts: int) -> ModelError:
        return as_model_error(failure, key_names=self.key_names(), attempts=attempts)

    def _wait(self, failure: Failure, attempts: int, deadline: ReplyDeadline) -> None:
        pause = self.backoff.pause(attempts - 1, failure.retry_after)
        left = deadline.remaining()
        if pause > MOST_PATIENCE or (left is not None and pause >= left):
            raise self._explained(failure, attempts)
        self.backoff.sleep(pause)


def _empty(model: str, error: EmptyReplyError) -> ModelError:
    if error.cut:
        message = f"{model} used up its tokens before it said anything."
        return ModelError(message, hint="Allow more tokens (--max-tokens), or take another model.")
    what = "only thought" if error.thought else "gave an empty reply"
    return ModelError(
        f"{model} {what}, also when it was asked again.",
        hint="Word the question differently, or take another model.",
    )


def _too_long(model: str) -> ModelError:
    message = f"The reply of {model} was stopped: it is longer than {MOST_CHARACTERS:,} characters."
    return ModelError(message, hint="Ask for less at once, or take another model.")


def _unrecorded(model: str, way: str) -> ModelError:
    message = (
        f"{model} is reached through {way}, which the egress ledger cannot record, so it may not be used."
    )
    hint = "Take the model from a provider with a plain HTTP API, or use --api-base."
    return ModelError(message, hint=hint)


MOST_PATIENCE: Final = 60.0
"""Seconds that a server may ask for with Retry-After; a longer wait is the person's to decide on."""


@record
class Backoff:
    """Exponential back-off with full jitter above a half.

    Waits `first`, twice that, … up to `most` seconds, each shortened by up to a
    half at random, so that questions asked side by side do not come back together.
    """

    first: float = 0.5
    most: float = 16.0
    sleep: Callable[[float], None] = field(default=time.sleep)
    chance: Callable[[], float] = field(default=random.random)
    """A number from 0 to 1."""

    def pause(self, attempt: int, retry_after: float | None = None) -> float:
        """Return the seconds to wait after the failed `attempt`, which counts from 0.

        What the server asks for is never cut short.
        """
        grown = min(self.first * 2.0**attempt, self.most)
        return max(grown * (1 - self.chance() / 2), retry_after or 0.0)
