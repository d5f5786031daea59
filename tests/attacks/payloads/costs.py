"""Using up the machine: memory, time, disk, processes, descriptors. Amounts are small where nothing stops them."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

MEMORY: Final = payloads(
    Category.MEMORY,
    (Goal.MEMORY, "one array", "a = np.ones(int($megabytes) * 2**17)\nresult = '$proof'"),
    (
        Goal.MEMORY,
        "zeros that nobody touches",
        "a = np.zeros(int($megabytes) * 2**20, dtype='uint8')\nresult = '$proof'",
    ),
    (Goal.MEMORY, "a text", "a = 'x' * (int($megabytes) * 2**20)\nresult = '$proof'"),
    (Goal.MEMORY, "many texts", "a = [('x' * 2**20) + str(n) for n in range($megabytes)]\nresult = '$proof'"),
    (Goal.MEMORY, "a list", "a = [0] * (int($megabytes) * 2**17)\nresult = '$proof'"),
    (
        Goal.MEMORY,
        "rows",
        "a = pd.concat([df] * (int($megabytes) * 20000 // 1000), ignore_index=True)\nb = np.ones(int($megabytes) * 2**17)\nresult = '$proof'",
    ),
    (Goal.MEMORY, "a number", "a = 1 << (int($megabytes) * 2**23)\nresult = '$proof'"),
    (
        Goal.MEMORY,
        "every pair",
        "a = np.add.outer(np.zeros(int($megabytes) * 2**10), np.zeros(128))\nresult = '$proof'",
    ),
    (
        Goal.MEMORY,
        "mapped memory",
        "import mmap\na = mmap.mmap(-1, int($megabytes) * 2**20)\nresult = '$proof'",
    ),
    (
        Goal.MEMORY,
        "memory shared with nobody",
        "import mmap\na = [mmap.mmap(-1, 2**20) for n in range($megabytes)]\nresult = '$proof'",
    ),
    (
        Goal.MEMORY,
        "a file in memory",
        "import os\nmade = os.memfd_create('m')\nfor n in range($megabytes):\n    os.write(made, bytes(2**20))\nresult = '$proof'",
    ),
)

TIME: Final = payloads(
    Category.TIME,
    (Goal.TIME, "a loop", "n = 0\nwhile n < $effort:\n    n += 1\nresult = '$proof'"),
    (Goal.TIME, "sleep", "import time\ntime.sleep($seconds)\nresult = '$proof'"),
    (Goal.TIME, "a sum", "n = sum(range($effort))\nresult = '$proof'"),
    (Goal.TIME, "a regular expression", "m = re.match('(a+)+b', 'a' * $length)\nresult = '$proof'"),
    (
        Goal.TIME,
        "regular expression on a column",
        "m = pd.Series(['a' * $length]).str.match('(a+)+b(?!c)')\nresult = '$proof'",
    ),
    (Goal.TIME, "a power", "n = 7 ** ($effort // 100)\nresult = '$proof'"),
    (
        Goal.TIME,
        "waiting for a lock",
        "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire(timeout=$seconds)\nresult = '$proof'",
    ),
    (
        Goal.TIME,
        "deaf to every signal",
        """
import signal, time
for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue
until = time.monotonic() + $seconds
while time.monotonic() < until:
    pass
result = '$proof'
""",
    ),
    (
        Goal.TIME,
        "inside NumPy",
        "a = np.ones((200, 200))\nfor n in range($effort // 10**5 * 3):\n    a = a @ a * 0\nresult = '$proof'",
    ),
    (Goal.TIME, "waiting for input", "import select\nselect.select([], [], [], $seconds)\nresult = '$proof'"),
    (
        Goal.TIME,
        "a lambda that repeats",
        "r = [n for n in map(lambda n: n, range($effort)) if n < 0]\nresult = '$proof'",
    ),
)

RESOURCES: Final = payloads(
    Category.RESOURCES,
    (
        Goal.FILE_WRITTEN,
        "a large file",
        "with open('$own/large', 'wb') as f:\n    f.truncate(2**22)\nresult = 1",
    ),
    (Goal.FILE_WRITTEN, "many files", "for n in range(20):\n    open(f'$own/{n}', 'w').close()\nresult = 1"),
    (Goal.FILE_WRITTEN, "folders", "import os\nos.makedirs('$own/a/b/c')\nresult = 1"),
    (Goal.FILE_WRITTEN, "links", "import os\nos.symlink('/', '$own/link')\nresult = 1"),
    (Goal.FILE_WRITTEN, "an empty file", "import os\nos.truncate('$own/kept.txt', 0)\nresult = 1"),
    (Goal.FILE_WRITTEN, "deletion", "import os\nos.unlink('$own/kept.txt')\nresult = 1"),
    (Goal.FILE_WRITTEN, "deletion of a tree", "import shutil\nshutil.rmtree('$own')\nresult = 1"),
    (Goal.DESCRIPTORS, "descriptors", "import os\nmade = [os.dup(0) for n in range(100)]\nresult = '$proof'"),
    (Goal.DESCRIPTORS, "pipes", "import os\nmade = [os.pipe() for n in range(50)]\nresult = '$proof'"),
    (
        Goal.PROCESS,
        "processes that make processes",
        (
            "import os\nmade = 0\nfor n in range(2):\n    child = os.fork()\n    if child == 0:\n        os._exit(0)\n"
            "    os.waitpid(child, 0)\n    made += 1\nresult = '$proof' if made == 2 else 'no'"
        ),
    ),
    (
        Goal.FILE_WRITTEN,
        "a file of the system's temporary folder",
        "import tempfile\ntempfile.mkstemp(dir='$own')\nresult = 1",
    ),
)
