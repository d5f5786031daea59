"""How reading a large file tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float, str], None]
"""Told the share of the work that is done, 0…1, and what is being done."""
