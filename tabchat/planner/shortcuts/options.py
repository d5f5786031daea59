"""How shortcuts are set up; cheap to import, so that a question which the grammar reads loads no more than this."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from pathlib import Path

TOP_K: Final = 5
"""Of 184 questions that were put without the catalogue in view and met an intent, it was the likest for 169 and the
second for 15."""
THRESHOLD: Final = 0.35
"""Those questions have cosines from 0.50 up. So have 9 of the 69 given questions that the grammar refuses rightly,
up to 0.83 (`what is the busiest airport`): likeness only says where to look, the check of every word decides."""

Embed: TypeAlias = Callable[[Sequence[str]], list[list[float]]]
"""Texts → one vector each; raises `ModelError`, `RefusedError`."""


@record
class ShortcutOptions:
    """The person's intents and how near a question must come to one."""

    catalogue: Path | None = None
    """TOML file of the person's own intents."""
    top_k: int = TOP_K
    """Intents that are looked at, the likest first."""
    threshold: float = THRESHOLD
    """Cosine below which an intent is not looked at."""
    embed: Embed | None = None
    """An embedding model; hashed character n-grams when absent."""
    embedding_name: str = ""
    """Names the model and its server in the index."""
    index_folder: Path | None = None
    """Where vectors of the catalogue are kept between runs; they are computed anew when absent."""
