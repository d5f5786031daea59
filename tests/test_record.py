"""A record behaves as a frozen dataclass does."""

from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any, ClassVar

import pytest

from tabchat.record import later, made_later, mutable, record


@record
class Point:
    x: int
    y: int = 0
    tags: tuple[str, ...] = field(default_factory=tuple)
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, kw_only=True)
class Reference:
    x: int
    y: int = 0


@record
class Other:
    x: int


def test_a_record_has_the_values_that_it_was_given() -> None:
    point = Point(x=1, tags=("a",))
    assert (point.x, point.y, point.tags) == (1, 0, ("a",))
    with pytest.raises(TypeError):
        Point(1)  # type: ignore[call-arg]


def test_nothing_changes_a_record() -> None:
    point = Point(x=1)
    for name in ("x", "z"):
        with pytest.raises(FrozenInstanceError):
            setattr(point, name, 2)
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert point == Point(x=1)


def test_equal_values_are_equal_and_hash_alike() -> None:
    assert Point(x=1, note="a") == Point(x=1, note="b")
    assert hash(Point(x=1, note="a")) == hash(Point(x=1, note="b"))
    assert Point(x=1) != Point(x=2)
    assert Point(x=1).__eq__(Other(x=1)) is NotImplemented
    assert len({Point(x=1), Point(x=1), Point(x=2)}) == 2


@record
class Ranked(Point):
    values: list[int] = field(default_factory=list)
    place: int = field(init=False, default=7)
    seen: list[int] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.seen.append(self.x)


def test_a_record_that_goes_on_with_another_has_the_fields_of_both() -> None:
    first, second = Ranked(x=1, values=[5]), Ranked(x=2)
    assert (first.x, first.y, first.values, first.place, first.seen) == (1, 0, [5], 7, [1])
    assert (second.values, second.seen) == ([], [2])
    with pytest.raises(TypeError, match="place"):
        Ranked(x=1, place=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="x"):
        Ranked()  # type: ignore[call-arg]


def test_it_is_shown_like_a_dataclass() -> None:
    assert repr(Point(x=1)) == "Point(x=1, y=0, tags=())"
    assert repr(Reference(x=1)) == "Reference(x=1, y=0)"


def test_fields_and_replace_work() -> None:
    assert [item.name for item in fields(Point)] == ["x", "y", "tags", "note"]
    assert replace(Point(x=1, y=2), x=3) == Point(x=3, y=2)


def test_it_matches_by_keyword() -> None:
    match Point(x=1, y=5):
        case Point(x=1, y=y):
            assert y == 5
        case _:
            pytest.fail("no match")


@record
class Slow:
    x: int
    value: str = made_later()
    other: str = made_later(default="none")


def test_a_field_may_be_made_when_it_is_looked_at() -> None:
    made: list[int] = []

    def make() -> str:
        made.append(1)
        return "made"

    slow = Slow(x=1, value=later(make))
    assert (slow.x, slow.other, made) == (1, "none", [])
    assert (slow.value, slow.value, made) == ("made", "made", [1])
    assert slow == Slow(x=1, value="made")
    assert repr(slow) == "Slow(x=1, value='made', other='none')"
    assert replace(Slow(x=1, value=later(make)), x=2) == Slow(x=2, value="made")
    with pytest.raises(TypeError, match="value"):
        Slow(x=1)  # type: ignore[call-arg]
    with pytest.raises(FrozenInstanceError):
        slow.value = "other"  # type: ignore[misc]


def test_a_record_that_nobody_took_apart_is_a_dataclass() -> None:
    @record
    class Unmade:
        """Has no instance yet."""

        KIND: ClassVar[str] = "unmade"
        x: int
        tags: list[str] = field(default_factory=list)
        value: str = made_later(default="")

    assert hasattr(Unmade, "__dataclass_fields__")
    assert [(item.name, item.kw_only, item.init) for item in fields(Unmade)] == [
        ("x", True, True),
        ("tags", True, True),
        ("value", True, True),
    ]
    assert fields(Unmade)[1].default_factory is list
    assert not hasattr(Unmade, "tags")
    assert (Unmade(x=1).tags, Unmade.KIND) == ([], "unmade")


def test_a_record_goes_on_with_one_that_was_taken_apart_or_not() -> None:
    assert [item.name for item in fields(Ranked)] == ["x", "y", "tags", "note", "values", "place", "seen"]
    assert [item.name for item in fields(Point)] == ["x", "y", "tags", "note"]


def test_values_are_kept_in_the_order_of_the_fields() -> None:
    assert list(vars(Point(tags=(), x=1))) == ["x", "y", "tags", "note"]
    assert list(vars(Ranked(values=[], note="", x=1))) == ["x", "y", "tags", "note", "values", "seen"]


@mutable
class Counter:
    name: str
    seen: list[int] = field(default_factory=list)
    limit: int = 3
    owner: str = field(init=False)
    note: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.owner = self.name.upper()


def test_a_mutable_record_takes_values_in_order_and_changes() -> None:
    counter = Counter("a", limit=5)
    counter.seen.append(1)
    counter.limit += 1
    counter.note = "full"
    assert (counter.name, counter.seen, counter.limit, counter.owner) == ("a", [1], 6, "A")
    assert repr(counter) == "Counter(name='a', seen=[1], limit=6, owner='A', note='full')"
    assert Counter("b").seen == []
    assert Counter("b", [1]) == Counter("b", seen=[1]) != Counter("b")
    assert replace(Counter("b", [1]), name="c") == Counter("c", [1])
    assert [item.name for item in fields(Counter)] == ["name", "seen", "limit", "owner", "note"]
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


@pytest.mark.parametrize(
    "values, named", [(("a", [], 1, 2), {}), (("a",), {"name": "b"}), ((), {}), (("a",), {"owner": "b"})]
)
def test_a_mutable_record_takes_each_value_once(values: tuple[Any, ...], named: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        Counter(*values, **named)
