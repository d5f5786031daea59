"""Written with the guard's source at hand: what its lists let through, or once let through."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

GUARD: Final = payloads(
    Category.GUARD,
    (
        Goal.CORRUPTION,
        "class of an array",
        "result = str(type(np.zeros(1))((1,), 'O', np.array([8])))",
    ),
    (
        Goal.CORRUPTION,
        "class of a class",
        """
lie = {'data': (8, False), 'shape': (1,), 'typestr': '<u8', 'version': 3}
kind = type(type(0))('Lie', (object,), {'__array_interface__': lie})
result = int(np.array(kind()).sum())
""",
    ),
    (
        Goal.CORRUPTION,
        "column named like a method",
        "df['set_state'] = 1\nr = np.random.RandomState(0)\nr.set_state(('MT19937', [0] * 624, 10**9))\nresult = r.random()",
    ),
    (
        Goal.FILE_WRITTEN,
        "method name as the value of a row",
        "row = pd.Series({'match': 'to_csv'})\ndf.agg(row.match, 0, '$own/made')\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "method name as the attribute of a class",
        "kind = pd.DateOffset\nkind.name = 'to_csv'\ndf.agg(pd.DateOffset.name, 0, '$own/made')\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "spread dict with a computed key",
        "df['region'].apply(**{'fu' + 'nc': 'to_csv', 'args': ('$own/made',)})\nresult = 1",
    ),
    (
        Goal.FILE_READ,
        "time zone of a file by ordinal",
        "result = pd.Timestamp.fromordinal(737000, 'date' + 'util/$planted/zone').tzname()",
    ),
    (
        Goal.FILE_READ,
        "time zone of a file by a type's text",
        "s = pd.Series(['2020-01-01'], None, 'datetime64[ns, date' + 'util/$planted/zone]')\nresult = s[0].tzname()",
    ),
    (
        Goal.FILE_READ,
        "time zone of a file by a spread",
        "result = pd.Timestamp('2020-01-01', **{'t' + 'z': 'date' + 'util/$planted/zone'}).tzname()",
    ),
    (
        Goal.FILE_WRITTEN,
        "method name as a field of a row",
        "row = next(pd.DataFrame({'get': ['to_csv']}).itertuples())\ndf.agg(row.get, 0, '$own/made')\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "dicts joined at run time",
        "given = {'func': 'to_csv'} | {'path_or_buf': '$own/made'}\ndf['region'].apply(**given)\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "name bound again inside an expression",
        "f = 'sum'\ng = [(f := x) for x in ['to_' + 'csv']]\ndf.agg(f, 0, '$own/made')\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "table of names changed behind its back",
        "t = {'a': 'sum'}\nt.update(a='to_csv')\ndf.agg(t['a'], 0, '$own/made')\nresult = 1",
    ),
    (Goal.FILE_WRITTEN, "method as a key function", "sorted(['$own/made'], key=df.to_csv)\nresult = 1"),
    (
        Goal.FILE_WRITTEN,
        "a delayed expression",
        "result = str(df.assign(z=pd.col('region').agg('to_csv', 0, '$own/made')))",
    ),
    (
        Goal.FILE_WRITTEN,
        "method of the class",
        "f = pd.DataFrame.to_csv\nf(df, '$own/made')\nresult = 1",
    ),
    (
        Goal.CORRUPTION,
        "labels that NumPy asks for",
        """
lie = {'data': (8, False), 'shape': (1,), 'typestr': '<u8', 'version': 3}
s = pd.Series({'__array_' + 'interface__': lie})
result = int(np.asarray(s)[0])
""",
    ),
    (
        Goal.CORRUPTION,
        "categories that nobody checks",
        """
c = pd.Categorical.from_codes([2 * 10**9], [str(n) for n in range(40000)], validate=False)
result = pd.Series(c).astype(object)
""",
    ),
    (
        Goal.CORRUPTION,
        "levels that nobody checks",
        """
m = pd.MultiIndex([[str(n) for n in range(40000)], ['a']], [[2 * 10**9, 1], [0, 0]], verify_integrity=False)
result = str(m.tolist())
""",
    ),
    (
        Goal.CORRUPTION,
        "levels by their places in the call",
        """
k = pd.MultiIndex
m = k([[str(n) for n in range(40000)], ['a']], [[2 * 10**9, 1], [0, 0]], None, None, False, None, False)
result = str(m.tolist())
""",
    ),
    (
        Goal.CORRUPTION,
        "class of a levelled index",
        """
k = type(pd.MultiIndex.from_tuples([(1, 2)]))
m = k([[str(n) for n in range(40000)], ['a']], [[2 * 10**9, 1], [0, 0]], None, None, False, None, False)
result = str(m.tolist())
""",
    ),
)

STATS: Final = payloads(
    Category.GUARD,
    (
        Goal.CORRUPTION,
        "tree with a false feature (stats)",
        """
df['tree_'] = df['feature'] = 1
m = DecisionTreeRegressor().fit([[0.0], [1.0]], [0, 1])
m.tree_.feature[:] = 10**9
result = m.predict([[0.5]])
""",
    ),
    (
        Goal.CORRUPTION,
        "false support vectors (stats)",
        """
m = SVC(kernel='precomputed').fit([[0.0, 1], [1.0, 0]], [0, 1])
m.support_[:] = 10**9
result = m.predict([[0.5, 2]])
""",
    ),
    (
        Goal.CORRUPTION,
        "false places in a search tree (stats)",
        """
df['query_pairs'] = 1
t = scipy.spatial.cKDTree(np.random.rand(100, 2))
t.indices[:] = 10**12
result = str(t.query_pairs(1))
""",
    ),
    (
        Goal.CORRUPTION,
        "false neighbours (stats)",
        """
df['neighbors'] = df['find_simplex'] = 1
t = scipy.spatial.Delaunay(np.random.rand(100, 2))
t.neighbors[:] = 10**9
result = str(t.find_simplex([[0.5, 0.5]]))
""",
    ),
    (
        Goal.CORRUPTION,
        "spline with too few coefficients (stats)",
        """
df['c'] = 1
s = scipy.interpolate.make_interp_spline([0.0, 1, 2, 3], [0.0, 1, 4, 9])
s.c = np.zeros(1)
result = '$proof' if float(s(2.5)) != float(s(2.5)) or s(np.linspace(0, 3, 50)).any() else 'no'
""",
    ),
    (
        Goal.FILE_READ,
        "formula that is a program (stats)",
        """
df['from_formula'] = 1
k = sm.OLS
result = str(k.from_formula("units ~ np.asarray([float(open('$planted/t.csv').read())] * 3)", df))
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "formula that writes (stats)",
        "result = str(smf.ols(\"units ~ I(df.to_csv('$own/made') or amount)\", df).fit().params)",
    ),
    (
        Goal.FILE_WRITTEN,
        "folder of a cache (stats)",
        """
p = make_pipeline(StandardScaler(), LinearRegression())
p.set_params(**{'mem' + 'ory': '$own/cache'})
p.fit(np.arange(20).reshape(-1, 1), np.arange(20))
result = 1
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "folder of a cache as a choice of a search (stats)",
        """
p = Pipeline([('s', StandardScaler()), ('l', LinearRegression())])
g = GridSearchCV(p, {'memory': ['$own/cache']}, cv=3)
g.fit(np.arange(20).reshape(-1, 1), np.arange(20))
result = 1
""",
    ),
)
