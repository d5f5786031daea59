import multiprocessing
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.types import JsonValue
from tabchat.errors import DataKeyError, OutputError
from tabchat.store import ResultRecipe, TableRef, derive_key, load_secret, require_key
from tests.effort import examples

SECRET = bytes(range(32))


def plan_recipe(
    plan: dict[str, JsonValue], *, version: str = "v1", name: str = "t", kind: str = "plan"
) -> ResultRecipe:
    table = TableRef(name=name, source="/data/t.csv", version=version, options={"sheet": "A"})
    if kind == "sql":
        return ResultRecipe(kind="sql", tables=(table,), plan=None, sql="SELECT 1")
    return ResultRecipe(kind="plan", tables=(table,), plan=plan, sql=None)


def test_a_key_is_a_hundred_opaque_bits_and_always_the_same() -> None:
    # Checked with: openssl dgst -sha256 -mac HMAC … | base32
    key = derive_key(SECRET, plan_recipe({"where": "x > 1", "limit": 5}))
    assert key == "ds_cbus5wtoi27lkoa2seqb"
    assert require_key(key) == key


def test_the_canonical_recipe_is_sorted_compact_ascii_and_leaves_the_path_out() -> None:
    recipe = plan_recipe({"where": "місто = 'Київ'", "limit": 5})
    assert recipe.canonical() == (
        b'{"format":1,"kind":"plan","plan":{"limit":5,"where":'
        b"\"\\u043c\\u0456\\u0441\\u0442\\u043e = '\\u041a\\u0438\\u0457\\u0432'\"},"
        b'"settings":{},"sql":null,"tables":[["v1"]]}'
    )


def test_a_tables_name_counts_in_sql_only() -> None:
    assert derive_key(SECRET, plan_recipe({}, name="a")) == derive_key(SECRET, plan_recipe({}, name="b"))
    assert derive_key(SECRET, plan_recipe({}, name="a", kind="sql")) != derive_key(
        SECRET, plan_recipe({}, name="b", kind="sql")
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(plan=st.dictionaries(st.text(), JSON, max_size=4), secret=st.binary(min_size=32, max_size=32))
@settings(deadline=None, max_examples=examples(80))
def test_keys_follow_the_content_and_the_secret_alone(plan: dict[str, JsonValue], secret: bytes) -> None:
    backwards = dict(reversed(plan.items()))
    recipe = plan_recipe(plan)
    key = derive_key(secret, recipe)
    assert derive_key(secret, plan_recipe(backwards)) == key
    assert derive_key(secret, ResultRecipe.from_json(recipe.to_json())) == key
    assert derive_key(secret, plan_recipe(plan, version="v2")) != key
    assert derive_key(bytes(32), recipe) != key or secret == bytes(32)


@pytest.mark.parametrize(
    "key",
    [
        "",
        "ds_",
        "x",
        "ds_" + "a" * 19,
        "ds_" + "a" * 21,
        "ds_" + "A" * 20,
        "ds_" + "1" * 20,
        "DS_" + "a" * 20,
        "ds_" + "a" * 19 + "\n",
        " ds_" + "a" * 20,
        "ds_../../../../etc/pass",
        "ds_" + "й" * 20,
    ],
)
def test_what_is_no_key_is_told_so_without_suggestions(key: str) -> None:
    with pytest.raises(DataKeyError) as caught:
        require_key(key)
    assert caught.value.code == "key_unknown"
    assert caught.value.hint == "List the kept results with: tabchat results"
    assert caught.value.message == f"{key!r} is not a data key: a key is ds_ and 20 letters or digits."


def test_a_very_long_non_key_is_not_repeated_in_full() -> None:
    with pytest.raises(DataKeyError) as caught:
        require_key("x" * 10_000)
    assert len(caught.value.message) < 120


def test_a_secret_is_made_once_and_is_private(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tabchat" / "secret"
    secret = load_secret(path)
    assert len(secret) == 32
    assert load_secret(path) == secret == path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


def test_rights_of_others_are_taken_away(tmp_path: Path) -> None:
    path = tmp_path / "own" / "secret"
    secret = load_secret(path)
    path.chmod(0o644)
    path.parent.chmod(0o755)
    assert load_secret(path) == secret
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def _load(path: str) -> bytes:
    return load_secret(Path(path))


def test_processes_that_start_together_agree_on_the_secret(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for attempt in range(5):
            secrets = pool.map(_load, [str(tmp_path / str(attempt) / "secret")] * 8, chunksize=1)
            assert len(set(secrets)) == 1


def test_the_first_of_two_secrets_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tabchat.store import keys

    path = tmp_path / "secret"
    first = load_secret(path)
    keys._create(path)
    assert load_secret(path) == first
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_system_without_hard_links_has_a_secret_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: object, target: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "secret"
    secret = load_secret(path)
    assert load_secret(path) == secret
    assert list(tmp_path.iterdir()) == [path]


def _link(path: Path) -> None:
    elsewhere = path.with_name("elsewhere")
    elsewhere.write_bytes(SECRET)
    path.symlink_to(elsewhere)


@pytest.mark.parametrize(
    "plant, cause",
    [
        (lambda path: path.write_bytes(b"short"), "it does not hold 32 bytes; delete it"),
        (lambda path: path.write_bytes(b"x" * 33), "it does not hold 32 bytes; delete it"),
        (lambda path: path.mkdir(), "not a regular file"),
        (os.mkfifo, "it is not a regular file"),
        (_link, "Too many levels of symbolic links"),
    ],
)
def test_a_secret_that_cannot_be_one_is_refused(tmp_path: Path, plant: object, cause: str) -> None:
    path = tmp_path / "secret"
    assert callable(plant)
    plant(path)
    with pytest.raises(OutputError, match=cause) as caught:
        load_secret(path)
    assert str(path) in caught.value.message


def test_another_users_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret"
    load_secret(path)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(OutputError, match="it belongs to another user"):
        load_secret(path)


def test_a_secret_that_cannot_be_made_is_told_so(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    with pytest.raises(OutputError, match="it is not a folder") as caught:
        load_secret(blocker / "secret")
    assert "TABCHAT_DATA_DIR" in str(caught.value.hint)


def test_keys_that_begin_alike_are_not_chosen_between() -> None:
    from tabchat.store import InMemoryDataStore
    from tabchat.store.naming import full_key, is_short

    assert is_short("_")
    assert is_short("ds_ab")
    assert is_short("ds_ab…")
    assert not is_short("ds_")
    assert not is_short("ds_cbus5wtoi27lkoa2seqb")
    assert not is_short("ds_1.csv")
    assert full_key("sales", InMemoryDataStore()) == "sales"
    for text in ("_", "ds_ab"):
        with pytest.raises(DataKeyError):
            full_key(text, InMemoryDataStore())
