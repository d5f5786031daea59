"""What a question and a session may cost, checked before each request is sent."""

from __future__ import annotations

import threading
import time
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, Literal, Protocol

from tabchat.chat.turn.answer import Usage
from tabchat.chat.turn.model import Model, Reply
from tabchat.errors import RefusedError
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.chat.turn.model import ModelRequest, Piece

LEAST_REPLY: Final = 64
"""Tokens that a reply needs at least: a request that leaves less room is not worth sending."""

USUAL_REPLY: Final = 1_024
"""Tokens of the window that are kept free for the reply."""


class PricedModel(Model, Protocol):
    """A model whose requests can be measured before they are sent."""

    def count_tokens(self, request: ModelRequest) -> int:
        """Return the tokens of `request`."""

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return what would be sent for `request`."""

    def price(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return US dollars, or nothing when the price is not known."""

    def context_window(self) -> int | None:
        """Return the tokens that the model can read at once, or nothing when that is not known."""


@record
class Limits:
    """What a person allows; nothing is limited where a value is absent."""

    max_cost: float | None = None
    """US dollars for the whole run."""
    max_tokens: int | None = None
    """Tokens, sent and received, for one question."""
    context_window: int | None = None
    """Tokens for one request; overrules what is known of the model."""


@mutable
class Spending:
    """What the models of one run have cost so far; safe for several threads."""

    total: Usage = field(default_factory=Usage)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, usage: Usage) -> None:
        """Count one request."""
        with self._lock:
            self.total += usage


@mutable
class BudgetedModel:
    """A model for one question that fits each request into the window and asks the budget first."""

    inner: PricedModel
    limits: Limits
    spending: Spending
    used: Usage = field(default_factory=Usage)
    """What this question has cost so far."""
    planner: Literal["rules", "llm"] = "llm"

    @property
    def name(self) -> str:
        """The model's name."""
        return self.inner.name

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Send `request`; raises `RefusedError` when that would pass a limit."""
        started = time.monotonic()
        fitted = self.fitted(request)
        tokens = self.inner.count_tokens(fitted)
        room = self._admit(tokens)
        if room is not None:
            least = min(room, fitted.max_output_tokens) if fitted.max_output_tokens else room
            fitted = replace(fitted, max_output_tokens=least)
        if fitted.timeout is not None:
            # Counting tokens loads the model's library, which takes seconds the first time.
            left = fitted.timeout - (time.monotonic() - started)
            fitted = replace(fitted, timeout=max(left, 0.0))
        heard: list[str] = []
        try:
            for piece in self.inner.respond(fitted):
                if isinstance(piece, Reply):
                    heard.clear()
                    self._spend(piece.usage)
                else:
                    heard.append(piece.text)
                yield piece
        finally:
            if heard:
                # The provider bills what it wrote before the reply broke off or was interrupted.
                self._spend(self._broken_off(tokens, "".join(heard)))

    def _spend(self, usage: Usage) -> None:
        self.used += usage
        self.spending.add(usage)

    def _broken_off(self, prompt_tokens: int, written: str) -> Usage:
        # A model that rules need not ask loads nothing of what is said to one.
        from tabchat.chat.prompt.token_estimate import estimate_tokens

        completion_tokens = estimate_tokens(written)
        price = self.inner.price(prompt_tokens, completion_tokens)
        return Usage(
            model=self.name,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            cost_usd=price or 0.0,
            requests=1,
            priced=price is not None,
            estimated=True,
        )

    def request_bytes(self, request: ModelRequest) -> bytes:
        """Return what would be sent for `request`."""
        return self.inner.request_bytes(self.fitted(request))

    def fitted(self, request: ModelRequest) -> ModelRequest:
        """Return `request` with older turns left out until it fits the window."""
        from tabchat.chat.turn.memory import fit

        window = self.limits.context_window or self.inner.context_window()
        if window is None:
            return request
        return fit(request, self.inner.count_tokens, max(window - USUAL_REPLY, window // 2))

    def _admit(self, prompt_tokens: int) -> int | None:
        """Return how many tokens the reply may have, nothing when that is not limited."""
        rooms = [
            room
            for room in (self._tokens_left(prompt_tokens), self._paid_left(prompt_tokens))
            if room is not None
        ]
        return min(rooms, default=None)

    def _tokens_left(self, prompt_tokens: int) -> int | None:
        limit = self.limits.max_tokens
        if limit is None:
            return None
        used = self.used.prompt_tokens + self.used.completion_tokens
        left = limit - used - prompt_tokens
        if left < LEAST_REPLY:
            message = (
                f"The next request to {self.name} would take this question to {used + prompt_tokens:,} tokens "
                f"and more, over --max-tokens {limit:,}."
            )
            hint = "Nothing was sent. Allow more, or ask a narrower question."
            raise RefusedError(message, hint=hint, code="budget")
        return left

    def _paid_left(self, prompt_tokens: int) -> int | None:
        if self.limits.max_cost is None:
            return None
        prompt_price = self.inner.price(prompt_tokens, 0)
        token_price = self.inner.price(0, 1)
        least = LEAST_REPLY * token_price if token_price is not None else None
        left = money_left(self.name, self.limits.max_cost, self.spending, prompt_price, least)
        return int(left / token_price) if token_price else None


def money_left(
    name: str, max_cost: float, spending: Spending, price: float | None, least: float | None = 0.0
) -> float:
    """Return the US dollars that a request of `price` leaves for its reply, which costs `least` or more.

    Raises `RefusedError` when a price is not known, or when less would be left.
    """
    if price is None or least is None:
        message = f"The price of {name} is not known, so --max-cost cannot be kept."
        hint = "Nothing was sent. Limit it with --max-tokens instead."
        raise RefusedError(message, hint=hint, code="budget")
    spent = spending.total.cost_usd
    left = max_cost - spent - price
    if left < least:
        message = (
            f"The next request to {name} would cost ${price:.4f} and more; "
            f"${spent:.4f} of --max-cost ${max_cost:.4f} are spent."
        )
        raise RefusedError(message, hint="Nothing was sent. Allow more with --max-cost.", code="budget")
    return left
