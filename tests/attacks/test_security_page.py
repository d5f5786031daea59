"""SECURITY.md says how many attacks there are, and of which class."""

from collections import Counter
from pathlib import Path

from tests.attacks.catalogue import PAYLOADS

PAGE = Path(__file__).parents[2] / "SECURITY.md"


def test_the_page_counts_the_attacks_that_there_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    cells = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    stated = {row[0]: row[1:] for row in cells if len(row) == 6 and row[1].isdigit()}
    counted = Counter(payload.category.value for payload in PAYLOADS)
    assert {name: int(row[0]) for name, row in stated.items()} == {**counted, "all": len(PAYLOADS)}
    assert f"\n{len(PAYLOADS)} attacks" in text


def test_the_page_says_that_nothing_got_through_both_layers() -> None:
    rows = [
        line.split("|")
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| all |")
    ]
    ((_, _, attacks, working, _, locked, both, _),) = rows
    assert attacks.strip() == working.strip() == locked.split("(")[0].strip() == both.strip()
