"""A word that nothing knows may mean what a header, a cell or the rows are called: it is linked, at a cost, and never more than that."""

from pathlib import Path

from tabchat.planner.links.link import Link, LinkKind
from tests.planner.asking import Asker


def _near(asker: Asker, path: Path, question: str, word: str) -> list[Link]:
    lattice = asker.interpreter(path).wide_lattice(question)
    place = next(at for at, item in enumerate(lattice.sentence.words) if item.norm == word)
    return [link for link in lattice.starts[place] if link.is_near]


def _table(folder: Path) -> Path:
    rows = [f"{n},{('oak', 'pine', 'willow')[n % 3]},{n % 7},{3 * n}" for n in range(40)]
    path = folder / "orchard.csv"
    path.write_text("\n".join(["no,timber,blossom,height", *rows]), encoding="utf-8")
    return path


def test_a_word_is_linked_to_the_header_that_names_the_same(asker: Asker, tmp_path: Path) -> None:
    found = _near(asker, _table(tmp_path), "show lumber", "lumber")

    assert [(link.kind, link.column) for link in found][:1] == [(LinkKind.COLUMN, 1)]


def test_a_word_of_another_language_is_linked_to_the_cell(asker: Asker, tmp_path: Path) -> None:
    path = tmp_path / "carts.csv"
    path.write_text(
        "\n".join(["no,load", *(f"{n},{('apple', 'brick')[n % 2]}" for n in range(30))]), encoding="utf-8"
    )
    found = _near(asker, path, "скільки там яблук", "яблук")

    assert ("apple",) in [link.texts for link in found if link.kind is LinkKind.CELL]


def test_a_word_that_the_table_has_is_linked_to_nothing_else(asker: Asker, tmp_path: Path) -> None:
    assert _near(asker, _table(tmp_path), "show oak", "oak") == []


def test_a_word_for_something_else_is_linked_to_nothing(asker: Asker, tmp_path: Path) -> None:
    assert _near(asker, _table(tmp_path), "show parliament", "parliament") == []


def test_what_is_likest_stands_first_and_others_say_how_far_behind_they_are(
    asker: Asker, tmp_path: Path
) -> None:
    behind = [
        dict(link.features)["near.behind"] for link in _near(asker, _table(tmp_path), "show lumber", "lumber")
    ]

    assert behind[0] == 0
    assert behind == sorted(behind)
