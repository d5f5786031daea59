"""Characters that steer a terminal, turn the direction of its text, or hide in it."""

from __future__ import annotations

import re
from typing import Final

_CONTROLS: Final = (
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls, DEL
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"  # characters that take no room and hide text
    "\u200b\u200e\u200f"  # zero-width space, direction marks
    "\u2028-\u202e"  # line separators, bidirectional embeddings and overrides
    "\u2060-\u206f\ufeff\ufff9-\ufffb"  # invisible operators, isolates, annotation marks
    "\ud800-\udfff"  # bytes of a name that is not UTF-8
    "\U000e0000-\U000e007f"  # tag characters
)
# A joiner between two letters that are not ASCII shapes them (Persian, Hindi, emoji); elsewhere it hides.
_SHAPED: Final = f"[^{_CONTROLS}\x20-\x7e\u200c\u200d]"

UNSAFE: Final = re.compile(f"[{_CONTROLS}]|[\u200c\u200d](?:(?<!{_SHAPED}[\u200c\u200d])|(?!{_SHAPED}))")
"""One character that is shown and not obeyed wherever a person looks."""


def is_text(text: str) -> bool:
    """Tell whether a text can be written in UTF-8: what the command line or JSON holds need not be."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
