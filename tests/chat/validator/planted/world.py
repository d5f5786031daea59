"""Generated tables and the results of plans over them."""

from __future__ import annotations

import csv
import datetime as dt
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tabchat.chat.answer import DataBlock
from tests.workspace import make_executor, make_workspace

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.engine.types import JsonValue

LABELS = {
    "en": ("Asia", "Europe", "North America", "Oceania", "South America", "Africa"),
    "uk": ("Київ", "Львів", "Одеса", "Харків", "Дніпро", "Вінниця"),
    "ru": ("Смартфоны", "Ноутбуки", "Планшеты", "Наушники", "Мониторы", "Кабели"),
}
CHANNELS = {
    "en": ("online", "store", "partner"),
    "uk": ("онлайн", "магазин", "партнер"),
    "ru": ("онлайн", "розница", "партнёр"),
}
_FIRST = [
    "Amber",
    "Birch",
    "Cedar",
    "Delta",
    "Ember",
    "Falcon",
    "Garnet",
    "Harbor",
    "Iris",
    "Jasper",
    "Kestrel",
    "Linden",
    "Maple",
    "Nova",
    "Onyx",
    "Pine",
    "Quartz",
    "Raven",
    "Sable",
    "Tulip",
]
_SECOND = [
    "Trading",
    "Supply",
    "Works",
    "Foods",
    "Textiles",
    "Motors",
    "Labs",
    "Studio",
    "Partners",
    "Logistics",
    "Metals",
    "Paper",
    "Glass",
    "Optics",
    "Tools",
    "Farms",
    "Books",
    "Toys",
    "Wines",
    "Boats",
]
_THIRD = [
    "North",
    "South",
    "East",
    "West",
    "Prime",
    "Plus",
    "Global",
    "Local",
    "Direct",
    "Union",
    "Group",
    "One",
    "Max",
    "Star",
    "Line",
    "Point",
    "Hill",
    "Lake",
    "Bay",
    "Peak",
    "Rock",
    "Wood",
    "Field",
    "Port",
    "Gate",
]


@dataclass(frozen=True, kw_only=True)
class World:
    """One generated table with the results of several plans over it."""

    language: str
    """Language of its labels."""
    blocks: dict[str, DataBlock]


def _write(path: Path, language: str, seed: int, rows: int) -> None:
    rng = random.Random(seed)  # noqa: S311 - answers, not secrets
    labels, channels = LABELS[language], CHANNELS[language]
    weights = [rng.uniform(0.3, 3) for _ in labels]
    names = [f"{a} {b} {c}" for a in _FIRST for b in _SECOND for c in _THIRD]
    rng.shuffle(names)
    start = dt.date(2024, 1, 1)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            [
                "customer",
                "order_date",
                "region",
                "channel",
                "quantity",
                "revenue",
                "cost",
                "tax",
                "weight",
                "returned",
            ]
        )
        for index in range(rows):
            at = rng.choices(range(len(labels)), weights)[0]
            revenue = round(rng.lognormvariate(5 + at / 3, 0.8), 2)
            writer.writerow(
                [
                    names[index],
                    start + dt.timedelta(days=rng.randrange(366)),
                    labels[at],
                    rng.choice(channels),
                    rng.randrange(1, 60),
                    revenue,
                    round(revenue * rng.uniform(0.4, 0.9), 2),
                    round(revenue * 0.2, 2),
                    round(rng.uniform(0.1, 40), 3),
                    "true" if rng.random() < 0.03 + 0.04 * at else "false",
                ]
            )


def make_world(folder: Path, language: str, seed: int, rows: int) -> World:
    """Write a table and run every plan on it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"orders_{language}_{seed}.csv"
    _write(path, language, seed, rows)
    executor = make_executor(make_workspace(folder / "home", path))
    table = path.stem

    def run(**plan: JsonValue) -> DataBlock:
        outcome = executor.run("run_query", {"table": table, **plan}, question="")
        assert outcome.result is not None, outcome.envelope
        return DataBlock(
            tool="run_query",
            result=outcome.result,
            data_key=outcome.envelope.data_key,
            summary=outcome.envelope.summary,
        )

    month = {"month": "period_month(order_date)"}
    blocks = {
        "sum": run(select="sum(revenue)"),
        "mean": run(select="mean(revenue)"),
        "max": run(select="max(revenue)"),
        "min": run(select="min(revenue)"),
        "median": run(select="median(revenue)"),
        "count": run(select="count()", where="quantity > 20"),
        "dict": run(select=["count()", "sum(revenue)", "mean(revenue)", "max(revenue)"]),
        "grouped": run(select="sum(revenue)", group_by="region"),
        "grouped_mean": run(select=["mean(revenue)", "count()"], group_by="region"),
        "pair": run(select="sum(revenue)", group_by=["region", "channel"]),
        "series": run(map=month, select="sum(revenue)", group_by="month"),
        "resampled": run(resample="monthly", columns=["order_date", "revenue"]),
        "top": run(sort="revenue desc", limit=10, columns=["customer", "order_date", "quantity", "revenue"]),
        "share": run(select="pct(returned)", group_by="region"),
        "fraction": run(
            map={"flag": "if(returned, 1.0, 0.0)"}, select="mean(flag) as return_rate", group_by="region"
        ),
        "change": run(
            steps=[
                {"map": month, "select": "sum(revenue) as revenue", "group_by": "month"},
                {
                    "map": {"change_pct": "(revenue - prev(revenue)) / prev(revenue) * 100"},
                    "columns": ["month", "change_pct"],
                    "where": "change_pct is not null",
                },
            ]
        ),
        "big": run(sort="revenue desc"),
        "big_grouped": run(select=["sum(revenue)", "sum(cost)", "max(quantity)"], group_by="customer"),
    }
    return World(language=language, blocks=blocks)
