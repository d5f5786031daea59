"""What comes to mind first: built-in functions, imports, and walks from an object to either."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

BUILTINS: Final = payloads(
    Category.BUILTINS,
    (Goal.FILE_READ, "open reads", "result = open('$secret').read()"),
    (Goal.FILE_WRITTEN, "open writes", "open('$own/made', 'w').write('x')\nresult = 1"),
    (Goal.FILE_READ, "import os", "import os\nresult = os.read(os.open('$secret', os.O_RDONLY), 99)"),
    (Goal.FILE_READ, "import function", "result = __import__('io').open('$secret').read()"),
    (Goal.ENVIRONMENT, "the environment", "import os\nresult = str(dict(os.environ))"),
    (Goal.ENVIRONMENT, "one variable", "from os import getenv\nresult = getenv('$variable')"),
    (Goal.FILE_READ, "exec of text", "exec(\"held = open('$secret').read()\")\nresult = held"),
    (Goal.FILE_READ, "eval of text", "result = eval(\"open('$secret').read()\")"),
    (Goal.FILE_READ, "compile", "result = eval(compile(\"open('$secret').read()\", 'x', 'eval'))"),
    (Goal.FILE_READ, "the namespace", "result = globals()['__builtins__']['open']('$secret').read()"),
    (
        Goal.FILE_READ,
        "a module from a folder",
        "import sys\nsys.path.insert(0, '$planted')\nimport module\nresult = module.held",
    ),
    (
        Goal.FILE_READ,
        "import after a harmless line",
        "result = df['amount'].sum()\nfrom pathlib import Path\nresult = Path('$secret').read_text()",
    ),
    (
        Goal.FILE_READ,
        "import inside a condition",
        "if len(df):\n    import io\n    result = io.FileIO('$secret').read()",
    ),
)

DUNDERS: Final = payloads(
    Category.DUNDERS,
    (
        Goal.FILE_READ,
        "subclasses of object",
        """
wrap = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]
result = wrap.__init__.__globals__['open']('$secret', 0).__class__ and wrap.__init__.__globals__['fdopen'](
    wrap.__init__.__globals__['open']('$secret', 0)).read()
""",
    ),
    (
        Goal.FILE_READ,
        "loader of the built-ins",
        """
loader = [c for c in object.__subclasses__() if c.__name__ == 'BuiltinImporter'][0]
posix = loader.load_module('posix')
result = posix.read(posix.open('$secret', 0), 99)
""",
    ),
    (
        Goal.FILE_READ,
        "globals of a method",
        "result = df.sum.__func__.__globals__['__builtins__']['open']('$secret').read()",
    ),
    (
        Goal.ENVIRONMENT,
        "os by the globals of pandas",
        "result = str(dict(pd.io.common.get_handle.__globals__['os'].environ))",
    ),
    (
        Goal.FILE_READ,
        "a reader among the subclasses",
        """
base = [c for c in object.__subclasses__() if c.__name__ == '_IOBase'][0]
raw = [c for c in base.__subclasses__() if c.__name__ == '_RawIOBase'][0]
result = [c for c in raw.__subclasses__() if c.__name__ == 'FileIO'][0]('$secret').read().decode()
""",
    ),
    (Goal.FILE_READ, "spec of a module", "result = np.__loader__.get_data('$secret')"),
    (Goal.FILE_READ, "built-ins of a lambda", "result = (lambda: 0).__builtins__['open']('$secret').read()"),
    (Goal.FILE_READ, "self of a built-in", "result = print.__self__.open('$secret').read()"),
    (
        Goal.FILE_READ,
        "code put together",
        """
def carrier():
    return 0
def reader():
    return open(name).read()
carrier.__code__ = reader.__code__
name = '$secret'
result = carrier()
""",
    ),
    (
        Goal.FILE_READ,
        "dictionary of a class",
        "result = np.__dict__['__builtins__']['open']('$secret').read()",
    ),
)

FRAMES: Final = payloads(
    Category.FRAMES,
    (
        Goal.FILE_READ,
        "frame of a generator",
        """
steps = (x for x in [1])
result = steps.gi_frame.f_builtins['open']('$secret').read()
""",
    ),
    (
        Goal.FILE_READ,
        "a generator that looks up",
        """
def climb():
    yield steps.gi_frame.f_back
steps = climb()
top = next(steps)
result = top.f_builtins['open']('$secret').read()
""",
    ),
    (
        Goal.FILE_READ,
        "frame of a traceback",
        """
try:
    1 / 0
except ZeroDivisionError as error:
    result = error.__traceback__.tb_frame.f_globals['__builtins__']['open']('$secret').read()
""",
    ),
    (
        Goal.FILE_READ,
        "caller by sys",
        "import sys\nresult = sys._getframe(1).f_globals['os'].popen('cat $secret').read()",
    ),
    (
        Goal.FILE_READ,
        "frame of a coroutine",
        """
async def wait():
    return 1
waiting = wait()
found = waiting.cr_frame.f_builtins['open']
waiting.close()
result = found('$secret').read()
""",
    ),
    (
        Goal.FILE_READ,
        "exception of a context",
        """
class Catch:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        self.frame = trace.tb_frame
        return True
with Catch() as caught:
    missing_name
result = caught.frame.f_builtins['open']('$secret').read()
""",
    ),
    (
        Goal.FILE_READ,
        "profiler hook",
        """
import sys
seen = []
sys.setprofile(lambda frame, event, arg: seen.append(frame))
len(df)
sys.setprofile(None)
result = seen[0].f_builtins['open']('$secret').read()
""",
    ),
)
