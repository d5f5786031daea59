"""Written with the guard's source at hand: what its lists let through, or once let through."""

from __future__ import annotations

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
)
