"""The words of a language in which readings and results are said, as its `phrases.<language>.toml` holds them."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

LANGUAGES: Final = ("en", "uk", "ru")
"""Languages that readings and results are said in."""


@record
class Phrases:
    """Templates of one language, by name."""

    read_as: Mapping[str, str]
    phrasing: Mapping[str, str]
    suggestions: Mapping[str, str]
    refusals: Mapping[str, str]


@cache
def phrases_of(language: str) -> Phrases:
    """Return the templates of a language, those of English for one that is not spoken."""
    spoken = language if language in LANGUAGES else LANGUAGES[0]
    text = resources.files(__package__).joinpath(f"phrases.{spoken}.toml").read_text("utf-8")
    sections = tomllib.loads(text)
    return Phrases(**sections)
