"""Frozen records that cost little to define.

`dataclass(frozen=True)` compiles six methods for every class, 0.4 ms each
time; for the two hundred records of this package that was a quarter of the
start-up time. A `record` is a dataclass whose `__init__` is compiled when the
first one is made, and that shares the other methods. `fields`, `replace` and
`match` work as ever. A field declared with `made_later` may be given as `later(make)`:
its value is made when it is first looked at, if ever.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


_LATER = {"later": True}


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
    # For a class without a docstring `dataclass` would write its signature down, with the help of a tokenizer.
    cls.__doc__ = cls.__doc__ or cls.__name__
    made: type[_T] = dataclass(kw_only=True, init=False, repr=False, eq=False)(cls)
    if "__init__" not in cls.__dict__:
        setattr(made, "__init__", _first_init(made))  # noqa: B010 - a class of its own has no other type
    for name, method in _SHARED.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    for item in made.__dict__["__dataclass_fields__"].values():
        if item.metadata == _LATER:
            setattr(made, item.name, _MadeLater(item.name))
    return made


def _first_init(cls: type[Any]) -> Callable[..., None]:
    def init(self: Any, *given: Any, **named: Any) -> None:
        cls.__init__ = _compiled_init(cls)
        cls.__init__(self, *given, **named)

    return init


def _compiled_init(cls: type[Any]) -> Callable[..., None]:
    """Return the `__init__` that `dataclass` would give, one that sets the values without asking `__setattr__`."""
    parameters: list[str] = []
    body, known = ["_own = self.__dict__"], dict[str, Any](MISSING=MISSING)
    for item in fields(cls):
        name = item.name
        made = item.default_factory is not MISSING
        if made:
            known[f"_make_{name}"] = item.default_factory
            body.append(
                f"_own[{name!r}] = _make_{name}() if {name} is MISSING else {name}"
                if item.init
                else f"_own[{name!r}] = _make_{name}()"
            )
        elif item.init:
            body.append(f"_own[{name!r}] = {name}")
        if item.init:
            known[f"_default_{name}"] = MISSING if made else item.default
            is_required = not made and item.default is MISSING
            parameters.append(name if is_required else f"{name}=_default_{name}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    head = f"def __init__(self{', *, ' if parameters else ''}{', '.join(parameters)}):"
    # Nothing but the names of the package's own fields is compiled.
    exec("\n ".join([head, *body]), known)  # noqa: S102
    init: Callable[..., None] = known["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _setattr(self: Any, name: str, value: object) -> None:
    # `__init__` may set each attribute once; nothing may set one again.
    if name in self.__dict__ or name not in self.__dataclass_fields__:
        message = f"cannot assign to field {name!r}"
        raise FrozenInstanceError(message)
    self.__dict__[name] = value


def _delattr(_self: Any, name: str) -> None:
    message = f"cannot delete field {name!r}"
    raise FrozenInstanceError(message)


def _repr(self: Any) -> str:
    fields = self.__dataclass_fields__.values()
    shown = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in fields if item.repr)
    return f"{type(self).__qualname__}({shown})"


def _values(self: Any) -> tuple[object, ...]:
    """Return what is compared; how it is read is found out when the first record of a class is compared."""
    cls = type(self)
    if "_compared" not in cls.__dict__:
        cls._compared = staticmethod(_reader([item.name for item in fields(cls) if item.compare]))
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
    "__setattr__": _setattr,
    "__delattr__": _delattr,
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
}
