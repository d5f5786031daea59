"""Frozen records that cost little to define.

`dataclass(frozen=True)` compiles six methods for every class and looks through the annotations of
each, 0.5 ms a time; for the two hundred records of this package that was a quarter of the start-up
time. A `record` looks through its annotations when the first one is made, compiles nothing, shares
its methods, and becomes a dataclass when somebody asks for its fields. `fields`, `replace`
and `match` work as ever. A field declared with `made_later` may be given as `later(make)`: its value is
made when it is first looked at, if ever. What changes its values is `mutable` instead.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from inspect import get_annotations
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_T = TypeVar("_T")


_LATER = {"later": True}
_FIELDS = "__dataclass_fields__"
_GIVEN = "__record_given__"
_ITEMS = "__record_items__"


def made_later(**options: Any) -> Any:
    """Declare a field of a record whose value may be made when it is first looked at; `options` are those of `field`."""
    return field(metadata=_LATER, **options)


def later(make: Callable[[], _T]) -> _T:
    """Return what stands for the value that `make` gives, in a field that is declared with `made_later`."""
    return _Later(make)  # type: ignore[return-value]  # whoever looks at the field gets the value


class _Later:
    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


class _MadeLater:
    """A field, as the class of its record has it: what it finds not made yet, it makes."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, instance: Any, _owner: type[Any]) -> Any:
        if instance is None:
            raise AttributeError(self._name)
        value = instance.__dict__[self._name]
        if isinstance(value, _Later):
            value = instance.__dict__[self._name] = value.make()
        return value

    def __set__(self, instance: Any, value: object) -> None:
        """Be asked before the instance's own values are: only what could be set is."""
        raise FrozenInstanceError(f"cannot assign to field {self._name!r}")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, made_later))
def record(cls: type[_T]) -> type[_T]:
    """Make `cls` a frozen, keyword-only dataclass with value equality."""
    return _made(cls, _SHARED, _init)


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[_T]) -> type[_T]:
    """Make `cls` a dataclass whose values may be set again, and may be given in order."""
    return _made(cls, _SHARED_BY_MUTABLE, _init_in_order)


def _made(
    cls: type[_T], shared: Mapping[str, object], make_init: Callable[[type[Any]], Callable[..., None]]
) -> type[_T]:
    given = {name: item for name, item in vars(cls).items() if isinstance(item, Field)}
    for name, item in given.items():
        if item.metadata == _LATER:
            setattr(cls, name, _MadeLater(name))
        elif item.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, item.default)
    if "__init__" not in cls.__dict__:
        setattr(cls, "__init__", _first_init(cls, make_init))  # noqa: B010 - a class of its own has no other type
    for name, method in shared.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)
    setattr(cls, _GIVEN, given)
    setattr(cls, _FIELDS, _FieldsOnDemand())
    return cls


class _FieldsOnDemand:
    """The fields of a record, as `dataclasses` knows them: made when somebody asks for them."""

    def __get__(self, _instance: Any, owner: type[Any]) -> Mapping[str, Field[Any]]:
        cls = next(base for base in owner.__mro__ if base.__dict__.get(_FIELDS) is self)
        found: dict[str, Field[Any]] = {}
        for base in reversed(cls.__mro__[1:]):
            found |= getattr(base, _FIELDS, {})
        # A class that has nothing but these fields tells what `dataclass` makes of them.
        alone = {name: item for name, item in _own_items(cls).items() if item is not MISSING}
        alone |= {
            "__annotations__": get_annotations(cls),
            "__module__": cls.__module__,
            "__doc__": cls.__doc__,
        }
        told: Any = type(cls.__name__, (), alone)
        dataclass(kw_only=True, init=False, repr=False, eq=False)(told)
        found |= told.__dict__[_FIELDS]
        setattr(cls, _FIELDS, found)
        return found


def _own_items(cls: type[Any]) -> dict[str, Any]:
    """Return the names that `cls` annotates, each with its `Field`, its default, or `MISSING`."""
    given = cls.__dict__[_GIVEN]
    return {
        name: given[name] if name in given else getattr(cls, name, MISSING)
        for name, annotation in get_annotations(cls).items()
        if not str(annotation).removeprefix("typing.").startswith("ClassVar")
    }


def _items(cls: type[Any]) -> dict[str, Any]:
    """Return the fields of a record, inherited ones first, each with its `Field`, its default, or `MISSING`."""
    found: dict[str, Any] | None = cls.__dict__.get(_ITEMS)
    if found is None:
        found = {}
        for base in reversed(cls.__mro__):
            if _GIVEN in base.__dict__:
                found |= _own_items(base)
        setattr(cls, _ITEMS, found)
    return found


def _first_init(cls: type[Any], make_init: Callable[[type[Any]], Callable[..., None]]) -> Callable[..., None]:
    def init(self: Any, *values: Any, **given: Any) -> None:
        cls.__init__ = make_init(cls)
        cls.__init__(self, *values, **given)

    return init


def _init(cls: type[Any]) -> Callable[..., None]:
    """Return an `__init__` like that of `dataclass`, one that sets the values without asking `__setattr__`."""
    parts = {name: _parts(item) for name, item in _items(cls).items()}
    made = {name: factory for name, (_, factory, _) in parts.items() if factory is not MISSING}
    accepted = {name for name, (_, _, is_given) in parts.items() if is_given}
    required = {name for name in accepted - made.keys() if parts[name][0] is MISSING}
    # Whatever the order in which values are given, they are kept in that of the fields.
    blank = {name: default for name, (default, _, _) in parts.items() if name in accepted or name in made}
    size = len(blank)
    never_given = made.keys() - accepted
    is_looked_after = hasattr(cls, "__post_init__")

    def init(self: Any, **given: Any) -> None:
        own = self.__dict__
        own.update(blank)
        own.update(given)
        # A name that is no field would be one more.
        if len(own) > size or (len(given) < size and not given.keys() >= required):
            raise TypeError(_misfit(cls, given, accepted, required))

    def looked_after(self: Any, **given: Any) -> None:
        init(self, **given)
        if not never_given.isdisjoint(given):
            raise TypeError(_misfit(cls, given, accepted, required))
        own = self.__dict__
        for name, make in made.items():
            if name not in given:
                own[name] = make()
        if is_looked_after:
            self.__post_init__()

    # Most records are nothing but what they are given, and hundreds of them are made for a question.
    return looked_after if made or is_looked_after else init


def _init_in_order(cls: type[Any]) -> Callable[..., None]:
    """Return an `__init__` that takes the values that it is not given by name in the order of the fields."""
    names = [name for name, item in _items(cls).items() if _parts(item)[2]]
    init = _init(cls)

    def init_in_order(self: Any, *values: Any, **given: Any) -> None:
        named = dict(zip(names, values, strict=False))
        if len(named) < len(values) or named.keys() & given.keys():
            raise TypeError(f"{cls.__qualname__}() got more values than it has fields to set")
        init(self, **named, **given)

    return init_in_order


def _parts(item: Any) -> tuple[Any, Any, bool]:
    """Return the default of a field, what makes one, each or `MISSING`, and whether its value may be given."""
    if isinstance(item, Field):
        return item.default, item.default_factory, item.init
    return item, MISSING, True


def _misfit(cls: type[Any], given: Iterable[str], accepted: set[str], required: set[str]) -> str:
    """Return what is wrong with the names of the values that a record was to be made of."""
    unknown, missing = sorted(set(given) - accepted), sorted(required.difference(given))
    if unknown:
        return f"{cls.__qualname__}() got an unexpected keyword argument {unknown[0]!r}"
    return f"{cls.__qualname__}() lacks {', '.join(map(repr, missing))}"


def _setattr(self: Any, name: str, value: object) -> None:
    # `__init__` may set each attribute once; nothing may set one again.
    if name in self.__dict__ or name not in _items(type(self)):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    self.__dict__[name] = value


def _delattr(_self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = ", ".join(
        f"{name}={getattr(self, name)!r}"
        for name, item in _items(type(self)).items()
        if not isinstance(item, Field) or item.repr
    )
    return f"{type(self).__qualname__}({shown})"


def _values(self: Any) -> tuple[object, ...]:
    """Return what is compared; how it is read is found out when the first record of a class is compared."""
    cls = type(self)
    if "_compared" not in cls.__dict__:
        items = _items(cls).items()
        names = [name for name, item in items if not isinstance(item, Field) or item.compare]
        cls._compared = staticmethod(_reader(names))
    values: tuple[object, ...] = cls._compared(self)
    return values


def _reader(names: list[str]) -> Callable[[Any], tuple[object, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _eq(self: Any, other: object) -> Any:  # a bool or NotImplemented
    if type(other) is not type(self):
        return NotImplemented
    return self is other or _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(_values(self))


_SHARED = {
    "__match_args__": (),
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
}
_SHARED_BY_MUTABLE = {"__repr__": _repr, "__eq__": _eq, "__hash__": None}
