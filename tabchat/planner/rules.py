"""Rules that an answer states about itself: what counts as an outlier, how wide the bins are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.planner.lexicon import Languages
    from tabchat.planner.plans import Draft


def worded(draft: Draft, language: str, languages: Languages) -> Draft:
    """Return a draft that is answered in `language`, with its rule in the words of that language."""
    if not draft.rule:
        return replace(draft, language=language)
    name, *figures = draft.rule
    template = languages.load(language).phrasing[f"rule_{name}"]
    return replace(draft, language=language, read_as=(*draft.read_as, template.format(*figures)), rule=())
