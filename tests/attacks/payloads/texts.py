"""Code and names hidden in texts: queries, method names, odd letters."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

QUERY: Final = payloads(
    Category.QUERY,
    (Goal.FILE_READ, "eval with a local", "result = df.eval(\"@pd.read_csv('$planted/t.csv').a\")"),
    (Goal.FILE_READ, "pd.eval", "result = pd.eval(\"pd.read_csv('$planted/t.csv').a\", engine='python')"),
    (
        Goal.FILE_WRITTEN,
        "query with a local",
        "result = df.query(\"amount != @pd.io.common.os.system('echo > $own/made')\", engine='python')",
    ),
    (
        Goal.ENVIRONMENT,
        "environment by eval",
        "result = str(df.eval('@pd.io.common.os.environ', engine='python'))",
    ),
    (
        Goal.FILE_WRITTEN,
        "writer in eval",
        "df.eval(\"region.to_csv('$own/made')\", engine='python')\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "writer in a query",
        "text = \"region.to_csv('$own/\" + \"made') == region\"\nresult = 1\ndf.query(text, engine='python')",
    ),
    (
        Goal.FILE_READ,
        "resolvers",
        "result = df.eval(\"f('$planted/t.csv')\", resolvers=[{'f': pd.read_csv}], engine='python')",
    ),
    (
        Goal.FILE_READ,
        "local dictionary",
        "result = pd.eval(\"f('$planted/t.csv')\", local_dict={'f': pd.read_csv}, engine='python')",
    ),
    (
        Goal.FILE_WRITTEN,
        "writer beside a backtick",
        (
            "df.columns = ['odd name', 'amount', 'units']\n"
            "df.eval(\"`odd name`.to_csv('$own/made')\", engine='python')\nresult = 1"
        ),
    ),
)

NAMES: Final = payloads(
    Category.NAMES,
    (Goal.FILE_WRITTEN, "agg", "df.agg('to_csv', 0, '$own/made')\nresult = 1"),
    (Goal.FILE_WRITTEN, "apply", "df.apply('to_pickle', args=('$own/made',))\nresult = 1"),
    (Goal.FILE_WRITTEN, "agg of a series", "df['region'].agg('to_csv', 0, '$own/made')\nresult = 1"),
    (
        Goal.FILE_WRITTEN,
        "agg in a variable",
        "name = 'to_' + 'json'\ndf.agg(name, 0, '$own/made')\nresult = 1",
    ),
    (Goal.FILE_WRITTEN, "agg in a list", "df['region'].agg(['to_csv'], 0, '$own/made')\nresult = 1"),
    (
        Goal.FILE_WRITTEN,
        "transform in a dict",
        "df.transform({'region': 'to_csv'}, 0, '$own/made')\nresult = 1",
    ),
    (
        Goal.FILE_READ,
        "agg that evaluates",
        "result = df.agg('eval', 0, \"f('$planted/t.csv')\", resolvers=[{'f': pd.read_csv}], engine='python')",
    ),
    (Goal.FILE_WRITTEN, "transform", "df['region'].transform('to_csv', 0, '$own/made')\nresult = 1"),
    (
        Goal.FILE_WRITTEN,
        "apply by keyword",
        "df.apply(func='to_csv', args=('$own/made',))\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "name in a loop",
        "for name in ['sum', 'to_csv']:\n    df.agg(name, 0, *(['$own/made'] if name[0] == 't' else []))\nresult = 1",
    ),
)

UNICODE: Final = payloads(
    Category.UNICODE,
    (Goal.FILE_READ, "wide letters", "result = ｏｐｅｎ('$secret').read()"),
    (Goal.FILE_READ, "italic letters", "result = 𝘰𝘱𝘦𝘯('$secret').read()"),
    (Goal.FILE_READ, "wide dunder", "result = print.__ｓｅｌｆ__.open('$secret').read()"),
    (Goal.FILE_READ, "italic reader", "result = pd.𝑟𝑒𝑎𝑑_csv('$planted/t.csv')"),
    (Goal.FILE_READ, "escapes", "result = eval('\\x6f\\x70\\x65\\x6e')('$secret').read()"),
    (
        Goal.FILE_READ,
        "letters by number",
        "result = eval(''.join(map(chr, [111, 112, 101, 110])))('$secret').read()",
    ),
    (
        Goal.FILE_READ,
        "base64",
        "import base64\nexec(base64.b64decode('cmVhZCA9IGxhbWJkYSBuOiBvcGVuKG4pLnJlYWQoKQ=='))\nresult = read('$secret')",
    ),
    (Goal.FILE_READ, "reversed", "result = eval('nepo'[::-1])('$secret').read()"),
    (
        Goal.FILE_READ,
        "rot13",
        "import codecs\nresult = eval(codecs.decode('bcra', 'rot13'))('$secret').read()",
    ),
    (Goal.FILE_READ, "a semicolon", "result = 1; import io; result = io.open('$secret').read()"),
    (Goal.FILE_READ, "a continued line", "result = \\\nopen\\\n('$secret').read()"),
    (Goal.FILE_READ, "a form feed", "result = 1\n\x0cresult = open('$secret').read()"),
    (Goal.FILE_READ, "a carriage return", "# harmless\rresult = open('$secret').read()"),
    (Goal.FILE_READ, "a coding line", "# -*- coding: utf-7 -*-\nresult = open('$secret').read()"),
)
