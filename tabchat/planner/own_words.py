"""`words.toml`, the person's own words for columns and cells of any table: read, taught a word, made to forget one.

It has the format of a context file. A word has one meaning; what else stands in the file stays as it was written.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.config import words_file
from tabchat.engine.nearest import nearest
from tabchat.errors import UsageError
from tabchat.inert import is_text
from tabchat.planner.context import context_of, phrase_of
from tabchat.planner.links.lattice import LinkKind, Skip
from tabchat.planner.words.token import fold
from tabchat.private_files import alone_in, private_folder
from tabchat.record import record
from tabchat.toml_lines import loads, parsed, read_text, unwritable, with_value, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.interpretation import Interpreter
    from tabchat.values import JsonValue

    _Lists: TypeAlias = "dict[tuple[str, ...], tuple[str, ...]]"

LONGEST_WORD: Final = 200
"""Characters; what is longer is no name that a question says beside other words."""
_MOST_COMPARED: Final = 3_000
"""Cells among which those that are spelled like an unknown target are looked for."""
_NAMED: Final = 3
_JOINING: Final = frozenset({Skip.NOTHING, Skip.JOIN, Skip.DENIAL})


@record
class Target:
    """What a word can stand for."""

    column: str
    cell: str | None = None
    """A text of the column; None for the column itself."""

    def __str__(self) -> str:
        return self.column if self.cell is None else f"{self.column}: {self.cell}"

    @property
    def names(self) -> tuple[str, ...]:
        """Where its words stand in the file."""
        return ("columns", self.column) if self.cell is None else ("values", self.column, self.cell)


@record
class OwnWord:
    """One word, or several, and what it stands for."""

    word: str
    target: Target

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as JSON."""
        return {"word": self.word, "column": self.target.column, "cell": self.target.cell}


def own_words() -> tuple[OwnWord, ...]:
    """Return the words of `words.toml`, by what they stand for; raises `UsageError` for a file that is damaged."""
    return _listed(_lists(read_text(words_file())))


def teach(word: str, target: Target) -> tuple[Target, ...]:
    """Let a word stand for a target from now on, and return what else it stood for.

    Raises `UsageError` for a file that is damaged, which stays as it is, and `OutputError`.
    """
    return tuple(before for before in _change(word, target) if before != target)


def forget(word: str) -> tuple[Target, ...]:
    """Take a word out of the file and return what it stood for; raises as `teach`, and for a word that is not in it."""
    before = _change(word, None)
    if not before:
        near = nearest(word, dict.fromkeys(known.word for known in own_words()))
        message = f"There is no word {word!r} in {words_file()}."
        raise UsageError(message, hint=" or ".join(near) or "tabchat words lists those that there are.")
    return before


def _change(word: str, target: Target | None) -> tuple[Target, ...]:
    """Give a word one meaning or none, and return what it meant; writes only what would be read as that."""
    path = words_file()
    with _alone(path.parent):
        text = read_text(path)
        lists = _lists(text)
        wanted = {
            names: tuple(known for known in words if not _is_same(known, word))
            for names, words in lists.items()
        }
        if target is not None:
            names = _place_of(target, lists)
            wanted[names] = (*wanted.get(names, ()), word)
        changed = text
        for names, words in wanted.items():
            if words != lists.get(names):
                changed = with_value(changed, names, words or None)
        if _listed(wanted) != _listed(lists):
            _check(path, text, changed, wanted)
            write_text(path, changed)
    return tuple(known.target for known in _listed(lists) if _is_same(known.word, word))


def _is_same(one: str, other: str) -> bool:
    """Tell whether a question that says one word says the other."""
    return one == other or phrase_of(one) == phrase_of(other) != ()


def _check(path: Path, text: str, changed: str, wanted: _Lists) -> None:
    """Raise `UsageError` where the changed text would not be read as what is wanted, and as before in all else."""
    before, after = loads(text) or {}, loads(changed)
    kept = ("units", "descriptions")
    if (
        after is None
        or _listed(_lists(changed)) != _listed(wanted)
        or any(before.get(section) != after.get(section) for section in kept)
    ):
        message = f"{path} is written in a way that cannot be changed line by line."
        raise UsageError(message, hint=f"Edit the file: {path}")


def _listed(lists: _Lists) -> tuple[OwnWord, ...]:
    return tuple(
        OwnWord(word=word, target=Target(column=names[1], cell=names[2] if names[2:] else None))
        for names, words in sorted(lists.items())
        for word in words
    )


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep out other processes that change the words."""
    try:
        private_folder(folder)
        with alone_in(folder):
            yield
    except OSError as error:
        raise unwritable(words_file(), error) from error


def _lists(text: str) -> _Lists:
    """Return where lists of words stand in the text of the file → the words; raises `UsageError`."""
    path = words_file()
    found = context_of(parsed(text, path), path)
    columns: _Lists = {("columns", column): words for column, words in found.columns.items()}
    return columns | {
        ("values", column, cell): words
        for column, cells in found.values.items()
        for cell, words in cells.items()
    }


def _place_of(target: Target, lists: _Lists) -> tuple[str, ...]:
    """Return where a target's words stand, or are to: names of columns are the same in any case."""
    folded = tuple(map(str.casefold, target.names))
    same = (names for names in lists if tuple(map(str.casefold, names)) == folded)
    return target.names if target.names in lists else next(same, target.names)


@record
class Lesson:
    """What was taught."""

    own: OwnWord
    before: tuple[Target, ...]
    """What the word stood for until then."""
    stronger: Path | None
    """The file of the setting `context`, where it names the word, too, and counts."""

    def __str__(self) -> str:
        was = f"; it was {' and '.join(map(str, self.before))}" if self.before else ""
        counts = f" Here {self.stronger} stands above it." if self.stronger is not None else ""
        return f"“{self.own.word}” is {self.own.target} from now on{was}.{counts}"


def learn(word: str, text: str, interpreter: Interpreter, context: UserContext | None) -> Lesson:
    """Teach a word for what a text names in a table; `context` is what holds now. Raises `UsageError` and `OutputError`."""
    facts = interpreter.facts
    own = OwnWord(word=_checked(word, interpreter), target=target_of(text, facts))
    _check_cells(own, interpreter)
    is_named = context is not None and phrase_of(own.word) in context.fitting(facts).phrases
    return Lesson(
        own=own,
        before=teach(own.word, own.target),
        stronger=context.path if context is not None and is_named else None,
    )


def _checked(word: str, interpreter: Interpreter) -> str:
    """Return a word that can be taught; raises `UsageError` that says why another one cannot."""
    facts = interpreter.facts
    word = word.strip().strip('"“”«»').strip()
    if not is_text(word) or not any(map(str.isalnum, "".join(phrase_of(word)))):
        raise UsageError(
            f"{word!r} is no word: it has no letter and no digit.", hint="Teach a word that questions say."
        )
    if len(word) > LONGEST_WORD:
        raise UsageError(f"A word of {len(word):,} characters is too long.", hint=f"At most {LONGEST_WORD}.")
    if (column := _called(word, (column.name for column in facts.columns))) is not None:
        message = f"{word!r} is a column of {facts.name} itself: a question that says it means {column!r}."
        raise UsageError(message, hint="Teach a word that is no column.")
    read = interpreter.lattice(word)
    figure = Skip.NUMBER in read.skips or any(name.startswith("agg.") for name in read.names)
    if (figure and len(read.skips) == 1) or _JOINING.issuperset(read.skips):
        message = f"{word!r} has a meaning of its own in every question."
        raise UsageError(message, hint="Teach a word that names something.")
    return word


def _check_cells(own: OwnWord, interpreter: Interpreter) -> None:
    """Raise `UsageError` for a word that names another cell of the table already: questions would mean both."""
    read = interpreter.lattice(own.word)
    for link in read.links(LinkKind.CELL):
        is_its_own = link.whole and "cell.alias" not in link.signs
        if is_its_own and link.span == (0, len(read.sentence.words)):
            name = interpreter.facts.columns[link.column].name
            cells = [
                str(target) for text in link.texts if (target := Target(column=name, cell=text)) != own.target
            ]
            if cells:
                message = f"{own.word!r} means {' and '.join(cells)} in {interpreter.facts.name} itself."
                raise UsageError(message, hint="Teach a word that names nothing there.")


def target_of(text: str, facts: TableFacts) -> Target:
    """Return the column or the cell that a text names, in any case; `COLUMN: CELL` is that cell of that column.

    Raises `UsageError` with the nearest names for a text that names none, or cells of several columns.
    """
    text = text.strip()
    column = _called(text, (column.name for column in facts.columns))
    if column is not None:
        return Target(column=column)
    cells = [(column.name, _called(text, column.texts)) for column in facts.columns]
    found = [Target(column=name, cell=cell) for name, cell in cells if cell is not None]
    found = found or list(_cells_of_columns(text, facts))
    if len(found) == 1:
        return found[0]
    if found:
        listed = " and ".join(repr(target.column) for target in found)
        raise UsageError(f"{text!r} is a cell of {listed}.", hint=" or ".join(map(str, found)))
    message = f"{facts.name} has no column and no known cell {text!r}."
    raise UsageError(message, hint=_near(text, facts))


def _cells_of_columns(text: str, facts: TableFacts) -> Iterator[Target]:
    for column in facts.columns:
        for place, sign in enumerate(text):
            if sign == ":" and _called(text[:place], (column.name,)) is not None:
                cell = _called(text[place + 1 :], column.texts)
                if cell is not None:
                    yield Target(column=column.name, cell=cell)


def _called(text: str, known: Iterable[str]) -> str | None:
    """Return the name that a text is, letter by letter if there is such a one, else in another case."""
    names, wanted = tuple(known), fold(text)
    return text if text in names else next((name for name in names if fold(name) == wanted), None)


def _near(text: str, facts: TableFacts) -> str:
    start, colon, rest = text.partition(":")
    named = next((column for column in facts.columns if colon and _called(start, (column.name,))), None)
    if named is not None:
        texts = tuple(islice(named.texts, _MOST_COMPARED))
        found = nearest(rest.strip(), texts) or texts[:_NAMED]
        return " or ".join(f"{named.name}: {cell}" for cell in found) or named.name
    names = [column.name for column in facts.columns]
    cells = {cell: column.name for column in facts.columns for cell in column.texts}
    near = [
        *nearest(text, names),
        *(f"{cells[cell]}: {cell}" for cell in nearest(text, islice(cells, _MOST_COMPARED))),
    ]
    return " or ".join(near[:_NAMED]) if near else f"Columns: {', '.join(names)}."
