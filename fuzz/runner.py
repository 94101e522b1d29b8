"""Runs a target on many generated cases and monitors work, memory, crashes and stray files.

The cases run in sequence in a child process. What a case costs is counted in calls of functions, which are
the same on every machine. If a case does not end, the parent kills the child and continues with the next case
in a new one. Case i of a seed is the same in every run.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from cProfile import Profile
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any

from fuzz.case import Case, Finding, Target

if sys.platform != "win32":
    import resource

MEMORY_BYTES = 3 * 2**30
SLACK_BYTES = 2**29
"""A case that takes MEMORY_BYTES is a finding, however large the process is that forks to run it; the child
may free up to SLACK_BYTES of what it inherits."""
SECRET = "a secret of the environment that no input may read"
HANG_S = 200.0
"""A case that takes longer (s) never ends: at least 20 times what the largest takes."""


def make_case(target: Target, seed: str, number: int) -> Case:
    """Case `number` of a seed."""
    return target.make(Random(f"{target.name} {seed} {number}"))


def run(
    target: Target,
    seconds: float,
    seed: str,
    findings_folder: Path | None = None,
    report: Callable[[str], None] = lambda line: None,
    cases: int = 0,
) -> tuple[int, list[Finding]]:
    """Run cases for a number of seconds, or at most `cases` if given.

    Returns the number of cases and the findings, one per signature. Inputs of findings are saved in a folder.
    """
    worker = _Worker(target, seed)
    found: dict[str, Finding] = {}
    end = time.monotonic() + seconds
    while time.monotonic() < end and not 0 < cases <= worker.number:
        finding = worker.until_finding(end, cases - worker.number if cases else 0)
        if finding is None:
            continue
        known = found.get(finding.signature)
        if known is not None:
            known.times += 1
            continue
        found[finding.signature] = finding
        report(f"{target.name} {seed}:{finding.number} {finding.kind}: {finding.signature}")
        if findings_folder is not None:
            _save_case(target, finding, findings_folder)
    worker.stop()
    return worker.number, list(found.values())


def run_one(target: Target, case: Case) -> Finding | None:
    """Run a single case in its own child process."""
    worker = _Worker(target, "", lambda number: case)
    finding = worker.until_finding(time.monotonic() + 3600, only=1)
    worker.stop()
    return finding


def _save_case(target: Target, finding: Finding, folder: Path) -> None:
    place = folder / f"{target.name}-{finding.seed}-{finding.number}"
    shutil.rmtree(place, ignore_errors=True)
    make_case(target, finding.seed, finding.number).write(place)
    (place / "finding.txt").write_text(f"{finding.kind}: {finding.signature}\n\n{finding.detail}\n", "utf-8")
    finding.folder = str(place)


class _Worker:
    """The parent's side; starts one child after the other."""

    def __init__(self, target: Target, seed: str, make: Callable[[int], Case] | None = None) -> None:
        self.target = target
        self.seed = seed
        self.make = make or (lambda number: make_case(target, seed, number))
        self.number = 0
        self._child: Any = None
        self._pipe: Connection | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def until_finding(self, end: float, only: int = 0) -> Finding | None:
        """Watch cases until one is a finding, the time is up, or `only` so many have run."""
        first = self.number
        while time.monotonic() < end:
            if only and self.number - first >= only:
                return None
            if self._pipe is None:
                self._start()
            finding = self._next(end)
            if finding is not None:
                return finding
        return None

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        self._pipe, other = context.Pipe()
        # A killed child cannot remove its folder.
        self._scratch = tempfile.TemporaryDirectory(prefix="fuzz-")
        arguments = (self.target, self.make, self.number, other, Path(self._scratch.name))
        self._child = context.Process(target=_serve, args=arguments)
        with warnings.catch_warnings():
            # Python 3.12 and later warn about forking with threads; the child uses none of their locks.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._child.start()
        other.close()

    def _next(self, end: float) -> Finding | None:
        """The result of the current case."""
        assert self._pipe is not None
        try:
            if not self._pipe.poll(HANG_S):
                return self._end("hang", f"not finished after {HANG_S:g} s")
            kind, signature, detail = self._pipe.recv()
        except EOFError:
            return self._end("crash", "")
        self.number += 1
        return self._finding(self.number - 1, kind, signature, detail) if kind else None

    def _end(self, kind: str, why: str) -> Finding:
        if kind == "hang":
            self._child.kill()
        self._child.join()
        code = self._child.exitcode
        signature = why or f"ended by {signal.Signals(-code).name if code < 0 else f'exit {code}'}"
        self.stop()
        self.number += 1
        return self._finding(self.number - 1, kind, signature, "")

    def _finding(self, number: int, kind: str, signature: str, detail: str) -> Finding:
        return Finding(self.target.name, self.seed, number, kind, signature, detail)

    def stop(self) -> None:
        """Kill the child, if there is one, and remove its folder."""
        if self._child is not None:
            self._child.kill()
            self._child.join()
        if self._pipe is not None:
            self._pipe.close()
        if self._scratch is not None:
            self._scratch.cleanup()
        self._child = self._pipe = self._scratch = None


def _serve(target: Target, make: Callable[[int], Case], number: int, pipe: Connection, scratch: Path) -> None:
    """The child: runs cases from `number` on; sends kind, signature and detail."""
    most = _address_space() + MEMORY_BYTES - SLACK_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    os.environ["WBRIDGE_FUZZ_SECRET"] = SECRET
    while True:
        case = make(number)
        pipe.send(_outcome(target, case, scratch / str(number)))
        number += 1


def _address_space() -> int:
    """Return the size of this process (bytes)."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _outcome(target: Target, case: Case, folder: Path) -> tuple[str, str, str]:
    main = case.write(folder)
    before = _listing(folder)
    counter = Profile()
    try:
        counter.runcall(target.run, main)
    except BaseException as error:
        return ("exception", _signature(error), traceback.format_exc()[-20_000:])
    finally:
        after = _listing(folder)
        shutil.rmtree(folder, ignore_errors=True)
    if after != before:
        return ("stray files", f"files changed: {sorted(after ^ before)[:5]}", "")
    calls, most = calls_in(counter), target.calls(case)
    if calls > most:
        return ("work", f"over {most} calls for {_magnitude(case.size)}", f"{calls} calls")
    return ("", "", "")


def calls_in(counter: Profile) -> int:
    """Return how many functions were called, in Python and C, while a profile was taken."""
    return sum(entry.callcount for entry in counter.getstats())


def _listing(folder: Path) -> set[tuple[str, int]]:
    return {(str(path), path.stat().st_size) for path in folder.rglob("*") if path.is_file()}


def _magnitude(size: int) -> str:
    return f"about 10^{len(str(size)) - 1} bytes"


def _signature(error: BaseException) -> str:
    """Identifies a cause by the exception's type and the position in the code under test."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "/wbcore/" in frame.filename] or frames
    place = f"{Path(own[-1].filename).name}:{own[-1].name}" if own else ""
    text = str(error).split("\n", 1)[0][:100] if type(error).__name__ == "InvariantError" else ""
    return f"{type(error).__name__} in {place} {text}".strip()
