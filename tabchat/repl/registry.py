"""The REPL's commands by name; `/help` and completion read what stands here."""

from __future__ import annotations

from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.engine.nearest import nearest
from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.errors import ExitCode
    from tabchat.repl.shell import Shell

Takes: TypeAlias = Literal[
    "nothing",
    "table",
    "column",
    "key",
    "path",
    "command",
    "sql",
    "plan",
    "number",
    "model",
    "planner",
    "privacy",
    "hidden",
    "request",
    "recipe",
    "part",
    "edit",
    "chart",
    "source",
    "question",
    "code",
    "word",
]
"""What a command's argument names, for completion."""


@record
class Command:
    """One `/` command."""

    name: str
    summary: str
    """One line for `/help`."""
    run: Callable[[Shell, str], ExitCode]
    """Carries the command out, given its argument as typed."""
    arguments: str = ""
    takes: tuple[Takes, ...] = ("nothing",)
    flags: Mapping[str, str] = field(default_factory=dict)
    """Option → what it does."""
    aliases: tuple[str, ...] = ()
    talks: bool = False
    """Whether it is only about the conversation itself, of which it is no turn."""

    @property
    def usage(self) -> str:
        """The command as it is typed."""
        return f"/{self.name} {self.arguments}".rstrip()

    def carry_out(self, shell: Shell, argument: str) -> ExitCode:
        """Run the command; raises `UsageError` when it takes nothing and something stands behind it."""
        if argument and not self.arguments:
            raise UsageError(f"{self.usage} takes nothing behind it.", hint=f"{self.usage} — {self.summary}")
        return self.run(shell, argument)


@cache
def commands() -> Mapping[str, Command]:
    """Return every command by its name, in the order of `/help`."""
    from tabchat.repl.commands import COMMANDS

    return {command.name: command for command in COMMANDS}


def command_of(entry: str) -> Command | None:
    """Return the command that `entry` begins with, nothing when it is a question.

    `.name` is another way to write a command; other entries with a dot are
    questions. Raises `UsageError` for an unknown `/name`.
    """
    typed = entry.split(None, 1)[0]
    if typed.startswith("/"):
        return find_command(typed)
    return _by_name(typed[1:]) if typed.startswith(".") else None


def find_command(typed: str) -> Command:
    """Return the command typed as `/name`; raises `UsageError` with the nearest names."""
    name = typed.removeprefix("/")
    command = _by_name(name)
    if command is None:
        near = nearest(name, commands())
        message = f"There is no command {typed!r}."
        raise UsageError(message, hint=" or ".join(f"/{known}" for known in near) or "/help")
    return command


def _by_name(name: str) -> Command | None:
    """Return the command of that name or alias, else the only one whose name begins so."""
    wanted = name.lower()
    known = commands().values()
    exact = [item for item in known if wanted == item.name or wanted in item.aliases]
    begun = [item for item in known if wanted and item.name.startswith(wanted)]
    found = exact or begun
    return found[0] if len(found) == 1 else None
