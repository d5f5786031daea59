"""The verdict on an answer's figures: where those stand that nothing backs, how many were checked, what it cost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from tabchat.render.block import counted
from tabchat.render.layout.text import pack, sanitise
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from tabchat.answers.receipts import Receipt, Verification
    from tabchat.chat.turn.answer import Answer, Usage
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.view import AnswerView

Span: TypeAlias = tuple[int, int]
"""Where something begins and ends in a text."""


def find_doubtful(answer: Answer) -> tuple[Span, ...]:
    """Return where the figures stand that nothing backs, in order of appearance.

    One that does not say where it stands is marked wherever its text occurs.
    """
    spans = {
        (start, start + len(receipt.text))
        for receipt in answer.verification.receipts
        if receipt.status == "unverified"
        for start in _places(answer.text, receipt)
    }
    return tuple(sorted(spans))


def _places(text: str, receipt: Receipt) -> list[int]:
    if not receipt.text:
        return []
    if receipt.start is not None and text.startswith(receipt.text, receipt.start):
        return [receipt.start]
    pattern = rf"(?<![\w.,]){re.escape(receipt.text)}(?!\w|[.,]\d)"
    return [match.start() for match in re.finditer(pattern, text)]


# What is said below an answer


def narrate_verdict(consoles: Consoles, answer: Answer, view: AnswerView) -> None:
    """Say on stderr how many figures were checked, which are in doubt, and what the answer cost."""
    checked, doubtful = describe_verdict(answer.verification)
    if view.receipts:
        from tabchat.render.receipts import render_receipts

        render_receipts(consoles, answer, consoles.err)
    if checked:
        consoles.say(checked if view.receipts else f"{checked} · {view.commands.receipts}")
    if doubtful:
        for line in wrap_text(doubtful, consoles.width, hang=2):
            consoles.err.print(line, style="bold red")
    if doubtful and answer.usage.model is not None and not answer.usage.requests:
        consoles.say("The reply was kept from before: with --fresh, the model is asked again.")
    if answer.usage.model is not None:
        consoles.say(*pack(describe_usage(answer.usage), consoles.width, consoles.glyphs))


def describe_verdict(verification: Verification) -> tuple[str, str]:
    """Return what was checked, and what is in doubt; empty where there is nothing to say."""
    statuses = [receipt.status for receipt in verification.receipts]
    verified = sum(status in {"verified", "linked"} for status in statuses)
    parts = []
    if verified:
        parts.append(f"{counted(verified, 'figure')} verified")
    if derived := statuses.count("derived"):
        parts.append(f"{derived:,} derived" if parts else f"{counted(derived, 'figure')} derived")
    checked = f"checked: {', '.join(parts)}" if parts else ""
    if verification.status != "unverified":
        return checked, ""
    wrong = statuses.count("unverified")
    if not wrong:
        return checked, "The answer could not be checked: treat it as wrong until you have checked it."
    verb, pronoun = ("is", "it") if wrong == 1 else ("are", "them")
    doubt = f"{_in_doubt(verification)} {verb} unverified: treat {pronoun} as wrong"
    return checked, f"{doubt} until you have checked {pronoun}"


def _in_doubt(verification: Verification) -> str:
    """Count what is unverified: `2 figures`, `1 name`, `1 figure and 2 names`."""
    wrong = [receipt for receipt in verification.receipts if receipt.status == "unverified"]
    names = sum(not any(map(str.isdigit, str(receipt.value))) for receipt in wrong)
    parts = ((len(wrong) - names, "figure"), (names, "name"))
    return " and ".join(counted(count, noun) for count, noun in parts if count)


def describe_usage(usage: Usage) -> list[str]:
    """Return the model, the requests, the tokens sent and received, and the price, each as a part."""
    model = sanitise(usage.model or "no model")
    if not usage.requests:
        return [model, "from the cache"]
    tokens = f"{usage.prompt_tokens:,} + {usage.completion_tokens:,} tokens"
    price = dollars(usage.cost_usd) if usage.priced else "cost unknown"
    return [model, counted(usage.requests, "request"), tokens, price]


def dollars(amount: float) -> str:
    """Return an amount in US dollars: cents from a dollar up, else two significant digits or four decimals."""
    if amount >= 1:
        return f"${amount:,.2f}"
    return f"${amount:.4f}" if amount >= 0.0001 or not amount else f"${amount:.1g}"  # noqa: PLR2004 - the last decimal
