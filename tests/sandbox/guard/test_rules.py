"""Each rule of the guard: what it refuses, and the neighbour that it lets through."""

import pytest

from tests.sandbox.guard.verdicts import allowed, problems

NEIGHBOURS = {
    "module loaded": ("result = pd.io.common", "result = pd.isna(df)"),
    "module as a value": ("x = np\nresult = 1", "x = np.pi\nresult = 1"),
    "module in a list": ("result = [pd][0].DataFrame", "result = [pd.DataFrame][0]"),
    "module of a module": (
        "result = np.lib",
        "result = np.lib.stride_tricks.sliding_window_view(df.price, 2)",
    ),
    "module inside a module": ("result = re.functools", 'result = re.findall("a", "b")'),
    "name of the interpreter": ("result = open('x')", "result = len('x')"),
    "dunder name": ("result = __builtins__", "result = bool"),
    "dunder attribute": ("result = df.__class__", "result = type(df)"),
    "dunder attribute in Unicode": ("result = df.__ｃlass__", "result = df.ｓum()"),
    "private attribute": ("result = df._mgr", "result = df.price"),
    "column that is private": ("result = df._mgr.blocks", "result = df['_mgr']"),
    "column that is a method": ("result = df.eval", "result = df['eval']"),
    "column that draws": ("result = df.plot", "result = df['plot']"),
    "column in Unicode": ("result = df.выручка", "result = df.виручка"),
    "frames and generators": ("result = (i for i in [1]).gi_frame", "result = sum(i for i in [1])"),
    "code of a lambda": ("result = (lambda: 1).func_code", "result = (lambda: 1)()"),
    "import": ("import os\nresult = 1", "result = 1"),
    "decorator": ("@df.apply\ndef f(x):\n    return x\nresult = 1", "def f(x):\n    return x\nresult = f(1)"),
    "async def": ("async def f():\n    pass\nresult = 1", "def f():\n    pass\nresult = f()"),
    "generator": ("def f():\n    yield 1\nresult = f()", "def f():\n    return [1]\nresult = f()"),
    "name of a function": ("def __f():\n    pass\nresult = 1", "def _f():\n    pass\nresult = 1"),
    "function called like a module": (
        "def np(x):\n    pass\nresult = 1",
        "def npx(x):\n    pass\nresult = 1",
    ),
    "annotation": (
        "def f(x: open('y')):\n    pass\nresult = 1",
        "def f(x: pd.Series) -> float:\n    pass\nresult = 1",
    ),
    "value of an argument": (
        "def f(x=open('y')):\n    pass\nresult = 1",
        "def f(x=df):\n    pass\nresult = 1",
    ),
    "body of a function": (
        "def f():\n    return open('y')\nresult = 1",
        "def f():\n    return len('y')\nresult = 1",
    ),
    "frame of a function": ("def f():\n    pass\nresult = f.__globals__", "def f():\n    pass\nresult = f"),
    "return outside": ("return df", "def f():\n    return df\nresult = f()"),
    "global": ("def f():\n    global x\n    x = 1\nresult = 1", "def f():\n    x = 1\nresult = 1"),
    "unknown aggregation as an argument": (
        "def f(name):\n    return df.agg(name)\nresult = f('sum')",
        "def f(x):\n    return x.sum()\nresult = df.agg(f)",
    ),
    "class": ("class A: pass\nresult = 1", "A = {}\nresult = 1"),
    "try in groups": (
        "try:\n    result = 1\nexcept* ValueError:\n    pass",
        "try:\n    result = 1\nexcept ValueError:\n    pass",
    ),
    "frames of an exception": (
        "try:\n    result = 1\nexcept Exception as e:\n    result = e.__traceback__",
        "try:\n    result = 1\nexcept Exception as e:\n    result = str(e)",
    ),
    "object of an exception": (
        "try:\n    df['obj'] = 1\nexcept AttributeError as e:\n    result = e.obj",
        "try:\n    df['obj'] = 1\nexcept (AttributeError, KeyError) as e:\n    result = df['obj']",
    ),
    "exception called like a module": (
        "try:\n    result = 1\nexcept Exception as np:\n    pass",
        "try:\n    result = 1\nexcept:\n    result = 2",
    ),
    "handler of the interpreter": (
        "try:\n    result = 1\nexcept open('x'):\n    pass",
        "try:\n    result = 1\nexcept np.linalg.LinAlgError:\n    pass\nelse:\n    pass\nfinally:\n    pass",
    ),
    "annotated assignment": ("x: open('y') = 1\nresult = x", "x: int = 1\nresult = x"),
    "with": ("with df as d:\n    result = d", "d = df\nresult = d"),
    "match": ("match df:\n    case object(shape=s):\n        result = s", "result = df.shape"),
    "del": ("del df\nresult = 1", "del df['price']\nresult = 1"),
    "raise from": (
        "raise ValueError from KeyError",
        "if df.empty:\n    raise ValueError('no rows')\nresult = 1",
    ),
    "reader": ("result = pd.read_csv('/etc/passwd')", "result = df.filter(like='read_')"),
    "numpy reader": ("result = np.fromfile('x')", "result = np.fromiter([1], dtype=int)"),
    "numpy memory map": ("result = np.memmap('x')", "result = np.empty(3)"),
    "buffer": ("result = np.frombuffer(b'x')", "result = np.array([1])"),
    "ndarray": ("result = np.ndarray((2,), 'O', np.zeros(2))", "result = isinstance(1, (int, np.ndarray))"),
    "ndarray under another name": ("f = np.ndarray\nresult = 1", "f = np.array\nresult = 1"),
    "resize": (
        "result = df.price.values.resize(9, refcheck=False)",
        "result = np.resize(df.price.values, 9)",
    ),
    "view": ("result = df.price.values.view('O')", "result = df.price.values.astype('O')"),
    "data": ("result = df.price.values.data", "result = df.price.values.tolist()"),
    "flags": ("result = df.price.values.flags", "result = df.price.values.shape"),
    "shape of an array": (
        "x = df.price.values\nx.strides = 1\nresult = 1",
        "df.columns = list('ab')\nresult = 1",
    ),
    "type with offsets": (
        "result = np.array([1], dtype={'names': ['a'], 'formats': ['O'], 'offsets': [0]})",
        "result = np.array([1], dtype='int8')",
    ),
    "type put together": (
        "k = 'datetime64[ns, date' + 'util//etc/x]'\nresult = df.price.astype(k)",
        "k = 'datetime64[ns]'\nresult = df.date.astype(k)",
    ),
    "dtype put together": ("result = pd.Series([1], dtype=chr(79))", "result = pd.Series([1], dtype=float)"),
    "writer with a path": ("result = df.to_csv('x.csv')", "result = df.to_csv(sep=';')"),
    "writer with a named path": ("result = df.to_json(path_or_buf='x')", "result = df.to_json(None)"),
    "writer with a spread": ("result = df.to_string(*['x'])", "result = df.to_string(index=False)"),
    "writer as a value": ("f = df.to_csv\nresult = f('x')", "f = df.to_csv()\nresult = f"),
    "pickle": ("result = df.to_pickle('x')", "result = df.to_dict('records')"),
    "excel": ("result = df.to_excel('x')", "result = df.to_numpy()"),
    "info to a file": ("result = df.info(buf=df)", "df.info()\nresult = 1"),
    "print to a file": ("print(1, file=df)\nresult = 1", "print(1, sep='')\nresult = 1"),
    "spread into a value": (
        "f = pd.DataFrame\nd = {}\nresult = f(**d)",
        "f = pd.DataFrame\nresult = f(**{'data': [1]})",
    ),
    "drawing": ("result = df.plot()", "result = df.corr()"),
    "protocol of memory": (
        "result = pd.Series([{}], index=['__array_interface__'])",
        "result = df.region.fillna('__missing__')",
    ),
    "names in brackets": ("result = np.r_['df']", "result = np.r_[df.price, 1:3]"),
    "unknown names in brackets": ("k = 'd'\nresult = np.c_[k + 'f']", "result = np.c_[df.price, df.qty]"),
    "type that is called": ("result = type(df.price.values)((1,), 'O')", "result = type(df) == type(1)"),
    "categories out of reach": (
        "result = pd.Categorical.from_codes([9], ['a'], validate=False)",
        "result = df.merge(df, on='qty', validate='m:m')",
    ),
    "levels out of reach": (
        "result = pd.MultiIndex([['a']], [[9]], verify_integrity=False)",
        "result = df.set_index('qty', verify_integrity=True)",
    ),
    "levels out of reach, by place": (
        "result = pd.MultiIndex([['a']], [[9]], None, None, None, False, None, False)",
        "result = pd.MultiIndex([['a']], [[0]])",
    ),
    "levels under another name": (
        "k = pd.MultiIndex\nresult = 1",
        "result = isinstance(df.index, pd.MultiIndex)",
    ),
    "levels by a computed key": (
        "result = df.index.set_codes([[9]], **{'verify_' + 'integrity': False})",
        "result = df.index.set_codes([[0]], level=0)",
    ),
    "two underscores": ("__x = 1\nresult = 1", "_ = 1\nresult = 1"),
    "parameter of a lambda": ("result = (lambda __x: 1)(2)", "result = (lambda x: 1)(2)"),
    "name of a module": ("for pd in [1]:\n    result = pd", "for p in [1]:\n    result = p"),
    "module before its name is taken": ("x = re\nre = 1\nresult = x", "re = 1\nresult = re"),
    "name taken only sometimes": (
        "if df.empty:\n    re = 1\nresult = re",
        "re = df\nif df.empty:\n    re = 1\nresult = re",
    ),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_refuses_the_one_and_lets_its_neighbour_through(name: str) -> None:
    refused, neighbour = NEIGHBOURS[name]
    assert problems(refused), refused
    assert allowed(neighbour).code == neighbour
