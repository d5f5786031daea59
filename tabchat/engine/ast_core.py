"""The trees of sqlglot, without what it would look for plugins with.

It imports `importlib.metadata`, and that `email`, `socket`, `zipfile` and thirty more, a twentieth of a question, for one
function that it calls when a dialect is not its own. So whatever is first to want sqlglot on the way to an answer takes `exp`
from here; who does not is only slower.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, Final

__all__ = ["exp"]

_METADATA: Final = "importlib.metadata"


class _Metadata(ModuleType):
    """Stands for `importlib.metadata` during an import; whoever asks it for anything else gets the real one."""

    def __getattr__(self, name: str) -> Any:
        if name == "__path__":  # an import looks for it
            raise AttributeError(name)
        return getattr(_real(), name)


def _real() -> ModuleType:
    if isinstance(sys.modules.get(_METADATA), _Metadata):
        del sys.modules[_METADATA]
    from importlib import metadata

    return metadata


def _entry_points(**wanted: Any) -> Any:
    return _real().entry_points(**wanted)


if "sqlglot" in sys.modules or _METADATA in sys.modules:
    from sqlglot import exp
else:
    standing = _Metadata(_METADATA)
    vars(standing)["entry_points"] = _entry_points
    sys.modules[_METADATA] = standing
    try:
        from sqlglot import exp
    finally:
        if sys.modules.get(_METADATA) is standing:
            del sys.modules[_METADATA]
