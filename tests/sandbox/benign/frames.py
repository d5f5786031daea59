"""Small fixed frames for the benign suite, in the types that the sandbox hands to code."""

from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
import pandas as pd


def sales() -> pd.DataFrame:
    """300 orders over 2023 and 2024; some discounts are missing."""
    rng = np.random.default_rng(1)
    n = 300
    days = pd.Timestamp("2023-01-02") + pd.to_timedelta(np.sort(rng.integers(0, 700, n)), unit="D")
    quantity = rng.integers(1, 20, n)
    discount = rng.choice([0.0, 0.05, 0.1, 0.2], n)
    discount[rng.random(n) < 0.1] = np.nan
    return pd.DataFrame(
        {
            "order_id": np.arange(1001, 1001 + n),
            "date": days,
            "region": rng.choice(["North", "South", "East", "West"], n),
            "category": rng.choice(["Tools", "Paint", "Garden"], n),
            "product": rng.choice(["hammer", "saw", "brush", "roller", "spade", "hose"], n),
            "customer": [f"C{number:03d}" for number in rng.integers(1, 40, n)],
            "channel": rng.choice(["web", "store", "phone"], n, p=[0.5, 0.4, 0.1]),
            "quantity": quantity,
            "unit_price": np.round(rng.gamma(4.0, 8.0, n), 2),
            "discount": discount,
            "returned": rng.random(n) < 0.12,
        }
    )


def sensors() -> pd.DataFrame:
    """Readings of three stations every half hour, over the spring change of the clocks; some are missing."""
    rng = np.random.default_rng(2)
    stamps = pd.date_range("2024-03-28 00:00", periods=200, freq="30min")
    parts = []
    for place, station in enumerate(("A1", "B2", "C3")):
        temperature = 10 + place + 6 * np.sin(np.arange(200) / 48 * 2 * np.pi) + rng.normal(0, 0.5, 200)
        temperature[rng.random(200) < 0.06] = np.nan
        parts.append(
            pd.DataFrame(
                {
                    "timestamp": stamps,
                    "station": station,
                    "temperature": temperature,
                    "humidity": rng.integers(30, 95, 200),
                    "status": rng.choice(["ok", "ok", "ok", "warn", "fail"], 200),
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def staff() -> pd.DataFrame:
    """40 people with texts that need cleaning."""
    rng = np.random.default_rng(3)
    first = ["Olena", "Ivan", "Marta", "Petro", "Anna", "Jan", "Sofía", "Lukas"]
    last = ["Kovalenko", "Smith", "Novak", "García", "Müller", "O'Neil"]
    names = [f"{last[i % 6]}, {first[i % 8]}" for i in range(40)]
    return pd.DataFrame(
        {
            "name": names,
            "email": [
                f"{name.split(', ')[1].lower()}.{i}@{'corp.example' if i % 3 else 'mail.example'}"
                for i, name in enumerate(names)
            ],
            "department": rng.choice(["Sales", "IT", "HR", "Finance"], 40),
            "level": rng.choice(["junior", "middle", "senior"], 40),
            "salary": rng.integers(20, 90, 40) * 100.0,
            "bonus": np.where(rng.random(40) < 0.3, np.nan, np.round(rng.random(40) * 1000, 2)),
            "hired": (
                pd.Timestamp("2015-01-05") + pd.to_timedelta(rng.integers(0, 3000, 40), unit="D")
            ).strftime("%Y-%m-%d"),
            "phone": [f" +38 (0{50 + i}) {100 + i}-{10 + i}-{20 + i} " for i in range(40)],
            "skills": [
                "; ".join(rng.choice(["sql", "python", "excel", "bi"], 2, replace=False)) for _ in range(40)
            ],
            "budget": [f"${1000 + 37 * i:,}.50" for i in range(40)],
            "manager": [None if i < 4 else names[i % 4] for i in range(40)],
        }
    )


def trades() -> pd.DataFrame:
    """Prices of three tickers by the second."""
    rng = np.random.default_rng(4)
    n = 240
    return pd.DataFrame(
        {
            "time": pd.Timestamp("2024-05-06 09:30")
            + pd.to_timedelta(np.cumsum(rng.integers(1, 40, n)), unit="s"),
            "ticker": rng.choice(["AAA", "BBB", "CCC"], n),
            "price": np.round(100 + np.cumsum(rng.normal(0, 0.3, n)), 2),
            "volume": rng.integers(1, 500, n),
        }
    )


def clinic() -> pd.DataFrame:
    """120 patients of a trial with two groups."""
    rng = np.random.default_rng(5)
    n = 120
    age, treated = rng.integers(25, 80, n), rng.random(n) < 0.5
    before = 120 + 0.4 * (age - 50) + rng.normal(0, 8, n)
    after = before - 6 * treated + rng.normal(0, 4, n)
    return pd.DataFrame(
        {
            "patient": np.arange(1, n + 1),
            "group": np.where(treated, "drug", "placebo"),
            "sex": rng.choice(["f", "m"], n),
            "age": age,
            "weight": np.round(rng.normal(75, 12, n), 1),
            "bp_before": np.round(before, 1),
            "bp_after": np.round(after, 1),
            "recovered": (rng.random(n) < 1 / (1 + np.exp(-(1.2 * treated - 0.02 * (age - 50))))).astype(int),
        }
    )


FRAMES: Final[Mapping[str, Callable[[], pd.DataFrame]]] = {
    "sales": sales,
    "sensors": sensors,
    "staff": staff,
    "trades": trades,
    "clinic": clinic,
}
"""Each gives a fresh frame with the same values every time."""
