"""One answer of the prose, judged as in a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.chat.placeholders import fill
from tabchat.chat.validator import Verdict, validate

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.chat.validator.prose.results import Known


def verdict_on(known: Mapping[str, Known], keys: str, question: str, text: str) -> Verdict:
    """Return the verdict on `text`, with the results and facts that `keys` name."""
    given = [known[key] for key in keys.split()]
    blocks = [item.block for item in given if item.block is not None]
    facts = [item.facts for item in given if item.facts is not None]
    results = {block.data_key: block.result for block in blocks}
    if blocks:
        results["_"] = blocks[-1].result
    filled, traced = fill(text, lambda key: results[key], latest=blocks[-1].data_key if blocks else None)
    return validate(filled, question=question, blocks=blocks, facts=facts, traced=traced)


def is_flagged(verdict: Verdict) -> bool:
    """Tell whether a person would see a mark or an issue."""
    verification = verdict.verification
    marked = any(claim.status == "unverified" for claim in verification.claims)
    return marked or verification.status == "unverified" or bool(verdict.issues)
