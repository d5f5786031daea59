"""What code in a worker might try, as the text that the worker runs; each works where nothing is locked."""

ATTEMPTS = """
import ctypes, mmap, os, resource, signal, socket, struct, threading, time
listener = socket.create_server(("127.0.0.1", 0))
idle = socket.socket()
datagrams = socket.socket(type=socket.SOCK_DGRAM)
page = mmap.mmap(-1, 4096)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
word = ctypes.create_string_buffer(b"sec")
endless = ctypes.create_string_buffer(b"\\xff" * 16)
mine, theirs = os.pipe()
here = os.open("/", os.O_RDONLY)

def reap(child):
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)

def ran(answer):
    if answer < 0:
        raise OSError(-answer, os.strerror(-answer))

def by_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()

def read_memory_of(pid):
    # From the place of `word` to itself: three bytes of one vector.
    vector = ctypes.create_string_buffer(struct.pack("PN", ctypes.addressof(word), 3))
    place = ctypes.addressof(vector)
    ran(raw_call({"x86_64": 310, "aarch64": 270}[MACHINE], pid, place, 1, place, 1, 0))

MACHINE = os.uname().machine
ATTEMPTS = {
    "read a file": lambda: os.close(os.open("/proc/self/status", os.O_RDONLY)),
    "read own memory": lambda: os.close(os.open("/proc/self/mem", os.O_RDONLY)),
    "read the environment": lambda: os.close(os.open("/proc/self/environ", os.O_RDONLY)),
    "open below an open folder": lambda: os.close(os.open("proc", os.O_RDONLY, dir_fd=here)),
    "list a folder": lambda: os.listdir("/"),
    "list an open folder": lambda: os.listdir(here),
    "look at a path": lambda: os.stat("/"),
    "where am I": lambda: os.getcwd(),
    "go elsewhere": lambda: os.chdir("/"),
    "write a file": lambda: os.close(os.open(SCRATCH + "/made", os.O_WRONLY | os.O_CREAT)),
    "make a folder": lambda: os.mkdir(SCRATCH + f"/{time.monotonic_ns()}"),
    "rename": lambda: os.rename(SCRATCH + "/made", SCRATCH + "/made"),
    "make a link": lambda: os.symlink("/", SCRATCH + f"/link{time.monotonic_ns()}"),
    "make a socket": lambda: socket.socket().close(),
    "connect": lambda: idle.connect(listener.getsockname()),
    "send": lambda: datagrams.sendto(b"x", ("127.0.0.1", 9)),
    "fork": lambda: reap(os.fork()),
    "spawn": lambda: os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0),
    "start a thread": by_thread,
    "signal the parent": lambda: os.kill(os.getppid(), 0),
    "signal itself by kill": lambda: os.kill(os.getpid(), 0),
    "read the parent's limits": lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU),
    "set own limits": lambda: ran(call("prlimit64", 0, resource.RLIMIT_CPU, ctypes.addressof(endless), 0)),
    "read memory by number": lambda: read_memory_of(os.getpid()),
    "make a memory file": lambda: os.close(os.memfd_create("m")),
    "make a pipe": lambda: [os.close(end) for end in os.pipe()],
    "copy a descriptor": lambda: os.close(os.dup(0)),
    "map executable memory": lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC).close(),
    "make memory executable": lambda: ran(call("mprotect", address & ~4095, 4096, 1 | 4)),
    "become dumpable": lambda: ran(call("prctl", 4, 1)),
    "outlive the parent": lambda: ran(call("prctl", 1, 0)),
    "sleep": lambda: time.sleep(0.001),
    "wait for the impossible": lambda: signal.sigtimedwait([signal.SIGUSR1], 0.001),
    "set an alarm": lambda: signal.setitimer(signal.ITIMER_REAL, 0),
    "change a pipe": lambda: os.set_blocking(mine, True),
    "name of the host": lambda: os.uname(),
    "who am I": lambda: ran(raw_call({"x86_64": 102, "aarch64": 174}[MACHINE])),
}

def outcomes():
    found = {}
    for name, attempt in ATTEMPTS.items():
        try:
            attempt()
            found[name] = "worked"
        except OSError as error:
            found[name] = error.errno
        except RuntimeError as error:
            found[name] = str(error)
    return found
"""
