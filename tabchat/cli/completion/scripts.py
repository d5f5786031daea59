"""The scripts that make a shell ask tabchat what Tab completes, and where each is installed."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import OutputError, UsageError
from tabchat.private_files import replace_private

if TYPE_CHECKING:
    from collections.abc import Mapping

SHELLS: Final = ("bash", "zsh", "fish")
DETECT: Final = "auto"
"""Stands for the shell that runs this program."""

_SCRIPTS: Final[Mapping[str, str]] = {
    "bash": """\
_tabchat_completion() {
    local IFS=$'\\n'
    COMPREPLY=( $("$1" --complete bash "$COMP_CWORD" "${COMP_WORDS[@]}" 2>/dev/null) )
}
complete -o default -F _tabchat_completion tabchat
""",
    "zsh": """\
#compdef tabchat
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_tabchat() {
    local -a found
    found=("${(@f)$("${words[1]}" --complete zsh $((CURRENT - 1)) "${(@)words}" 2>/dev/null)}")
    if [[ -n "${found[1]}" ]]; then _describe tabchat found; else _files; fi
}
compdef _tabchat tabchat
""",
    "fish": """\
function __tabchat_complete
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    tabchat --complete fish (count $words) $words (commandline --current-token --cut-at-cursor) 2>/dev/null
end
complete --command tabchat --arguments '(__tabchat_complete)'
""",
}


def script(shell: str) -> str:
    """Return the script for a shell; raises `UsageError` for one that there is none for."""
    return _SCRIPTS[_known(shell)]


def install(shell: str) -> tuple[Path, Path | None]:
    """Write the script for a shell, and one line that reads it into its start-up file, once.

    Returns the script's path, and that of the start-up file when it was changed.
    """
    known = _known(shell)
    if known == "fish":
        return _write(_config_home() / "fish" / "completions" / "tabchat.fish", _SCRIPTS[known]), None
    target = _write(_config_home() / "tabchat" / f"completion.{known}", _SCRIPTS[known])
    start = Path.home() / f".{known}rc"
    quoted = shlex.quote(str(target))
    line = f"[ -f {quoted} ] && . {quoted}"
    try:
        text = start.read_text(encoding="utf-8") if start.is_file() else ""
        if line in text.splitlines():
            return target, None
        with start.open("a", encoding="utf-8") as file:
            file.write(f"{'' if text.endswith(chr(10)) or not text else chr(10)}{line}\n")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{start} cannot be changed: {getattr(error, 'strerror', None) or error}."
        raise OutputError(message, hint=f"Put this line into it: {line}") from error
    return target, start


def _known(shell: str) -> str:
    name = _detected() if shell == DETECT else shell
    if name not in SHELLS:
        message = f"There is no completion for the shell {name!r}."
        raise UsageError(message, hint=f"Name one: tabchat --show-completion {' | '.join(SHELLS)}")
    return name


def _detected() -> str:
    """Return the shell that this runs in; where that is none with a script, like the `sh` of a launcher, the person's own."""
    import shellingham

    own = Path(os.environ.get("SHELL", "")).name
    try:
        running = str(shellingham.detect_shell()[0])
    except (shellingham.ShellDetectionFailure, OSError):
        return own or "unknown"
    return running if running in SHELLS or own not in SHELLS else own


def _config_home() -> Path:
    given = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    return given if given.is_absolute() else Path.home() / ".config"


def _write(path: Path, text: str) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_private(path, text.encode())
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        raise OutputError(message, hint="tabchat --show-completion prints the script.") from error
    return path
