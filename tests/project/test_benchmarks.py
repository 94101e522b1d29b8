"""The benchmark runner: its table, its verdicts, its exit codes."""

import json
import sys
from types import ModuleType

import pytest

from benchmarks import __main__ as runner
from benchmarks.case import Case, Unavailable, best_seconds


def unavailable() -> float:
    raise Unavailable("no such robot here")


@pytest.fixture
def probe(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A benchmark file `bench_probe` with one case that holds and one that cannot be measured."""
    module = ModuleType("benchmarks.bench_probe")
    module.cases = lambda: [Case("low", lambda: 1.0, 2.0, "s"), Case("none", unavailable, 1.0, "s")]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(runner, "names", lambda: ["probe"])
    return module


def test_the_table_shows_value_limit_and_verdict(probe: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert runner.main([]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["low", "1", "<=", "2", "s", "pass"],
        ["none", "-", "<=", "1", "s", "absent", "no", "such", "robot", "here"],
    ]


@pytest.mark.parametrize(
    ("value", "at_least", "code"), [(2.0, False, 0), (2.1, False, 1), (2.0, True, 0), (1.9, True, 1)]
)
def test_a_limit_that_does_not_hold_is_exit_code_1(
    probe: ModuleType, value: float, at_least: bool, code: int
):
    probe.cases = lambda: [Case("x", lambda: value, 2.0, "s", at_least)]
    assert runner.main(["probe"]) == code


def test_a_case_that_breaks_fails_and_the_others_still_run(
    probe: ModuleType, capsys: pytest.CaptureFixture[str]
):
    probe.cases = lambda: [Case("broken", lambda: 1 / 0, 2.0, "s"), Case("low", lambda: 1.0, 2.0, "s")]
    assert runner.main([]) == 1
    broken, low = capsys.readouterr().out.splitlines()[1:]
    assert "FAIL  ZeroDivisionError" in broken
    assert "pass" in low


def test_json_holds_what_the_table_shows(probe: ModuleType, capsys: pytest.CaptureFixture[str]):
    assert runner.main(["--json"]) == 0
    low, none = json.loads(capsys.readouterr().out)["benchmarks"]
    assert (low["value"], low["limit"], low["verdict"]) == (1.0, 2.0, "pass")
    assert (none["value"], none["verdict"]) == (None, "absent")


def test_a_wrong_name_is_a_usage_error(probe: ModuleType, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as stop:
        runner.main(["prob"])
    assert stop.value.code == 2
    assert "unknown benchmark prob; available: probe" in capsys.readouterr().err


def test_every_benchmark_file_has_cases_with_names_of_their_own():
    files = runner.names()
    assert "scene" in files
    cases = [
        case for name in files for case in __import__(f"benchmarks.bench_{name}", fromlist=["cases"]).cases()
    ]
    assert len({case.name for case in cases}) == len(cases)


def test_the_best_of_several_runs_counts(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 5.0, 10.0, 12.0, 20.0, 29.0])
    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    assert best_seconds(lambda: None, repeats=3) == 2.0
