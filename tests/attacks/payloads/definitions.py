"""Attacks by functions, handlers and imports, which the guard lets through where they only compute."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

DEFINITIONS: Final = payloads(
    Category.GUARD,
    (
        Goal.FILE_READ,
        "reader under an imported name",
        "from pandas import read_csv as isna\nresult = isna('$planted/t.csv')",
    ),
    (
        Goal.FILE_READ,
        "reader imported inside a function",
        "def f():\n    from numpy import fromfile as zeros\n    return bytes(zeros('$secret', dtype=np.uint8))\nresult = f()",
    ),
    (
        Goal.FILE_READ,
        "module of readers under another name",
        "import numpy.lib.npyio as lib\nresult = lib.DataSource().open('$secret').read()",
    ),
    (
        Goal.FILE_READ,
        "module under another name in a list",
        "import pandas as frames\nresult = [frames][0].read_json('$planted/t.json')",
    ),
    (
        Goal.CORRUPTION,
        "class of an array under an imported name",
        "from numpy import ndarray as array\nresult = str(array((1,), 'O', np.array([8])))",
    ),
    (
        Goal.FILE_READ,
        "time zone of a file by an imported class",
        "from pandas import Timestamp as T\nresult = T.fromordinal(737000, 'date' + 'util/$planted/zone').tzname()",
    ),
    (
        Goal.FILE_READ,
        "frames of a caught exception",
        """
try:
    1 / 0
except Exception as error:
    result = error.__traceback__.tb_frame.f_builtins['open']('$secret').read()
""",
    ),
    (
        Goal.ENVIRONMENT,
        "object of a caught exception",
        """
df['obj'] = df['io'] = df['os'] = df['environ'] = df['common'] = 1
try:
    pd.nothing
except AttributeError as error:
    result = str(dict(error.obj.io.common.os.environ))
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "handler that is an expression",
        """
try:
    1 / 0
except (open('$own/made', 'w').close() or ZeroDivisionError):
    result = 1
""",
    ),
    (
        Goal.FILE_READ,
        "built-ins of a function",
        "def f():\n    pass\nresult = f.__builtins__['open']('$secret').read()",
    ),
    (
        Goal.FILE_READ,
        "decorator that reads",
        "@lambda f: open('$secret').read()\ndef result():\n    pass",
    ),
    (
        Goal.FILE_READ,
        "default of an argument that reads",
        "def f(x=open('$secret').read()):\n    return x\nresult = f()",
    ),
    (
        Goal.FILE_WRITTEN,
        "method name as an argument of a function",
        "def f(how):\n    return df.agg(how, 0, '$own/made')\nf('to_' + 'csv')\nresult = 1",
    ),
    (
        Goal.FILE_READ,
        "frame of a function's generator",
        "def f():\n    yield 1\nmade = f()\nresult = made.gi_frame.f_builtins['open']('$secret').read()",
    ),
    (
        Goal.FILE_WRITTEN,
        "formula of an imported model (stats)",
        """
from statsmodels.formula.api import ols as fit
result = str(fit("units ~ I(df.to_csv('$own/made') or amount)", df).fit().params)
""",
    ),
)
