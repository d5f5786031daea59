"""Texts → vectors by an embedding model behind litellm, every request in the ledger before it is sent."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Final

from tabchat.chat.provider.budget import Spending, money_left
from tabchat.chat.turn.answer import Usage
from tabchat.errors import ModelError, RefusedError, TabchatError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.audit import Ledger
    from tabchat.chat.provider.model_facts import ModelFacts

TIMEOUT: Final = 60.0
"""Seconds that one request may take when the person sets no limit."""
BATCH: Final = 128
"""Texts of one request; the providers' own limits lie above it."""


@record
class Embedder:
    """An embedding model by its litellm name."""

    model: str
    api_base: str | None
    ledger: Ledger
    timeout: float | None = None
    """Seconds for one request."""
    offline: bool = False
    max_cost: float | None = None
    """US dollars for the whole run."""
    spending: Spending = field(default_factory=Spending)
    """What the run has cost, which its requests are added to."""

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector for each text, in order; only the texts are sent.

        Raises `RefusedError` when nothing may be sent or spent, `ModelError` when the provider fails, and what the ledger
        raises.
        """
        if self.offline:
            message = f"--offline forbids asking {self.model} for the vectors of the shortcuts."
            raise RefusedError(message, hint="Leave --offline or the setting `embedding_model` out.")
        found: list[list[float]] = []
        for start in range(0, len(texts), BATCH):
            found += self._embedded(texts[start : start + BATCH])
        return found

    def _embedded(self, texts: Sequence[str]) -> list[list[float]]:
        from tabchat.chat.provider.errors import as_model_error, no_key
        from tabchat.chat.provider.failure import describe
        from tabchat.chat.provider.litellm_model import load
        from tabchat.chat.provider.model_facts import ModelFacts
        from tabchat.chat.provider.recorder import Recorder

        facts = ModelFacts(load(), self.model, self.api_base)
        if facts.missing_keys:
            raise no_key(self.model, facts.missing_keys)
        tokens = facts.count([], text="\n".join(texts))
        if self.max_cost is not None:
            money_left(self.model, self.max_cost, self.spending, facts.price(tokens, 0))
        recorder = Recorder(self.ledger, self.model)
        try:
            with recorder.watching():
                reply = load().embedding(
                    model=facts.target,
                    input=list(texts),
                    api_base=self.api_base,
                    api_key=facts.api_key,
                    timeout=self.timeout or TIMEOUT,
                    num_retries=0,
                    max_retries=0,
                )
        except TabchatError:
            raise
        except Exception as error:
            if recorder.refusal is not None:
                raise recorder.refusal from error
            raise as_model_error(describe(error, recorder, self.model), key_names=facts.key_names) from error
        self.spending.add(self._usage(facts, reply.usage, tokens))
        return self._vectors(reply.data, len(texts))

    def _usage(self, facts: ModelFacts, told: object, counted: int) -> Usage:
        """Return what a request cost: by the provider's count of tokens, else by ours."""
        tokens = getattr(told, "prompt_tokens", None) or 0
        cost = facts.price(tokens or counted, 0)
        return Usage(
            model=self.model,
            prompt_tokens=tokens or counted,
            cost_usd=cost or 0.0,
            requests=1,
            priced=cost is not None,
            estimated=not tokens,
        )

    def _vectors(self, rows: Sequence[object], wanted: int) -> list[list[float]]:
        """Return the vectors of a reply in the order of the texts; raises `ModelError` when it is not whole."""
        try:
            by_place = {int(row["index"]): [float(value) for value in row["embedding"]] for row in rows}  # type: ignore[index] # litellm's own type, checked here
            found = [by_place[place] for place in range(wanted)]
        except (KeyError, TypeError, ValueError) as error:
            message = f"{self.model} did not give a vector for each of {wanted} texts."
            raise ModelError(
                message, hint="Take another embedding model, or leave `embedding_model` out."
            ) from error
        if len({len(vector) for vector in found}) > 1 or not all(map(any, found)):
            message = f"{self.model} gave vectors that cannot be compared."
            raise ModelError(message, hint="Take another embedding model, or leave `embedding_model` out.")
        return found
