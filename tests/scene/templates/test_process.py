"""The worker processes: started once, replaced when lost, shared by threads, not by forks, gone at exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from wbridge.wbcore.scene.templates import Limits, Rendered, TemplateError, process

Run = Callable[..., Rendered]
ROOT = Path(__file__).parents[3]


def alive(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def ends(pid: int, seconds: float = 30.0) -> bool:
    """Whether a process ends within some time."""
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    return not alive(pid)


def test_worker_is_kept(lua: Run) -> None:
    lua("%{= 1 }%")
    pid = process._workers["lua"].pid
    lua("%{= 2 }%")
    assert process._workers["lua"].pid == pid


def test_failed_template_does_not_cost_the_worker(lua: Run) -> None:
    lua("%{= 1 }%")
    pid = process._workers["lua"].pid
    with pytest.raises(TemplateError):
        lua("%{ error('x') }%")
    assert process._workers["lua"].pid == pid


def test_hanging_worker_is_killed_and_replaced(lua: Run) -> None:
    lua("%{= 1 }%")
    pid = process._workers["lua"].pid
    with pytest.raises(TemplateError, match="ran longer"):
        lua("%{ local s = ('a'):rep(30) .. 'b'; s:find(('a*'):rep(30) .. 'c') }%", limits=Limits(seconds=0.1))
    assert not alive(pid)
    assert lua("%{= 2 }%").text == "2"


def test_a_worker_that_waits_for_its_turn_is_not_late(lua: Run) -> None:
    """On a busy machine the time by the clock says nothing about the template."""
    lua("%{= 1 }%")
    worker = process._workers["lua"]
    os.kill(worker.pid, signal.SIGSTOP)
    turn = threading.Timer(1.0, os.kill, (worker.pid, signal.SIGCONT))
    turn.start()
    try:
        assert lua("%{= 2 }%", limits=Limits(seconds=0.1)).text == "2"
    finally:
        turn.join()
    assert process._workers["lua"] is worker


def test_worker_killed_from_outside_is_replaced_unnoticed(javascript: Run) -> None:
    javascript("%<= 1 >%")
    pid = process._workers["javascript"].pid
    os.kill(pid, signal.SIGKILL)
    assert ends(pid)
    assert javascript("%<= 2 >%").text == "2"


def test_worker_that_crashes_is_reported_and_replaced(lua: Run) -> None:
    lua("%{= 1 }%")
    pid = process._workers["lua"].pid
    os.kill(pid, signal.SIGSEGV)
    assert ends(pid)
    with pytest.raises(TemplateError, match="made its engine stop .SIGSEGV"):
        lua("%{= 2 }%")
    assert lua("%{= 3 }%").text == "3"


def test_no_pipes_or_processes_pile_up(lua: Run) -> None:
    process.close()
    lua("%{= 1 }%")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        process.close()
        lua("%{= 1 }%")
    assert len(os.listdir("/proc/self/fd")) == before


def test_threads_take_turns(lua: Run, javascript: Run) -> None:
    results: dict[int, list[str]] = {}

    def work(number: int) -> None:
        run, body = (lua, "%{{= {} * 2 }}%") if number % 2 else (javascript, "%<= {} * 2 >%")
        results[number] = [run(body.format(number * 100 + i)).text for i in range(20)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: [str((number * 100 + i) * 2) for i in range(20)] for number in range(6)}


def test_request_and_reply_larger_than_a_pipe(lua: Run, javascript: Run) -> None:
    text = "0 1 2\n" * 100_000
    assert lua(text + "%{= fields.s.value }%", {"s": text}).text == text * 2
    assert javascript(text + "%<= fields.s.value >%", {"s": text}).text == text * 2


def run_script(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script with the project importable; ten seconds at most."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=10,
        env=environment,
        check=False,
    )


RENDER = (
    "from wbridge.wbcore.scene.templates import render, process\n"
    "r = lambda t: render(t, 'lua', {}, {}).text\n"
)


def test_fork_starts_workers_of_its_own() -> None:
    script = RENDER + (
        "import os\nassert r('%{= 1 }%') == '1'\nparent = process._workers['lua'].pid\npid = os.fork()\n"
        "if pid == 0:\n"
        "    good = not process._workers and r('%{= 2 }%') == '2' and process._workers['lua'].pid != parent\n"
        "    process.close()\n"
        "    os._exit(0 if good else 1)\n"
        "assert os.waitpid(pid, 0)[1] == 0\n"
        "assert r('%{= 3 }%') == '3' and process._workers['lua'].pid == parent\nprint('fine')\n"
    )
    done = run_script(script)
    assert (done.stdout, done.stderr) == ("fine\n", "")


def test_exit_ends_the_worker_without_a_word() -> None:
    done = run_script(RENDER + "r('%{= 1 }%')\nprint(process._workers['lua'].pid)\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert ends(int(done.stdout))


@pytest.mark.parametrize(
    "body", ["%{= 1 }%", "%{ local s = ('a'):rep(30) .. 'b'; s:find(('a*'):rep(30) .. 'c') }%"]
)
def test_worker_does_not_outlive_a_killed_parent(body: str) -> None:
    script = RENDER + (
        "import os, threading\nr('%{= 1 }%')\nprint(process._workers['lua'].pid, flush=True)\n"
        "from wbridge.wbcore.scene.templates import Limits\n"
        f"body = {body!r}\n"
        "threading.Timer(0.2, lambda: os.kill(os.getpid(), 9)).start()\n"
        "render(body, 'lua', {}, {}, limits=Limits(seconds=1))\n"
        "threading.Event().wait()\n"
    )
    done = run_script(script)
    assert done.returncode == -signal.SIGKILL
    assert ends(int(done.stdout))


def test_interrupt_from_the_keyboard_leaves_a_working_pool() -> None:
    script = RENDER + (
        "import os, signal, threading\nr('%{= 1 }%')\n"
        "threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    r('%{ while true do end }%')\nexcept KeyboardInterrupt:\n    print('interrupted')\n"
        "print(r('%{= 2 }%'))\n"
    )
    assert run_script(script).stdout == "interrupted\n2\n"


def test_missing_engine_is_named(monkeypatch: pytest.MonkeyPatch, lua: Run) -> None:
    process.close()
    monkeypatch.setattr(process, "find_spec", lambda _: None)
    with pytest.raises(
        TemplateError, match="Lua templates need the package lupa; install it: .* -m pip install lupa"
    ):
        lua("%{= 1 }%")


def test_environment_of_the_user_does_not_reach_the_worker(monkeypatch: pytest.MonkeyPatch, lua: Run) -> None:
    process.close()
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert lua("%{= os.date('%H', 0) }%").text == "00"


def test_importing_the_runner_starts_nothing_and_loads_little() -> None:
    heavy = ["lupa", "_quickjs", "subprocess", "numpy", "json", "wbridge.wbcore.scene.templates.process"]
    script = f"import sys, wbridge.wbcore.scene.templates; print([n for n in {heavy} if n in sys.modules])"
    assert run_script(script).stdout == "[]\n"
