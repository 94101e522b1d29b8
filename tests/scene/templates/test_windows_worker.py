"""Templates as on Windows, where a timer ends a worker. Judge: the worker of other systems."""

import json
import sys
from pathlib import Path

import pytest

from wbridge.wbcore.scene.templates import process
from wbridge.wbcore.scene.templates.windows_worker import WindowsWorker

ANSWER = (
    "import sys; sys.stdin.buffer.read(6); sys.stdout.buffer.write(b'\\0\\0\\0\\3abc'); sys.stdout.flush()"
)
LONG_S = 60


def worker(code: str) -> WindowsWorker:
    return WindowsWorker([sys.executable, "-c", code], {})


def test_a_reply_is_returned():
    started = worker(f"{ANSWER}; sys.stdin.buffer.read()")
    assert started.call(b"{}", LONG_S, 10) == b"abc"
    started.kill()
    started.kill()


@pytest.mark.parametrize("code", ["", "import sys; sys.exit(1)", ANSWER])
def test_a_worker_that_ends_or_says_too_much_is_told(code: str):
    with pytest.raises(EOFError):
        worker(code).call(b"{}", LONG_S, 2)


def test_a_worker_that_has_ended_before_a_request_is_told():
    started = worker("")
    started._popen.wait()
    with pytest.raises(EOFError):
        started.call(b"{}", LONG_S, 2)


def test_a_worker_that_does_not_answer_is_ended():
    with pytest.raises(TimeoutError):
        worker("import sys; sys.stdin.buffer.read()").call(b"{}", 0.5, 10)


def test_templates_have_the_same_results(monkeypatch: pytest.MonkeyPatch):
    numbers = dict.fromkeys(("seed", "clock", "steps", "seconds", "memory", "chars"), 1)
    request = json.dumps({"program": "", "data": "", **numbers}).encode()
    usual = process.call("javascript", request, LONG_S, 10_000)
    monkeypatch.setattr(sys, "platform", "win32")
    assert process.call("javascript", request, LONG_S, 10_000) == usual
    with pytest.raises(process.WorkerLost):
        process.call("javascript", request, LONG_S, 1)
    assert process.call("javascript", request, LONG_S, 10_000) == usual
    process.close()


def test_a_library_without_functions_to_count_steps_has_a_limit_of_time(monkeypatch: pytest.MonkeyPatch):
    folder = str(Path(process.__file__).with_name("engines"))
    monkeypatch.syspath_prepend(folder)
    import javascript_engine

    class Context:
        seconds = 0.0

        def set_time_limit(self, seconds: float) -> None:
            self.seconds = seconds

    steps = javascript_engine.Steps()
    assert steps._counts
    steps._counts = False
    context = Context()
    steps.limit(context, 10, 2.5)
    assert context.seconds == 2.5
