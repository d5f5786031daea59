"""Write questions in the idioms of data analysis over the tables of the tests, with their gold queries.

    python benchmarks/idiom_questions.py > tests/planner/data/idioms.jsonl

An idiom is a wording with holes, `{m} by {c}`, and the query that answers it. Each table gets some of those that its columns
have room for, chosen by a seed, so that every idiom is asked of many tables. The weights of the planner are fitted to them beside the
questions that people wrote: they are many and alike, and teach what is common, not what is hard.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tabchat.planner.plan.summaries import nice_width
from tests.planner.asking import Asker
from tests.planner.gold import TABLES, GoldQuestion, gold_columns, gold_rows, read_questions

SOURCES = ("dev", "own", "everyday", "plain", "first", "mixed", "daily", "wider", "small")
EACH = 14
"""Questions of one table."""
MOST = 40
"""Questions of one idiom."""
FEW = 30
"""Different cells of a column that is grouped by."""
CONNECTIONS: dict = {}
FOREIGN = ("salary", "rainfall", "voltage", "mileage", "calories", "attendance", "goals", "interest rate")
"""What most tables do not tell."""

IDIOMS = """
count | how many {rows} are there; how many {rows}; number of {rows}; count of {rows}; {rows} count | SELECT count(*) FROM t
count by | {rows} by {c}; how many {rows} per {c}; number of {rows} by {c}; count by {c}; {rows} per {c}; how many {rows} in each {c}; how many {rows} does each {c} have | SELECT {C}, count(*) FROM t GROUP BY 1
count by number | number of {rows} by {i}; {rows} by {i}; how many {rows} per {i}; number of rows by {i}; count by {i} | SELECT {I}, count(*) FROM t GROUP BY 1
distinct | how many {cs} are there; how many different {cs}; number of different {cs}; how many unique {cs}; how many {cs} | SELECT count(DISTINCT {C}) FROM t
list | what {cs} are there; which {cs} are there; list the {cs}; list all {cs}; what are the {cs}; distinct {cs}; unique {cs}; show all {cs} | SELECT DISTINCT {C} FROM t
total | total {sum}; sum of {sum}; what is the total {sum}; {sum} in total; overall {sum} | SELECT sum({S}) FROM t
total by | {sum} by {c}; total {sum} by {c}; {sum} per {c}; {sum} for each {c}; {sum} broken down by {c}; split {sum} by {c}; break down {sum} by {c}; breakdown of {sum} by {c}; show {sum} by {c} | SELECT {C}, sum({S}) FROM t GROUP BY 1
total by two | {sum} by {c} and {c2}; total {sum} by {c} and {c2}; {sum} by {c} split by {c2}; {sum} per {c} and {c2} | SELECT {C}, {C2}, sum({S}) FROM t GROUP BY 1, 2
compare groups | compare {cs} by {sum}; compare {sum} by {c}; compare {sum} across {cs} | SELECT {C}, sum({S}) FROM t GROUP BY 1
mean | average {m}; mean {m}; what is the average {m}; avg {m}; average of {m} | SELECT avg({M}) FROM t
mean by | average {m} by {c}; mean {m} per {c}; average {m} for each {c}; avg {m} by {c}; what is the average {m} by {c} | SELECT {C}, avg({M}) FROM t GROUP BY 1
function | median {m} | SELECT median({M}) FROM t
function | highest {m}; maximum {m}; max {m}; what is the highest {m} | SELECT max({M}) FROM t
function | lowest {m}; minimum {m}; min {m}; what is the lowest {m} | SELECT min({M}) FROM t
function | min and max {m}; minimum and maximum {m} | SELECT min({M}), max({M}) FROM t
function by | median {m} by {c} | SELECT {C}, median({M}) FROM t GROUP BY 1
function by | highest {m} by {c}; maximum {m} per {c} | SELECT {C}, max({M}) FROM t GROUP BY 1
profile | describe {m}; summary of {m}; summarize {m}; stats for {m}; statistics of {m}; summary statistics for {m} | SELECT count({M}), min({M}), quantile_cont({M}, 0.25), median({M}), quantile_cont({M}, 0.75), max({M}), avg({M}), stddev_samp({M}) FROM t
bins | histogram of {m}; distribution of {m}; {m} histogram; {m} distribution; show the distribution of {m} | SELECT floor({M} / {W}) * {W}, count(*) FROM t WHERE {M} IS NOT NULL GROUP BY 1
values | distribution of {c}; histogram of {c}; {c} distribution; breakdown of {rows} by {c} | SELECT {C}, count(*) FROM t GROUP BY 1
top rows | top 5 {rows} by {m}; 5 {rows} with the highest {m}; the 5 {rows} with the largest {m} | SELECT * FROM t WHERE {M} IS NOT NULL ORDER BY {M} DESC LIMIT 5 | distinct measure
top groups | which {c} has the highest total {sum}; {c} with the highest total {sum}; which {c} has the most {sum}; top {c} by {sum} | SELECT {C}, sum({S}) FROM t WHERE {C} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1
top groups | top 3 {cs} by {sum}; the 3 {cs} with the most {sum}; top 3 {cs} by total {sum} | SELECT {C}, sum({S}) FROM t WHERE {C} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 3 | groups
top count | which {c} has the most {rows}; {c} with the most {rows}; most common {c}; which {c} is the most common; most frequent {c} | SELECT {C}, count(*) FROM t WHERE {C} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1
top mean | which {c} has the highest average {m}; {c} with the highest average {m} | SELECT {C}, avg({M}) FROM t WHERE {C} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1
top count | which {c} has the fewest {rows}; {c} with the fewest {rows}; least common {c} | SELECT {C}, count(*) FROM t WHERE {C} IS NOT NULL GROUP BY 1 ORDER BY 2 LIMIT 1
sorted | {sum} by {c}, highest first; {sum} by {c} sorted; {sum} by {c} in descending order | SELECT {C}, sum({S}) FROM t GROUP BY 1 ORDER BY 2 DESC
top within | top 2 {cs2} in each {c} by {sum}; top 2 {cs2} by {sum} in each {c}; the 2 best {cs2} by {sum} in each {c} | SELECT {C}, {C2}, sum({S}) FROM t WHERE {C2} IS NOT NULL GROUP BY 1, 2 QUALIFY row_number() OVER (PARTITION BY {C} ORDER BY sum({S}) DESC) <= 2 | pairs
top within | top 3 {cs2} in each {c} by {sum}; top 3 {cs2} by {sum} in each {c}; 3 best {cs2} by {sum} in every {c} | SELECT {C}, {C2}, sum({S}) FROM t WHERE {C2} IS NOT NULL GROUP BY 1, 2 QUALIFY row_number() OVER (PARTITION BY {C} ORDER BY sum({S}) DESC) <= 3 | pairs
bare bound | {rows} over {big}; {rows} above {big}; all {rows} over {big} | SELECT * FROM t WHERE {B} > {big}
bare bound | {rows} over {big} in {v}; {rows} above {big} in {v} | SELECT * FROM t WHERE {B} > {big} AND {C} = {V}
filter | {rows} where {c} is {v}; {rows} with {c} {v}; show {rows} where {c} is {v}; filter {c} {v}; list {rows} with {c} {v} | SELECT * FROM t WHERE {C} = {V}
filter count | how many {rows} where {c} is {v}; how many {rows} with {c} {v}; number of {rows} where {c} is {v}; count {rows} with {c} {v} | SELECT count(*) FROM t WHERE {C} = {V}
filter mean | average {m} for {v}; average {m} where {c} is {v}; mean {m} for {c} {v} | SELECT avg({M}) FROM t WHERE {C} = {V}
filter total | total {sum} for {v}; {sum} for {v}; {sum} where {c} is {v}; total {sum} where {c} is {v} | SELECT sum({S}) FROM t WHERE {C} = {V}
except | {sum} excluding {v}; total {sum} without {v}; total {sum} except {v}; {sum} not counting {v} | SELECT sum({S}) FROM t WHERE {C} <> {V} OR {C} IS NULL
over | {rows} with {m} over {n}; {rows} with {m} above {n}; {rows} where {m} is more than {n}; {rows} with {m} greater than {n} | SELECT * FROM t WHERE {M} > {n}
below count | how many {rows} with {m} below {n}; how many {rows} have {m} under {n}; number of {rows} with {m} less than {n} | SELECT count(*) FROM t WHERE {M} < {n}
between | {rows} with {m} between {n} and {n2}; {rows} where {m} is between {n} and {n2} | SELECT * FROM t WHERE {M} BETWEEN {n} AND {n2}
mean bound | {rows} with above average {m}; {rows} where {m} is above average; {rows} with {m} above the average | SELECT * FROM t WHERE {M} > (SELECT avg({M}) FROM t)
mean bound | how many {rows} have {m} below average; how many {rows} with {m} below the average | SELECT count(*) FROM t WHERE {M} < (SELECT avg({M}) FROM t)
versus | compare {sum} in {v} and {v2}; {sum} {v} vs {v2}; {v} vs {v2} {sum}; compare {v} and {v2} by {sum}; {sum} for {v} and {v2} | SELECT {C}, sum({S}) FROM t WHERE {C} IN ({V}, {V2}) GROUP BY 1
versus | compare average {m} for {v} and {v2}; average {m} {v} vs {v2} | SELECT {C}, avg({M}) FROM t WHERE {C} IN ({V}, {V2}) GROUP BY 1
difference | difference in {sum} between {v} and {v2}; how much more {sum} does {v} have than {v2} | SELECT sum({S}) FILTER ({C} = {V}) - sum({S}) FILTER ({C} = {V2}) FROM t
share | share of {v} in {sum}; what share of {sum} is {v}; what percentage of {sum} comes from {v} | SELECT 100.0 * sum({S}) FILTER ({C} = {V}) / sum({S}) FROM t
share | percentage of {rows} with {c} {v}; what percentage of {rows} are {v}; share of {rows} where {c} is {v}; what percent of {rows} have {c} {v} | SELECT 100.0 * count(*) FILTER ({C} = {V}) / count(*) FROM t
share by | {sum} share by {c}; share of {sum} by {c}; percentage of {sum} by {c}; {sum} by {c} in percent | SELECT {C}, 100.0 * sum({S}) / (SELECT sum({S}) FROM t) FROM t GROUP BY 1
share by | share of {rows} by {c}; percentage of {rows} by {c} | SELECT {C}, 100.0 * count(*) / (SELECT count(*) FROM t) FROM t GROUP BY 1
correlation | correlation between {m} and {m2}; correlation of {m} and {m2}; is there a relationship between {m} and {m2}; relationship between {m} and {m2} | SELECT corr({M}, {M2}) FROM t
outliers | outliers in {m}; are there outliers in {m}; any outliers in {m}; show outliers of {m}; unusual values of {m} | SELECT * FROM t WHERE {M} < (SELECT quantile_cont({M}, 0.25) - 1.5 * (quantile_cont({M}, 0.75) - quantile_cont({M}, 0.25)) FROM t) OR {M} > (SELECT quantile_cont({M}, 0.75) + 1.5 * (quantile_cont({M}, 0.75) - quantile_cont({M}, 0.25)) FROM t)
per | average number of {rows} per {c}; how many {rows} per {c} on average; average {rows} per {c} | SELECT count(*) / count(DISTINCT {C}) FROM t WHERE {C} IS NOT NULL | full
having | {cs} with more than {k} {rows}; which {cs} have more than {k} {rows} | SELECT {C}, count(*) FROM t WHERE {C} IS NOT NULL GROUP BY 1 HAVING count(*) > {k}
having | how many {cs} have more than {k} {rows} | SELECT count(*) FROM (SELECT {C} FROM t WHERE {C} IS NOT NULL GROUP BY 1 HAVING count(*) > {k})
columns | what columns are there; what are the columns; list the columns; which columns does it have; describe the table; column names; show me the columns; what fields are there | SELECT column_name FROM (DESCRIBE t)
preview | show the first 5 rows; first 5 rows; show 5 rows; head 5 | SELECT * FROM t ORDER BY rowid LIMIT 5
duplicates | are there duplicates; any duplicates; duplicate rows; show duplicates; are there any duplicate rows; any duplicate rows | {DUPLICATES}
missing | any missing values; which columns have missing values; missing values by column; how many missing values are there; is there missing data; where are values missing; are there gaps in the data | {MISSING}
oddities | anything unusual; is anything unusual; anything strange in the data; data quality; is there anything wrong with the data; any problems with the data; anything odd | {ODDITIES}
gaps | {rows} without {g}; {rows} with no {g}; {rows} where {g} is missing; show {rows} without a {g} | SELECT * FROM t WHERE {G} IS NULL
gaps | how many {rows} have no {g}; how many {rows} without {g}; number of {rows} with missing {g} | SELECT count(*) FROM t WHERE {G} IS NULL
flags | {flag} {rows}; which {rows} are {flag}; show {flag} {rows} | SELECT * FROM t WHERE {F}
flags | how many {rows} are {flag}; number of {flag} {rows}; how many {flag} {rows} | SELECT count(*) FROM t WHERE {F}
flags | what percentage of {rows} are {flag}; share of {flag} {rows} | SELECT 100.0 * count(*) FILTER ({F}) / count(*) FROM t
by time | {sum} by month; monthly {sum}; {sum} per month; total {sum} by month; plot {sum} by month; chart of {sum} by month | SELECT strftime({D}, '%Y-%m'), sum({S}) FROM t GROUP BY 1 | months
by time | {sum} by year; yearly {sum}; {sum} per year; annual {sum} | SELECT year({D}), sum({S}) FROM t GROUP BY 1
by time | {sum} by quarter; quarterly {sum} | SELECT year({D}) || '-Q' || quarter({D}), sum({S}) FROM t GROUP BY 1
by time | {rows} by month; {rows} per month; how many {rows} per month; number of {rows} by month | SELECT strftime({D}, '%Y-%m'), count(*) FROM t GROUP BY 1
by time | {rows} by weekday; {rows} by day of the week; how many {rows} per weekday | SELECT dayname({D}), count(*) FROM t GROUP BY 1
by time | average {m} by month; monthly average {m} | SELECT strftime({D}, '%Y-%m'), avg({M}) FROM t GROUP BY 1
trend | {sum} over time; {sum} trend; trend of {sum}; how has {sum} changed over time; how did {sum} change; show the {sum} trend; is {sum} growing; is {sum} going up; what is the trend in {sum}; development of {sum} | SELECT {SERIES}, sum({S}) FROM t GROUP BY 1
trend | {rows} over time; trend of {rows}; number of {rows} over time; how has the number of {rows} changed over time | SELECT {SERIES}, count(*) FROM t GROUP BY 1
trend | average {m} over time; how has the average {m} changed over time; trend of average {m} | SELECT {SERIES}, avg({M}) FROM t GROUP BY 1
trend by | {sum} trend by {c}; {sum} over time by {c}; trend of {sum} per {c} | SELECT {SERIES}, {C}, sum({S}) FROM t GROUP BY 1, 2
best time | which month had the highest {sum}; month with the highest {sum}; best month by {sum}; which month had the most {sum} | SELECT strftime({D}, '%Y-%m'), sum({S}) FROM t WHERE {D} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1
best time | busiest month; which month had the most {rows}; month with the most {rows} | SELECT strftime({D}, '%Y-%m'), count(*) FROM t WHERE {D} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1
in time | {sum} in {y}; total {sum} in {y}; {sum} for {y}; how much {sum} in {y} | SELECT sum({S}) FROM t WHERE year({D}) = {y}
in time | {rows} in {y}; {rows} from {y}; show {rows} in {y} | SELECT * FROM t WHERE year({D}) = {y}
in time | how many {rows} in {y}; number of {rows} in {y} | SELECT count(*) FROM t WHERE year({D}) = {y}
years | {sum} {y} vs {y2}; compare {sum} in {y} and {y2}; {sum} in {y2} compared to {y} | SELECT year({D}), sum({S}) FROM t WHERE year({D}) IN ({y}, {y2}) GROUP BY 1
latest | latest {rows}; most recent {rows}; newest {rows} | SELECT * FROM t WHERE {D} IS NOT NULL ORDER BY {D} DESC LIMIT 10 | distinct date
latest | last 10 {rows}; the 10 latest {rows} | SELECT * FROM t WHERE {D} IS NOT NULL ORDER BY {D} DESC LIMIT 10 | distinct date
first date | when was the first {row}; date of the first {row}; when was the earliest {row} | SELECT min({D}) FROM t | only date
last date | when was the last {row}; date of the last {row}; when was the latest {row} | SELECT max({D}) FROM t | only date
growth | {sum} growth by year; year over year {sum} growth; yearly growth of {sum} | SELECT {YEAR} AS y, sum({S}) AS s, 100 * (s - lag(s) OVER (ORDER BY y)) / nullif(lag(s) OVER (ORDER BY y), 0) FROM t WHERE {D} IS NOT NULL GROUP BY 1
per time | average number of {rows} per month; how many {rows} per month on average; average {rows} per month | SELECT count(*) / count(DISTINCT strftime({D}, '%Y-%m')) FROM t WHERE {D} IS NOT NULL | full date
chart | bar chart of {sum} by {c}; chart of {sum} by {c}; plot {sum} by {c}; pie chart of {sum} by {c}; draw {sum} by {c} | SELECT {C}, sum({S}) FROM t GROUP BY 1
chart | plot {sum}; draw {sum}; show a chart of {sum} | SELECT {SERIES}, sum({S}) FROM t GROUP BY 1
foreign | total {x}; average {x}; {x} by {c}; highest {x}; which {c} has the highest {x}; {rows} with {x} over {n} | -
"""


ALSO = {
    "first date": (
        "SELECT {D} FROM t WHERE {D} = (SELECT min({D}) FROM t)",
        "SELECT * FROM t WHERE {D} = (SELECT min({D}) FROM t)",
    ),
    "last date": (
        "SELECT {D} FROM t WHERE {D} = (SELECT max({D}) FROM t)",
        "SELECT * FROM t WHERE {D} = (SELECT max({D}) FROM t)",
    ),
    "bins": (
        "SELECT {M}, count(*) FROM t GROUP BY 1",
        "SELECT {M}, count(*) FROM t WHERE {M} IS NOT NULL GROUP BY 1",
    ),
}
"""Idiom → other queries that answer it as well."""


@dataclass(frozen=True)
class Idiom:
    """One way of asking, in several wordings, and what answers it."""

    name: str
    wordings: tuple[str, ...]
    sql: str
    needs: frozenset[str]


def idioms() -> list[Idiom]:
    found = []
    for line in IDIOMS.strip().splitlines():
        name, wordings, sql, *needs = (part.strip() for part in line.split(" | "))
        found.append(
            Idiom(name, tuple(wordings.split("; ")), sql, frozenset(" ".join(needs).split(", ")) - {""})
        )
    return found


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es" if not word.endswith("s") or word.endswith("ss") else word
    return word[:-1] + "ies" if re.search("[^aeiou]y$", word) else word + "s"


def spoken(header: str) -> str | None:
    """Return a header as it is said: without its unit and in small letters; None for what nobody says so."""
    bare = re.sub(r"[(\[].*|,.*|[£$€%#]", "", header.replace("_", " ")).strip().lower()
    return bare if re.fullmatch("[a-z]{3,}( [a-z]{2,}){0,2}", bare) else None


class Room:
    """What the columns of one table can stand for in an idiom."""

    def __init__(self, asker: Asker, path: Path, rng: random.Random) -> None:
        self.rng = rng
        reader = asker.interpreter(path)
        self.facts = reader.facts
        self.vocabulary = reader.lattice("x").vocabulary
        self.count = self.facts.row_count or 0
        columns = [(column, spoken(column.name)) for column in self.vocabulary.columns]
        known = [(column, word) for column, word in columns if word is not None]
        self.measures = [
            (column, word)
            for column, word in known
            if column.measure and column.kind.is_numeric and column.facts.low != column.facts.high
        ]
        self.sums = [(column, word) for column, word in self.measures if column.additive]
        self.groups = [
            (column, word)
            for column, word in known
            if column.text
            and not column.kept_unique
            and not column.flag
            and 1 < (column.facts.distinct or 0) <= FEW
        ]
        self.flags = [(column, word) for column, word in known if column.kind.name == "BOOLEAN"]
        self.gaps = [
            (column, word)
            for column, word in known
            if column.facts.filled is not None and 0 < self.count - column.facts.filled < self.count
        ]
        self.dates = [column for column in self.vocabulary.columns if column.temporal]
        self.rows = next((noun for noun in self.facts.row_nouns if re.fullmatch("[a-z]{3,}s", noun)), "rows")

    def holes(self) -> dict[str, str]:
        """Return what fills the holes; those that the table has nothing for are missing."""
        rng, found = self.rng, {"rows": self.rows, "row": self.rows.removesuffix("s"), "x": self._foreign()}
        measure = self._one(self.measures)
        if measure is not None:
            column, word = measure
            low, high = float(column.facts.low), float(column.facts.high)
            steps = [low + (high - low) * part for part in (0.4, 0.7)]
            whole = column.facts.integral or high - low > 20
            n, n2 = (str(round(step)) if whole else f"{step:.1f}" for step in steps)
            found |= {"m": word, "M": quoted(column.name), "n": n, "n2": n2, "W": repr(nice_width(low, high))}
            other = self._one([pair for pair in self.measures if pair[0] is not column])
            found |= {} if other is None else {"m2": other[1], "M2": quoted(other[0].name)}
        few = self._one(
            [
                (column, word)
                for column, word in self.measures
                if column.facts.integral and 1 < (column.facts.distinct or 0) <= FEW
            ]
        )
        found |= {} if few is None else {"i": few[1], "I": quoted(few[0].name)}
        highs = sorted((float(column.facts.high), column.name) for column, _ in self.measures)
        if len(highs) > 1 and self.vocabulary.money and self.vocabulary.money[0].name == highs[-1][1]:
            # No other column of amounts holds such a number.
            found |= {"big": str(round((highs[-1][0] + highs[-2][0]) / 2)), "B": quoted(highs[-1][1])}
        added = self._one(self.sums)
        found |= {} if added is None else {"sum": added[1], "S": quoted(added[0].name)}
        group = self._one(self.groups)
        if group is not None:
            column, word = group
            found |= {"c": word, "cs": plural(word), "C": quoted(column.name)}
            other = self._one([pair for pair in self.groups if pair[0] is not column])
            found |= (
                {}
                if other is None
                else {"c2": other[1], "cs2": plural(other[1]), "C2": quoted(other[0].name)}
            )
            cells = [text for text in column.facts.texts if re.fullmatch("[A-Za-z][A-Za-z ]{2,24}", text)]
            if len(cells) > 1:
                v, v2 = rng.sample(cells, 2)
                found |= {"v": v, "v2": v2, "V": f"'{v}'", "V2": f"'{v2}'"}
            found["k"] = str(max(1, self.count // (column.facts.distinct or 1)))
        flag, gap = self._one(self.flags), self._one(self.gaps)
        found |= {} if flag is None else {"flag": flag[1], "F": quoted(flag[0].name)}
        found |= {} if gap is None else {"g": gap[1], "G": quoted(gap[0].name)}
        return found | self._times() | self._surveys()

    def _one(self, pairs: list) -> tuple | None:
        return self.rng.choice(pairs) if pairs else None

    def _foreign(self) -> str:
        heads = {word for column in self.vocabulary.columns for word in column.words}
        return self.rng.choice([word for word in FOREIGN if not set(word.split()) & heads])

    def _times(self) -> dict[str, str]:
        if len(self.dates) != 1:
            return {}
        (column,) = self.dates
        low, high = column.facts.low, column.facts.high
        if low is None or high is None:
            return {}
        date = quoted(column.name)
        days = (high - low).days
        unit = "year" if days > 365 * 12 else "month" if days > 62 else "day"
        form = {
            "year": f"year({date})",
            "month": f"strftime({date}, '%Y-%m')",
            "day": f"CAST({date} AS DATE)",
        }
        found = {"D": date, "SERIES": form[unit], "YEAR": f"year({date})"}
        if low.year < high.year:
            found |= {"y": str(high.year - 1), "y2": str(high.year)}
        return found

    def _surveys(self) -> dict[str, str]:
        names = [column.name for column in self.vocabulary.columns]
        counts = ", ".join(f"count(*) - count({quoted(name)})" for name in names)
        texts = ", ".join("'" + name.replace("'", "''") + "'" for name in names)
        keys = ", ".join(map(quoted, names))
        odd = [
            f"SELECT 'missing', '{name}', count(*) - count({quoted(name)}) FROM t"
            for name in names
            if "'" not in name
        ]
        for column in self.vocabulary.columns:
            facts, cell = column.facts, quoted(column.name)
            if facts.kind.is_numeric and not (facts.years or facts.numbers_rows or facts.unique):
                ends = [f"(SELECT quantile_cont({cell}, {part}) FROM t)" for part in (0.25, 0.75)]
                low, high = (
                    f"{end} {sign} 1.5 * ({ends[1]} - {ends[0]})"
                    for end, sign in zip(ends, "-+", strict=True)
                )
                odd.append(
                    f"SELECT 'outlier', '{column.name}', count(*) FROM t WHERE {cell} < {low} OR {cell} > {high}"
                )
        odd.append(
            "SELECT 'repeated row', NULL, (SELECT count(*) FROM t) - (SELECT count(*) FROM (SELECT DISTINCT * FROM t))"
        )
        return {
            "ODDITIES": f"SELECT * FROM ({' UNION ALL '.join(odd)}) AS found(finding, of, many) WHERE many > 0",
            "MISSING": f"SELECT unnest([{texts}]), unnest([{counts}]) FROM t",
            "DUPLICATES": f"SELECT * FROM t QUALIFY row_number() OVER (PARTITION BY {keys} ORDER BY rowid) > 1",
        }


def main() -> None:
    files = sorted({q.file for name in SOURCES for q in read_questions(f"{name}.jsonl") if q.lang == "en"})
    asked: Counter[str] = Counter()
    number = 0
    with tempfile.TemporaryDirectory() as folder:
        asker = Asker(Path(folder))
        for file in files:
            path = TABLES / file
            if path.suffix != ".csv" or not path.exists() or (TABLES / "clean" / file).exists():
                continue
            rng = random.Random(file)  # noqa: S311 - a seed, not a secret
            room = Room(asker, path, rng)
            for question, sql, also, name in chosen(room, rng, asked):
                if sql != "-" and not has_one_answer(path, sql):
                    continue
                number += 1
                record = {
                    "id": f"id-en-{number:04}", "lang": "en", "file": file, "question": question, "shape": "argmax" if (sql.endswith(" LIMIT 1")) else name,
                    "answerable": sql != "-", "sql": None if sql == "-" else sql, "ordered": False, "notes": "",
                }  # fmt: skip
                record |= {"also": also} if also else {}
                print(json.dumps(record, ensure_ascii=False))


def chosen(room: Room, rng: random.Random, asked: Counter[str]) -> list[tuple[str, str, list[str], str]]:
    """Return questions of one table, of the idioms that were asked least so far."""
    found: list[tuple[str, str, list[str], str]] = []
    ranked = sorted(idioms(), key=lambda idiom: (asked[idiom.sql] / len(idiom.wordings), rng.random()))
    for idiom in ranked:
        holes = room.holes()
        wordings = [
            text for text in idiom.wordings if set(re.findall(r"{(\w+)}", text + idiom.sql)) <= holes.keys()
        ]
        if not wordings or not suits(idiom, room):
            continue
        wording = rng.choice(wordings)
        sql, also = idiom.sql.format(**holes), [text.format(**holes) for text in ALSO.get(idiom.name, ())]
        if sql.endswith(" LIMIT 1"):
            also.append(f"SELECT found FROM ({sql}) AS ranked(found, figure)")
        found.append((wording.format(**holes), sql, also, idiom.name))
        asked[idiom.sql] += 1
        if len(found) == EACH:
            break
    return found


def has_one_answer(path: Path, sql: str) -> bool:
    """Tell whether there is an answer, and no tie for its last place."""
    limit = re.search(r" LIMIT (\d+)$", sql)
    further = f"{sql[: limit.start()]} LIMIT {int(limit[1]) + 1}" if limit else sql
    question = GoldQuestion(
        id="",
        lang="en",
        file=path.name,
        question="",
        shape="",
        answerable=True,
        sql=further,
        ordered=False,
        notes="",
    )
    rows = gold_rows(question, CONNECTIONS)
    if not rows:
        return "PARTITION BY" in sql or "UNION ALL" in sql
    if all(cell is None for cell in rows[0]):
        return False
    if limit is None or "rowid" in sql or len(rows) <= int(limit[1]):
        return True
    last = [row[gold_columns(question, CONNECTIONS).index(key(sql)) if key(sql) else -1] for row in rows]
    return last[-1] != last[-2]


def key(sql: str) -> str | None:
    """Return the column that whole rows are ordered by; None for groups, which their last column orders."""
    found = re.search(r'SELECT \* .*ORDER BY "((?:[^"]|"")+)"', sql)
    return None if found is None else found[1].replace('""', '"')


def suits(idiom: Idiom, room: Room) -> bool:
    """Tell whether a table gives an idiom one answer: no ties where the last place counts."""
    if "full" in idiom.needs and room.gaps:
        return False
    return "only date" not in idiom.needs or (len(room.dates) == 1 and room.rows != "rows")


if __name__ == "__main__":
    main()
