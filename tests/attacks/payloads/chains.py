"""Ways through what libraries have loaded or can load, and through texts that name attributes."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

DYNAMIC: Final = payloads(
    Category.DYNAMIC,
    (Goal.FILE_READ, "getattr", "result = getattr(__import__('builtins'), 'op' + 'en')('$secret').read()"),
    (Goal.FILE_READ, "getattr on a module", "result = getattr(pd, 'read_' + 'csv')('$planted/t.csv')"),
    (Goal.FILE_READ, "vars", "result = vars(pd)['read_csv']('$planted/t.csv')"),
    (
        Goal.FILE_READ,
        "attrgetter",
        "import operator\nresult = operator.attrgetter('io.common.os.popen')(pd)('cat $secret').read()",
    ),
    (
        Goal.FILE_READ,
        "methodcaller",
        "import operator\nresult = operator.methodcaller('read_csv', '$planted/t.csv')(pd)",
    ),
    (
        Goal.ENVIRONMENT,
        "format string",
        "result = '{0.io.common.os.environ}'.format(pd)",
    ),
    (
        Goal.ENVIRONMENT,
        "format string by another name",
        "text = '{m.io.common.os.' + 'environ}'\nresult = text.format_map({'m': pd})",
    ),
    (
        Goal.ENVIRONMENT,
        "format method as a value",
        "result = pd.Series(['{0.io.common.os.environ}']).map(lambda t: str.format(t, pd))",
    ),
    (
        Goal.ENVIRONMENT,
        "Formatter of the library",
        "import string\nresult = string.Formatter().format('{0.io.common.os.environ}', pd)",
    ),
    (Goal.ENVIRONMENT, "f-string", "result = f'{pd.io.common.os.environ}'"),
    (
        Goal.ENVIRONMENT,
        "nested specification",
        """
class Echo:
    def __format__(self, said):
        return said
result = '{0:{1.io.common.os.environ}}'.format(Echo(), pd)
""",
    ),
)

CHAINS: Final = payloads(
    Category.CHAINS,
    (Goal.FILE_READ, "os by pandas", "result = pd.io.common.os.popen('cat $secret').read()"),
    (Goal.FILE_READ, "os by NumPy", "result = np.lib._npyio_impl.os.popen('cat $secret').read()"),
    (Goal.FILE_READ, "codecs by pandas", "result = pd.io.common.codecs.open('$secret').read()"),
    (
        Goal.FILE_READ,
        "sys by re",
        "import re\nresult = re.enum.sys.modules['os'].popen('cat $secret').read()",
    ),
    (Goal.FILE_READ, "statistics", "result = statistics.sys.modules['io'].open('$secret').read()"),
    (Goal.FILE_READ, "os by random", "result = statistics.random._os.popen('cat $secret').read()"),
    (
        Goal.FILE_WRITTEN,
        "the C library by NumPy",
        "result = np.ctypeslib.ctypes.CDLL(None).system(b'echo > $own/made')",
    ),
    (
        Goal.FILE_READ,
        "pathlib by pandas",
        "result = pd.core.frame.sys.modules['pathlib'].Path('$secret').read_text()",
    ),
    (Goal.FILE_READ, "get_handle", "result = pd.io.common.get_handle('$secret', 'r').handle.read()"),
    (Goal.FILE_READ, "linecache", "import linecache\nresult = linecache.getline('$secret', 1)"),
    (Goal.FILE_READ, "DataSource of NumPy", "result = np.lib.npyio.DataSource(None).open('$secret').read()"),
    (Goal.FILE_READ, "pyarrow's file", "import pyarrow\nresult = pyarrow.OSFile('$secret').read()"),
    (
        Goal.FILE_READ,
        "pyarrow's file system",
        "from pyarrow import fs\nresult = fs.LocalFileSystem().open_input_file('$secret').read()",
    ),
    (
        Goal.FILE_READ,
        "a memory map of pyarrow",
        "import pyarrow\nresult = pyarrow.memory_map('$secret').read()",
    ),
)
