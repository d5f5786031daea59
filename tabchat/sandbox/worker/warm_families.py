"""Uses each family of pandas and NumPy functions once, so that they load what they import when first used."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd


def _shapes(frame: pd.DataFrame) -> None:
    import pandas as pd

    frame.pivot_table(index="k", columns="b", values="x", aggfunc=["sum", "mean"], margins=False)
    frame.melt(id_vars="k", value_vars=["n", "x"]).pivot_table(index="k", columns="variable", values="value")
    frame.merge(frame, on="n", how="outer", indicator=True)
    pd.merge_asof(frame, frame[["t", "x"]], on="t")
    pd.crosstab(frame["k"], frame["b"], normalize=True)
    pd.concat([frame, frame], ignore_index=True).drop_duplicates()
    pd.get_dummies(frame[["k", "c"]], dummy_na=True)
    pd.cut(frame["x"], 3)
    pd.qcut(frame["x"], 3, duplicates="drop")
    pd.wide_to_long(pd.DataFrame({"i": [1], "v1": [1], "v2": [2]}), "v", i="i", j="j")
    pd.json_normalize([{"a": {"b": 1}}])
    pd.factorize(frame["k"])
    frame.set_index("t").stack()  # noqa: PD013 - to be loaded
    frame.explode("k")
    frame.T.compare(frame.T)
    frame.sample(3, random_state=1)
    frame.query("n > 1 and k == 'a'")
    frame.eval("y = n + x * 2")
    frame[["n", "x"]].corr(method="pearson")
    frame.describe(include="all")


def _groups(frame: pd.DataFrame) -> None:
    by = frame.groupby("k", observed=True, dropna=False)
    by.agg(low=("x", "min"), middle=("x", "median"), q=("x", lambda values: values.quantile(0.9)))
    by["x"].transform("mean")
    by["x"].rolling(2).mean()
    by.apply(len)
    by["x"].describe()
    by["x"].agg(["sum", "std", "nunique", "first", "last"])
    frame.groupby(["k", "c"], observed=False)["x"].sum().unstack()  # noqa: PD010 - to be loaded
    frame["x"].rolling(3, center=True).agg(["mean", "std"])
    frame["x"].expanding().sum()
    frame["x"].ewm(span=3).mean()
    frame["x"].rank(pct=True)
    frame["x"].interpolate()
    frame["x"].quantile([0.1, 0.9])
    frame["k"].value_counts(normalize=True)
    frame["k"].mode()


def _texts(frame: pd.DataFrame) -> None:
    text = frame["k"].fillna("z").str
    text.upper().str.title().str.strip().str.pad(5).str.zfill(6)
    text.extract(r"(?P<first>\w)")
    text.extractall(r"(\w)")
    text.contains("a", case=False, regex=True)
    text.replace(r"a+", "b", regex=True)
    text.split("a", expand=True)
    text.findall("a")
    text.get_dummies()
    text.normalize("NFKD").str.encode("ascii", "ignore").str.decode("ascii")
    text.cat(sep=",")
    text.len()
    text.wrap(3)
    text.match("a")
    text.slice(0, 1)
    text.count("a")
    frame["k"].astype("category").cat.codes.astype("string")
    frame["k"].astype(object).map({"a": 1})


def _times(frame: pd.DataFrame) -> None:
    import pandas as pd

    times = frame["t"]
    for zone in ("Europe/Kyiv", "UTC", "America/New_York"):
        away = times.dt.tz_localize("UTC").dt.tz_convert(zone)
        away.dt.tz_localize(None).dt.tz_localize(zone, ambiguous="NaT", nonexistent="shift_forward")
        away.dt.strftime("%Y-%m-%d %H:%M %Z")
    times.dt.isocalendar()
    times.dt.to_period("M").dt.to_timestamp()
    times.dt.day_name()
    times.dt.strftime("%A, %d %B %Y")
    (times - times.shift()).dt.total_seconds()
    frame.resample("W", on="t")["x"].sum()
    frame.set_index("t")["x"].resample("ME").ohlc()
    frame.set_index("t").asfreq("12h").ffill().between_time("00:00", "06:00")
    pd.to_datetime(["01/02/2024", "13/02/2024"], dayfirst=True, format="mixed")
    pd.to_datetime(["2024-01-02"], format="%Y-%m-%d", utc=True)
    pd.to_timedelta(["1 days 02:00:00"])
    pd.bdate_range("2024-01-01", periods=3)
    pd.period_range("2024-01", periods=3, freq="M")
    pd.interval_range(0, 3)
    pd.date_range("2024-01-01", periods=2, freq="QE") + pd.offsets.BusinessDay(2)
    pd.Timestamp("2024-01-01", tz="Europe/Kyiv").isoformat()
    pd.Timestamp.now(tz="UTC")


def _formats(frame: pd.DataFrame) -> None:
    str(frame)
    repr(frame["x"])
    frame.to_string()
    frame.to_csv()
    frame.to_html()
    frame.to_json(date_format="iso")
    frame.info(buf=io.StringIO())
    for orient in ("dict", "list", "records", "split", "tight", "index"):
        frame.to_dict(orient=orient)
    frame.to_numpy()
    frame.to_records()
    f"{frame['x'].sum():,.2f}"
    "ä".encode("idna")


def _numbers(frame: pd.DataFrame) -> None:
    import numpy as np

    values = frame["x"].to_numpy()
    np.polyfit(values, values, 1)
    np.linalg.lstsq(np.vander(values, 2), values, rcond=None)
    np.percentile(values, [5, 95])
    np.histogram(values, bins="auto")
    np.corrcoef(values, values)
    np.random.default_rng(0).normal(size=3)
    np.random.seed(0)  # noqa: NPY002 - code may still use the old interface
    np.unique(values, return_counts=True)
    np.array2string(values)
    np.fft.fft(values)
    np.char.upper(np.array(["a"]))
    np.datetime_as_string(np.array(["2024-01-01"], dtype="datetime64[D]"))


FAMILIES: Final = (_shapes, _groups, _texts, _times, _formats, _numbers)
"""Each is called with a table that has a column of every common type."""
