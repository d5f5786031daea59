"""A question without options goes past the option parser, which would make the same of it."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

import pytest

import tabchat.cli.commands.ask
from tabchat.cli.app import parsed
from tabchat.cli.invocation import invoke, with_command
from tests.conftest import Example

Run = Callable[[Sequence[str]], int]
_ASK = tabchat.cli.commands.ask.ask


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the command was called with, instead of calling it."""
    calls: list[dict[str, Any]] = []

    @functools.wraps(_ASK)
    def ask(*given: Any, **named: Any) -> int:
        names = list(_ASK.__annotations__)
        calls.append(dict(_ASK.__kwdefaults__ or {}) | dict(zip(names, given, strict=False)) | named)
        return 7

    monkeypatch.setattr(tabchat.cli.commands.ask, "ask", ask)
    return calls


@pytest.mark.parametrize(
    "words", [["sales.csv", "total revenue"], ["sales.csv"], ["a.csv", "b.csv", ""], ["sales.csv", "€ «так»"]]
)
def test_it_is_called_as_the_option_parser_would_call_it(
    asked: list[dict[str, Any]], words: list[str]
) -> None:
    runs: list[Run] = [invoke, parsed]
    assert [run(["ask", *words]) for run in runs] == [7, 7]
    short, long = asked
    groups = ("reading", "running", "asking", "output")
    assert short["arguments"] == long["arguments"] == words
    for name in groups:
        assert type(short[name]) is type(long[name])
        assert asdict(short[name]) == asdict(long[name])
    defaults = dict(zip(list(_ASK.__annotations__)[-8:-1], _ASK.__defaults__ or (), strict=True))
    assert {name: long[name] for name in defaults} == defaults


@pytest.mark.parametrize("words", [["-q", "sales.csv", "x"], ["sales.csv", "x", "--json"], ["-", "x"], []])
def test_anything_that_looks_like_an_option_is_parsed(
    asked: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.setattr("tabchat.cli.app.parsed", lambda argv: [*argv].index("ask") + 11)
    assert invoke(["ask", *words]) == 11
    assert asked == []


def test_a_file_that_is_named_first_is_asked(example: Example) -> None:
    assert with_command([str(example("sales.csv")), "x"]) == ["ask", str(example("sales.csv")), "x"]


def test_ctrl_c_ends_both_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    @functools.wraps(_ASK)
    def ask(*_given: Any, **_named: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(tabchat.cli.commands.ask, "ask", ask)
    runs: list[Run] = [invoke, parsed]
    # Each leaves it to the last seam, which tells of it.
    for run in runs:
        with pytest.raises(KeyboardInterrupt):
            run(["ask", "sales.csv", "x"])
