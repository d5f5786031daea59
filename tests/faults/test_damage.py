"""Whatever file of ours is damaged, an answer is right or refused: never wrong, never a traceback."""

from pathlib import Path

from tests.faults.damage import wrong_answers
from tests.faults.person import WITNESS, Person


def test_damaged_files_of_ours_never_give_a_wrong_answer(tmp_path: Path) -> None:
    damaged, wrong = wrong_answers(tmp_path, first=2)
    assert wrong == []
    assert damaged > 3


def test_a_damaged_configuration_is_named(tmp_path: Path) -> None:
    person = Person(tmp_path, rows=10)
    folder = tmp_path / "config" / "tabchat"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "config.toml"
    for content in (b"rows = ", b"\xff\xfe\x00", b"rows = 'many'\n", b"[rows"):
        path.write_bytes(content)
        asked = person.run("ask", person.source, WITNESS)
        assert asked.code == 2
        assert str(path) in asked.err
        assert "try:" in asked.err
