"""What a `tabchat.toml` that came with data tries, setting by setting, and what comes of it: nothing."""

import os
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest

from tabchat.config import Settings, load_settings
from tabchat.errors import UsageError
from tabchat.precedence import PROJECT_SETTINGS
from tests.command import tabchat
from tests.fake_provider import FakeProvider, say

REFUSED: Final = [
    ("cache_dir", "'.c'"),
    ("data_dir", "'.d'"),
    ("cache_size", "0"),
    ("result_size", "2000"),
    ("result_ttl", "0.0"),
    ("egress_size", "1"),
    ("undo_versions", "0"),
    ("no_cache", "true"),
    ("threads", "1024"),
    ("model", "'openai/gpt-5'"),
    ("model", "'huggingface/http://127.0.0.1:9'"),
    ("api_base", "'https://models.example/v1'"),
    ("api_base", "'http://127.0.0.1:9/v1'"),
    ("api_base", "'http://localhost:9/v1'"),
    ("planner", "'llm'"),
    ("planner", "'rules'"),
    ("max_rounds", "1000"),
    ("context_window", "1"),
    ("retries", "1000"),
    ("fresh", "true"),
    ("degraded_sandbox", "true"),
    # Wider than the default.
    ("privacy", "'preview'"),
    ("tools", "'full'"),
    ("preview_rows", "10"),
    ("code_timeout", "1e6"),
    ("code_memory", "9000000000000000"),
    # Files that are not the project's.
    ("context", "'/etc/passwd'"),
    ("context", "'/dev/zero'"),
    ("shortcuts", "'../../secrets.toml'"),
    ("shortcuts", "'/dev/stdin'"),
    # Values of no form at all are refused like any.
    ("cache_dir", "[1, 2]"),
    ("model", "{a = 1}"),
    ("pager", "false"),
    ("session_count", "1"),
    ("session_ttl", "1.0"),
    ("vi", "true"),
    ("pictures", "'kitty'"),
    ("engine", "'spark'"),
    ("spark", "'sc://spark.example'"),
    ("spark_rows", "1000000000"),
    ("order_by", "'id'"),
    ("spill_size", "1"),
]
"""Setting × value that must leave the person's settings as they are, and be told by name."""


@pytest.mark.parametrize("file", ["tabchat.toml", "pyproject.toml"])
@pytest.mark.parametrize("name, value", REFUSED)
def test_a_projects_file_does_not_reach_it(tmp_path: Path, file: str, name: str, value: str) -> None:
    head = "[tool.tabchat]\n" if file == "pyproject.toml" else ""
    (tmp_path / file).write_text(f"{head}{name} = {value}\n")
    told: list[str] = []
    assert load_settings(directory=tmp_path, told=told.append) == Settings()
    (sentence,) = told
    assert f" sets {name}" in sentence


def test_every_setting_is_refused_here_or_known_as_a_projects() -> None:
    tried = {name for name, _ in REFUSED}
    assert {item.name for item in fields(Settings)} == tried | PROJECT_SETTINGS


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    path.mkdir()
    (path / "sales.csv").write_text("region,amount\nEurope,15000\nAsia,30000\n")
    return path


def listing(folder: Path) -> list[tuple[str, int]]:
    return sorted((path.name, path.stat().st_mode) for path in (folder, *folder.rglob("*")))


def test_the_persons_files_survive_a_cache_that_a_project_names(folder: Path, tmp_path: Path) -> None:
    victim = tmp_path / "own"
    (victim / ".work-old").mkdir(parents=True)
    for name in ("settings.json", "package.json", "settings.parquet", ".work-old/notes.txt"):
        (victim / name).write_text("{}")
    os.utime(victim / ".work-old", (1, 1))
    victim.chmod(0o755)
    (folder / ".c").mkdir()
    (folder / ".c" / "tables").symlink_to(victim)
    (folder / "tabchat.toml").write_text("cache_dir = '.c'\ncache_size = 0\n")
    before = listing(victim)
    done = tabchat("ask", "sales.csv", "total amount", cwd=folder)
    assert (done.code, listing(victim)) == (0, before)
    assert "45,000" in done.out
    assert done.err.count("sets cache_dir, cache_size, which a project's file may not") == 1


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with FakeProvider([say("45,000")]) as running:
        yield running


@pytest.mark.parametrize("vendor", ["huggingface", "oobabooga"])
def test_no_name_of_a_model_is_an_address(folder: Path, provider: FakeProvider, vendor: str) -> None:
    name = f"{vendor}/{provider.root_url}"
    for source in ("variable", "person"):
        env = {"HF_TOKEN": "hf_x"}
        if source == "variable":
            env["TABCHAT_MODEL"] = name
        else:
            own = folder / "home" / "tabchat"
            own.mkdir(parents=True)
            (own / "config.toml").write_text(f"model = '{name}'\n")
            env["XDG_CONFIG_HOME"] = str(own.parent)
        done = tabchat("ask", "sales.csv", "why is the sky blue", cwd=folder, env=env)
        assert (done.code, provider.requests) == (2, [])
        assert "cannot hold the address of a server" in done.err
        assert "--api-base" in done.err


def test_a_flag_or_a_session_cannot_name_an_address_either(folder: Path, provider: FakeProvider) -> None:
    from tabchat.session import Session

    name = f"huggingface/{provider.root_url}"
    done = tabchat("ask", "sales.csv", "why", "--planner", "llm", "-m", name, cwd=folder)
    assert (done.code, provider.requests) == (2, [])
    with Session.open([folder / "sales.csv"], settings=Settings(model=name, planner="llm")) as session:  # type: ignore[arg-type]
        assert isinstance(session.answer("why").error, UsageError)
        with pytest.raises(UsageError, match="cannot hold the address of a server"):
            session.set_model(name)
    assert provider.requests == []


def test_a_local_model_stays_the_persons(folder: Path, provider: FakeProvider) -> None:
    (folder / "tabchat.toml").write_text("model = 'openai/gpt-5'\napi_base = 'http://127.0.0.1:9/v1'\n")
    env = {"TABCHAT_MODEL": "openai/local", "TABCHAT_API_BASE": f"{provider.root_url}/v1"}
    settings = tabchat("config", cwd=folder, env=env)
    assert "openai/local" in settings.out
    assert "gpt-5" not in settings.out
    assert "127.0.0.1:9/" not in settings.out


@pytest.mark.parametrize("how", ["link", "others can write", "others can write, umask"])
def test_a_cache_folder_of_others_is_refused(folder: Path, tmp_path: Path, how: str) -> None:
    root = tmp_path / "root"
    if how == "link":
        (tmp_path / "elsewhere").mkdir()
        root.symlink_to(tmp_path / "elsewhere")
    else:
        root.mkdir()
        root.chmod(0o777 if how == "others can write" else 0o775)
    done = tabchat("ask", "sales.csv", "total amount", cwd=folder, env={"TABCHAT_CACHE_DIR": str(root)})
    assert done.code == 3
    assert f"The cache folder {root} cannot be used" in done.err.replace("\n", " ")


@pytest.mark.parametrize("name", ["tables", "results"])
def test_a_link_inside_the_cache_is_not_followed(folder: Path, tmp_path: Path, name: str) -> None:
    root, victim = tmp_path / "root", tmp_path / "own"
    victim.mkdir(mode=0o755)
    (victim / "settings.json").write_text("{}")
    root.mkdir(mode=0o700)
    (root / name).symlink_to(victim)
    before = listing(victim)
    env = {"TABCHAT_CACHE_DIR": str(root), "TABCHAT_CACHE_SIZE": "0"}
    tabchat("ask", "sales.csv", "total amount", cwd=folder, env=env)
    tabchat("cache", "clear", "--yes", cwd=folder, env=env)
    assert listing(victim) == before


def test_versions_that_somebody_planted_are_not_believed(folder: Path, tmp_path: Path) -> None:
    root, theirs = tmp_path / "root", {"TABCHAT_DATA_DIR": str(tmp_path / "theirs")}
    own = {"TABCHAT_CACHE_DIR": str(root)}
    # The same bytes, size and times stand for other values: what a stranger with the file could have kept.
    told = tabchat("ask", "sales.csv", "total amount", cwd=folder, env=own | theirs)
    assert "45,000" in told.out
    for path in (root / "tables").glob("*.parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        pq.write_table(pa.table({"region": ["Europe", "Asia"], "amount": [20, 30]}), path)
    checked = tabchat("cache", "check", cwd=folder, env=own)
    assert "does not bear the mark of your own secret" in checked.err.replace("\n", " ")
    asked = tabchat("ask", "sales.csv", "total amount", cwd=folder, env=own)
    assert (asked.code, "45,000" in asked.out) == (0, True)
    assert "Table version" not in tabchat("cache", "check", cwd=folder, env=own).err


def test_a_version_that_somebody_changed_is_not_believed(folder: Path, tmp_path: Path) -> None:
    """The times of the file and its end are put back, which is all that can be put back."""
    own = {"TABCHAT_CACHE_DIR": str(tmp_path / "root")}
    assert "45,000" in tabchat("ask", "sales.csv", "total amount", cwd=folder, env=own).out
    (path,) = (tmp_path / "root" / "tables").glob("*.parquet")
    content, facts = path.read_bytes(), path.stat()
    path.write_bytes(content.replace((30_000).to_bytes(8, "little"), (50).to_bytes(8, "little")))
    assert path.read_bytes() != content
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    assert "its file of rows is not the one" in tabchat("cache", "check", cwd=folder, env=own).err
    summed = tabchat("sql", "sales.csv", "select sum(amount) as total from sales", cwd=folder, env=own)
    assert summed.out == "total: 45000\n"


def test_rows_of_a_result_that_somebody_changed_are_computed_again(folder: Path, tmp_path: Path) -> None:
    own = {"TABCHAT_CACHE_DIR": str(tmp_path / "root")}
    sql = "select region, amount + 1 as more from sales"
    key = tabchat("sql", "sales.csv", sql, "--json", cwd=folder, env=own).json["data_key"]
    (path,) = (tmp_path / "root" / "results").glob("??/??/*.parquet")
    content, facts = path.read_bytes(), path.stat()
    path.write_bytes(content.replace((30_001).to_bytes(8, "little"), (50).to_bytes(8, "little")))
    assert path.read_bytes() != content
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    exported = tabchat("export", key, "--format", "csv", cwd=folder, env=own)
    assert exported.out.splitlines() == ["region,more", "Europe,15001", "Asia,30001"]


@pytest.mark.parametrize(
    "file, told", [("config.toml", "cannot be read as TOML"), ("context", "cannot be read")]
)
@pytest.mark.parametrize("kind", ["zero", "fifo", "deep"])
def test_a_settings_file_that_never_ends_ends_at_once(
    folder: Path, tmp_path: Path, file: str, told: str, kind: str
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    path = own / "words.toml"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "deep":
        path.write_text("a = " + "[" * 100_000)
    elif file == "context":
        path = Path("/dev/zero")
    else:
        path.symlink_to("/dev/zero")
    if file == "context":
        env = {"TABCHAT_CONTEXT": str(path)}
    else:
        (own / "tabchat").mkdir()
        path.rename(own / "tabchat" / "config.toml")
        env = {"XDG_CONFIG_HOME": str(own)}
    done = tabchat("ask", "sales.csv", "total amount", cwd=folder, env=env)
    if file == "config.toml" and kind != "deep":
        assert done.code == 0  # what is no file is none
    else:
        assert (done.code, told in done.err.replace("\n", " ")) == (2, True)


@pytest.mark.parametrize("umask", [0o000, 0o077, 0o177])
def test_kept_files_are_private_whatever_the_umask(folder: Path, tmp_path: Path, umask: int) -> None:
    root = tmp_path / "root"
    before = os.umask(umask)
    try:
        env = {"TABCHAT_CACHE_DIR": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
        done = tabchat("ask", "sales.csv", "total amount by region", cwd=folder, env=env)
    finally:
        os.umask(before)
    assert done.code == 0, done.err
    modes = {(path.is_dir(), path.stat().st_mode & 0o777) for path in (root, *root.rglob("*"))}
    assert modes == {(True, 0o700), (False, 0o600)}
