"""Names, aggregations, encodings and keywords that the guard knows."""

from __future__ import annotations

import re
from typing import Final


def listed(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())


MODULES: Final = frozenset(("pd", "np", "re", "math", "statistics", "datetime"))
STATS_MODULES: Final = frozenset(("scipy", "stats", "sm", "smf"))


BUILTINS: Final = listed("""
    abs all any bool object complex dict divmod enumerate filter float format frozenset int isinstance iter len list map
    max min next ord chr pow print range repr reversed round set slice sorted str sum tuple type zip hash
    callable bin hex oct ascii True False None Ellipsis NotImplemented
    ArithmeticError AssertionError AttributeError Exception ImportError IndexError KeyError LookupError NotImplementedError OverflowError
    RuntimeError StopIteration TypeError ValueError ZeroDivisionError
    """)

CALLABLES: Final = listed(
    "abs all any bool dict float frozenset int len list max min repr reversed round set sorted str sum tuple type"
)
"""Builtins that may stand where a method takes a function."""

AGGREGATIONS: Final = listed("""
    abs all any argmax argmin backfill bfill corr corrwith count cov cumcount cummax cummin cumprod cumsum describe
    diff dtype exp ffill fillna first head idxmax idxmin kurt kurtosis last log log10 log1p log2 max mean median
    min mode ngroup nth nunique ohlc pad pct_change prod product quantile rank round sem shift sign size skew sqrt
    square std sum tail unique value_counts var
    """)
"""Names that `agg`, `apply` and their like may take as text."""

FILES: Final = listed("""
DataSource frombuffer fromfile fromregex fromstring genfromtxt load loadtxt memmap save savetxt savez savez_compressed
""")
"""Functions of NumPy over files and memory, which `agg` finds by their names, too."""

ENCODINGS: Final = listed("""
    ascii cp1250 cp1251 cp1252 iso-8859-1 iso-8859-2 iso-8859-5 iso-8859-15 koi8-r koi8-u latin-1 latin1 utf-16
    utf-16-be utf-16-le utf-32 utf-8 utf-8-sig utf8 windows-1251 windows-1252
    """)

FORBIDDEN_KEYWORDS: Final = listed("""
    backend buf buffer excel_writer file filepath_or_buffer fname global_dict local_dict locale memory
    path_or_buf refcheck resolvers storage_options
    """)
"""Arguments that name a file, a place in memory or a scope; None is the only value they may have."""

CHECKS: Final = frozenset(("validate", "verify_integrity"))
"""Arguments without which a categorical or an index may point outside of its memory."""

ENGINES: Final = frozenset(("python", "cython", "c"))

PROTOCOLS: Final = re.compile(r"__(array|arrow|cuda|dataframe|dlpack|buffer|release_buffer)_*\w*__")
"""Names under which NumPy, pandas and Arrow ask any object for its memory."""
CONCATENATORS: Final = frozenset(("np.r_", "np.c_"))
"""Take a text between the brackets for names of the caller's variables."""

WRITERS: Final = frozenset(("to_csv", "to_html", "to_json", "to_latex", "to_markdown", "to_string"))
DISPATCHERS: Final = frozenset(("agg", "aggregate", "apply", "pipe", "transform"))
QUERIES: Final = frozenset(("eval", "query"))
NAMING: Final = frozenset(("agg", "aggregate", "assign"))
"""Methods whose keywords are names of columns."""

HINTS: Final = {
    "open": "Files are out of reach; the table is in `df`.",
    "input": "Nobody can answer while code runs.",
    "exec": "Write the code itself.",
    "eval": "Write the expression itself, or use `df.eval` with a text.",
    "getattr": "Write the attribute itself, or `df[name]` for a column.",
    "setattr": "Use `df[name] = …` for a column.",
    "hasattr": "Use `name in df.columns`.",
    "plt": "Leave the numbers in `result`; tabchat draws charts itself.",
    "sns": "Leave the numbers in `result`; tabchat draws charts itself.",
    "warnings": "Leave this out: warnings are told with the answer.",
    "display": "Leave the final value in `result`.",
}
"""What to do instead, by the name that is missing."""

ATTRIBUTE_HINTS: Final = {
    "plot": "Leave the numbers in `result`; tabchat draws charts itself.",
    "hist": "Use `np.histogram` or `pd.cut`, and leave the numbers in `result`.",
    "boxplot": "Use `quantile`, and leave the numbers in `result`.",
    "style": "Leave the table in `result`; tabchat formats it.",
    "resize": "Use `np.resize` or `reshape`.",
    "view": "Use `astype`.",
    "data": 'A column of this name is `df["data"]`.',
    "append": "Use `pd.concat`.",
    "applymap": "Use `map`.",
}

NODE_HINTS: Final = {
    "AsyncFunctionDef": "Write `def`.",
    "ClassDef": "Use a dict or a DataFrame.",
    "TryStar": "Write `except`.",
    "With": "Write the statements without `with`.",
    "AsyncWith": "Write the statements without `with`.",
    "Global": "Give the function an argument, and let it return what it makes.",
    "Nonlocal": "Give the function an argument, and let it return what it makes.",
    "Match": "Use `if`, `np.select` or `map`.",
}
NODE_NAMES: Final = {
    "AsyncFunctionDef": "`async def`",
    "ClassDef": "`class`",
    "TryStar": "`except*`",
    "With": "`with`",
    "AsyncWith": "`async with`",
    "AsyncFor": "`async for`",
    "Global": "`global`",
    "Nonlocal": "`nonlocal`",
    "Match": "`match`",
    "Await": "`await`",
    "Yield": "`yield`",
    "YieldFrom": "`yield from`",
    "TypeAlias": "`type`",
    "Delete": "`del`",
}

NODES: Final = listed("""
    Module Expression Expr Assign AugAssign AnnAssign NamedExpr For While If IfExp Break Continue Pass Assert Raise Delete
    Import ImportFrom FunctionDef Return Try ExceptHandler
    BoolOp And Or BinOp Add Sub Mult Div FloorDiv Mod Pow LShift RShift BitOr BitXor BitAnd MatMult
    UnaryOp Invert Not UAdd USub Compare Eq NotEq Lt LtE Gt GtE Is IsNot In NotIn
    Lambda arguments arg Call keyword Starred Name Load Store Del Constant Attribute Subscript Slice
    List Tuple Set Dict ListComp SetComp DictComp GeneratorExp comprehension JoinedStr FormattedValue
    """)
"""Kinds of syntax that code may use. Loops are bounded by the time limits."""
