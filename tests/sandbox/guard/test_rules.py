"""Each rule of the guard: what it refuses, and the neighbour that it lets through."""

from __future__ import annotations

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
    "def": ("def f(x):\n    return x\nresult = f(1)", "f = lambda x: x\nresult = f(1)"),
    "class": ("class A: pass\nresult = 1", "A = {}\nresult = 1"),
    "try": ("try:\n    result = 1\nexcept ValueError:\n    pass", "if True:\n    result = 1"),
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
    "agg of a method": ("result = df.agg('to_csv')", "result = df.agg('sum')"),
    "agg of a numpy function": ("result = df.agg('save')", "result = df.agg('sqrt')"),
    "agg in a list": ("result = df.agg(['sum', 'to_pickle'])", "result = df.agg(['sum', 'mean'])"),
    "agg in a dict": ("result = df.agg({'price': 'to_csv'})", "result = df.agg({'price': 'max'})"),
    "agg by name": ("result = df.agg(x=('price', 'to_csv'))", "result = df.agg(x=('price', 'max'))"),
    "agg by NamedAgg": (
        "result = df.agg(x=pd.NamedAgg('price', 'to_csv'))",
        "result = df.agg(x=pd.NamedAgg('price', 'max'))",
    ),
    "agg by keyword": ("result = df.agg(func='to_csv')", "result = df.agg(func='max')"),
    "agg by a spread": (
        "result = df.agg(**{'a b': ('price', 'to_csv')})",
        "result = df.agg(**{'a b': ('price', 'sum')})",
    ),
    "agg of a text put together": (
        "f = 'to' + '_csv'\nresult = df.agg(f)",
        "f = 'su' 'm'\nresult = df.agg(f)",
    ),
    "agg of a loop": (
        "for f in ['sum', 'to_csv']:\n    result = df.agg(f)",
        "for f in ['sum', 'max']:\n    result = df.agg(f)",
    ),
    "agg of a changed list": (
        "a = ['sum']\na.append('to_csv')\nresult = df.agg(a)",
        "a = ['sum']\nresult = df.agg(a)",
    ),
    "agg of a filled dict": (
        "a = {}\na['x'] = 'to_csv'\nresult = df.agg(a)",
        "a = {}\na['x'] = 'sum'\nresult = df.agg(a)",
    ),
    "agg of a dict filled in depth": (
        "if 1:\n    if 1:\n        a = {}\na['x'] = 'to_csv'\nresult = df.agg(a)",
        "if 1:\n    a = {}\na['x'] = 'sum'\nresult = df.agg(a)",
    ),
    "agg of a dict with two names": (
        "a = {'x': 'sum'}\nb = a\nb['x'] = 'to_csv'\nresult = df.agg(a)",
        "a = {'x': 'sum'}\nb = len(a)\nresult = df.agg(a)",
    ),
    "agg of a dict changed by a lambda": (
        "a = {'x': 'sum'}\n(lambda d: d.update(x='to_csv'))(a)\nresult = df.agg(a)",
        "a = {'x': 'sum'}\nprint(a)\nresult = df.agg(a)",
    ),
    "agg of an inner list": (
        "a = {'x': ['sum']}\nfor v in a.values():\n    v.append('to_csv')\nresult = df.agg(a)",
        "a = {'x': ['sum']}\nresult = df.agg(a)",
    ),
    "agg of an added text": ("f = 'to_'\nf += 'csv'\nresult = df.agg(f)", "f = 'sum'\nresult = df.agg(f)"),
    "agg of a parameter": (
        "result = (lambda f: df.agg(f))('to_csv')",
        "result = (lambda d: d.agg('sum'))(df)",
    ),
    "agg of a cell": ("result = df.agg(df.region.iloc[0])", "result = df.agg(lambda s: s.iloc[0])"),
    "agg as a value": ("f = df.agg\nresult = f('to_csv')", "f = lambda d: d.agg('sum')\nresult = f(df)"),
    "agg of a class": (
        "c = pd.DataFrame\nresult = c.agg(df, 'to_csv')",
        "c = pd.DataFrame\nresult = c(df).agg('sum')",
    ),
    "agg of a class by keyword": (
        "c = pd.DataFrame\nresult = c.agg(df, func='to_csv')",
        "result = df.agg(func=['sum'])",
    ),
    "apply": ("result = df.apply('to_clipboard')", "result = df.apply('mean')"),
    "transform": ("result = df.transform('to_hdf')", "result = df.transform('cumsum')"),
    "pipe": ("result = df.pipe('to_csv')", "result = df.pipe(len)"),
    "aggfunc": ("result = df.pivot_table(aggfunc='to_csv')", "result = df.pivot_table(aggfunc='sum')"),
    "aggfunc by place": (
        "result = df.pivot_table('a', 'b', 'c', 'to_csv')",
        "result = df.pivot_table('a', 'b', 'c', 'sum')",
    ),
    "map of a text": ("result = df.price.map('abs')", "result = df.price.map(abs)"),
    "engine": ("result = df.apply(len, engine='numba')", "result = df.apply(len, engine='python')"),
    "query of a variable": ("x = 1\nresult = df.query('price > @x')", "result = df.query('price > 1')"),
    "query of an unknown text": (
        "result = df.query(f'price > {len(df)}')",
        "q = 'price > 1'\nresult = df.query(q)",
    ),
    "query of a scope": (
        "result = df.query('price > 1', local_dict={})",
        "result = df.query('price > 1', inplace=False)",
    ),
    "query of pandas' own names": (
        "result = df.query('__pd_eval_local_x > 1')",
        "result = df.query('`unit price` > 1')",
    ),
    "query that calls": (
        "result = df.query('price.to_csv(\"x\")')",
        "result = df.query('region.str.len() > 1')",
    ),
    "query with a dunder": (
        "result = df.query('price.__class__')",
        "result = df.query('region == \"a@b.c\"')",
    ),
    "eval of a subscript": ("result = df.eval('price[0]')", "result = df.eval('price * 2')"),
    "eval of a lambda": (
        "result = df.eval('(lambda: 1)()')",
        "result = df.eval('x = price + 1\\ny = x * 2')",
    ),
    "pd.eval": ("result = pd.eval('1')", "result = df.eval('price')"),
    "format of an attribute": ("result = '{0.__class__}'.format(1)", "result = '{0:,.2f}'.format(1)"),
    "format in a specification": (
        "result = '{0:{1.__class__}}'.format(1, 2)",
        "result = '{0:{1}}'.format(1, 2)",
    ),
    "format of a known text": ("t = '{0.a}'\nresult = t.format(1)", "t = '{0}'\nresult = t.format(1)"),
    "format of an unknown text": ("result = ('{0.a' + '}').format(1)", "result = 'a{}b'.format(1)"),
    "format as a value": ("result = df.price.map('{0.x}'.format)", "result = df.price.map('{:.1f}'.format)"),
    "format of the class": ("result = str.format('{0.x}', 1)", "result = str.upper('x')"),
    "format_map": ("result = '{a.b}'.format_map({'a': 1})", "result = '{a}'.format_map({'a': 1})"),
    "f-string": ("result = f'{df.__class__}'", "result = f'{len(df)!r:>5}'"),
    "time zone of a file": (
        "result = df.date.dt.tz_localize('dateutil//etc/passwd')",
        "result = df.date.dt.tz_localize('Europe/Kyiv')",
    ),
    "time zone put together": (
        "result = df.date.dt.tz_convert('date' + 'util//etc/passwd')",
        "z = 'UTC'\nresult = df.date.dt.tz_convert(z)",
    ),
    "time zone of a cell": (
        "result = df.date.dt.tz_localize(df.region.iloc[0])",
        "result = df.date.dt.tz_localize(None)",
    ),
    "time zone of a stamp": (
        "result = pd.Timestamp('2024', tz=str(1))",
        "result = pd.Timestamp('2024', tz='UTC')",
    ),
    "time zone of now": ("result = pd.Timestamp.now(chr(85))", "result = pd.Timestamp.now('UTC')"),
    "time zone of a range": (
        "result = pd.date_range('2024', None, 2, 'D', chr(85))",
        "result = pd.date_range('2024', None, 2, 'D')",
    ),
    "time zone by a spread": (
        "result = pd.date_range(**dict(tz=chr(85)))",
        "result = pd.date_range('2024', periods=2, tz='UTC')",
    ),
    "time zone of an index": (
        "result = pd.DatetimeIndex([], None, chr(85))",
        "result = pd.DatetimeIndex([], tz='UTC')",
    ),
    "time zone as a type": (
        "result = df.date.astype('datetime64[ns, dateutil//etc/passwd]')",
        "result = df.date.astype('datetime64[ns, UTC]')",
    ),
    "locale": ("result = df.date.dt.day_name('de_DE')", "result = df.date.dt.day_name()"),
    "encoding": ("result = 'x'.encode('rot13')", "result = 'x'.encode('utf-8')"),
    "option": (
        "pd.set_option('plotting.backend', 'os')\nresult = 1",
        "pd.set_option('display.max_rows', 5)\nresult = 1",
    ),
    "type of three": ("result = type('A', (), {}).mro()", "result = type(1)"),
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
