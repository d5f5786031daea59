"""Completion: commands, their options and arguments, names, cells and files, each where it can stand."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document

from tabchat.engine.edits.vocabulary import METHODS, TYPES
from tabchat.engine.plan.query_plan import QueryPlan
from tabchat.errors import TabchatError
from tabchat.repl.asking import asks_a_model
from tabchat.repl.line.choices import EDITS, NONE, PARTS, SPANS, choices, names, table_columns
from tabchat.repl.line.words import in_sql, matching, named, offered
from tabchat.repl.registry import command_of, commands
from tabchat.repl.spelled import is_sql
from tabchat.tools.recipes import DESCRIPTIONS
from tabchat.tools.recipes.typed import PLAIN_NAMES, choices_of, options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tabchat.repl.line.hints import Cell, Hints
    from tabchat.repl.registry import Command, Takes
    from tabchat.repl.shell import Shell

_CLOSED: Final[frozenset[Takes]] = frozenset(
    {"command", "table", "planner", "privacy", "recipe", "chart", "part"}
)
"""Arguments of which there are so few that the menu may open by itself."""
_FLAG: Final = re.compile(r"(?:^|\s)(-[-\w]*)$")
_LAST_WORD: Final = re.compile(r"""(?:[^\s\\'"]|\\.|'[^']*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))*\\?$""", re.DOTALL)
_QUOTED: Final = re.compile(r"""\\(.)|'([^']*)'?|"((?:[^"\\]|\\.)*)"?|\\$""", re.DOTALL)
_SPECIAL: Final = re.compile(r"""([\s\\'"])""")
_FILES: Final = PathCompleter(expanduser=True)


class ShellCompleter(Completer):
    """Offers what the entry may go on with."""

    def __init__(self, shell: Shell, hints: Hints) -> None:
        self._shell = shell
        self._hints = hints
        # Loaded before anything else is, on another thread.
        self._commands = commands()

    def is_closed(self, text: str) -> bool:
        """Tell whether what is typed is one of a few: a command, or an argument of which there are few."""
        if not text.startswith("/") or "\n" in text:
            return False
        name, blank, argument = text[1:].partition(" ")
        if not blank:
            return True
        command = self._commands.get(name)
        few = command is not None and command.takes[0] in _CLOSED
        return few and (" " not in argument or argument.rpartition(" ")[2].startswith("-"))

    def get_completions(self, document: Document, _complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield completions of the text before the cursor; none is better than an error while typing."""
        before = document.text_before_cursor
        if before.startswith("/") and not re.search(r"\s", before):
            yield from matching(before[1:], ((name, item.summary) for name, item in self._commands.items()))
            return
        try:
            command = command_of(before) if before.strip() else None
            yield from self._question(before) if command is None else self._arguments(command, before)
        except TabchatError:
            return

    def _question(self, before: str) -> Iterator[Completion]:
        if is_sql(before):
            return self._sql(before)
        if not asks_a_model(self._shell):
            return named(before, names(self._shell), self._cells())
        # What is taken into a question may be sent with it.
        hidden = self._shell.session.settings.hide
        known = [name for name in names(self._shell) if name[0] not in hidden]
        return named(before, known, (cell for cell in self._cells() if cell.column not in hidden))

    def _cells(self) -> Iterable[Cell]:
        return self._hints.current().cells

    def _arguments(self, command: Command, before: str) -> Iterator[Completion]:
        _, _, argument = before.partition(" ")
        flag = _FLAG.search(argument)
        if flag is not None and command.flags:
            given = argument.split()
            yield from matching(
                flag.group(1), (item for item in command.flags.items() if item[0] not in given[:-1])
            )
            return
        for takes in command.takes:
            yield from self._one_kind(takes, argument)

    def _one_kind(self, takes: Takes, argument: str) -> Iterator[Completion]:
        readers: Mapping[Takes, Callable[[str], Iterator[Completion]]] = {
            "path": paths,
            "recipe": self._recipe,
            "part": self._part,
            "edit": self._edit,
            "sql": self._sql,
            "plan": self._plan,
            "code": self._code,
            "word": self._word,
        }
        if takes in readers:
            return readers[takes](argument)
        listed = takes in {"column", "hidden"}
        word = argument.rpartition(",")[2].lstrip() if listed else argument
        return matching(word, choices(self._shell, takes))

    def _sql(self, text: str) -> Iterator[Completion]:
        return in_sql(text, names(self._shell), self._cells())

    def _code(self, text: str) -> Iterator[Completion]:
        return named(re.split(r"['\"\[.]", text)[-1], list(table_columns(self._shell)), ())

    def _recipe(self, argument: str) -> Iterator[Completion]:
        """Yield recipes, then the options of the one that was typed, then what an option can be."""
        name, space, rest = argument.partition(" ")
        if not space:
            yield from matching(name, ((known, DESCRIPTIONS[tool]) for known, tool in PLAIN_NAMES.items()))
            return
        word = rest.rpartition(" ")[2]
        before = rest.removesuffix(word).split()
        known = options_of(name)
        option = before[-1] if before and before[-1] in known else None
        if option is None:
            yield from matching(word, known.items())
        elif some := choices_of(name, option):
            yield from matching(word, ((choice, option) for choice in some))
        elif rest.count("'") % 2:
            yield from self._sql(rest)
        elif word and not known.get(option, "").startswith("Column"):
            yield from named(rest, names(self._shell), self._cells())
        else:
            yield from matching(word, table_columns(self._shell))

    def _part(self, argument: str) -> Iterator[Completion]:
        """Yield the parts of a reading, then what the one that was typed can be."""
        part, space, rest = argument.partition(" ")
        if not space:
            return matching(part, PARTS.items())
        last = rest.rpartition(" ")[2]
        more: Mapping[str, Iterable[tuple[str, str]]] = {
            "by": [(span, "of dates") for span in SPANS],
            "sort": [("asc", "the smallest first"), ("desc", "the greatest first")],
        }
        known = [*names(self._shell), *more.get(part, ()), NONE]
        if last:
            return named(rest, known, self._cells() if part == "filter" else ())
        return matching("", more["sort"] if part == "sort" and rest.strip() else known)

    def _word(self, argument: str) -> Iterator[Completion]:
        """Yield the person's own words, then columns and cells for what one stands for."""
        from tabchat.planner.own_words import own_words

        typed, sign, meaning = argument.partition("=")
        if not sign:
            return matching(typed, ((own.word, str(own.target)) for own in own_words()))
        if not meaning.strip():
            return matching("", table_columns(self._shell))
        return named(meaning, list(table_columns(self._shell)), self._cells())

    def _edit(self, argument: str) -> Iterator[Completion]:
        """Yield how edits begin, and behind that columns, cells and the words of some edits."""
        text = argument.removeprefix("--yes ")
        if any(verb.startswith(text.casefold()) for verb in EDITS):
            yield from matching(text, EDITS.items())
        if " " not in text:
            return
        verb = text.partition(" ")[0].casefold()
        words = [(word, "") for word in {"convert": TYPES, "fill": METHODS}.get(verb, ())]
        if any(text.casefold() == f"{known} " for known in EDITS):
            yield from matching("", table_columns(self._shell))
        elif text.endswith((" to ", " with ")) and words:
            yield from matching("", words)
        else:
            cells = self._cells() if verb != "convert" else ()
            yield from named(text.partition(" ")[2], [*table_columns(self._shell), *words], cells)

    def _plan(self, text: str) -> Iterator[Completion]:
        """Yield the columns, and where a field begins, the fields of a plan."""
        start, _, word = text.rpartition('"')
        if start.rstrip().endswith(("{", ",")):
            yield from matching(word, ((item.name, "field of a plan") for item in fields(QueryPlan)))
        yield from named(word, names(self._shell), self._cells())


def paths(argument: str) -> Iterator[Completion]:
    """Yield the files and folders that the last word of `argument` may name."""
    found = _LAST_WORD.search(argument)
    word = found.group() if found is not None else ""
    typed = _unquoted(word)
    for file in _FILES.get_completions(Document(typed), CompleteEvent()):
        yield offered(_escaped(f"{typed}{file.text}"), -len(word), "", shown=file.display_text)


def _unquoted(word: str) -> str:
    return _QUOTED.sub(lambda part: "".join(text or "" for text in part.groups()), word)


def _escaped(path: str) -> str:
    return _SPECIAL.sub(r"\\\1", path)
