"""What was changed in a ledger, put into it or taken out of it is noticed."""

import json
from pathlib import Path

import pytest

from tabchat.audit import EgressLedger
from tests.audit.requests import outgoing


@pytest.fixture
def ledger(tmp_path: Path) -> EgressLedger:
    ledger = EgressLedger(tmp_path / "egress", max_bytes=10**6)
    for number in range(6):
        ledger.record(outgoing(b'{"number": %d}' % number))
    return ledger


def lines(ledger: EgressLedger) -> list[bytes]:
    return ledger.path.read_bytes().splitlines(keepends=True)


def edited(line: bytes, **changes: object) -> bytes:
    return json.dumps(json.loads(line) | changes).encode() + b"\n"


def test_a_whole_ledger_has_no_problem(ledger: EgressLedger) -> None:
    assert (ledger.check().requests, ledger.check().problems, ledger.check().notes) == (6, (), ())


def test_a_changed_body_is_noticed(ledger: EgressLedger) -> None:
    old = lines(ledger)
    ledger.path.write_bytes(b"".join([*old[:2], edited(old[2], body="{}"), *old[3:]]))
    assert ledger.check().problems == (
        "egress.jsonl line 3: its body is not the one that was written down.",
        "egress.jsonl line 4: a line before it was changed, put in or taken out.",
    )


@pytest.mark.parametrize("field", ["time", "model", "url"])
@pytest.mark.parametrize("place", [0, 3, 5])
def test_any_changed_field_of_any_line_is_noticed(ledger: EgressLedger, field: str, place: int) -> None:
    old = lines(ledger)
    old[place] = edited(old[place], **{field: "2020-01-01T00:00:00.000000Z"})
    ledger.path.write_bytes(b"".join(old))
    assert ledger.check().problems


@pytest.mark.parametrize("gone", [(0,), (2,), (2, 3), (5,), (4, 5), (0, 1, 2, 3, 4, 5)])
def test_lines_that_are_gone_are_noticed_also_after_more_requests(
    ledger: EgressLedger, gone: tuple[int, ...]
) -> None:
    kept = [line for number, line in enumerate(lines(ledger)) if number not in gone]
    ledger.path.write_bytes(b"".join(kept))
    assert ledger.check().problems
    ledger.record(outgoing(b"later"))
    assert ledger.check().problems


def test_a_line_that_was_put_in_twice_is_noticed(ledger: EgressLedger) -> None:
    old = lines(ledger)
    ledger.path.write_bytes(b"".join([*old[:3], old[2], *old[3:]]))
    assert ledger.check().problems


def test_a_missing_part_and_a_missing_head_are_noticed(tmp_path: Path) -> None:
    ledger = EgressLedger(tmp_path / "egress", max_bytes=1500)
    for number in range(12):
        ledger.record(outgoing(b"%d" % number))
    assert ledger.check().problems == ()
    first, second, *_ = sorted(ledger.directory.glob("egress-*.jsonl"))
    kept = second.read_bytes()
    second.unlink()
    assert len(ledger.check().problems) == 1
    second.write_bytes(kept)
    first.unlink()
    (problem,) = ledger.check().problems
    assert problem == f"{second.name} line 1: the lines before it are missing."
    (ledger.directory / "egress.head").unlink()
    assert len(ledger.check().problems) == 2


def test_the_head_is_made_again_after_the_last_line(ledger: EgressLedger) -> None:
    (ledger.directory / "egress.head").unlink()
    ledger.record(outgoing(b"later"))
    assert ledger.check().problems == ()
