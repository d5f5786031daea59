"""The rows that an edit is about: the ways in which questions restrict rows, of those that account for every word."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.weights import shipped_weights
from tabchat.planner.edits.meant import RowsMeant, as_typed, columns_of, meant, mended_clauses
from tabchat.planner.edits.request import Unfit, rules
from tabchat.planner.edits.values import same_cells, written_expression
from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.lattice import LinkKind, Skip
from tabchat.planner.plan import expressions as write
from tabchat.planner.readings.draft import Draft
from tabchat.planner.readings.effect import Kind
from tabchat.planner.readings.search import ways_of
from tabchat.planner.words.token import TokenKind, fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.edits.request import Request, Span
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.readings.effect import Features, Scope
    from tabchat.planner.readings.search import Way

_KINDS: Final = frozenset({Kind.CLAUSE, Kind.CELLS, Kind.PERIOD, Kind.BOUND, Kind.ROWS, Kind.COLUMN})
"""What a condition is made of."""
_PASSED: Final = frozenset({Skip.NOTHING, Skip.JOIN, Skip.VERB})
"""Words that may be passed over; every other word must be a part of a phrase."""
_ACROSS: Final = frozenset({"mean", "row_before", "row_after"})
"""Parts of conditions that look at other rows, which an edit would change, too."""
_UNITS: Final = "°№"
"""Symbols that words are read with."""
_COMPARED: Final = ("cmp.", "limit.", "post.")
"""How the features of a comparison begin."""
_OPEN: Final = 0.75
"""Difference of scores up to which it is open which reading is meant."""


def rows_meant(
    request: Request, span: Span, *, subject: TableColumn | None = None, named: bool = False
) -> tuple[RowsMeant, ...]:
    """Return what rows a stretch can mean; with `named`, it must say that it is about rows.

    `subject` is the column that the edit is about, for `where it is missing`. Raises `Unfit` for a condition that
    cannot be computed from this table.
    """
    every = span[0] > 0 and request.is_class((span[0] - 1, span[0]), "each")
    named = named and not every and request.starts(span[0], "each") is None
    span = request.trimmed(span, "where")
    if subject is not None and request.is_class(span, "missing", "nothing"):
        missing = Condition(column=subject.name, operator=Operator.MISSING)
        return (meant(request, [missing], []),)
    text = request.question[request.tokens[span[0]].start : request.tokens[span[1] - 1].end]
    whole = None if named else written_expression(text, request.facts.columns, condition=True)
    typed = (RowsMeant(where=whole, said=whole),) if whole is not None else ()
    if typed and "(" in text:
        return typed
    if exact := _quoted(request, span, listed=True):
        return exact
    try:
        found = _read(request, span, subject, named=named) or _alternatives(
            request, span, subject, named=named
        )
    except Unfit:
        if not typed:
            raise
        found = ()
    return found or typed or _quoted(request, span, listed=False)


def _alternatives(
    request: Request, span: Span, subject: TableColumn | None, *, named: bool
) -> tuple[RowsMeant, ...]:
    """Read `less than 2 or over 30`: conditions of which one must hold."""
    for place in range(span[0] + 1, span[1] - 1):
        end = request.starts(place, "or")
        if end is None or end >= span[1]:
            continue
        ones = _read(request, (span[0], place), subject, named=named)
        others = rows_meant(request, (end, span[1]), subject=ones[0].about if ones else subject)
        if len(ones) == 1 == len(others):
            one, other = ones[0], others[0]
            said = request.words.readings["or"].join((one.said, other.said))
            where = write.any_of([one.where, other.where])
            return (RowsMeant(where=where, said=said, sure=one.sure and other.sure),)
    return ()


def _quoted(request: Request, span: Span, *, listed: bool) -> tuple[RowsMeant, ...]:
    """Read `customer is 'Nobody Ltd'`: a cell to the letter, or of a column with too many to know whether it is one."""
    text = request.quoted((span[1] - 1, span[1]))
    if text is None:
        return ()
    opened = (request.starts(place, "where") for place in range(*span))
    start = max((end for end in opened if end is not None), default=span[0])
    ends = (place for place in range(start + 1, span[1]) if request.is_class((place, span[1] - 1), "equals"))
    for column in (column for place in ends for column in request.columns_of((start, place))):
        if column.text and (text in column.facts.texts if listed else not column.facts.complete):
            cell = Condition(column=column.name, operator=Operator.EQ, values=(text,))
            return (meant(request, [cell], []),)
    return ()


def _read(request: Request, span: Span, subject: TableColumn | None, *, named: bool) -> tuple[RowsMeant, ...]:
    if any(token.norm == "(" for token in request.tokens[slice(*span)]) or _has_strange(request, span):
        return ()
    lattice = request.linked(_plain_text(request, span, subject))
    weights = shipped_weights().score
    found: dict[str, tuple[float, RowsMeant]] = {}
    reasons: list[Unfit] = []
    for way in _ways(lattice):
        for scope, nouns in _scopes(way, lattice, subject):
            signs = _signs(*way.features, scope.features)
            verbal = any(lattice.skips[place] is Skip.VERB for place in way.skipped)
            if "bound.default" in signs and (verbal or not nouns):
                continue
            sure = not _is_stray(way, signs) and (not named or nouns > 0)
            guessed = signs & set(rules()["guessed"])
            score = way.score + sum(weights.get(name, 0.0) * value for name, value in scope.features)
            try:
                for clauses, quoted in as_typed(request, span, mended_clauses(scope, lattice)):
                    certain = sure and not guessed - ({"cell.several"} if quoted else set())
                    rows = meant(request, clauses, scope.periods, sure=certain)
                    if rows.where not in found or score > found[rows.where][0]:
                        found[rows.where] = (score, rows)
            except Unfit as reason:
                reasons.append(reason)
    if reasons and not found:
        raise reasons[0]
    effects = (effect for way in ways_of(lattice, weights)[:3] for effect in way.effects) if not found else ()
    compared = [one for effect in effects for one in effect.clauses if isinstance(one, Condition)]
    if across := [one.column for one in compared if one.part in _ACROSS]:
        column = across[0]
        hint = f"Ask for the number first, and write it: average {column}; delete rows where {column} > 10"
        raise Unfit(f"a condition of an edit looks at one row alone, not at the mean of {column}", hint)
    best = max((score for score, _ in found.values()), default=0.0)
    near = sorted(found.values(), key=lambda pair: -pair[0])
    return tuple(rows for score, rows in near if score >= best - _OPEN)


def _has_strange(request: Request, span: Span) -> bool:
    """Tell whether a symbol stands in a stretch that is a part of nothing that is read: `Hague😀`."""
    text = request.typed(span)
    for place in range(*span):
        end = place + 1 if request.quoted((place, place + 1)) is not None else request.spelt(place)
        text = text.replace(request.text((place, end)), "") if end > place else text
    return any(unicodedata.category(sign) == "So" and sign not in _UNITS for sign in text)


def _ways(lattice: Lattice) -> Iterator[Way]:
    """Yield the ways that say nothing but conditions; of a time that can mean two, as `до`, the first."""
    seen: set[tuple[object, ...]] = set()
    for way in ways_of(lattice, shipped_weights().score):
        again = tuple(
            (effect.start, effect.end, effect.column) if effect.kind is Kind.PERIOD else effect
            for effect in way.effects
        )
        if again not in seen and _is_condition(way, lattice):
            seen.add(again)
            yield way


def _is_condition(way: Way, lattice: Lattice) -> bool:
    rule, signs = rules(), [_signs(features) for features in way.features]
    starts = sorted((*way.skipped, *(effect.start for effect in way.effects)))
    named = {effect.start for effect in way.effects if effect.kind is Kind.COLUMN}
    # `more than 5 orders` counts rows; the numbers of orders are not meant.
    counted = any(
        "column.identifier" in each and (place in named or each & set(rule["ordered"]))
        for place, each in zip(starts, signs, strict=True)
    )
    bare = any(each >= {"bound.bare", "bound.pending"} for each in signs)
    clauses = [clause for effect in way.effects for clause in effect.clauses]
    across = any(clause.part in _ACROSS for clause in clauses if isinstance(clause, Condition))
    misspelt = [effect.start for effect in way.effects if lattice.sentence.words[effect.start].spellings]
    denied = any(lattice.concepts(place, *rule["denials"]) for place in misspelt)
    passed = all(
        lattice.skips[place] in _PASSED and not lattice.at(place, LinkKind.ROWS) for place in way.skipped
    )
    # `IN` is no code of a country where it joins words.
    joins = any(
        effect.kind is Kind.CELLS
        and {lattice.skips[place] for place in range(effect.start, effect.end)} == {Skip.JOIN}
        for effect in way.effects
    )
    # No sign of a comparison says nothing, whatever a question may pass over.
    passed &= not any(lattice.concepts(place, "cmp.") for place in way.skipped)
    kinds = {effect.kind for effect in way.effects}
    return passed and kinds <= _KINDS and not (counted or bare or across or denied or joins)


def _signs(*features: Features) -> set[str]:
    return {name for said in features for name, value in said if value}


def _is_stray(way: Way, signs: set[str]) -> bool:
    """Tell whether numbers were taken for a column that no word names: `delete row 5`, `delete rows 2 to 3`."""
    if "bound.only_measure" in signs and not any(sign.startswith(_COMPARED) for sign in signs):
        return True
    said = {effect.column for effect in way.effects if effect.kind is Kind.COLUMN}
    told = {"cell.column_before", "cell.column_behind", "rows.noun"}
    return "cell.digits" in signs and not said and signs.isdisjoint(told)


def _scopes(way: Way, lattice: Lattice, subject: TableColumn | None) -> Iterator[tuple[Scope, int]]:
    """Yield what a way restricts rows to, and the number of its words for rows, where every phrase is a part of it."""
    draft, columns = Draft(way.effects, lattice.vocabulary), lattice.vocabulary.columns
    said = draft.places(Kind.COLUMN)
    focus = [way.effects[place].column for place in said]
    for scope in draft.scopes(focus or ([subject.place] if subject is not None else [])):
        about = {name for clause in scope.clauses for name in columns_of(clause)}
        about |= {period.column or "" for period in scope.periods}
        # `customers from Spain` are rows, although a column is called so.
        alone = {place for place in said if columns[way.effects[place].column].name not in about}
        nouns = alone | set(draft.places(Kind.ROWS))
        whole = scope.used | set(said) | nouns == set(range(len(way.effects)))
        if (
            (scope.clauses or scope.periods)
            and whole
            and len(nouns) <= 1
            and all(columns[way.effects[place].column].text for place in alone)
        ):
            yield scope, len(nouns)


def _plain_text(request: Request, span: Span, subject: TableColumn | None) -> str:
    """Return a condition as a text that links read.

    Pronouns become the column that they stand for, names come out of their quotation marks, what opens a condition
    becomes a comma, and fillers go.
    """
    names = {fold(column.name) for column in request.columns}
    parts, place, before = [], span[0], request.tokens[span[0]].start
    while place < span[1]:
        token = request.tokens[place]
        end, said = place + 1, request.question[token.start : token.end]
        pronoun = request.starts(place, "pronoun") if subject is not None else None
        opener = request.starts(place, "where")
        idle = request.starts(place, "filler", "each", "via")
        whole = request.spelt(place)
        if pronoun is not None and subject is not None:
            end, said = pronoun, " ".join(subject.words)
        elif opener is not None:
            end, said = min(opener, span[1]), ","
        elif place < whole <= span[1]:
            end, said = whole, request.question[token.start : request.tokens[whole - 1].end]
        elif idle is not None and not request.links((place, idle), LinkKind.CELL):
            end, said = min(idle, span[1]), ""
        elif token.norm in "==" and request.starts(end, "true", "false") is not None:
            said = ""
        elif token.kind is TokenKind.QUOTED and (
            fold(token.text) in names or same_cells(request, fold(token.text))
        ):
            said = token.text
        parts += [request.question[before : token.start], said]
        before, place = request.tokens[end - 1].end, end
    return "".join(parts)
