"""Each rule about the arguments of a call: what it refuses, and the neighbour that it lets through."""

import pytest

from tests.sandbox.guard.verdicts import allowed, problems

NEIGHBOURS = {
    "agg of a method": ("result = df.agg('to_csv')", "result = df.agg('sum')"),
    "agg of a numpy function": ("result = df.agg('save')", "result = df.agg('sqrt')"),
    "agg in a list": ("result = df.agg(['sum', 'to_pickle'])", "result = df.agg(['sum', 'mean'])"),
    "agg in a tuple": ("result = df.agg(('to_csv', 'sum'), 0, 'x')", "result = df.agg(('min', 'sum'))"),
    "agg in a tuple in a list": (
        "result = df.agg([('to_csv', 'sum')], 0, 'x')",
        "result = df.agg([('a sum', 'sum')])",
    ),
    "agg in a tuple in a dict": (
        "result = df.agg({'price': ('save', 'sum')})",
        "result = df.agg({'price': ('min', 'sum')})",
    ),
    "agg in a tuple of a name": (
        "t = ('to_csv', 'sum')\nresult = df.agg(t)",
        "t = ('price', 'sum')\nresult = df.agg(x=t)",
    ),
    "agg in a longer tuple": (
        "result = df.agg(x=('price', 'to_csv', 'sum'))",
        "result = df.agg(x=('to_csv', 'sum'))",
    ),
    "agg of a dict handed on": (
        "a = {'x': 'sum'}\ndf.pipe(lambda d, e: e.update(x='to_csv'), a)\nresult = df.agg(a)",
        "a = {'x': 'sum'}\ndf.pipe(lambda d, e: 1, 2)\nresult = df.agg(func=a)",
    ),
    "aggfunc of a name": (
        "a = {'x': 'to_csv'}\nresult = df.pivot_table(aggfunc=a)",
        "a = {'x': 'sum'}\nresult = pd.pivot_table(df, aggfunc=a)",
    ),
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
    "format of a name as a value": (
        "t = '{0.x}'\nresult = df.price.map(t.format)",
        "t = '{:.1f}'\nresult = df.price.map(t.format)",
    ),
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
    "agg of a label": (
        "r = pd.Series({'match': 'to_csv'})\nresult = df.agg(r.match, 0, 'x')",
        "r = re.compile('a')\nresult = df.region.apply(r.match)",
    ),
    "agg of an attribute of a class": (
        "k = pd.DateOffset\nk.name = 'to_csv'\nresult = df.agg(pd.DateOffset.name, 0, 'x')",
        "result = df.agg(pd.Series.nunique)",
    ),
    "method given to a class": (
        "df['mode'] = 1\nk = pd.Series\nk.mode = 'to_csv'\nresult = 1",
        "df.price = 1\nresult = df",
    ),
    "apply by a computed key": (
        "result = df.apply(**{'fu' + 'nc': 'to_csv', 'args': ('x',)})",
        "result = df.agg(**{f'{c}_max': (c, 'max') for c in ['price']})",
    ),
    "zone by ordinal": (
        "result = pd.Timestamp.fromordinal(1, chr(85))",
        "result = pd.Timestamp.fromordinal(1)",
    ),
    "zone by a computed key": (
        "result = pd.Timestamp('2024', **{'t' + 'z': 'UTC'})",
        "result = pd.Timestamp('2024', **{'tz': 'UTC'})",
    ),
    "type by its place": ("result = pd.Series([1], None, chr(79))", "result = df.apply(pd.Series)"),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_refuses_the_one_and_lets_its_neighbour_through(name: str) -> None:
    refused, neighbour = NEIGHBOURS[name]
    assert problems(refused), refused
    assert allowed(neighbour).code == neighbour
