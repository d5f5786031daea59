"""The language model of a session: made when it is first needed, and the ledger and budget that stand before it."""

from __future__ import annotations

import contextlib
import threading
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING

from tabchat.chat.provider.budget import BudgetedModel, Limits, Spending
from tabchat.errors import RefusedError, UsageError
from tabchat.record import mutable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tabchat.audit import EgressLedger
    from tabchat.chat.provider.litellm_model import LiteLLMModel
    from tabchat.chat.turn.model import Model
    from tabchat.config import Settings
    from tabchat.sealed import Seal


@mutable
class LanguageModel:
    """One model by its litellm name, with everything that stands between it and a question."""

    settings: Settings
    root: Path
    seal: Seal
    spending: Spending = field(default_factory=Spending)

    @cached_property
    def ledger(self) -> EgressLedger:
        """Where every request is written down before it is sent."""
        from tabchat.audit import EgressLedger

        return EgressLedger(self.settings.data_dir / "egress", max_bytes=self.settings.egress_size)

    @property
    def is_set(self) -> bool:
        """Whether there is a model that may be asked."""
        return self.settings.model is not None and not self.settings.offline

    def warm(self) -> None:
        """Load the provider library on a thread while something else goes on."""
        if self.is_set:
            threading.Thread(target=self._load, daemon=True).start()

    def _load(self) -> None:
        # What fails here fails again, and is told, when the model is needed.
        with contextlib.suppress(Exception):
            self.direct.warm()

    @cached_property
    def direct(self) -> LiteLLMModel:
        """The model itself; raises `UsageError` when none is set and `RefusedError` when nothing may be sent."""
        if self.settings.model is None:
            hint = "Name one with --model, such as --model openai/gpt-5-mini or ollama_chat/qwen3."
            raise UsageError("No language model is set.", hint=hint)
        if self.settings.offline:
            message = f"--offline forbids asking {self.settings.model}."
            raise RefusedError(message, hint="Leave --offline out, or ask what rules can answer.")
        base = self.settings.api_base
        if base is not None and not base.lower().startswith(("http://", "https://")):
            message = f"The api base {base!r} is no address of a server."
            raise UsageError(message, hint="Write it in full, such as http://localhost:8080/v1.")
        from tabchat.chat.provider.litellm_model import LiteLLMModel

        return LiteLLMModel(
            model=self.settings.model,
            api_base=self.settings.api_base,
            ledger=self.ledger,
            retries=self.settings.retries,
        )

    @property
    def limits(self) -> Limits:
        """What the person allows."""
        return Limits(
            max_cost=self.settings.max_cost,
            max_tokens=self.settings.max_tokens,
            context_window=self.settings.context_window,
        )

    def for_question(self, versions: Sequence[str]) -> Model:
        """Return the model for one question over tables of these versions: answered before, or within budget."""
        model = BudgetedModel(self.direct, self.limits, self.spending)
        if self.settings.no_cache:
            return model
        from tabchat.chat.provider.cached_model import CachedModel

        return CachedModel(
            model,
            self.root / "responses",
            seal=self.seal,
            versions=versions,
            api_base=self.settings.api_base,
            fresh=self.settings.fresh,
            # Fitting a request into the window needs the provider's library, which a kept reply does not.
            named_by=self.direct.request_bytes,
        )
