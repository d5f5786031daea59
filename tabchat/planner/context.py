"""A person's own words for a table: names of columns and cells, units and descriptions, from a TOML file.

Nothing of the file is ever sent to a model; it only tells rules what the person's words mean. The file of the setting
`context` is about the tables at hand; `words.toml`, beside it, is about any: of it a table has what fits it.
"""

from __future__ import annotations

import os
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, TypeVar

from tabchat.config import words_file
from tabchat.engine.nearest import nearest
from tabchat.errors import UsageError
from tabchat.planner.words.token import tokenize
from tabchat.record import record
from tabchat.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.facts import TableFacts

    Phrase = tuple[str, ...]

_Entry = TypeVar("_Entry")
_SECTIONS: Final = ("columns", "values", "units", "descriptions")
_HINT: Final = 'Write [columns] revenue = ["sales", "turnover"], [values.region] "North America" = ["NA"], [units] price = "USD".'


@record
class UserContext:
    """What a context file says; names of columns as they are written there."""

    path: Path | None = None
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column → other names of it."""
    values: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Column → cell → other names of it."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Column → unit, which is written behind its figures."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """Column → a sentence; a description is another name of its column, too, when a question repeats it whole."""
    personal: UserContext | None = None
    """What `words.toml` says, for tables that have something for it."""

    def for_table(self, facts: TableFacts) -> UserContext:
        """Return these words with those of `words.toml` for what the table has.

        What is named in both stays as it is here, and what is a column or a cell of the table itself means that.
        """
        if self.personal is None:
            return self
        own = self.personal.fitting(facts)
        taken = self.fitting(facts).phrases | own.called_so(facts)
        columns, values = dict(self.columns), dict(self.values)
        for column, names in own.columns.items():
            columns[column] = (*_of(columns, column, ()), *_free(names, taken))
        for column, cells in own.values.items():
            kept = dict(_of(values, column, {}))
            values[column] = kept | {
                cell: (*_of(kept, cell, ()), *_free(names, taken)) for cell, names in cells.items()
            }
        units = {name: unit for name, unit in own.units.items() if not _of(self.units, name, "")}
        described = {
            name: text
            for name, text in own.descriptions.items()
            if not _of(self.descriptions, name, "") and _free((text,), taken)
        }
        return UserContext(
            path=self.path,
            columns=columns,
            values=values,
            units={**self.units, **units},
            descriptions={**self.descriptions, **described},
        )

    def fitting(self, facts: TableFacts) -> UserContext:
        """Return what is about columns and cells of a table, under their own names."""
        values = {}
        for column in facts.columns:
            if cells := _of(self.values, column.name, {}):
                known = {text.casefold() for text in column.texts}
                values[column.name] = {
                    cell: names
                    for cell, names in cells.items()
                    if not column.complete or cell.casefold() in known
                }
        own = [column.name for column in facts.columns]
        return UserContext(
            columns={name: names for name in own if (names := _of(self.columns, name, ()))},
            values=values,
            units={name: unit for name in own if (unit := _of(self.units, name, ""))},
            descriptions={name: text for name in own if (text := _of(self.descriptions, name, ""))},
        )

    @property
    def phrases(self) -> frozenset[Phrase]:
        """Every other name of a column or a cell, as folded words."""
        cells = (names for column in self.values.values() for names in column.values())
        named = (*self.columns.values(), *cells, tuple(self.descriptions.values()))
        return frozenset(phrase for names in named for phrase in _phrases(names))

    def called_so(self, facts: TableFacts) -> frozenset[Phrase]:
        """Return those names, as folded words, by which a table itself calls a column or a cell."""
        called = {text.casefold() for column in facts.columns for text in (column.name, *column.texts)}
        cells = (names for column in self.values.values() for names in column.values())
        named = (name for names in (*self.columns.values(), *cells) for name in names)
        return frozenset(_phrases([name for name in named if name.casefold() in called]))

    def synonyms_of(self, column: str) -> tuple[Phrase, ...]:
        """Return the other names of a column, its description among them, as folded words."""
        named = _of(self.columns, column, ())
        return tuple(_phrases((*named, _of(self.descriptions, column, ""))))

    def with_units(self, facts: TableFacts) -> TableFacts:
        """Return the facts of a table with the person's units."""
        columns = tuple(
            replace(column, unit=_of(self.units, column.name, "") or column.unit) for column in facts.columns
        )
        return facts if columns == facts.columns else replace(facts, columns=columns)

    @property
    def cell_names(self) -> tuple[frozenset[Phrase], ...]:
        """Groups of names of one cell, its own among them, as folded words."""
        cells = (named for column in self.values.values() for named in column.items())
        return tuple(frozenset(_phrases((cell, *names))) for cell, names in cells)

    @property
    def words(self) -> frozenset[str]:
        """Every word of the file that a question may say."""
        own = (phrase for name in (*self.columns, *self.descriptions) for phrase in self.synonyms_of(name))
        groups = (phrase for group in self.cell_names for phrase in group)
        return frozenset(word for phrase in (*own, *groups) for word in phrase)

    def warnings(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return a sentence for each column of the file that no open table has; `names` are those of the tables."""
        known = {name.casefold() for name in names}
        said = dict.fromkeys((*self.columns, *self.values, *self.units, *self.descriptions))
        return tuple(
            f"{self.path} names a column {name!r} that no open table has{_meant(name, names)}"
            for name in said
            if name.casefold() not in known
        )


def own_context(chosen: Path | None) -> UserContext | None:
    """Return the words of the file that the setting `context` names, with those of `words.toml`; None without either.

    Raises `UsageError` that names the file and what is wrong in it.
    """
    context = read_context(chosen) if chosen is not None else None
    if not os.access(words_file(), os.F_OK):
        return context
    return replace(context or UserContext(), personal=read_context(words_file()))


def read_context(path: Path) -> UserContext:
    """Read a context file; raises `UsageError` that names the file and the entry that is wrong."""
    try:
        facts = read_toml(path)
    except (OSError, ValueError) as error:
        message = f"The words in {path} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise UsageError(message, hint=_HINT) from error
    return context_of(facts, path)


def context_of(facts: Mapping[str, object], path: Path) -> UserContext:
    """Return what a context file says from its TOML; raises `UsageError` that names the entry that is wrong."""
    for section in facts:
        if section not in _SECTIONS:
            raise _wrong(path, (section,), f"is no section; there are {', '.join(_SECTIONS)}")
    values = _table(facts, ("values",), path)
    return UserContext(
        path=path,
        columns=_lists(_table(facts, ("columns",), path), ("columns",), path),
        values={
            column: _lists(_table(values, ("values", column), path), ("values", column), path)
            for column in values
        },
        units=_texts(_table(facts, ("units",), path), ("units",), path),
        descriptions=_texts(_table(facts, ("descriptions",), path), ("descriptions",), path),
    )


def _table(facts: Mapping[str, object], names: tuple[str, ...], path: Path) -> dict[str, object]:
    found = facts.get(names[-1], {})
    if not isinstance(found, dict):
        raise _wrong(path, names, "must be a table")
    return found


def _lists(found: Mapping[str, object], section: tuple[str, ...], path: Path) -> dict[str, tuple[str, ...]]:
    kept: dict[str, tuple[str, ...]] = {}
    for name, listed in found.items():
        if not isinstance(listed, list) or not all(isinstance(text, str) and text.strip() for text in listed):
            raise _wrong(path, (*section, name), "must be a list of words")
        kept[name] = tuple(listed)
    return kept


def _texts(found: Mapping[str, object], section: tuple[str, ...], path: Path) -> dict[str, str]:
    for name, text in found.items():
        if not isinstance(text, str):
            raise _wrong(path, (*section, name), "must be a text")
    return {name: str(text) for name, text in found.items()}


def _wrong(path: Path, names: tuple[str, ...], why: str) -> UsageError:
    from tabchat.toml_lines import line_of, read_text

    line = line_of(read_text(path), names)
    place = f" in line {line:,}" if line is not None else ""
    return UsageError(f"Among the words in {path}, {'.'.join(names)!r}{place} {why}.", hint=_HINT)


def _meant(name: str, names: Sequence[str]) -> str:
    found = nearest(name, names)
    return f"; did you mean {found[0]!r}?" if found else "."


def _of(entries: Mapping[str, _Entry], column: str, default: _Entry) -> _Entry:
    if column in entries:
        return entries[column]
    return next((entry for name, entry in entries.items() if name.casefold() == column.casefold()), default)


def _phrases(texts: Sequence[str]) -> Iterator[Phrase]:
    for text in texts:
        words = tuple(token.norm for token in tokenize(text))
        if words:
            yield words


def phrase_of(text: str) -> Phrase:
    """Return a name as its folded words; empty for one that has none."""
    return next(_phrases((text,)), ())


def _free(names: Sequence[str], taken: Collection[Phrase]) -> tuple[str, ...]:
    return tuple(name for name in names if phrase_of(name) not in taken)
