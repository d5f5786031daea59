"""What leaves the machine: every cell of a table is a canary, and the bytes that a provider receives are searched.

The model is scripted and the rest is real: session, tools, prompt, client, ledger, HTTP. Whatever it
asks, only what its privacy level admits may come out.
"""

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tabchat.chat.turn.answer import DataBlock
from tabchat.chat.turn.events import DataReady, Done
from tabchat.config import PrivacyLevel, Settings, load_settings, words_file
from tabchat.engine.result.result import Result, ResultKind
from tabchat.session import Session
from tabchat.tools.privacy import ALLOWANCE
from tests.effort import examples
from tests.fake_provider import FAKE_ENV, FakeProvider, calls, say

ROWS: Final = 36
KINDS: Final = ("kqa-ruby", "kqb-opal", "kqc-onyx")
PREVIEW_ROWS: Final = 3
HIDDEN: Final = ("Wage", "staff.nickname")
HIDDEN_NAMES: Final = ("wage", "nickname")


def planted(label: str, row: int) -> int:
    """Return nine digits that no other cell has, and no count or statistic comes near by chance."""
    return 100_000_000 + int(hashlib.sha256(f"{label}{row}".encode()).hexdigest(), 16) % 899_999_999


def word(label: str, row: int) -> str:
    return f"{label}{hashlib.sha256(f'{label}/{row}'.encode()).hexdigest()[:10]}"


@cache
def cells() -> dict[str, list[str]]:
    """Return the text of every cell, by column."""
    rows = range(ROWS)
    return {
        "nickname": [word("al", row) for row in rows],
        "wage": [str(planted("wage", row)) for row in rows],
        "name": [word("na", row) for row in rows],
        "kind": [KINDS[row % len(KINDS)] for row in rows],
        "amount": [str(planted("amount", row)) for row in rows],
        "price": [f"{planted('price', row) / 1000:.3f}" for row in rows],
        "day": [str(dt.date(1871, 3, 1) + dt.timedelta(days=101 * row)) for row in rows],
        "note": [" ".join(word("no", 50 * row + n) for n in range(9)) for row in rows],
    }


@cache
def canaries() -> dict[str, frozenset[str]]:
    """Return the strings to search for, by column: digits without marks, words, dates."""
    found = {name: frozenset(map(digits, values)) for name, values in cells().items()}
    found["note"] = frozenset(piece for value in cells()["note"] for piece in value.split())
    return found


def digits(text: str) -> str:
    """Drop what may stand between digits, so that 1,234.5 and 1 234.5 and 12345 are one."""
    return re.sub(r"(?<=\d)[.,_' ](?=\d)", "", text)


def spotted(text: str, columns: Iterable[str] = ()) -> set[str]:
    """Return the canaries in `text`."""
    flat = digits(text)
    wanted = columns or canaries()
    return {canary for name in wanted for canary in canaries()[name] if canary in flat or canary in text}


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("canaries") / "staff.csv"
    columns = cells()
    header = ",".join("Wage" if name == "wage" else name for name in columns)
    path.write_text("\n".join((header, *map(",".join, zip(*columns.values(), strict=True)))) + "\n")
    return path


# What a model may try.

COLUMNS: Final = ("name", "kind", "amount", "price", "day", "note")
NUMBERS: Final = ("amount", "price")
column = st.sampled_from(COLUMNS)
number = st.sampled_from(NUMBERS)
aggregate = st.one_of(
    st.just("count()"),
    st.builds(
        "{}({})".format, st.sampled_from(["min", "max", "first", "last", "mode", "count_distinct"]), column
    ),
    st.builds("{}({})".format, st.sampled_from(["sum", "mean", "median", "std"]), number),
)
condition = st.sampled_from(
    [
        "amount > 500000000",
        "kind == 'kqa-ruby'",
        "year(day) < 1875",
        "name > 'na5'",
        "wrong = 1",
        "day > 'x'",
        "length(note)",
    ]
)
plan = st.fixed_dictionaries(
    {},
    optional={
        "where": condition,
        "group_by": st.lists(column, min_size=1, max_size=2, unique=True),
        "select": st.one_of(aggregate, st.lists(aggregate, min_size=1, max_size=4)),
        "sort": st.one_of(column, column.map("{} desc".format)),
        "limit": st.sampled_from([1, 2, 5]),
        "columns": st.lists(column, min_size=1, max_size=4, unique=True),
        "map": st.dictionaries(
            st.sampled_from(["a", "b", "name"]),
            st.sampled_from(
                ["prev(name)", "amount * 2", "upper(note)", "rank(amount)", "concat(name, kind)"]
            ),
            min_size=1,
            max_size=2,
        ),
        "period": st.sampled_from(["last_year", "last_30_days", "1872", "1872:1873", "never"]),
        "resample": st.sampled_from(["yearly", "5m"]),
        "table": st.sampled_from(["staff", "_", "nowhere", "ds_aaaaaaaaaaaaaaaaaaaa"]),
    },
)
SQL: Final = (
    "SELECT * FROM {t}",
    "SELECT * FROM {t} LIMIT 1 OFFSET {n}",
    "SELECT {c} FROM {t} ORDER BY {c} LIMIT 1 OFFSET {n}",
    "SELECT max({c}), min({d}) FROM {t}",
    "SELECT {c}, count(*) FROM {t} GROUP BY 1",
    "SELECT kind, max({c}) FROM {t} GROUP BY ALL",
    "SELECT string_agg({c}, ' ') FROM {t}",
    "SELECT left(string_agg({c}, ' '), 70) FROM {t}",
    "SELECT list({c}) FROM {t}",
    "SELECT kind, list({c}) FROM {t} GROUP BY kind",
    "SELECT histogram({c}) FROM {t}",
    "SELECT json_group_array({c}) FROM {t}",
    "SELECT map(list({c}), list({d})) FROM {t}",
    "SELECT {{'a': {c}, 'b': {d}}} FROM {t}",
    "SELECT to_json(t) FROM {t} AS t",
    "SELECT t FROM {t} AS t",
    "SELECT hex(encode({c}::VARCHAR)) FROM {t} LIMIT 1",
    "SELECT {c}::INT FROM {t}",
    "SELECT {c}::DATE FROM {t}",
    "SELECT {c}::TINYINT FROM {t}",
    "SELECT strptime({c}::VARCHAR, '%Y') FROM {t}",
    "SELECT regexp_matches('a', {c} || '(') FROM {t}",
    "SELECT json_extract({c}::VARCHAR, '$.a') FROM {t}",
    "SELECT * FROM {t} LIMIT (SELECT max({c}) FROM {t})",
    "SELECT * FROM (PIVOT {t} ON {c} USING count(*))",
    "WITH p AS (PIVOT {t} ON {c} USING max({d})) SELECT * FROM p",
    "SELECT * FROM {t} PIVOT (max(amount) FOR kind IN ('kqa-ruby', 'x'))",
    "SELECT * FROM (UNPIVOT (SELECT name, note FROM {t}) ON COLUMNS(*))",
    "SELECT unnest(t) FROM {t} AS t",
    "SELECT COLUMNS(*) FROM {t}",
    "SELECT #1, #2 FROM {t}",
    "SELECT max(hash(t)) FROM {t} AS t",
    "SELECT a.*, b.* FROM {t} a POSITIONAL JOIN {t} b",
    "SELECT * FROM {t} NATURAL JOIN staff",
    "WITH staff AS (SELECT * FROM staff) SELECT * FROM staff",
    "WITH RECURSIVE staff AS (SELECT * FROM staff) SELECT * FROM staff",
    "WITH RECURSIVE staff AS (SELECT * FROM staff UNION SELECT * FROM staff) SELECT * FROM staff",
    "FROM {t}",
    "FROM nowhere",
    "SELECT nothing FROM {t}",
    "SELECT {c} {c} {c} FROM",
    "SELECT CASE WHEN {c} > '5' THEN error({c}) END FROM {t}",
)
sql = st.builds(
    lambda text, c, d, n, t: text.format(c=c, d=d, n=n, t=t),
    st.sampled_from(SQL),
    column,
    column,
    st.integers(0, ROWS),
    st.sampled_from(["staff", "staff", "_"]),
)
call = st.one_of(
    st.tuples(st.just("run_query"), plan),
    st.tuples(st.just("run_sql"), st.fixed_dictionaries({"sql": sql})),
    st.tuples(
        st.just("describe_table"),
        st.fixed_dictionaries({}, optional={"table": st.sampled_from(["staff", "_"])}),
    ),
    st.tuples(st.just("describe_column"), st.fixed_dictionaries({"column": column})),
    st.tuples(st.just("describe_result"), st.fixed_dictionaries({"data_key": st.just("_")})),
    st.tuples(
        st.just("find_values"),
        st.fixed_dictionaries(
            {"text": st.sampled_from(["na", "al", "ruby", "rubi", "1", "18", "no"])},
            optional={"column": column},
        ),
    ),
    st.tuples(st.sampled_from(["run_query", "rm"]), st.sampled_from(["{", "[1]", '{"wher": 1}', ""])),
)
turns = st.lists(st.lists(call, min_size=1, max_size=3), min_size=1, max_size=4)
question = st.sampled_from(
    ["What stands out?", "Що тут цікавого?", "Tell me all about the staff", "и так далее?"]
)

ATTACKS: Final = tuple(
    ("run_sql", {"sql": text})
    for name in ("wage", "WAGE", '"Wage"', "nickname", "staff.wage")
    for text in (
        f"SELECT {name} FROM staff",
        f"SELECT * EXCLUDE ({name.rpartition('.')[2]}) FROM staff",
        f"SELECT max({name}) AS x FROM staff",
        f"SELECT count(*) FROM staff GROUP BY {name}",
        f"SELECT kind FROM staff ORDER BY {name} LIMIT 1",
        f"SELECT struct_extract(staff, '{name.strip(chr(34))}') FROM staff",
    )
) + tuple(
    (tool, arguments)
    for name in ("wage", "Wage", "nickname")
    for tool, arguments in (
        ("run_query", {"select": f"max({name})"}),
        ("run_query", {"map": {name: "1"}, "select": f"max({name})"}),
        ("run_query", {"sort": name, "limit": 1}),
        ("describe_column", {"column": name}),
        ("find_values", {"text": "al", "column": name}),
    )
)


@dataclass(frozen=True)
class Sent:
    """What a provider received of one question."""

    requests: Sequence[Mapping[str, Any]]
    admitted: Mapping[str, set[str]]
    """Canaries that a model may be told of each result, by its number."""
    ledger_is_exact: bool

    @property
    def everything(self) -> str:
        return "\n".join(text for request in self.requests for text in strings(request))

    def tool_texts(self) -> Iterator[tuple[str, str]]:
        """Yield the name and arguments of each call, with what the model was told."""
        messages = self.requests[-1]["messages"]
        wanted = {
            made["id"]: f"{made['function']['name']} {made['function']['arguments']}"
            for message in messages
            for made in message.get("tool_calls") or ()
        }
        for message in messages:
            if message["role"] == "tool":
                yield wanted[message["tool_call_id"]], message["content"]


def strings(value: object) -> Iterator[str]:
    """Yield every string in a JSON value, names of fields included."""
    match value:
        case str():
            yield value
        case list():
            for item in value:
                yield from strings(item)
        case dict():
            for name, item in value.items():
                yield name
                yield from strings(item)
        case int() | float():
            yield str(value)


def chosen(level: PrivacyLevel, provider: FakeProvider, **other: Any) -> Settings:
    flags = {
        "model": "openai/fake",
        "api_base": provider.base_url,
        "planner": "llm",
        "retries": 0,
        "privacy": level,
        "preview_rows": PREVIEW_ROWS,
        "hide": HIDDEN,
        "no_cache": True,
    }
    return load_settings(flags | other)


def conversation(
    table: Path,
    level: PrivacyLevel,
    asked: str,
    script: Sequence[Sequence[tuple[str, Any]]],
    last: str = "Done.",
) -> Sent:
    """Let a model ask for `script`, round by round, and return what it was sent."""
    steps = [*(calls(wanted) for wanted in script), say(last)]
    with FakeProvider(steps) as provider:
        with Session.open([table], settings=chosen(level, provider)) as session:
            before = {entry.id for entry in session.ledger.entries()}
            events = list(session.ask(asked))
            blocks = [event.block for event in events if isinstance(event, DataReady)]
            admitted = admitted_by_number(blocks, level)
            entries = [entry for entry in session.ledger.entries() if entry.id not in before]
            written = [session.ledger.body_of(entry.id) for entry in entries]
        received = [request.body for request in provider.chats]
    assert isinstance(events[-1], Done), events[-1]
    return Sent(
        requests=[json.loads(body) for body in received],
        admitted=admitted,
        ledger_is_exact=sorted(written) == sorted(received),
    )


def admitted_by_number(blocks: Sequence[DataBlock], level: PrivacyLevel) -> dict[str, set[str]]:
    """Return the canaries that a model may be told of each result, by `r1`, `r2` …"""
    admitted: dict[str, set[str]] = {}
    sums_up: dict[str | None, bool] = {}
    for block in blocks:
        result = block.result
        behind = re.findall(r"ds_[a-z2-7]{20}", result.sql)
        derived = bool(behind) and "staff" not in result.sql.casefold() and all(map(sums_up.get, behind))
        sums_up[block.data_key] = result.kind is not ResultKind.TABLE or derived
        admitted[f"r{block.number}"] = admitted_of(result, level, sums_up=sums_up[block.data_key])
    return admitted


def admitted_of(result: Result, level: PrivacyLevel, *, sums_up: bool) -> set[str]:
    """Return the canaries that a summary of `result`, and the rows beside it, may hold."""
    rows = result.frame.rows()
    told: list[object] = []
    if result.kind in {ResultKind.SCALAR, ResultKind.DICT}:
        told += [value for row in rows for value in row]
    elif rows:
        numeric = [place for place, item in enumerate(result.frame.schema) if item.kind.is_numeric]
        told += [extreme for place in numeric for extreme in extremes([row[place] for row in rows])]
        told += [*rows[0], *rows[-1]]
    if result.kind is ResultKind.GROUPED:
        told += [cell for row in extreme_rows(result, rows) for cell in row]
    if sums_up and not 10 < len(rows) == result.source_row_count:
        told += [cell for row in (rows if len(rows) <= 30 else rows[:10]) for cell in row]
    found = spotted("\n".join(short(value) for value in told))
    if level is PrivacyLevel.PREVIEW:
        found |= spotted("\n".join(previewed(value) for row in rows[:PREVIEW_ROWS] for value in row))
    return found


def extremes(values: Sequence[Any]) -> list[Any]:
    known = [value for value in values if value is not None]
    return [min(known), max(known)] if known else []


def extreme_rows(result: Result, rows: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the groups with the smallest and the largest value of the column that a summary ranks."""
    values = [item for item in result.frame.schema if item.name not in result.group_by]
    charted = result.chart.value if result.chart else None
    values.sort(key=lambda item: (item.name != charted, not item.kind.is_numeric))
    if not values:
        return []
    place = result.frame.columns.index(values[0].name)
    ranked = [row for row in rows if isinstance(row[place], (int, float, str, Decimal, dt.date))]
    return [choose(ranked, key=lambda row: row[place]) for choose in (min, max)] if ranked else []


def short(value: object) -> str:
    """Write a cell that a summary may show: no list, no struct, no long text."""
    if isinstance(value, (list, dict, bytes)):
        return ""
    text = str(value)
    return text if len(text) <= 80 else ""


def previewed(value: object) -> str:
    """Write a cell as a preview row shows it: no long text, 240 characters of a list; a map may have dates for keys."""
    if isinstance(value, dict):
        value = {str(key): item for key, item in value.items()}
    nested = isinstance(value, (list, dict))
    if not nested and len(str(value)) > 240:
        return ""
    return (json.dumps(value, default=str, ensure_ascii=False) if nested else str(value))[:240]


def profile_admits(level: PrivacyLevel) -> set[str]:
    """Return the canaries that a description of the table may hold: ranges, and a column of few values."""
    told = set(KINDS)
    for name in ("amount", "price"):
        ordered = sorted(cells()[name], key=float)
        told |= {digits(ordered[0]), digits(ordered[-1])}
    told |= {min(cells()["day"]), max(cells()["day"])}
    if level is PrivacyLevel.PREVIEW:
        told |= {
            canary for name in COLUMNS for value in cells()[name][:PREVIEW_ROWS] for canary in spotted(value)
        }
    return told


COLLECTS: Final = re.compile(r"string_agg|list\(|histogram|json_group|map\(")
EXAMPLES: Final = settings(
    max_examples=examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(autouse=True)
def provider_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in FAKE_ENV.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("level", list(PrivacyLevel))
@EXAMPLES
@example(asked="What stands out?", script=[[("run_sql", {"sql": "SELECT histogram(day) FROM staff"})]])
@given(asked=question, script=turns)
def test_only_what_the_level_admits_is_sent(
    table: Path, level: PrivacyLevel, asked: str, script: Any
) -> None:
    sent = conversation(table, level, asked, script)
    assert sent.ledger_is_exact
    everything = sent.everything
    assert not spotted(everything, ("nickname", "wage"))
    assert not any(re.search(rf"\b{name}\b", everything, re.IGNORECASE) for name in HIDDEN_NAMES)
    described = profile_admits(level)
    if level is PrivacyLevel.STRICT:
        assert spotted(everything) <= set(KINDS[:1])  # the model's own condition names one
        return
    of_results = set().union(*sent.admitted.values())
    told = 0
    said: set[str] = set()
    for wanted, text in sent.tool_texts():
        said |= spotted(wanted)  # a column that the model's own SQL named after a cell keeps its name
        found = spotted(text) - said
        if text.startswith("Error"):
            assert not found, (wanted, text)
        elif wanted.startswith(("run_query", "run_sql")):
            number, _, _ = text.partition(" · ")
            # A relative period says where the data ends.
            assert found <= sent.admitted[number] | {max(cells()["day"])}, (wanted, text)
        else:
            assert found <= described | of_results, (wanted, text)
        if COLLECTS.search(wanted) and level is PrivacyLevel.SUMMARY:
            assert not {canary for canary in found if not canary.isdigit()}, (wanted, text)
        told += len(text) if found else 0
    assert told <= ALLOWANCE[level] + 200 * len(sent.admitted)
    system = [message["content"] for message in sent.requests[0]["messages"] if message["role"] == "system"]
    assert spotted("\n".join(system)) <= described


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_a_model_that_knows_the_names_of_hidden_columns_gets_no_value(
    table: Path, level: PrivacyLevel
) -> None:
    for start in range(0, len(ATTACKS), 24):
        some = ATTACKS[start : start + 24]
        sent = conversation(
            table, level, "Who earns most?", [some[at : at + 4] for at in range(0, len(some), 4)]
        )
        assert not spotted(sent.everything, ("nickname", "wage"))
        assert sent.ledger_is_exact
        # Nothing says these names but the model itself, and errors that say back what it wrote.
        for wanted, text in sent.tool_texts():
            for name in HIDDEN_NAMES:
                assert name in wanted.casefold() or name not in text.casefold(), (wanted, text)


def test_bulk_does_not_get_through_in_small_pieces(table: Path) -> None:
    pieces = [
        ("run_sql", {"sql": f"SELECT name || kind || day AS x FROM staff ORDER BY name LIMIT 1 OFFSET {row}"})
        for row in range(ROWS)
    ] + [
        ("run_sql", {"sql": f"SELECT name, note, amount, day FROM staff LIMIT 2 OFFSET {row}"})
        for row in range(ROWS)
    ]
    rounds = [pieces[at : at + 12] for at in range(0, len(pieces), 12)]
    sent = conversation(table, PrivacyLevel.SUMMARY, "Tell me everything", rounds)
    told = [text for _, text in sent.tool_texts() if spotted(text)]
    assert sum(map(len, told)) <= ALLOWANCE[PrivacyLevel.SUMMARY] + 120 * len(told)
    assert not spotted(sent.everything, ("note",))
    assert len(spotted(sent.everything, COLUMNS)) < len(told) * 4


def test_corrections_count_as_told(table: Path) -> None:
    wrong = " ".join(f'{{r1.amount["nobody{row}"]:,.0f}}' for row in range(9))
    ask = (
        "run_sql",
        {"sql": "SELECT name, max(amount) AS amount FROM staff GROUP BY name ORDER BY name LIMIT 8"},
    )
    wide = ", ".join(f"price * {n} AS times{n}" for n in range(2, 14))
    spend = [("run_sql", {"sql": f"SELECT day, {wide} FROM staff LIMIT {n + 1}"}) for n in range(14)]

    def corrected(level: PrivacyLevel, *queries: tuple[str, Any]) -> list[set[str]]:
        sent = conversation(table, level, "Who has what?", [queries], wrong)
        said = [message["content"] for message in sent.requests[-1]["messages"] if message["role"] == "user"]
        return [spotted(text) for text in said if text.startswith("Validation errors:")]

    assert len(corrected(PrivacyLevel.SUMMARY, ask)[0]) > 5
    assert corrected(PrivacyLevel.SUMMARY, ask, *spend) == [set()] * 3
    assert corrected(PrivacyLevel.STRICT, ask) == [set()] * 3
    collected = "SELECT a, count(*) AS amount FROM (SELECT string_agg(name, ' ') AS a FROM staff GROUP BY kind) GROUP BY a"
    assert corrected(PrivacyLevel.SUMMARY, ("run_sql", {"sql": collected})) == [set()] * 3


REFERENCES: Final = (
    "{r1}",
    "{argmax(r1.amount)}",
    "{r1.name[0]} has {r1.amount[0]:,.0f}",
    "{max(r1.amount)} {min(r1.price)} {mean(r1.price):.3f}",
    '{r1.wage[0]} {r1.Wage[0]} {r1.nickname[0]} {r1["staff.nickname"]}',
    "{r1.note[0]} {r1.note[-1]} {r1.day[argmin(r1.day)]:%d %B %Y}",
    "{sum(r1.amount)} {r1.rows} {r1.source_rows} {r9.amount}",
    '{r1.amount["kqa-ruby"]} {r1.amount[17]} {r1.kind[5]}',
)


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_what_references_are_filled_with_is_never_sent(table: Path, level: PrivacyLevel) -> None:
    columns = ", ".join(COLUMNS)
    ask = ("run_sql", {"sql": f"SELECT {columns} FROM staff ORDER BY amount"})
    sent = conversation(table, level, "Who has what?", [[ask]], " ".join(REFERENCES))
    assert len(sent.requests) == 2 + 3
    described = profile_admits(level)
    told = {canary for _, text in sent.tool_texts() for canary in spotted(text)}
    assert spotted(sent.everything) <= described | told
    assert level is not PrivacyLevel.STRICT or not spotted(sent.everything) - set(KINDS[:1])
    assert not spotted(sent.everything, ("nickname", "wage"))
    assert sent.ledger_is_exact


def test_what_to_write_instead_tells_no_other_cell_of_the_row(table: Path) -> None:
    names = cells()["name"][:6]
    amounts = [int(amount) for amount in cells()["amount"]]
    shares = [100 * amount / sum(amounts) for amount in amounts]
    text = " ".join(f"Then {name} has {share:.4f}%." for name, share in zip(names, shares, strict=False))
    ask = ("run_sql", {"sql": "SELECT name, kind, day, amount, price FROM staff"})
    sent = conversation(table, PrivacyLevel.SUMMARY, f"What of {', '.join(names)}?", [[ask]], text)
    said = [message["content"] for message in sent.requests[-1]["messages"] if message["role"] == "user"]
    (told, *_) = [text for text in said if text.startswith("Validation errors:")]
    assert f'{{r1.amount["{names[0]}"] / sum(r1.amount):.4%}}' in told
    assert spotted(told) == set(names)


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_what_rules_and_the_person_did_with_hidden_columns_is_not_told_later(
    table: Path, level: PrivacyLevel
) -> None:
    with FakeProvider(
        [calls([("run_query", {"table": "_"}), ("describe_result", {"data_key": "_"})]), say("Done.")]
    ) as provider:
        with Session.open([table], settings=chosen(level, provider, planner="auto")) as session:
            for asked in ("total wage", "average wage by kind", "max Wage", "average amount by kind"):
                assert session.answer(asked).planner == "rules", asked
            session.sql("SELECT nickname AS x, Wage AS y FROM staff")
            assert provider.chats == []
            session.answer("So what do you make of all that?")
        received = [json.loads(request.body) for request in provider.chats]
    everything = "\n".join(text for body in received for text in strings(body))
    assert len(received) == 2
    assert not spotted(everything, ("nickname", "wage"))
    assert not any(name in everything.casefold() for name in HIDDEN_NAMES)
    assert level is not PrivacyLevel.STRICT or not spotted(everything)


@pytest.mark.parametrize("level", list(PrivacyLevel))
def test_nothing_of_the_persons_own_words_is_sent(table: Path, tmp_path: Path, level: PrivacyLevel) -> None:
    own, chosen_words = words_file(), tmp_path / "words.toml"
    own.parent.mkdir(parents=True)
    own.write_text('[columns]\namount = ["ownzebra"]\n[values.kind]\nkqa-ruby = ["ownlynx"]\n')
    chosen_words.write_text('[columns]\nprice = ["ownotter"]\n[units]\namount = "ownquoll"\n')
    with FakeProvider(
        [calls([("describe_table", {}), ("run_query", {"select": "sum(amount)"})]), say("Done.")]
    ) as provider:
        told = chosen(level, provider, planner="auto", context=str(chosen_words))
        with Session.open([table], settings=told) as session:
            # Asked in the words of the table: what a person types is sent, whatever file it stands in.
            draft = session.panel.rules().plan("total ownzebra in ownlynx", "staff")
            assert "sum(amount)" in str(draft.call.arguments)
            assert session.answer("total amount by kind").planner == "rules"
            session.answer("So what do you make of all that?")
        received = [json.loads(request.body) for request in provider.chats]
    assert len(received) == 2
    everything = "\n".join(text for body in received for text in strings(body))
    assert not re.search("ownzebra|ownlynx|ownotter|ownquoll", everything)
