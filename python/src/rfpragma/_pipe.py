"""Processes of the command that answer requests through a pipe.

docs/pipe.md of the repository describes the protocol. A process is started when there is something to ask and none is
idle. It is never handed to another process: a child that was forked starts its own.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import IO, Any, NamedTuple, cast

from . import _binary
from ._errors import RFPragmaBinaryError, RFPragmaMemoryError, RFPragmaWorkerError, fault

_magic = b"RFP1"
_head = struct.Struct("<4sIQ")
_protocol = 1
_patience = 30.0  # seconds for the first answer
_grace = 2.0  # seconds to end by itself
_out_of_memory = "memory has run out in the process that does the work; use fewer rows, columns or trees, or more memory"


class Answer(NamedTuple):
    """What was answered to a request."""

    result: dict[str, Any]
    warnings: list[dict[str, Any]]
    buffers: list[memoryview]

    def buffer(self, name: str) -> memoryview:
        """Return the buffer that a field of the result names."""
        return self.buffers[int(self.result[name])]


class _Worker:
    """A process and its pipes. One request at a time."""

    def __init__(self) -> None:
        path = _binary.find()
        apart: dict[str, Any] = {"start_new_session": True}  # Ctrl-C is for this process; it then ends the other one
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self.process = subprocess.Popen(
                [path, "pipe"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **apart
            )
        except OSError as e:
            raise RFPragmaBinaryError(f"{path!r} cannot be run: {e}; install a wheel for this platform") from e
        self.number = 0
        self.said: list[bytes] = []  # its first lines
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.threads = [threading.Thread(target=do, daemon=True) for do in (self._listen, self._receive)]
        for thread in self.threads:
            thread.start()
        watch = threading.Timer(_patience, self.process.kill)
        watch.daemon = True
        watch.start()
        try:
            told = self.ask("version").result
        except Exception as e:
            self.bury(0)
            said = self.words() or "it says nothing"
            raise RFPragmaBinaryError(f"{path!r} does not answer as rfpragma does ({said}); is it another program?") from e
        except BaseException:
            self.bury(0)
            raise
        finally:
            watch.cancel()
        if told.get("protocol") != _protocol:
            self.bury(0)
            if "protocol" not in told:
                raise RFPragmaBinaryError(f"{path!r} does not answer as rfpragma does; is it another program?")
            raise RFPragmaBinaryError(
                f"{path!r} speaks version {told.get('protocol')} of the protocol, and this package {_protocol}; "
                "install versions that belong together"
            )

    @property
    def stdin(self) -> IO[bytes]:
        return cast("IO[bytes]", self.process.stdin)

    @property
    def stdout(self) -> IO[bytes]:
        return cast("IO[bytes]", self.process.stdout)

    def _listen(self) -> None:
        for line in cast("IO[bytes]", self.process.stderr):
            if len(self.said) < 20:
                self.said.append(line)

    def words(self) -> str:
        """Return what the process has said of why it ended."""
        self.threads[0].join(1)
        return b"".join(self.said).decode(errors="replace").strip()[:500]

    def ask(self, op: str, buffers: Iterable[Any] = (), **fields: Any) -> Answer:
        """Send a request and wait for its answer. If anything else happens, the process is of no more use."""
        views = [memoryview(b).cast("B") for b in buffers]
        self.number += 1
        lengths = [v.nbytes for v in views]
        header = json.dumps({"id": self.number, "op": op, "buffers": lengths, **fields}, allow_nan=False).encode()
        fillers = [-n % 8 for n in lengths]
        try:
            self.stdin.write(_head.pack(_magic, len(header), sum(lengths) + sum(fillers)) + header)
            for view, filler in zip(views, fillers):
                self.stdin.write(view)
                self.stdin.write(bytes(filler))
            self.stdin.flush()
            answer, data = self._next()
        except (OSError, EOFError) as e:
            self.bury(_grace)
            text = self._obituary()
            raise (RFPragmaMemoryError if text is _out_of_memory else RFPragmaWorkerError)(text) from e
        except ValueError as e:  # it says what no rfpragma says
            self.bury(0)
            raise RFPragmaWorkerError(f"the process that does the work answers nonsense: {e}") from e
        except BaseException:
            self.bury(0)
            raise
        if answer.get("error"):
            raise fault(answer["error"])
        cut, views = 0, []
        for n in answer["buffers"]:
            views.append(data[cut : cut + n])
            cut += n + -n % 8
        return Answer(answer.get("result") or {}, answer.get("warnings") or [], views)

    def _next(self) -> tuple[dict[str, Any], memoryview]:
        """Wait for an answer. A thread reads it, as reading cannot be interrupted on all systems, and waiting can."""
        while True:
            try:
                got = self.answers.get(timeout=0.2)
            except queue.Empty:
                continue
            if isinstance(got, Exception):
                raise got
            answer, data = got
            if answer["id"] not in (self.number, 0):
                raise ValueError("an answer to another request")
            return answer, data

    def _receive(self) -> None:
        """Read answers until there are no more."""
        try:
            while True:
                magic, size, body = _head.unpack(self._read(_head.size))
                if magic != _magic:
                    raise ValueError("no frame")
                answer = json.loads(bytes(self._read(size)))
                self.answers.put((answer, self._read(body)))
        except Exception as e:
            self.answers.put(e)

    def _read(self, n: int) -> memoryview:
        data = memoryview(bytearray(n))
        at = 0
        while at < n:
            got = self.stdout.readinto(data[at:])  # type: ignore[attr-defined]
            if not got:
                raise EOFError
            at += got
        return data

    def _obituary(self) -> str:
        code = self.process.returncode
        if code is not None and code < 0:
            name = signal.Signals(-code).name if -code in signal.Signals._value2member_map_ else str(-code)
            text = f"the process that does the work was ended by {name}"
            if name == "SIGKILL":
                text += ", as the system does when memory runs out; use fewer rows, columns or trees, or more memory"
            return text
        said = self.words()
        if "out of memory" in said or "cannot allocate memory" in said:
            return _out_of_memory
        return f"the process that does the work has ended with code {code}" + (f": {said}" if said else "")

    def end(self) -> None:
        """End an idle process and reap it."""
        if self.process.returncode is None:
            self.stdin.close()  # which ends it
        self.bury(_grace)

    def bury(self, patience: float) -> None:
        """Reap the process, by force after so many seconds."""
        try:
            self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for thread in self.threads:
            thread.join(1)
        for stream in (self.stdin, self.stdout, cast("IO[bytes]", self.process.stderr)):
            try:
                stream.close()
            except OSError:  # of what could not be written any more
                pass


_inherited: list[_Worker] = []


class _Pool:
    """The idle workers of this process."""

    most = 2  # that are kept

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.lock = threading.Lock()
        self.idle: list[_Worker] = []
        self.busy: set[_Worker] = set()

    def forked(self) -> None:
        # Those of the parent stay its own. What its threads read from may hold locks that nobody here will let go of, so
        # only what ends an idle one is closed, and none is forgotten: who forgets a process waits for it.
        _inherited.extend([*self.idle, *self.busy])
        for worker in self.idle:
            worker.stdin.close()
        self.reset()

    def ask(self, op: str, buffers: Iterable[Any], fields: dict[str, Any]) -> Answer:
        with self.lock:
            worker = self.idle.pop() if self.idle else None
        if worker is not None and worker.process.poll() is not None:
            worker.bury(0)
            worker = None
        worker = worker or _Worker()
        with self.lock:
            self.busy.add(worker)
        try:
            return worker.ask(op, buffers, **fields)
        finally:
            with self.lock:
                self.busy.discard(worker)
                keep = worker.process.returncode is None and len(self.idle) < self.most
                if keep:
                    self.idle.append(worker)
            if not keep:
                worker.end()

    def close(self) -> None:
        with self.lock:
            workers, self.idle = self.idle, []
        for worker in workers:
            worker.end()


_pool = _Pool()
atexit.register(_pool.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.forked)


def ask(op: str, buffers: Iterable[Any] = (), **fields: Any) -> Answer:
    """Ask an idle process, or a new one."""
    return _pool.ask(op, buffers, fields)
