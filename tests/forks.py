"""Runs the tests in several processes that are forked once the tests are collected: `pytest --forks N`.

Collecting takes as long as a thousand tests. The workers of pytest-xdist each do it anew, forked ones not at
all. The tests of a file run in one process, as they share what they have built. The longest files come first,
so that no process is left with a long one while the others have nothing to do.
"""

from __future__ import annotations

import atexit
import os
import struct
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from multiprocessing import connection, get_context
from pathlib import Path
from typing import Any

import pytest

from tests import tools

__all__ = [
    "IDLE",
    "SECONDS",
    "idle",
    "known_seconds",
    "pytest_addoption",
    "pytest_runtestloop",
    "run",
    "shared_folder",
    "units",
]

SECONDS = Path(__file__).with_name("seconds.txt")
"""What long files took in the last run that wrote it (`--write-seconds`): seconds and name, longest first."""
PER_TEST = 0.02
"""What a test of another file is taken to need (s)."""
IDLE = pytest.StashKey[float]()
"""How long processes had nothing to do at the end of this run (s)."""
FORK = "fork"
"""How the temporary folders of processes begin."""
_NUMBER = struct.Struct("<i")
_fork = get_context(
    "fork" if sys.platform != "win32" else None
)  # Windows has none: there, one process runs all


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer to run the tests in several processes."""
    parser.addoption("--forks", type=int, default=1, help="run the tests in this number of processes")
    parser.addoption("--write-seconds", action="store_true", help=f"write {SECONDS.name} anew")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in several processes, if that is wanted and there are tests to run."""
    option = session.config.option
    if option.forks < 2 or option.collectonly or session.testsfailed or not session.items:
        return None
    return run(session, option.forks)


def known_seconds() -> dict[str, float]:
    """Return what files took in an earlier run (s)."""
    lines = SECONDS.read_text(encoding="utf-8").splitlines()
    return {name: float(seconds) for seconds, name in (line.split() for line in lines)}


def shared_folder(own: Path) -> Path:
    """Return the temporary folder of the whole run, from that of one of its processes."""
    return own.parent if own.name.startswith(FORK) else own


def units(names: Sequence[str], seconds: dict[str, float]) -> list[list[int]]:
    """Return the places of the tests of each file, first those of the file that takes longest.

    Args:
        names: of all tests, with their files before `::`.
        seconds: what files take, as far as it is known.
    """
    files: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        files.setdefault(name.partition("::")[0], []).append(place)
    return sorted(
        files.values(), key=lambda own: -seconds.get(names[own[0]].partition("::")[0], PER_TEST * len(own))
    )


def run(session: pytest.Session, count: int) -> bool:
    """Run the collected tests in `count` processes, as `pytest_runtestloop` does in one.

    Raises:
        pytest.Session.Failed: as many tests failed as `-x` or `--maxfail` allows.
    """
    chosen = units([item.nodeid for item in session.items], known_seconds())
    session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    queue = _queue(len(chosen))
    workers = [Worker(session, chosen, queue, []) for _ in range(min(count, len(chosen)))]
    ends: list[float] = []
    try:
        while workers:
            ready = connection.wait([one.receiver for one in workers])
            for worker in [one for one in workers if one.receiver in ready]:
                if not worker.take_message():
                    workers.remove(worker)
                    workers += worker.successor()
                    ends.append(time.monotonic())
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
    finally:
        os.close(queue)
        for worker in workers:
            worker.stop()
        session.config.stash[IDLE] = idle(ends[-count:])
    return True


def idle(ends: Sequence[float]) -> float:
    """Return how long processes had nothing to do before the last one ended (s), from when each ended."""
    return sum(max(ends) - end for end in ends) if ends else 0.0


def _queue(count: int) -> int:
    """Return a file that yields the numbers below `count`, each to one of its readers."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)  # an error rather than a standstill if they do not fit into the pipe
    os.write(writing, b"".join(_NUMBER.pack(number) for number in range(count)))
    os.close(writing)
    return reading


class Worker:
    """A process that runs files of tests, seen from the one that has collected them."""

    _number = 0

    def __init__(self, session: pytest.Session, chosen: list[list[int]], queue: int, left: list[int]) -> None:
        """
        Args:
            session: with the collected tests.
            chosen: the tests of each file.
            queue: yields the numbers of files.
            left: tests that run before those of the queue: what a process that ended has left.
        """
        Worker._number += 1
        self._session, self._chosen, self._queue = session, chosen, queue
        self._pending, self._has_spoken = list(left), False
        self.receiver, sender = _fork.Pipe(duplex=False)
        folder = f"{FORK}{Worker._number}"
        self._process = _fork.Process(target=_work, args=(session, chosen, queue, left, sender, folder))
        with warnings.catch_warnings():  # libraries for mathematics have threads, and stop them for a fork
            warnings.simplefilter("ignore", DeprecationWarning)
            self._process.start()
        sender.close()

    def take_message(self) -> bool:
        """Pass on what the process says; return False once it has ended."""
        try:
            message = self.receiver.recv()
        except EOFError:
            self._process.join()
            return False
        self._has_spoken = True
        if isinstance(message, int):
            self._pending += self._chosen[message]
            return True
        config = self._session.config
        for content in message:
            if "warning_message" in content:
                config.hook.pytest_warning_recorded.call_historic(kwargs=content)
            else:
                report = config.hook.pytest_report_from_serializable(config=config, data=content)
                config.hook.pytest_runtest_logreport(report=report)
        item = self._session.items[self._pending.pop(0)]
        config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def successor(self) -> list[Worker]:
        """Report a crash and return the process that does what is left; return nothing if all is done.

        Raises:
            RuntimeError: the process ended before its first test.
        """
        if not self._has_spoken:
            raise RuntimeError(
                f"a process of the tests ended with {self._process.exitcode} before its first test"
            )
        if not self._pending:
            return []
        item = self._session.items[self._pending[0]]
        text = f"the process ended with {self._process.exitcode}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", text, "call")
        item.ihook.pytest_runtest_logreport(report=report)
        return [Worker(self._session, self._chosen, self._queue, self._pending[1:])]

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()


class _Reports:
    """A plugin in a forked process that collects what a test reports."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._collected: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._collected.append(
            self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        )

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str
    ) -> None:
        # Its class may be known in this process only.
        text = UserWarning(f"{warning_message.category.__name__}: {warning_message.message}")
        plain = warnings.WarningMessage(text, UserWarning, warning_message.filename, warning_message.lineno)
        self._collected.append({"warning_message": plain, "when": when, "nodeid": nodeid, "location": None})

    def take(self) -> list[dict[str, Any]]:
        """Return what has been collected since the last call."""
        taken, self._collected = self._collected, []
        return taken


def _work(
    session: pytest.Session,
    chosen: list[list[int]],
    queue: int,
    left: list[int],
    sender: connection.Connection,
    folder: str,
) -> None:
    """Run tests in a forked process; a number tells that it takes a file, a list what a test has reported."""
    reports = _become_worker(session.config, folder)
    ahead = _places(chosen, queue, left, sender)
    place = next(ahead, None)
    while place is not None:
        following = next(ahead, None)  # fixtures stay if it has the same ones
        item = session.items[place]
        after = None if following is None else session.items[following]
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        sender.send(reports.take())
        place = following
    tools.clean_up()
    atexit._run_exitfuncs()


def _places(
    chosen: list[list[int]], queue: int, left: list[int], sender: connection.Connection
) -> Iterator[int]:
    """Iterate over the tests of this process, and tell which files it takes."""
    yield from left
    while number := os.read(queue, _NUMBER.size):
        (taken,) = _NUMBER.unpack(number)
        sender.send(taken)
        yield from chosen[taken]


def _become_worker(config: pytest.Config, folder: str) -> _Reports:
    """Take what processes must not share: where they print, and their temporary folders."""
    manager = config.pluginmanager
    manager.unregister(name="terminalreporter")
    capturing: Any = manager.getplugin("capturemanager")
    capturing.stop_global_capturing()
    capturing.start_global_capturing()
    factory: Any = config._tmp_path_factory  # type: ignore[attr-defined]
    factory._basetemp = factory.getbasetemp() / folder
    factory._basetemp.mkdir(mode=0o700)
    tools.leave_folders()
    reports = _Reports(config)
    manager.register(reports)
    reports.take()  # pytest repeats what was reported before to a new plugin
    return reports
