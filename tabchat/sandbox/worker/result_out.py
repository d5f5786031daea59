"""What the code left in `result`, made into plain values or a table of plain types. Runs inside the worker."""

from __future__ import annotations

import dataclasses
import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final

from tabchat.sandbox.reply.wire import ENTRY_LIMIT, NAMED_LIMIT, TEXT_LIMIT, tagged

_PLAIN: Final = (int, float, str, bool, Decimal, dt.date, dt.time, dt.timedelta, type(None))
_MANY_DIGITS: Final = 4_000
_KEY_LIMIT: Final = 500
_FIT_FIELDS: Final = (
    ("nobs", "n"),
    ("rsquared", "r_squared"),
    ("rsquared_adj", "r_squared_adjusted"),
    ("prsquared", "pseudo_r_squared"),
    ("fvalue", "f"),
    ("f_pvalue", "f_p_value"),
    ("llf", "log_likelihood"),
    ("aic", "aic"),
    ("bic", "bic"),
)


@dataclass(kw_only=True)
class Found:
    """A result in one of the forms that cross to the parent."""

    form: str
    frame: Any = None
    value: list[str] | None = None
    entries: list[tuple[str, list[str]]] = field(default_factory=list)
    text: str | None = None
    notes: list[str] = field(default_factory=list)
    as_text: list[str] = field(default_factory=list)
    """Columns of the frame that had no plain type."""


def found(result: object, rows: int, columns: frozenset[str]) -> Found:
    """Return `result` in its form; `rows` and `columns` describe the table that the code saw."""
    import pandas as pd

    from tabchat.sandbox.worker.result_table import framed_result, listed

    if isinstance(result, pd.DataFrame | pd.Series):
        return Found(form="frame", frame=framed_result(result, rows, columns))
    if (plain := scalar(result)) is not _NOT_SCALAR:
        return _scalar(plain)
    if (fields := _fields_of(result)) is not None:
        return _dict(fields)
    if (frame := listed(result)) is not None:
        return Found(form="frame", frame=frame)
    return _text(result, f"The result is of the type {type(result).__name__} and is shown as text.")


_NOT_SCALAR: Final = object()


def scalar(value: object) -> Any:
    """Return a plain Python value for any scalar of NumPy or pandas, `_NOT_SCALAR` for anything else."""
    import numpy as np
    import pandas as pd

    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, np.datetime64 | np.timedelta64):
        value = pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
    if value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, pd.Timestamp | pd.Timedelta):
        return value.to_pydatetime(warn=False) if isinstance(value, pd.Timestamp) else value.to_pytimedelta()
    if isinstance(value, pd.Period | pd.Interval | complex):
        return str(value)
    item = value.item() if isinstance(value, np.generic) else value
    return _exact_type(item) if isinstance(item, _PLAIN) else _NOT_SCALAR


def _exact_type(value: Any) -> Any:
    """Return `value` as its plain type where its class is derived from one; NaN is a missing value."""
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - only NaN differs from itself
        return None
    for kind in (bool, int, float, str):
        if isinstance(value, kind):
            return kind(value)
    return value


def _scalar(value: object) -> Found:
    if isinstance(value, str) and len(value) > TEXT_LIMIT:
        return _text(value, None)
    if isinstance(value, int) and value.bit_length() > _MANY_DIGITS:
        return _text(f"about 2**{value.bit_length()}", "The number is too long to be shown.")
    return Found(form="scalar", value=tagged(value))


def _text(value: object, note: str | None) -> Found:
    text = str(value)
    notes = [note] if note else []
    if len(text) > TEXT_LIMIT:
        notes.append(f"The text was cut from {len(text):,} to {TEXT_LIMIT:,} characters.")
    return Found(form="text", text=text[:TEXT_LIMIT], notes=notes)


def _dict(fields: Mapping[Any, Any]) -> Found:
    from tabchat.sandbox.worker.result_table import table_of_columns, table_of_entries

    if len(fields) > ENTRY_LIMIT:
        return Found(form="frame", frame=table_of_entries(fields))
    plain = {_key(key): scalar(value) for key, value in fields.items()}
    if _NOT_SCALAR not in plain.values():
        return _named(plain)
    if (frame := table_of_columns(fields)) is not None:
        return Found(form="frame", frame=frame)
    return _named(_flattened(fields))


def _named(plain: Mapping[str, Any]) -> Found:
    from tabchat.sandbox.worker.result_table import table_of_entries

    shown = {key[:_KEY_LIMIT]: _shortened(value) for key, value in plain.items()}
    entries = [(key, tagged(value)) for key, value in shown.items()]
    if sum(len(key) + len(text) for key, (_, text) in entries) > NAMED_LIMIT or len(shown) < len(plain):
        return Found(form="frame", frame=table_of_entries(plain))
    return Found(form="dict", entries=entries)


def _shortened(value: Any) -> Any:
    return str(value) if isinstance(value, int) and value.bit_length() > _MANY_DIGITS else value


def _flattened(fields: Mapping[Any, Any]) -> dict[str, Any]:
    """Return values with those of inner dicts and series under `outer.inner`; others as text."""
    import pandas as pd

    flat: dict[str, Any] = {}
    for key, value in fields.items():
        inner = value if isinstance(value, Mapping | pd.Series) else {}
        if len(inner) > 0 and len(flat) + len(inner) <= ENTRY_LIMIT:
            flat |= {f"{_key(key)}.{_key(name)}": _or_text(item) for name, item in inner.items()}
        else:
            flat[_key(key)] = _or_text(value)
    return flat


def _or_text(value: object) -> Any:
    plain = scalar(value)
    return str(value) if plain is _NOT_SCALAR else plain


def _key(key: object) -> str:
    return ", ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _fields_of(result: object) -> Mapping[Any, Any] | None:
    """Return the named values of a dict, a named tuple, a dataclass or a fitted model, else None."""
    if isinstance(result, Mapping):
        return result
    names = getattr(type(result), "_fields", None)
    if isinstance(result, tuple) and names:
        return {name: getattr(result, name) for name in (*names, *getattr(result, "_extra_fields", ()))}
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return {item.name: getattr(result, item.name) for item in dataclasses.fields(result)}
    if hasattr(result, "params") and hasattr(result, "pvalues"):
        return _fit(result)
    if hasattr(result, "get_params") and hasattr(result, "fit"):
        return _estimator(result)
    return None


def _fit(result: Any) -> dict[str, Any]:
    """Return the figures of a model that statsmodels fitted, with each term's coefficient and p-value."""
    import pandas as pd

    fields = {shown: getattr(result, name) for name, shown in _FIT_FIELDS if hasattr(result, name)}
    for prefix, name in (("coefficient", "params"), ("std_error", "bse"), ("p_value", "pvalues")):
        terms = getattr(result, name, None)
        if terms is not None:
            fields |= {f"{prefix} {term}": value for term, value in pd.Series(terms).items()}
    return fields


def _estimator(result: Any) -> dict[str, Any]:
    """Return what a scikit-learn estimator learnt: its attributes that end in an underscore."""
    import numpy as np

    fields: dict[str, Any] = {}
    for name, value in vars(result).items():
        if not name.endswith("_") or name.startswith("_"):
            continue
        array = np.asarray(value)
        if array.ndim == 0:
            fields[name] = value
        elif array.size <= ENTRY_LIMIT // 10 and array.dtype != object:
            fields |= {f"{name}{list(place)}": item for place, item in np.ndenumerate(array)}
    return {"estimator": type(result).__name__} | fields
