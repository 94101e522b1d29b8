"""The fuzz runner sees exceptions, crashes, hangs, too much work, stray files and lack of memory."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fuzz.case import Case, InvariantError
from fuzz.main import main
from fuzz.runner import MEMORY_BYTES, make_case, run, run_one

CASE = Case({"worlds/main.wbt": b"text"})


class Doing:
    """A target whose code under test does what is given, with at most 100 calls."""

    name = "doing"

    def __init__(self, what: Callable[[Path], object]) -> None:
        self.what = what

    def make(self, random: Random) -> Case:
        return Case({"worlds/main.wbt": random.randbytes(8)})

    def run(self, main: Path) -> None:
        self.what(main)

    def calls(self, case: Case) -> int:
        return 100


def work(calls: int) -> None:
    for _ in range(calls):
        abs(0)


def broken(main: Path) -> None:
    raise InvariantError("not as it was")


@pytest.mark.parametrize(
    ("what", "kind", "signature"),
    [
        (lambda main: main.read_text().index("q"), "exception", "ValueError in "),
        (broken, "exception", "not as it was"),
        (lambda main: bytearray(MEMORY_BYTES), "exception", "MemoryError in "),
        (lambda main: os.kill(os.getpid(), signal.SIGKILL), "crash", "ended by SIGKILL"),
        (lambda main: os._exit(3), "crash", "ended by exit 3"),
        (lambda main: work(200), "work", "over 100 calls"),
        (lambda main: main.with_name("canary").write_text("x"), "stray files", "canary"),
    ],
)
def test_the_runner_finds(what: Callable[[Path], object], kind: str, signature: str):
    finding = run_one(Doing(what), CASE)
    assert finding is not None
    assert finding.kind == kind
    assert signature in finding.signature


def test_the_runner_ends_a_hang(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("fuzz.runner.HANG_S", 0.2)
    finding = run_one(Doing(lambda main: signal.pause()), CASE)
    assert finding is not None
    assert finding.kind == "hang"


def test_a_case_costs_the_same_number_of_calls_each_time():
    details = set()
    for _ in range(2):
        finding = run_one(Doing(lambda main: work(10_000)), CASE)
        assert finding is not None and finding.kind == "work"
        details.add(finding.detail)
    assert len(details) == 1


def test_a_well_behaved_case_is_no_finding():
    assert run_one(Doing(Path.read_bytes), CASE) is None


def test_the_same_seed_makes_the_same_files():
    target = Doing(Path.read_bytes)
    assert make_case(target, "7", 3) == make_case(target, "7", 3)
    assert make_case(target, "7", 3) != make_case(target, "7", 4)
    assert make_case(target, "7", 3) != make_case(target, "8", 3)


def test_after_a_crash_it_goes_on_with_the_next_case():
    count, findings = run(Doing(lambda main: os._exit(3)), math.inf, "1", cases=2)
    assert count == 2
    assert [one.times for one in findings] == [2]


def test_findings_are_kept_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    kept, report = tmp_path / "kept", tmp_path / "report.json"
    arguments = ["--seconds", "0.2", "--findings", str(kept), "--report", str(report)]
    assert main([Doing(broken)], arguments) == 1
    case = make_case(Doing(broken), "1", 0)
    assert (kept / "doing-1-0" / case.main).read_bytes() == case.files[case.main]
    assert "not as it was" in (kept / "doing-1-0" / "finding.txt").read_text()
    assert "not as it was" in report.read_text()
    assert "1 findings" in capsys.readouterr().out


def test_without_findings_the_exit_code_is_0(tmp_path: Path):
    arguments = ["--seconds", "0.1", "--findings", str(tmp_path / "kept")]
    assert main([Doing(Path.read_bytes)], arguments) == 0
    assert not (tmp_path / "kept").exists()
