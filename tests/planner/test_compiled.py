"""Compiled data files say what their sources say, and nothing once these have changed."""

import ast
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

import tabchat
from tabchat.planner.choice.trees import packed_trees, read_trees
from tabchat.planner.compiling import shipped_files
from tabchat.planner.words.data_files import DataFiles, Sections
from tabchat.planner.words.languages import open_languages, shipped_languages

PACKAGE = Path(tabchat.__file__).parent
SHIPPED = {str(files.compiled.relative_to(PACKAGE)): files for files in shipped_files()}


def refused(*_texts: str) -> Sections:
    pytest.fail("the data files were read")


@pytest.fixture
def letters(tmp_path: Path) -> DataFiles:
    """Data files of one letter a section, and the code that reads them."""
    (tmp_path / "data.txt").write_text("ab", encoding="utf-8")
    (tmp_path / "code.py").write_text("one = 1\n", encoding="utf-8")
    return DataFiles(
        paths=(tmp_path / "data.txt", tmp_path / "more.txt"),
        code=(tmp_path / "code.py",),
        compiled=tmp_path / "data.compiled",
        read=lambda data, more: {letter: [letter.upper()] for letter in data + more},
    )


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_compiled_is_what_the_sources_say(name: str, tmp_path: Path) -> None:
    files = replace(SHIPPED[name], compiled=tmp_path / "own.compiled")
    read = dict(files.sections())
    files.compile()

    assert dict(replace(files, read=refused).sections()) == read
    assert len(read) >= 3


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_compiled_is_the_same_each_time(name: str, tmp_path: Path) -> None:
    files = replace(SHIPPED[name], compiled=tmp_path / "own.compiled")
    files.compile()
    code = (
        "import sys; from dataclasses import replace; from pathlib import Path\n"
        "from tabchat.planner.compiling import shipped_files\n"
        "[files] = [each for each in shipped_files() if str(each.compiled) == sys.argv[1]]\n"
        "replace(files, compiled=Path(sys.argv[2])).compile()"
    )
    other = tmp_path / "other.compiled"
    given = [str(SHIPPED[name].compiled), str(other)]
    subprocess.run([sys.executable, "-c", code, *given], check=True, env={"PYTHONHASHSEED": "7"}, timeout=120)

    assert other.read_bytes() == files.compiled.read_bytes()


@pytest.mark.parametrize("changed", ["data.txt", "more.txt", "code.py"])
def test_a_changed_source_is_never_answered_from_an_old_compile(
    letters: DataFiles, changed: str, tmp_path: Path
) -> None:
    letters.compile()
    assert dict(replace(letters, read=refused).sections()) == {"a": ["A"], "b": ["B"]}

    (tmp_path / changed).write_text("c", encoding="utf-8")

    assert replace(letters, read=lambda *_texts: {"new": 1}).sections() == {"new": 1}


def test_a_text_that_moves_to_the_next_file_is_a_change(letters: DataFiles, tmp_path: Path) -> None:
    letters.compile()
    (tmp_path / "data.txt").write_text("a", encoding="utf-8")
    (tmp_path / "more.txt").write_text("b", encoding="utf-8")

    assert replace(letters, read=lambda *_texts: {"new": 1}).sections() == {"new": 1}


@pytest.mark.parametrize("kept", [b"", b"\n", b"0" * 64 + b"\n", b"\x00" * 4096])
def test_a_compile_that_is_none_is_passed_over(letters: DataFiles, kept: bytes) -> None:
    letters.compiled.write_bytes(kept)
    assert letters.sections() == {"a": ["A"], "b": ["B"]}


def test_a_compile_that_cannot_be_read_is_passed_over(letters: DataFiles) -> None:
    letters.compiled.mkdir()
    assert letters.sections() == {"a": ["A"], "b": ["B"]}


def test_a_new_word_of_a_compiled_language_is_known(tmp_path: Path) -> None:
    folder = tmp_path / "lexicons"
    shutil.copytree(shipped_languages().folder, folder, ignore=shutil.ignore_patterns("*.compiled", "stems"))
    languages = open_languages(folder)
    languages.files("en").compile()
    assert languages.load("en").find(("zorkmeans",)) == frozenset()

    words = folder / "en.toml"
    text = words.read_text(encoding="utf-8")
    words.write_text(text.replace('"agg.mean" = "', '"agg.mean" = "zorkmeans, '), encoding="utf-8")

    assert open_languages(folder).load("en").find(("zorkmeans",)) == {"agg.mean"}
    assert open_languages(folder).load("en").has_word("zorkmeans")


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_compiled_hangs_on_all_code_that_reads_it(name: str) -> None:
    planner = PACKAGE / "planner"
    known = {*SHIPPED[name].code, planner / "words" / "data_files.py"}

    assert len(known) >= 3
    assert {other for module in SHIPPED[name].code for other in imported(module, planner)} <= known


def test_a_wheel_brings_what_is_compiled(tmp_path: Path) -> None:
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=PACKAGE.parent, check=True, capture_output=True, timeout=120)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path / "site")
    code = (
        "from dataclasses import replace\n"
        "from tabchat.planner.compiling import shipped_files\n"
        "print(*(f'{each.compiled} {len(replace(each, read=None).sections())}\\n' for each in shipped_files()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "site",
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    compiled = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
    assert [str(Path(path).relative_to(tmp_path / "site" / "tabchat")) for path in compiled] == [*SHIPPED]


def test_to_compile_needs_no_library() -> None:
    """A wheel is built where only its builder is installed."""
    code = (
        "from tabchat.planner.compiling import shipped_files\n"
        "for each in shipped_files():\n"
        "    each.read(*(path.read_text('utf-8') if path.is_file() else '' for path in each.paths))"
    )
    subprocess.run([sys.executable, "-S", "-c", code], cwd=PACKAGE.parent, check=True, timeout=120)


def test_packed_trees_say_what_their_nodes_say() -> None:
    data = {
        "features": ["one", "other"],
        "bias": 0.5,
        "trees": [[[0, 1.5, 1, 4], [1, -2.0, 2, 3], 0.25, -0.75, 3.0], [4.0]],
    }
    trees = read_trees(packed_trees(data))

    assert trees.log_odds({}) == 0.5 - 0.75 + 4.0
    assert trees.log_odds({"one": 1.5, "other": -2.0}) == 0.5 + 0.25 + 4.0
    assert trees.log_odds({"one": 1.6}) == 0.5 + 3.0 + 4.0


def imported(module: Path, planner: Path) -> set[Path]:
    """Return the modules of the planner that one imports when it runs."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    names = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    paths = [planner.parents[1].joinpath(*name.split(".")).with_suffix(".py") for name in names]
    return {path for path in paths if path.is_file() and path.is_relative_to(planner)}
