"""Every example of every page does what the page says."""

import ast
import json
import re
import shutil
from pathlib import Path

import pytest

from tests.documents.blocks import ROOT, Block, blocks_of, commands_of, name_of, pages
from tests.documents.folder import Folder, settled

KINDS = {"console", "sh", "python", "text"}


def blocks_that_run() -> list[Path]:
    return [page for page in pages() if any(block.kind != "text" for block in blocks_of(page.read_text()))]


@pytest.mark.parametrize("page", blocks_that_run(), ids=name_of)
def test_the_examples_of_a_page_run_as_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    with Folder(tmp_path) as folder:
        for name in ("TABCHAT_API_BASE", "OPENAI_API_KEY"):
            monkeypatch.setenv(name, folder.environment[name])
        for block in blocks_of(page.read_text(encoding="utf-8")):
            if "jq" in block.body.split() and shutil.which("jq") is None:
                continue
            folder.prepare(block)
            run(block, folder, names)


def run(block: Block, folder: Folder, names: dict[str, object]) -> None:
    """Run one block; fail when it does not do what it says."""
    if block.title is not None:
        return  # a file, which stands in the folder by now
    match block.kind:
        case "console":
            for command in commands_of(block.body):
                assert settled(folder.printed_by(command)) == settled(command.printed), command.line
        case "sh":
            done = folder.run_script(block.body)
            assert done.returncode == block.exits, f"{block.body}\n{done.stdout}"
        case "python":
            run_python(block.body, names)
        case "text":
            pass
        case other:
            pytest.fail(f"nothing is known to do with a block of {other!r}")


def test_the_request_that_a_page_shows_is_the_one_that_arrived(tmp_path: Path) -> None:
    if shutil.which("jq") is None:
        pytest.skip("the page lays its requests out with jq")
    blocks = blocks_of((ROOT / "docs" / "what-leaves.md").read_text(encoding="utf-8"))
    asked = next(index for index, block in enumerate(blocks) if block.model is not None)
    commands = [command for block in blocks if block.kind == "console" for command in commands_of(block.body)]
    (shown,) = (command.printed for command in commands if command.line.endswith("| jq ."))
    with Folder(tmp_path) as folder:
        for block in blocks[: asked + 1]:
            folder.prepare(block)
        folder.printed_by(commands[0])
        arrived, _ = folder.provider.chats
    assert json.loads(shown) == arrived.json
    assert b"customer" not in arrived.body


def run_python(code: str, names: dict[str, object]) -> None:
    """Run statements; the value of an expression is what the comment behind it says."""
    for statement in ast.parse(code).body:
        source = ast.get_source_segment(code, statement) or ""
        _, comment, expected = code.splitlines()[(statement.end_lineno or 1) - 1].partition("  # ")
        if comment and isinstance(statement, ast.Expr):
            assert repr(eval(source, names)) == expected.strip(), source  # noqa: S307 - the documents are ours
        else:
            exec(source, names)  # noqa: S102 - as above


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_no_example_escapes_the_tests(page: Path) -> None:
    """What looks like code stands between fences, whose kinds are known."""
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"(?ms)^```.*?^```$", "", text)
    assert re.findall(r"(?m)^(?:    |\t).*(?:tabchat|import) .*$", prose) == []
    assert "```" not in prose
    for block in blocks_of(text):
        assert block.kind in KINDS or block.title is not None, block.body
