"""NumPy used to read and write memory that it does not own. Behind the lock alone, only the worker suffers."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

CORRUPTION: Final = payloads(
    Category.CORRUPTION,
    (
        Goal.CORRUPTION,
        "strides beyond the end",
        "a = np.lib.stride_tricks.as_strided(np.zeros(1), shape=(2**40,), strides=(4096,))\nresult = a[2**39]",
    ),
    (
        Goal.CORRUPTION,
        "an array made over nothing",
        "result = str(np.ndarray((1,), 'O', np.array([8])))",
    ),
    (
        Goal.CORRUPTION,
        "resized behind a view",
        """
a = np.zeros(2**22)
view = a[2**21:]
a.resize(1, refcheck=False)
for n in range(20):
    view[:] = n
result = 1
""",
    ),
    (
        Goal.CORRUPTION,
        "objects beyond the end",
        "a = np.lib.stride_tricks.as_strided(np.array([1], dtype=object), shape=(10**6,), strides=(8,))\nresult = len(repr(a.tolist()))",
    ),
    (
        Goal.CORRUPTION,
        "an interface that lies",
        """
class Lie:
    __array_interface__ = {'data': (8, False), 'shape': (1,), 'typestr': '<u8', 'version': 3}
result = int(np.array(Lie())[0])
""",
    ),
    (
        Goal.CORRUPTION,
        "state of a generator",
        "r = np.random.RandomState(0)\nr.set_state(('MT19937', [0] * 624, 10**9))\nresult = r.random()",
    ),
    (
        Goal.CORRUPTION,
        "an address by ctypes",
        "import ctypes\nresult = ctypes.string_at(8)",
    ),
    (
        Goal.CORRUPTION,
        "strides of an interface",
        """
class Lie:
    __array_interface__ = np.zeros(2).__array_interface__ | {'strides': (2**44,)}
result = float(np.array(Lie())[1])
""",
    ),
    (
        Goal.CORRUPTION,
        "a pointer of NumPy",
        "a = np.zeros(1)\nimport ctypes\nctypes.memset(a.ctypes.data + 2**44, 0, 8)\nresult = 1",
    ),
)
