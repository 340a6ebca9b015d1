"""What becomes of the process that does the work: no hang, no zombie, an exception that says what happened."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import rfpragma
from rfpragma import RFPragmaClassifier, _pipe

posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and scripts of POSIX")
rng = np.random.default_rng(1)
X, y = rng.normal(size=(3000, 20)), rng.integers(0, 2, 3000)
endless = RFPragmaClassifier(n_estimators=90_000, tune_forest="off", random_state=1)
short = RFPragmaClassifier(n_estimators=5, random_state=1)


@pytest.fixture(autouse=True)
def fresh():
    """Begin and end without a process."""
    _pipe._pool.close()
    yield
    _pipe._pool.close()
    assert not _pipe._pool.busy


def busy():
    """Return the process that is at work, once there is one."""
    for _ in range(2000):
        for worker in list(_pipe._pool.busy):
            if worker.number > 1:
                return worker.process
        time.sleep(0.01)
    raise AssertionError("nobody is at work")


def gone(pid):
    """Tell whether a process is neither there nor a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


@posix
def test_killed():
    pids = []

    def kill():
        process = busy()
        pids.append(process.pid)
        time.sleep(0.2)
        process.kill()

    threading.Thread(target=kill).start()
    with pytest.raises(rfpragma.RFPragmaWorkerError, match="SIGKILL.*memory runs out"):
        endless.fit(X, y)
    assert gone(pids[0])
    assert short.fit(X, y).predict(X).shape == (3000,)


@pytest.fixture
def hears():
    """Ctrl-C raises, which a job in the background of a shell begins without."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@posix
def test_interrupted(hears):
    """Ctrl-C is heard at once, ends the work, and leaves this process able to go on."""
    pids = []

    def interrupt():
        pids.append(busy().pid)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        endless.fit(X, y)
    assert time.monotonic() - begun < 60 and gone(pids[0])
    assert short.fit(X, y).predict(X).shape == (3000,)


@posix
def test_killed_while_idle():
    short.fit(X, y)
    worker = _pipe._pool.idle[0]
    worker.process.send_signal(signal.SIGKILL)
    while worker.process.poll() is None:
        time.sleep(0.01)
    assert short.predict(X).shape == (3000,)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits of Linux")
def test_out_of_memory():
    """Whether the work foresees it or the system refuses it."""
    import resource

    short.fit(X, y)
    process = _pipe._pool.idle[0].process
    with open(f"/proc/{process.pid}/statm") as statm:
        now = int(statm.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.prlimit(process.pid, resource.RLIMIT_AS, (now + (8 << 20),) * 2)
    with pytest.raises(rfpragma.RFPragmaMemoryError, match="memory.*; use fewer rows"):
        short.fit(np.tile(X, (40, 2)), np.tile(y, 40))
    assert process.returncode is not None
    assert short.fit(X, y).predict(X).shape == (3000,)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked():
    """A child starts a process of its own and leaves that of its parent alone."""
    short.fit(X, y)
    mine = _pipe._pool.idle[0]
    want = short.predict_proba(X)
    child = os.fork()
    if child == 0:
        good = False
        try:
            good = (short.predict_proba(X) == want).all() and _pipe._pool.idle[0].process.pid != mine.process.pid
            _pipe._pool.close()
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert (short.predict_proba(X) == want).all()
    assert _pipe._pool.idle[0] is mine


def test_ended_with_python():
    """The process ends with the interpreter, also when that is killed."""
    code = (
        "import numpy as np, rfpragma, sys, time; from rfpragma import _pipe\n"
        "rfpragma.RFPragmaClassifier(n_estimators=2).fit(np.eye(20), np.arange(20) % 2)\n"
        "print(_pipe._pool.idle[0].process.pid, flush=True)\n"
        "if len(sys.argv) > 1: time.sleep(600)\n"
    )
    for arguments in ([], ["wait"]):
        python = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)
        pid = int(python.stdout.readline())
        if arguments:
            python.kill()
        python.wait()
        python.stdout.close()
        for _ in range(1000):
            if gone(pid) or _zombie(pid):  # of nobody's, where nobody reaps orphans
                break
            time.sleep(0.01)
        else:
            raise AssertionError("the process goes on")


def _zombie(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_missing_binary(monkeypatch, tmp_path):
    monkeypatch.setenv("RFPRAGMA_BINARY", str(tmp_path / "none"))
    with pytest.raises(rfpragma.RFPragmaBinaryError, match="RFPRAGMA_BINARY names .*none"):
        short.fit(X, y)
    monkeypatch.delenv("RFPRAGMA_BINARY")
    monkeypatch.setattr(rfpragma._binary, "__file__", str(tmp_path / "_binary.py"))
    with pytest.raises(rfpragma.RFPragmaBinaryError, match="install a wheel for this platform"):
        short.fit(X, y)


@posix
@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("#!/bin/sh\necho no such verb >&2\nexit 2\n", "no such verb"),
        ("#!/bin/sh\nexec cat\n", "another program"),
        ("#!/bin/sh\nexec yes\n", "another program"),
        ("#!/bin/sh\nexec sleep 600\n", "another program"),
        ("neither a script nor a program", "cannot be run"),
    ],
)
def test_wrong_binary(monkeypatch, tmp_path, script, text):
    path = tmp_path / "rfpragma"
    path.write_text(script)
    path.chmod(path.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("RFPRAGMA_BINARY", str(path))
    monkeypatch.setattr(_pipe, "_patience", 1.0)
    with pytest.raises(rfpragma.RFPragmaBinaryError, match=text):
        short.fit(X, y)


def test_threads_at_once():
    """Each thread has a process to itself; few stay."""
    short.fit(X, y)
    want = short.predict_proba(X)
    found = []
    threads = [threading.Thread(target=lambda: found.append((short.predict_proba(X) == want).all())) for _ in range(6)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == [True] * 6 and len(_pipe._pool.idle) <= 2
