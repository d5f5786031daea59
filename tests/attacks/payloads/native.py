"""Beneath Python: foreign functions, machine code, the kernel's calls by number, the memory of others."""

from typing import Final

from tests.attacks.payload import Category, Goal, payloads

_X86: Final = {"read": 0, "write": 1, "open": 2}
_RAW = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
raw = libc.syscall
raw.restype = ctypes.c_long
"""

NATIVE: Final = payloads(
    Category.NATIVE,
    (
        Goal.FILE_READ,
        "open and read of the C library",
        """
import ctypes
libc = ctypes.CDLL(None)
held = ctypes.create_string_buffer(99)
libc.read(libc.open(b'$secret', 0), held, 99)
result = held.value.decode()
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "system of the C library",
        "import ctypes\nresult = ctypes.CDLL(None).system(b'echo > $own/made')",
    ),
    (
        Goal.FILE_WRITTEN,
        "run by the interpreter's own C interface",
        "import ctypes\nresult = ctypes.pythonapi.PyRun_SimpleString(b\"open('$own/made', 'w').close()\")",
    ),
    (
        Goal.ENVIRONMENT,
        "environ of the C library",
        "import ctypes\nget = ctypes.CDLL(None).getenv\nget.restype = ctypes.c_char_p\nresult = get(b'$variable').decode()",
    ),
    (
        Goal.MACHINE_CODE,
        "machine code in a new page",
        """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex('b82a000000c3'))
run = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
result = '$proof' if run() == 42 else 'no'
""",
    ),
    (
        Goal.MACHINE_CODE,
        "a page made executable",
        """
import ctypes, mmap
page = mmap.mmap(-1, 4096)
page.write(bytes.fromhex('b82a000000c3'))
place = ctypes.addressof(ctypes.c_char.from_buffer(page))
changed = ctypes.CDLL(None).mprotect(ctypes.c_void_p(place), 4096, 5)
result = '$proof' if changed == 0 and ctypes.CFUNCTYPE(ctypes.c_int)(place)() == 42 else 'no'
""",
    ),
    (
        Goal.FILE_WRITTEN,
        "machine code that makes a file",
        """
import ctypes, mmap
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
# creat(rdi, 0600): mov eax, 85; mov esi, 384; syscall; ret
page.write(bytes.fromhex('b855000000be800100000f05c3'))
run = ctypes.CFUNCTYPE(ctypes.c_long, ctypes.c_char_p)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
result = run(b'$own/made')
""",
    ),
    (
        Goal.MACHINE_CODE,
        "callback that needs executable memory",
        """
import ctypes, mmap, os
made = os.memfd_create('code')
os.write(made, bytes.fromhex('b82a000000c3') + bytes(4090))
page = mmap.mmap(made, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC, flags=mmap.MAP_PRIVATE)
get = ctypes.CDLL(None).mmap
get.restype = ctypes.c_void_p
get.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + [ctypes.c_long]
place = get(None, 4096, 5, 2, made, 0)
result = '$proof' if ctypes.CFUNCTYPE(ctypes.c_int)(place)() == 42 else 'no'
""",
    ),
    (
        Goal.FILE_READ,
        "a library of its own",
        (
            "import ctypes.util\nheld = ctypes.create_string_buffer(99)\nlib = ctypes.CDLL('libc.so.6')\n"
            "result = lib.read(lib.open(b'$secret', 0), held, 99) and held.value.decode()"
        ),
    ),
)

PROCESSES: Final = payloads(
    Category.PROCESSES,
    (
        Goal.OTHER_MEMORY,
        "memory of another process",
        "with open('/proc/$victim/mem', 'rb', 0) as memory:\n    memory.seek($address)\n    result = memory.read(60).decode('latin-1')",
    ),
    (
        Goal.OTHER_MEMORY,
        "process_vm_readv",
        f"""
import struct{_RAW}
held = ctypes.create_string_buffer(60)
mine = ctypes.create_string_buffer(struct.pack('PN', ctypes.addressof(held), 60))
theirs = ctypes.create_string_buffer(struct.pack('PN', $address, 60))
raw(*map(ctypes.c_long, (310, $victim, ctypes.addressof(mine), 1, ctypes.addressof(theirs), 1, 0)))
result = held.raw.decode('latin-1')
""",
    ),
    (
        Goal.OTHER_MEMORY,
        "ptrace",
        f"""
import os{_RAW}
call = libc.ptrace
call.restype = ctypes.c_long
call.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
call(16, $victim, None, None)
os.waitpid($victim, 0x40000000)
words = [call(1, $victim, $address + 8 * n, None) & (2**64 - 1) for n in range(8)]
call(17, $victim, None, None)
result = b''.join(word.to_bytes(8, 'little') for word in words).decode('latin-1')
""",
    ),
    (
        Goal.ENVIRONMENT,
        "environment of another process",
        "result = open('/proc/$victim/environ').read()",
    ),
    (
        Goal.ENVIRONMENT,
        "environment of the parent",
        "import os\nresult = open(f'/proc/{os.getppid()}/environ').read()",
    ),
    (
        Goal.PROCESS,
        "fork",
        "import os\nchild = os.fork()\nif child == 0:\n    os._exit(0)\nos.waitpid(child, 0)\nresult = '$proof'",
    ),
    (
        Goal.PROCESS,
        "fork by number",
        f"import os{_RAW}\nchild = raw(57)\nif child == 0:\n    os._exit(0)\nresult = '$proof' if child > 0 else 'no'",
    ),
    (
        Goal.PROCESS,
        "vfork and clone by number",
        f"import os{_RAW}\nchild = raw(56, 17, 0, 0, 0, 0)\nif child == 0:\n    os._exit(0)\nresult = '$proof' if child > 0 else 'no'",
    ),
    (
        Goal.PROCESS,
        "spawn",
        "import os\nos.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)\nresult = '$proof'",
    ),
    (
        Goal.FILE_WRITTEN,
        "subprocess",
        "import subprocess\nsubprocess.run(['touch', '$own/made'], check=True)\nresult = 1",
    ),
    (
        Goal.FILE_WRITTEN,
        "becoming another program",
        "import os\nos.execv('/bin/touch', ['touch', '$own/made'])",
    ),
    (
        Goal.PROCESS,
        "thread",
        "import threading\nt = threading.Thread(target=int)\nt.start()\nt.join()\nresult = '$proof'",
    ),
    (
        Goal.FILE_WRITTEN,
        "multiprocessing",
        (
            "import multiprocessing, os\np = multiprocessing.get_context('fork').Process(target=os.mkdir, args=('$own/made',))\n"
            "p.start()\np.join()\nresult = 1"
        ),
    ),
    (
        Goal.FILE_READ,
        "openat by number",
        f"{_RAW}\nheld = ctypes.create_string_buffer(99)\nraw(0, raw(257, -100, b'$secret', 0), held, 99)\nresult = held.value.decode()",
    ),
    (
        Goal.FILE_READ,
        "openat2 by number",
        (
            f"{_RAW}\nheld = ctypes.create_string_buffer(99)\nhow = (ctypes.c_uint64 * 3)()\n"
            "raw(0, raw(437, -100, b'$secret', how, 24), held, 99)\nresult = held.value.decode()"
        ),
    ),
    (Goal.SIGNAL, "signal to another", "import os\nos.kill($victim, 0)\nresult = '$proof'"),
    (Goal.SIGNAL, "pidfd of another", f"{_RAW}\nresult = '$proof' if raw(434, $victim, 0) >= 0 else 'no'"),
    (
        Goal.DESCRIPTORS,
        "event descriptor by number",
        f"{_RAW}\nresult = '$proof' if raw(290, 0, 0) >= 0 else 'no'",
    ),
)
