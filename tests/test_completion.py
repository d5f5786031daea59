"""Tab in a shell: commands, options, values, keys and files, by a real bash, and nothing heavy behind it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tabchat.cli import run
from tabchat.cli.completion import answer, candidates, install, script
from tabchat.errors import UsageError
from tests.command import tabchat
from tests.conftest import Example
from tests.forkserver import client as forkserver
from tests.repl.terminal import Terminal

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None, reason="bash is not installed")


def words(*typed: str) -> list[str]:
    """Return what can stand in the place of the last of `typed`."""
    return [one.word for one in candidates(typed[:-1], typed[-1])]


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a `tabchat` on the path."""
    found = tmp_path / "bin" / "tabchat"
    found.parent.mkdir()
    found.write_text(forkserver.script(os.environ))
    found.chmod(0o755)
    monkeypatch.setenv("PATH", f"{found.parent}:{os.environ['PATH']}")
    return found


def completed(line: str) -> list[str]:
    """Return what bash would offer behind `line`, whose words are parted as bash parts them."""
    ask = (
        f"{script('bash')}\nCOMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n"
        '_tabchat_completion tabchat\nprintf "%s\\n" "${COMPREPLY[@]}"\ncomplete -p tabchat >&2\n'
    )
    done = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == "complete -o default -F _tabchat_completion tabchat\n"
    return done.stdout.split()


@pytest.mark.parametrize(
    "typed, expected",
    [
        (["a"], ["analyze", "ask"]),
        (["analyze", "c"], ["capability", "control-chart"]),
        (["config", ""], ["init", "path", "set", "show"]),
        (["config", "set", "priv"], ["privacy"]),
        (["ask", "x.csv", "--privacy", ""], ["strict", "summary", "preview"]),
        (["ask", "x.csv", "--privacy=s"], ["--privacy=strict", "--privacy=summary"]),
        (["x.csv", "why", "--pl"], ["--planner"]),
        (["query", "--rows-as", "o"], ["objects"]),
        (["export", "--format", "x"], ["xlsx"]),
        (["--show"], ["--show-completion"]),
        (["ask", "sal"], []),
        (["ask", "x.csv", "-o", ""], []),
        (["nosuch", ""], []),
    ],
)
def test_what_fits_is_offered_and_nothing_where_files_do(typed: list[str], expected: list[str]) -> None:
    assert sorted(words(*typed)) == sorted(expected)


def test_keys_and_requests_are_those_that_are_kept(example: Example, isolated_home: Path) -> None:
    assert words("show", "") == []
    keys = [
        tabchat("sql", example("sales.csv"), f"SELECT {n} AS n", "--json").json["data_key"] for n in (1, 2)
    ]
    assert words("show", "") == words("results", "--pin", "ds_") == keys[::-1]
    assert words("export", keys[0][:8]) == [keys[0]]
    index = isolated_home / ".cache" / "tabchat" / "results" / "cache.db"
    index.write_bytes(b"no database")
    assert run(["--complete", "bash", "2", "tabchat", "show", ""]) == 1


@pytest.mark.parametrize("name", ["ollama_chat/x;rm -rf ~", "$(id)", "a b", "a\nb", "\x1b[31m"])
def test_a_word_that_means_something_to_a_shell_is_left_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tabchat.cli.completion.candidates import _SOURCES

    monkeypatch.setitem(_SOURCES, "model", lambda: iter([name, "openai/gpt-5"]))
    assert words("model", "set", "") == ["openai/gpt-5"]


def test_a_shell_is_answered_in_its_own_form(monkeypatch: pytest.MonkeyPatch) -> None:
    from tabchat.cli.completion.candidates import _SOURCES

    monkeypatch.setitem(_SOURCES, "model", lambda: iter(["ollama_chat/qwen3:8b"]))
    typed = ("tabchat", "model", "set", "ollama_chat/qwen3", ":", "8")
    assert answer(["bash", "5", *typed]) == "8b\n"
    assert answer(["bash", "3", *typed[:4]]) == "ollama_chat/qwen3:8b\n"
    assert answer(["zsh", "3", *typed[:4]]) == "ollama_chat/qwen3\\:8b:\n"
    assert answer(["fish", "2", "tabchat", "config", "pa"]) == (
        "path\tPrint where your own settings file is, whether or not there is one.\n"
    )
    assert answer(["bash", "4", "tabchat", "ask", "--privacy", "=", "st"]) == "strict\n"
    with pytest.raises(UsageError):
        answer(["bash"])


def test_nothing_heavy_is_loaded_for_it() -> None:
    probe = (
        "import sys; from tabchat.cli import run; run(sys.argv[1:]);"
        "print(*{'duckdb', 'typer', 'rich', 'sqlglot', 'pandas', 'litellm'} & set(sys.modules), file=sys.stderr)"
    )
    for line in (["ask", "--pri"], ["show", "ds_"], ["egress", ""], ["model", "set", "gpt"]):
        words = ["tabchat", *line]
        command = [sys.executable, "-c", probe, "--complete", "bash", str(len(words) - 1), *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
        assert done.stderr == "\n", line


@needs_bash
@pytest.mark.usefixtures("program")
def test_bash_completes_words_of_the_real_program() -> None:
    assert completed("tabchat ana") == ["analyze"]
    assert completed("tabchat analyze par") == ["pareto"]
    assert completed("tabchat ask 'a file.csv' --rec") == ["--receipts"]
    assert completed("tabchat ask --planner = r") == ["rules"]


@needs_bash
def test_tab_in_a_terminal_completes_a_command_and_a_file(program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "tables"
    folder.mkdir()
    (folder / "sales of may.csv").write_text("a\n1\n")
    start = tmp_path / "start"
    start.write_text(f"PS1='ready> '\ncd '{folder}'\n{script('bash')}")
    with Terminal("tests.repl.another", "bash", "--rcfile", str(start), "-i") as terminal:
        terminal.read_until("ready> ")
        terminal.type("tabchat prof\t")
        terminal.read_until("tabchat profile ")
        terminal.type("sal\t")
        terminal.read_until(r"sales\ of\ may.csv")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_installed_once(shell: str, isolated_home: Path) -> None:
    start = isolated_home / f".{shell}rc"
    if shell != "fish":
        start.write_text("# mine")
    target, changed = install(shell)
    assert target.read_text() == script(shell)
    assert changed == (None if shell == "fish" else start)
    assert install(shell) == (target, None)
    if shell != "fish":
        assert start.read_text() == f"# mine\n[ -f {target} ] && . {target}\n"
    found = shutil.which(shell)
    if found is not None:
        subprocess.run([found, "-n", str(target)], check=True)


def test_the_options_of_the_program_print_and_install(isolated_home: Path) -> None:
    assert tabchat("--show-completion", "fish").out == script("fish")
    assert tabchat("--show-completion", env={"SHELL": "/bin/zsh"}).out in {script("bash"), script("zsh")}
    refused = tabchat("--show-completion", "tcsh")
    assert (refused.code, refused.out) == (2, "")
    assert "bash | zsh | fish" in refused.err
    installed = tabchat("--install-completion", "bash")
    assert installed.out == ""
    assert (isolated_home / ".config" / "tabchat" / "completion.bash").is_file()
    assert "Completion works in the next shell" in installed.err


def test_behind_another_shell_the_script_is_that_of_the_persons_own(isolated_home: Path) -> None:
    program = f"{sys.executable} -m tabchat --show-completion; exit $?"
    ran = {"PATH": os.environ["PATH"], "HOME": str(isolated_home)}

    for own, code, printed in (("/bin/zsh", 0, script("zsh")), ("/bin/tcsh", 2, "")):
        done = subprocess.run(
            ["/bin/sh", "-c", program], check=False, env=ran | {"SHELL": own}, capture_output=True, text=True
        )
        assert (done.returncode, done.stdout) == (code, printed)
