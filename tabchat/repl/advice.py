"""What to try next, as it is typed here: hints name commands of the shell, which the prompt does not take."""

from __future__ import annotations

import re
from typing import Final

from tabchat.errors import TabchatError

_SPELLED: Final = (
    (re.compile(r'(first): tabchat ask FILE "QUESTION"'), r"\1."),
    (re.compile(r"tabchat (results|egress)\b(?! -)"), r"/\1"),
    (re.compile(r"tabchat profile FILE"), "/profile"),
    (re.compile(r"Name one with --model, such as --model (\S+)"), r"Name one with /model, such as /model \1"),
    (re.compile(r"tabchat run FILE CODE"), "/run CODE"),
    (re.compile(r"tabchat export (ds_\w+)"), r"/export \1 FILE"),
    (re.compile(r"Show the result itself, without --source"), "/last shows the result itself"),
    (re.compile(r"Start with a file: tabchat repl FILE"), "/load FILE opens one"),
)


def advised(error: BaseException) -> BaseException:
    """Return `error` with the commands of its hint as the prompt takes them."""
    if isinstance(error, TabchatError) and error.hint:
        for shell_command, here in _SPELLED:
            error.hint = shell_command.sub(here, error.hint)
    return error
