"""The worker: one execution in a process that nobody uses again.

It maps the table, locks itself in the kernel, has the guard read the code once
more, runs it, and writes one reply. Imports nothing of tabchat but the guard,
the kernel lock, and the few modules of this folder that do not run in the
parent.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabchat.sandbox.lock.kernel import LockError, LockLimits, LockReport, die_with_parent, lock
from tabchat.sandbox.reply.wire import COLUMN_LIMIT, TEXT_LIMIT, TOLD_LIMIT, framed
from tabchat.sandbox.worker.warmth import Warmth
from tabchat.sandbox.worker.warned import Warned

if TYPE_CHECKING:
    from types import TracebackType

    import pandas as pd


class Printed:
    """What the code prints: the first `limit` characters are kept, all are counted."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self.length = 0

    def write(self, text: str) -> int:
        """Take what is printed."""
        room = self._limit - self.length
        if room > 0:
            self._parts.append(text[:room])
        self.length += len(text)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        """Say that nobody watches."""
        return False

    def kept(self) -> str:
        """Return what fits."""
        return "".join(self._parts)


class Lacking(MetaPathFinder):
    """What was asked for since the watch began; only whether there was anything matters.

    Whoever asked may have caught the refusal and gone on in another way, so an
    answer that was found then is not what a warmer process would have found.
    """

    def __init__(self) -> None:
        self.anything = False

    def watch(self) -> None:
        """Begin; there is no end, as a worker serves one execution."""
        # Behind the finder that says of some libraries that they are not there: nobody has those.
        sys.meta_path.insert(1, self)
        sys.addaudithook(self._heard)

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002 - protocol
        """Note that the module is not loaded, and leave it to the finders that follow."""
        self.anything = True

    def _heard(self, event: str, _: tuple[object, ...]) -> None:
        if event == "open":
            self.anything = True


CODE_NAME: Final = "<code>"


@dataclass(frozen=True, kw_only=True)
class Job:
    """One request, as the parent wrote it."""

    code: str
    purpose: str
    columns: list[str]
    rows: int
    with_stats: bool
    guarded: bool
    full_builtins: bool
    cpu_seconds: int
    memory_bytes: int
    max_rows: int
    max_stdout: int
    allow_degraded: bool


def run_job(request: int, table: int, reply: int, *, zygote: int, warmth: Warmth) -> NoReturn:
    """Run the job of descriptor `request` over the table of `table`, write to `reply`, and end."""
    os.setsid()
    try:
        _watched_by(zygote)
        job, mapped = Job(**json.loads(bytes(_content(request)))), _content(table)
        report = lock(_limits(job), allow_degraded=job.allow_degraded)
    except Exception as error:  # noqa: BLE001 - whatever failed, the code must not run
        failure = _failure(type(error).__name__, str(error))
        send(reply, *framed({"ending": "not_locked", "error": failure, "stdout": "", "printed": 0}, b""))
        os._exit(0)
    lacking = Lacking()
    if warmth is Warmth.IMPORTED:
        lacking.watch()
    header, body = execution(job, mapped)
    header |= {"walls": _walls(report), "lacked": lacking.anything}
    send(reply, *framed(header, body))
    os._exit(0)


def _watched_by(zygote: int) -> None:
    try:
        die_with_parent(zygote)
    except LockError:
        if os.getppid() != zygote:
            # It was killed meanwhile, and this process just so ends with it.
            os._exit(1)
        raise


def execution(job: Job, mapped: Any) -> tuple[dict[str, Any], Any]:
    """Run the code of `job` and return the header and body of the reply."""
    printed, warned = Printed(job.max_stdout), Warned(CODE_NAME)
    try:
        header, body = _answer(job, mapped, printed, warned)
    except MemoryError:
        header, body = {"ending": "out_of_memory"}, b""
    except SystemExit:
        header, body = {"ending": "exited"}, b""
    except BaseException as error:  # noqa: BLE001 - whatever the code raises is what there is to report
        header, body = {"ending": "raised", "error": _described(error)}, b""
    said = {"stdout": printed.kept(), "printed": printed.length, "warned": warned.told}
    return header | said, body


def _table(mapped: Any) -> pd.DataFrame:
    """Return the table as the code finds it."""
    import pyarrow as pa

    from tabchat.sandbox.worker.frame_in import to_frame

    return to_frame(pa.ipc.open_stream(pa.py_buffer(mapped)).read_all())


def _answer(job: Job, mapped: Any, printed: Printed, warned: Warned) -> tuple[dict[str, Any], Any]:
    from tabchat.sandbox.worker.names import code_namespace
    from tabchat.sandbox.worker.open_names import open_namespace

    code = job.code
    if job.guarded:
        from tabchat.sandbox.guard import GuardRefusal, Operation, check_code

        try:
            code = check_code(
                code,
                op=Operation(job.purpose),
                columns=job.columns,
                with_stats=job.with_stats,
            ).code
        except GuardRefusal as refusal:
            return {"ending": "refused", "problems": [_problem(problem) for problem in refusal.problems]}, b""
    frame = _table(mapped)
    namespace = open_namespace if job.full_builtins else code_namespace
    names = namespace(frame, with_stats=job.with_stats)
    del frame
    sys.stdout, sys.stderr = printed, Printed(0)
    warned.listen()
    exec(compile(code, CODE_NAME, "exec"), names)  # noqa: S102 - behind the lock, this is what the worker is for
    return _left(job, names, mapped)


def _left(job: Job, names: dict[str, Any], mapped: Any) -> tuple[dict[str, Any], Any]:
    """Return the reply for what the code left behind."""
    import pandas as pd

    from tabchat.sandbox.worker.placing import PLACE, placed
    from tabchat.sandbox.worker.result_out import Found, found
    from tabchat.sandbox.worker.result_table import framed_result

    columns = frozenset(job.columns)
    if job.purpose == "edit":
        frame = names.get("df")
        if names.get("COMMIT_DF") is not True or not isinstance(frame, pd.DataFrame):
            return {"ending": "no_result"}, b""
        index, frame = frame.index, framed_result(frame, job.rows, columns)
        frame[PLACE] = placed(frame, index, job.rows, lambda: _table(mapped))
        return _reply(Found(form="frame", frame=frame), limit=None)
    if "result" not in names:
        return {"ending": "no_result"}, b""
    return _reply(found(names["result"], job.rows, columns), limit=job.max_rows)


def _reply(result: Any, limit: int | None) -> tuple[dict[str, Any], Any]:
    header = {
        "ending": "answered",
        "form": result.form,
        "value": result.value,
        "values": result.entries,
        "text": result.text,
        "notes": result.notes,
        "as_text": result.as_text,
    }
    frame = result.frame
    if frame is None:
        return header, b""
    if len(frame.columns) > COLUMN_LIMIT:
        raise ValueError(f"the result has {len(frame.columns):,} columns, more than {COLUMN_LIMIT:,}")
    # Rows without a column are nothing that could be shown.
    rows = len(frame) if len(frame.columns) else 0
    return header | {"rows": rows}, _body(result, limit)


def _body(result: Any, limit: int | None) -> Any:
    import pyarrow as pa

    from tabchat.sandbox.worker.result_table import to_arrow

    table, as_text = to_arrow(result.frame if limit is None else result.frame.iloc[:limit])
    result.as_text[:] = as_text[:TOLD_LIMIT]
    result.frame = None
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression=None, use_threads=False)
    with pa.ipc.new_stream(sink, table.schema, options=options) as stream:
        stream.write_table(table)
    return sink.getvalue()


def send(reply: int, first: bytes, body: Any) -> None:
    """Write the two parts of a reply in full."""
    for part in (first, body):
        rest = memoryview(part)
        while rest:
            rest = rest[os.write(reply, rest) :]


def _content(descriptor: int) -> Any:
    """Map what a sealed file in memory holds; nothing of it is read by name."""
    size = os.fstat(descriptor).st_size
    return mmap.mmap(descriptor, size, flags=mmap.MAP_PRIVATE, prot=mmap.PROT_READ) if size else b""


def _limits(job: Job) -> LockLimits:
    return LockLimits(cpu_seconds=job.cpu_seconds, memory_bytes=job.memory_bytes)


def _walls(report: LockReport) -> dict[str, Any]:
    return {
        "names": list(report.walls),
        "landlock_abi": report.landlock_abi,
        "degraded": report.degraded,
    }


def _problem(problem: Any) -> list[Any]:
    return [problem.line, problem.column, problem.what, problem.hint]


def _failure(kind: str, message: str, line: int | None = None) -> dict[str, Any]:
    return {"kind": kind[:100], "message": message[:TEXT_LIMIT], "line": line}


def _described(error: BaseException) -> dict[str, Any]:
    """Return the exception's class, its message, and the line of the code that it came through."""
    try:
        message = str(error)
    except Exception as broken:  # noqa: BLE001 - an exception of the code may fail to describe itself
        message = f"(its message cannot be shown: {type(broken).__name__})"
    if isinstance(error, KeyError):
        message = _missing(error, message)
    line = error.lineno if isinstance(error, SyntaxError) else _line(error.__traceback__)
    return _failure(type(error).__name__, message, line)


def _missing(error: KeyError, message: str) -> str:
    """Return what a `KeyError` says: the key alone, or a sentence in the quotation marks of a key."""
    stated = error.args[0] if error.args else None
    is_sentence = isinstance(stated, str) and ("not in " in stated or "not exist" in stated)
    return str(stated) if is_sentence else f"there is no {message}"


def _line(trace: TracebackType | None) -> int | None:
    line = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == CODE_NAME:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
