"""Doubts about persons who stand in several rows: rows are no people then, nor is a mean of theirs over rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.losses import shared_letters
from tabchat.planner.choice.doubts.missing import OWED
from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    BOUNDING,
    COUNT,
    DENYING,
    all_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_OWN: Final = frozenset({"salary", "age", "height", "experience"})
"""Groups of columns of what a person has, whatever else a row tells."""
_WEIGHED: Final = frozenset({"mean", "median", "sum", "std", "var"})
"""Figures that change when a person is counted more than once."""
_AGES: Final = (10, 110)
"""Years that somebody may have lived."""

_FEMALE: Final = ("ниц", "тельниц", "ентк", "истк", "анк", "янк", "івниц", "івчин")
"""Ends of stems of women: учениц-а, студентк-а."""
_WOMEN: Final = re.compile("ок|к[аиіуою]+|ш[аеиуы]?|н?[иі][цч][аеиіуыюяь]*")
"""What the words for women have behind their stem: студент-ок, оператор-ша, читач-ка."""
_STEM: Final = 4
_OWN_ENDING: Final = 2
"""Letters that a word for men may have behind the stem that it shares with that for women: учени-к, учени-ца."""
_WHOM: Final = frozenset({"whom", "кому"})
_EMPLOYED: Final = frozenset({"salary", "position"})
"""Groups of columns of those who work."""


@doubt
def _counts_rows_as_people(lattice: Lattice, intent: Intent) -> bool:
    """`how many people are in each department`, answered by rows of their leave."""
    counts = any(one.function == "count" and one.column is None for one in intent.measures)
    if counts and _counts_again(lattice):
        return True
    # `pupils with more than seven lessons` are groups of rows.
    each = {key.column for key in intent.keys}.isdisjoint(
        one.name for one in lattice.vocabulary.called_persons
    )
    return counts and lattice.tells_people and each and _repeats_people(lattice)


def _counts_again(lattice: Lattice) -> bool:
    """Tell whether girls were said, of rows that are none: each has several."""
    vocabulary = lattice.vocabulary
    rows = {link.start for link in lattice.links(LinkKind.ROWS)}
    sexes = any(
        "gender" in column.groups and rows.isdisjoint(cell.span) for cell, column in lattice.cell_links
    )
    persons = vocabulary.called_persons
    if not sexes or vocabulary.holds_people or not persons:
        return False
    return all(map(lattice.repeats, persons))


@doubt
def _counts_visits_for_clients(lattice: Lattice, intent: Intent) -> bool:
    """`how many new clients`, answered by the visits that say so, of which each has several."""
    vocabulary = lattice.vocabulary
    flags = [
        vocabulary.by_name[one.column]
        for one in all_conditions(intent)
        if vocabulary.by_name[one.column].flag
    ]
    persons = [one for one in vocabulary.called_persons if lattice.repeats(one)]
    counted = COUNT in intent.measures
    return counted and any(
        shared_letters(word, other) >= _STEM
        for flag in flags
        for word in flag.words
        for person in persons
        for other in person.words
    )


@doubt
def _weighs_people_by_rows(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether persons are counted again: the average salary, in a table that tells it with each of their days off."""
    weighed = {one.column for one in intent.measures if one.function in _WEIGHED}
    own = any(
        not _OWN.isdisjoint(column.groups) for column in lattice.vocabulary.columns if column.name in weighed
    )
    return own and _repeats_people(lattice)


@doubt
def _takes_an_age_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`how many people are over 50`, answered by those with a bonus over 50."""
    named = lattice.named
    known = lattice.vocabulary.by_name
    people = lattice.tells_people or any(one.name in named for one in lattice.vocabulary.called_persons)
    plain = any(
        number.unit is None
        and _AGES[0] <= number.value <= _AGES[1]
        # `more than 12 donations` are no years.
        and not (lattice.at(link.end, LinkKind.ROWS) or lattice.columns(link.end))
        for link, number in lattice.quantities
    )
    if not (people and plain):
        return False
    births = lattice.vocabulary.evidence("birth")
    aged = any("age" in one.groups or not births.isdisjoint(one.words) for one in known.values())
    if aged and intent.having and lattice.names.isdisjoint({"times", "per", "each"}):
        # `swimmers over 12`, of those with more than twelve races.
        return True
    return any(
        one.operator in BOUNDING and one.column not in named and "age" not in known[one.column].groups
        for one in single_conditions(intent.clauses)
        if known[one.column].measure
    )


@doubt
def _takes_one_role_for_another(lattice: Lattice, _: Intent) -> bool:
    """`how many students`, answered by all members: nothing calls them so. Who has a salary, a position or was hired is an employee."""
    hired = lattice.vocabulary.evidence("hire")
    employed = any(
        column.groups & _EMPLOYED or (column.dated and hired & {*column.words})
        for column in lattice.vocabulary.columns
    )
    spans = {link.span for link in lattice.called}
    spans |= {link.span for link in lattice.links(LinkKind.COLUMN) if not link.is_near}
    called = {link.span for link in lattice.links(LinkKind.ROWS) if link.name == "entity"}
    return any(
        one.name.startswith("entity.person.")
        and (one.start, one.end) in called - spans
        and not (employed and one.name == "entity.person.employee")
        for one in lattice.sentence.concepts
    )


@doubt
def _takes_one_who_owes_for_another(lattice: Lattice, intent: Intent) -> bool:
    """`who owes the most`, answered by the author of the books that others did not return."""
    people = {column.name for column in lattice.vocabulary.called_persons}
    told = ({key.column for key in intent.keys} | {*intent.columns}) & people
    if "who" not in lattice.names or len(people) == 1 or not told.isdisjoint(lattice.named):
        return False
    columns = lattice.vocabulary.by_name
    return bool(told) and any(
        not OWED.isdisjoint(columns[one.column].kinds) for one in intent.measures if one.column
    )


@doubt
def _dates_people_by_their_own_day(lattice: Lattice, intent: Intent) -> bool:
    """`total given in 2023`, answered by all that those gave who gave for the first time in 2023."""
    persons = {column.name for column in lattice.vocabulary.called_persons}
    summed = any(one.function == "sum" and one.column for one in intent.measures)
    if not summed or persons.isdisjoint(lattice.vocabulary.unique):
        return False
    timed = {*lattice.vocabulary.timed_by(intent), *(key.column for key in intent.keys if key.unit)}
    return bool(timed) and timed.isdisjoint(lattice.named)


@doubt
def _takes_experience_for_age(lattice: Lattice, intent: Intent) -> bool:
    """`середній вік` (mean age), answered by years of experience."""
    known = lattice.vocabulary.by_name
    told = [known[one.column].groups for one in intent.measures if one.column and one.column in known]
    # сколько лет Вере
    years = lattice.has(0, "count") and lattice.has(1, "unit.year")
    asked = years or "header.age" in lattice.names
    return asked and any("experience" in groups and "age" not in groups for groups in told)


def _repeats_people(lattice: Lattice) -> bool:
    """Tell whether persons have several rows each, none of which is told apart."""
    vocabulary = lattice.vocabulary
    # What is numbered may be persons; days on which something happened are none.
    told = any(
        not one.dated and (one.identifying or one.text)
        for one in vocabulary.columns
        if one.name in vocabulary.unique
    )
    return not told and any(map(lattice.repeats, vocabulary.called_persons[:1]))


@doubt
def _loses_the_sex(lattice: Lattice, intent: Intent) -> bool:
    """`сколько учениц` (how many girls), answered by all pupils, where a column tells their sex."""
    sexes = {column.name for column in lattice.vocabulary.columns if "gender" in column.groups}
    if not sexes.isdisjoint(one.column for one in all_conditions(intent)):
        return False
    words = lattice.sentence.words
    people = {column.place for column in lattice.vocabulary.called_persons}
    if any(
        link.column in people and _is_of_women(words[link.end - 1].norm, column.words)
        for link, column in lattice.column_links
    ):
        return True
    if not sexes:
        return False
    return any(
        words[link.end - 1].norm.rstrip("аяиіыьйюуеє").endswith(_FEMALE)
        for kind in (LinkKind.ROWS, LinkKind.COLUMN)
        for link in lattice.links(kind)
    )


def _is_of_women(said: str, header: Collection[str]) -> bool:
    """Tell whether a word is that of a header with an ending for women: `студенток` under `Студент`."""
    shared = ((shared_letters(said, word), len(word)) for word in header)
    # `Поставок`, of a `Поставщик`, are what he delivers: all but a letter or two of the stem is shared.
    return any(
        count >= max(_STEM, length - _OWN_ENDING) and _WOMEN.fullmatch(said[count:])
        for count, length in shared
    )


@doubt
def _denies_who_did(lattice: Lattice, intent: Intent) -> bool:
    """`сколько раз не платила Лосева`, how often did she not pay, answered by what all others did."""
    people = {column.name for column in lattice.vocabulary.people}
    denied = {one.column for one in all_conditions(intent) if one.operator in DENYING}
    verbs = {place + 1 for place in lattice.behind("not") if place < len(lattice.skips)}
    return any(
        link.start in verbs
        and lattice.skips[link.start - 1] in {Skip.VERB, Skip.DOING}
        and column.name in people & denied
        for link, column in lattice.cell_links
    )


@doubt
def _tells_the_age_of_today(lattice: Lattice, intent: Intent) -> bool:
    """`average age at hire`, answered by how old they are now."""
    known = lattice.vocabulary.by_name
    aged = any(known[name].measures("age") and known[name].numeric for name in intent.used_columns)
    behind = [place for name in ("in", "when") for place in lattice.behind(name)]
    return (
        aged
        and not intent.periods
        and any(
            lattice.concepts(place, "event.") or any(column.temporal for _, column in lattice.columns(place))
            for place in behind
        )
    )


@doubt
def _takes_who_acted_for_whom(lattice: Lattice, intent: Intent) -> bool:
    """`кому выплатили больше всего` (whom was most paid to), answered by an expert where another column tells of persons, too."""
    whom = any(word.norm in _WHOM for word in lattice.sentence.words)
    people = {column.name for column in lattice.vocabulary.people}
    unnamed = {key.column for key in intent.keys} & people - lattice.named
    return whom and bool(unnamed) and len(people) > 1


@doubt
def _takes_a_birth_for_any_time(lattice: Lattice, intent: Intent) -> bool:
    """`коли востаннє` (when was the last time), answered by the latest date of birth, which no word tells of."""
    born, known = lattice.vocabulary.evidence("birth"), lattice.vocabulary.by_name
    told = (known[name] for name in told_columns(intent) & known.keys())
    said = lattice.tells("event.birth") or any(word.norm in born for word in lattice.sentence.words)
    return (
        "when" in lattice.names
        and not said
        and any(column.dated and not born.isdisjoint(column.words) for column in told)
    )
