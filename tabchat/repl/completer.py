"""Completion: commands, tables, columns, values, keys and files, each where it can stand."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.errors import TabchatError
from tabchat.render.text import cut, sanitise
from tabchat.repl.asking import ANSWERERS, REQUESTS_LISTED, SEEN
from tabchat.repl.providers import PROVIDERS
from tabchat.repl.registry import command_of, commands
from tabchat.tools.recipes import DESCRIPTIONS
from tabchat.tools.recipes.typed import PLAIN_NAMES, choices_of, options_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.repl.registry import Command, Takes
    from tabchat.repl.shell import Shell

SAMPLED_ROWS: Final = 50_000
"""Rows in which the values of a column are looked for."""
FEW_VALUES: Final = 50
"""Distinct values up to which a text column's values are offered."""
KEYS_OFFERED: Final = 30
WORDS_OF_A_NAME: Final = 5
"""Words before the cursor in which the beginning of a name is looked for."""

PARTS: Final = {
    "measure": "what is computed",
    "filter": "which rows",
    "by": "groups",
    "period": "dates",
    "sort": "order",
    "limit": "how many rows",
}
"""The parts of a reading, each with what it is."""
EDITS: Final = {
    "delete rows where": "such as price > 100",
    "drop column": "such as discount",
    "rename": "such as revenue to income",
    "replace": "such as 'DE' with 'Germany' in country",
    "set": "such as discount to 0 where region is Asia",
    "fill missing": "such as discount with 0",
    "add column": "such as total = price * quantity",
    "remove duplicates": "rows that repeat an earlier row",
    "convert": "such as order_id to text",
}
"""How an edit in words begins, each with what may follow."""
_WORD: Final = re.compile(r'("[^"]*|[^\s,()=<>"]*)$')
_PLAIN_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*")


class ShellCompleter(Completer):
    """Offers what the entry may go on with."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._values: dict[str, Sequence[tuple[str, str]]] = {}
        """Table version → (value, column) pairs."""

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Yield completions of the text before the cursor; none is better than an error while typing."""
        before = document.text_before_cursor
        if before.startswith("/") and not re.search(r"\s", before):
            yield from _matching(before[1:], ((name, item.summary) for name, item in commands().items()))
            return
        try:
            command = command_of(before) if before.strip() else None
            yield from self._arguments(command, before, complete_event)
        except TabchatError:
            return

    def _arguments(
        self, command: Command | None, before: str, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        if command is None:
            yield from self._names(before, quoted=False)
            return
        _, _, argument = before.partition(" ")
        for takes in command.takes:
            yield from self._one_kind(takes, argument, before, complete_event)

    def _one_kind(
        self, takes: Takes, argument: str, before: str, complete_event: CompleteEvent
    ) -> Iterator[Completion]:
        match takes:
            case "nothing" | "number":
                return
            case "path":
                path = argument.rpartition(" ")[2]
                for found in PathCompleter(expanduser=True).get_completions(Document(path), complete_event):
                    shown = cut(sanitise(found.display_text), 40)
                    yield Completion(found.text, found.start_position, display=shown)
            case "recipe":
                yield from self._recipe(argument)
            case "part" | "edit":
                yield from self._words(argument, PARTS if takes == "part" else EDITS)
            case "sql":
                yield from self._names(before, quoted=True)
            case "plan":
                yield from self._names(before.rpartition('"')[2], quoted=False)
            case "column" | "hidden":
                yield from _matching(argument.rpartition(",")[2].lstrip(), self._choices(takes))
            case _:
                yield from _matching(argument, self._choices(takes))

    def _recipe(self, argument: str) -> Iterator[Completion]:
        """Yield recipes, then the options of the one that was typed, then what an option can be."""
        name, space, rest = argument.partition(" ")
        if not space:
            yield from _matching(name, ((known, DESCRIPTIONS[tool]) for known, tool in PLAIN_NAMES.items()))
            return
        word = rest.rpartition(" ")[2]
        before = rest.removesuffix(word).split()
        fields = options_of(name)
        option = before[-1] if before and before[-1] in fields else None
        if option is None:
            yield from _matching(word, fields.items())
        elif choices := choices_of(name, option):
            yield from _matching(word, ((choice, option) for choice in choices))
        else:
            yield from self._names(rest, quoted=False)

    def _words(self, argument: str, first: Mapping[str, str]) -> Iterator[Completion]:
        """Yield what an argument begins with, and behind that columns and values."""
        yield from _matching(argument, first.items())
        if " " in argument:
            yield from self._names(argument.partition(" ")[2], quoted=False)

    def _choices(self, takes: Takes) -> Iterable[tuple[str, str]]:
        """Return what can be chosen from, each with what it is."""
        sources: Mapping[Takes, Callable[[], Iterable[tuple[str, str]]]] = {
            "command": lambda: ((name, item.summary) for name, item in commands().items()),
            "table": lambda: ((name, "table") for name in self._shell.session.tables),
            "column": self._result_columns,
            "hidden": self._columns,
            "key": self._keys,
            "model": lambda: (*PROVIDERS, ("off", "no model")),
            "planner": lambda: ((item.value, what) for item, what in ANSWERERS.items()),
            "request": self._requests,
            "privacy": lambda: ((item.value, what) for item, what in SEEN.items()),
        }
        return sources[takes]() if takes in sources else ()

    def _names(self, before: str, *, quoted: bool) -> Iterator[Completion]:
        """Yield tables, columns and values; as SQL identifiers where those are wanted."""
        found = _WORD.search(before)
        word = found.group().lstrip('"') if found else ""
        start = -len(found.group()) if found else 0
        for name, what in (*self._columns(), *((name, "table") for name in self._shell.session.tables)):
            text = identifier(name) if quoted else name
            if word and _starts(name, word):
                yield _completion(text, start, what)
        if quoted:
            return
        if len(word) > 1:
            for value, column in self._known_values():
                if _starts(value, word):
                    yield _completion(value, start, column)
        yield from self._phrases(before)

    def _phrases(self, before: str) -> Iterator[Completion]:
        """Yield names and values of several words of which more than the first has been typed."""
        starts = [found.start() for found in re.finditer(r"\S+", before)][-WORDS_OF_A_NAME:]
        if not before[-1:].isspace():
            # The word that is being typed was looked for already.
            starts = starts[:-1]
        for name, what in (*self._columns(), *(self._known_values() if starts else ())):
            begun = next((start for start in starts if _starts(name, before[start:])), None)
            if begun is not None:
                yield _completion(name, begun - len(before), what)

    def _columns(self) -> Iterator[tuple[str, str]]:
        if self._shell.session.tables:
            for column in self._shell.session.current.schema:
                yield column.name, column.kind.value

    def _result_columns(self) -> Iterator[tuple[str, str]]:
        for column in self._shell.require_block().result.frame.schema:
            yield column.name, column.kind.value

    def _keys(self) -> Iterator[tuple[str, str]]:
        for entry in self._shell.session.results()[:KEYS_OFFERED]:
            yield entry.key, entry.question or entry.title or ""

    def _requests(self) -> Iterator[tuple[str, str]]:
        for entry in self._shell.session.ledger.entries(limit=REQUESTS_LISTED):
            yield entry.id, f"{entry.time.astimezone():%Y-%m-%d %H:%M} {entry.model or entry.host}"

    def _known_values(self) -> Sequence[tuple[str, str]]:
        if not self._shell.session.tables:
            return ()
        table = self._shell.session.current
        if table.version not in self._values:
            self._values[table.version] = tuple(self._read_values(table))
        return self._values[table.version]

    def _read_values(self, table: Table) -> Iterator[tuple[str, str]]:
        engine = self._shell.session.engine
        sample = exp.select("*").from_(exp.to_table(table.name, quoted=True)).limit(SAMPLED_ROWS)
        for column in table.schema:
            if column.kind is not ColumnKind.TEXT:
                continue
            name = exp.column(column.name, quoted=True)
            values = (
                exp.select(name)
                .distinct()
                .from_(sample.subquery("sample"))
                .limit(FEW_VALUES + 1)
                .order_by(name)
            )
            rows = engine.rows(values)
            if len(rows) <= FEW_VALUES:
                yield from ((value, column.name) for (value,) in rows if isinstance(value, str) and value)


def identifier(name: str) -> str:
    """Return a column or table name as SQL takes it: quoted unless it is plain."""
    if _PLAIN_NAME.fullmatch(name):
        return name
    escaped = name.replace('"', '""')
    return f'"{escaped}"'


def _matching(word: str, choices: Iterable[tuple[str, str]]) -> Iterator[Completion]:
    return (_completion(text, -len(word), what) for text, what in choices if _starts(text, word))


def _starts(text: str, word: str) -> bool:
    return text.casefold().startswith(word.casefold())


def _completion(text: str, start: int, what: str) -> Completion:
    # A menu is a screen too: what is inserted stays exact, what is drawn is inert.
    return Completion(text, start, display=cut(sanitise(text), 40), display_meta=cut(sanitise(what), 40))
