"""Tables of what was measured when and where."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "mean by": ("average {temp} by {station}", "select station, avg(temp) from t {where} group by 1"),
    "max": ("highest {temp}", "select max(temp) from t {where}"),
    "when max": (
        "when was the {temp} highest",
        "select tm from t {where} qualify rank() over (order by temp desc) = 1",
    ),
    "per day": ("average {temp} per day", "select tm::date, avg(temp) from t {where} group by 1"),
    "by hour": ("average {hum} by hour", "select hour(tm), avg(hum) from t {where} group by 1"),
    "by hour day": (
        "average {hum} by hour of the day",
        "select hour(tm), avg(hum) from t {where} group by 1",
    ),
    "below zero": ("how many readings have a {temp} below zero", "select count(*) from t {more} temp < 0"),
    "above": ("readings with {temp} above 20", "select tm from t {more} temp > 20"),
    "share": (
        "share of readings with {status} fault",
        "select 100.0 * count(*) filter (status = 'fault') / count(*) from t {where}",
    ),
    "fault by": (
        "number of readings with {status} fault by {station}",
        "select station, count(*) from t {more} status = 'fault' group by 1",
    ),
    "minmax": (
        "minimum and maximum {temp} by {station}",
        "select station, min(temp), max(temp) from t {where} group by 1",
    ),
    "coldest": (
        "which {station} has the lowest average {temp}",
        "select station from t {where} group by station qualify rank() over (order by avg(temp)) = 1",
    ),
    "on day": (
        "average {temp} on 5 March 2024",
        "select avg(temp) from t {more} tm::date = date '2024-03-05'",
    ),
    "between hours": (
        "average {temp} between 6:00 and 12:00",
        "select avg(temp) from t {more} hour(tm) >= 6 and (hour(tm) < 12)",
        "select avg(temp) from t {more} hour(tm) >= 6 and (hour(tm) < 12 or (hour(tm) = 12 and minute(tm) = 0))",
    ),
    "after hour": (
        "how many readings after 18:00",
        "select count(*) from t {more} hour(tm) >= 18",
        "select count(*) from t {more} (hour(tm) > 18 or hour(tm) = 18 and minute(tm) > 0)",
    ),
    "at night": (
        "readings at 3:00",
        "select tm from t {more} hour(tm) = 3 and minute(tm) = 0",
        "select tm from t {more} hour(tm) = 3",
    ),
    "corr": ("correlation of {temp} and {hum}", "select corr(temp, hum) from t {where}"),
    "days having": (
        "days with an average {temp} above 10",
        "select tm::date from t {where} group by 1 having avg(temp) > 10",
    ),
    "hottest hour": (
        "which hour has the highest average {temp}",
        "select hour(tm) from t {where} group by 1 qualify rank() over (order by avg(temp) desc) = 1",
    ),
    "hottest day": (
        "which day had the highest average {temp}",
        "select tm::date from t {where} group by 1 qualify rank() over (order by avg(temp) desc) = 1",
    ),
    "last": ("last reading of {s2}", "select tm from t where station = '{s2}' order by 1 desc limit 1"),
    "median": ("median {hum} by {status}", "select status, median(hum) from t {where} group by 1"),
    "weekends": (
        "compare weekends with weekdays by average {temp}",
        "select avg(temp) filter (dayofweek(tm) in (0, 6)), avg(temp) filter (dayofweek(tm) not in (0, 6)) from t {where}",
    ),
    "weekend mean": ("average {temp} at weekends", "select avg(temp) from t {more} dayofweek(tm) in (0, 6)"),
    "total min": ("total {mins} by {station}", "select station, sum(mins) from t {where} group by 1"),
    "mins over": ("how many readings took more than 40 minutes", "select count(*) from t {more} mins > 40"),
    "percent over": ("how many readings have {hum} over 80%", "select count(*) from t {more} hum > 80"),
    "per hour count": (
        "number of readings per hour",
        "select hour(tm), count(*) from t {where} group by 1",
        "select date_trunc('hour', tm), count(*) from t {where} group by 1",
    ),
}
_CONDITIONS: Final = {
    "at {s1}": "station = '{s1}'",
    "since 10 March 2024": "tm >= timestamp '2024-03-10'",
    "with {hum} over 60": "hum > 60",
    "where {status} is ok": "status = 'ok'",
    "not at {s2}": "station <> '{s2}'",
    "in March 2024": "tm >= timestamp '2024-03-01' and tm < timestamp '2024-04-01'",
}


def _gauges(name: str, header: str, words: str, places: str) -> Domain:
    """Return a table of readings: when, where, a temperature, a humidity, how long, a state."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    stations, heat = places.split(","), chosen.sample(range(-800, 2400), 400)
    columns, said = spoken(
        ("tm", "station", "temp", "hum", "mins", "status"), header, ("temp", "hum", "mins"), words
    )
    return Domain(
        name=name,
        columns=columns,
        words={**said, **{f"s{n}": station for n, station in enumerate(stations, 1)}},
        rows=[
            f"{datetime(2024, 3, 1) + timedelta(hours=n * 3)},{stations[n % 3]},{heat[n] / 100},{chosen.randint(30, 95)},"  # noqa: DTZ001
            f"{chosen.randint(1, 59)},{chosen.choice(('ok', 'ok', 'ok', 'fault'))}"
            for n in range(400)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
GAUGES: Final = (
    _gauges(
        "readings",
        "measured_at,station,temp_c,humidity %,minutes,status",
        "temperature,humidity,minutes",
        "Dock,Roof,Yard",
    ),
    _gauges(
        "climate",
        "timestamp,room,temperature (°C),humidity_pct,duration_min,state",
        "temperature,humidity,duration",
        "Attic,Cellar,Lab",
    ),
)
