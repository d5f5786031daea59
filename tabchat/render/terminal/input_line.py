"""How the line that is being typed is drawn: what a paste or a completion brought in is shown, not obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prompt_toolkit.formatted_text import fragment_list_to_text
from prompt_toolkit.layout.processors import Processor, Transformation
from prompt_toolkit.layout.utils import explode_text_fragments

from tabchat.inert import UNSAFE

if TYPE_CHECKING:
    from prompt_toolkit.layout.processors import TransformationInput

_SHOWN: Final = "\ufffd"
_LAST_CONTROL: Final = 0x9F
"""Controls up to here are drawn as ^X or <9b> by prompt-toolkit itself."""


class InertLine(Processor):
    """Draws a replacement character for each one that would turn or hide text; what is entered stays exact."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        """Return the fragments of a line, one character for one."""
        line = fragment_list_to_text(transformation_input.fragments)
        unsafe = {found.start() for found in UNSAFE.finditer(line) if ord(found.group()) > _LAST_CONTROL}
        if not unsafe:
            return Transformation(transformation_input.fragments)
        fragments = explode_text_fragments(transformation_input.fragments)
        return Transformation(
            [(style, _SHOWN if at in unsafe else text) for at, (style, text, *_) in enumerate(fragments)]
        )
