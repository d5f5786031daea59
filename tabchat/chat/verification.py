"""The verdict on the figures of a reply: what is not traced to a result is marked, never passed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.answer import Claim, Verification

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.answer import DataBlock
    from tabchat.chat.model import Reply

_FIGURE: Final = re.compile(r"(?<![\w.])[-+−]?\d[\d.,\u00a0\u202f]*\d%?|(?<![\w.])[-+−]?\d%?")


def verify_reply(reply: Reply, blocks: Sequence[DataBlock]) -> Verification:
    """Return the verdict on `reply`.

    Phrasing by rules names the evidence of each figure as it writes it. A figure
    that a reply does not trace is unverified, whatever results there are.
    """
    traced = {claim.text for claim in reply.claims}
    untraced = tuple(
        Claim(text=figure, value=figure, status="unverified")
        for figure in dict.fromkeys(_FIGURE.findall(reply.text))
        if not any(figure in text for text in traced)
    )
    if reply.claims and all(claim.status != "unverified" for claim in reply.claims):
        # Labels and dates that the phrasing copied from cells are not figures of its own.
        return Verification(status="verified", claims=reply.claims)
    claims = (*reply.claims, *untraced)
    if not claims:
        return Verification(status="verified" if blocks else "not_applicable")
    return Verification(status="unverified", claims=claims)
