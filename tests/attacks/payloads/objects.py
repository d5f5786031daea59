"""Classes, decorators and operators: syntax that calls without a call."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

CLASSES: Final = payloads(
    Category.CLASSES,
    (
        Goal.FILE_READ,
        "decorator",
        """
@open
@lambda f: '$secret'
def held():
    pass
result = held.read()
""",
    ),
    (
        Goal.FILE_READ,
        "operator of a class",
        """
class Reader:
    def __add__(self, name):
        return open(name).read()
result = Reader() + '$secret'
""",
    ),
    (
        Goal.FILE_READ,
        "operator put on later",
        """
class Reader:
    pass
Reader.__getitem__ = lambda self, name: open(name).read()
result = Reader()['$secret']
""",
    ),
    (
        Goal.FILE_READ,
        "metaclass",
        """
class Meta(type):
    def __getitem__(self, name):
        return open(name).read()
class Reader(metaclass=Meta):
    pass
result = Reader['$secret']
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "end of an object",
        """
class Last:
    def __del__(self):
        open('$own/made', 'w').close()
last = Last()
del last
result = 1
""",
    ),
    (
        Goal.FILE_READ,
        "context manager",
        "with open('$secret') as held:\n    result = held.read()",
    ),
    (
        Goal.FILE_READ,
        "property",
        """
class Reader:
    text = property(lambda self: open('$secret').read())
result = Reader().text
""",
    ),
    (
        Goal.FILE_READ,
        "a pattern of match",
        """
match open('$secret'):
    case held:
        result = held.read()
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "accessor of pandas",
        """
@pd.api.extensions.register_dataframe_accessor('mine')
class Mine:
    def __init__(self, frame):
        frame.to_csv('$own/made')
result = str(df.mine)
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "an exit handler that runs early",
        "import atexit\natexit.register(lambda: open('$own/made', 'w').close())\natexit._run_exitfuncs()\nresult = 1",
    ),
)
